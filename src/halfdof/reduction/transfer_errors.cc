#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/base/errors.h>
#include <halfdof/reduction/assembled_outputs.h>
#include <halfdof/reduction/left_out_loads.h>
#include <halfdof/reduction/transfer_errors.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof {

namespace {

using Reduced = ReducedSystem<EigenEngine>;

/// C P(s)^{-1}, and zero columns of constrained DoFs.
MultiVector transfer_of_model(const Reduced& reduced, const std::vector<Output>& outputs, double s) {
  const AssembledOutputs<EigenEngine> C(reduced, outputs);
  const MultiVector y = reduced.factorize_pencil_before(s * s, s, 1)->solve_transposed(C.transposed(s));
  MultiVector H_T = MultiVector::Zero(reduced.assembled().dofs().n_local(), y.cols());
  reduced.before().add_weights_to(y, H_T);
  return H_T.transpose();
}

/// Loads f with L^T f = 0 that span all of them, for transfer functions H f.
class RepresentedLoads {
 public:
  explicit RepresentedLoads(const Reduced& reduced) {
    const Eigen::SparseMatrix<double> L = left_out_loads(reduced);
    std::vector<int> entries(static_cast<std::size_t>(L.rows()), 0);
    std::vector<bool> is_alone(entries.size(), false);
    std::vector<Index> combinations;
    for (Index j = 0; j < L.outerSize(); ++j) {
      const Eigen::SparseMatrix<double>::InnerIterator first(L, j);
      if (L.col(j).nonZeros() == 1) {
        is_alone[static_cast<std::size_t>(first.row())] = true;
        continue;
      }
      combinations.push_back(j);
      for (Eigen::SparseMatrix<double>::InnerIterator entry(L, j); entry; ++entry)
        ++entries[static_cast<std::size_t>(entry.row())];
    }
    for (const Index dof : reduced.assembled().free().local()) {
      const auto i = static_cast<std::size_t>(dof);
      if (!is_alone[i]) (entries[i] > 0 ? joint_ : single_).push_back(dof);
    }
    if (joint_.size() > most_joint) joint_.clear();
    if (joint_.empty()) return;
    MultiVector equations =
        MultiVector::Zero(static_cast<Index>(combinations.size()), static_cast<Index>(joint_.size()));
    std::vector<Index> place(entries.size(), 0);
    for (std::size_t i = 0; i < joint_.size(); ++i)
      place[static_cast<std::size_t>(joint_[i])] = static_cast<Index>(i);
    for (Index i = 0; i < equations.rows(); ++i)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(L, combinations[static_cast<std::size_t>(i)]);
           entry; ++entry)
        equations(i, place[static_cast<std::size_t>(entry.row())]) = entry.value();
    coefficients_ = Eigen::FullPivLU<MultiVector>(equations).kernel();
    for (auto column : coefficients_.colwise())
      if (const double largest = column.cwiseAbs().maxCoeff(); largest > 0) column /= largest;
  }

  MultiVector operator()(const MultiVector& H) const {
    MultiVector of_loads(H.rows(), static_cast<Index>(single_.size()) + coefficients_.cols());
    of_loads << H(Eigen::all, single_), H(Eigen::all, joint_) * coefficients_;
    return of_loads;
  }

 private:
  static constexpr std::size_t most_joint = 1000;  ///< above, their dense equations would cost too much

  std::vector<Index> single_, joint_;
  MultiVector coefficients_{0, 0};
};

Vector largest_of_rows(const MultiVector& H) {
  return H.cols() > 0 ? Vector(H.cwiseAbs().rowwise().maxCoeff()) : Vector::Zero(H.rows());
}

/// The slowest rate [1/s] at which the two largest terms of an equation are equal.
double slowest_rate(const FreeSystem<EigenEngine>& system) {
  const Vector m = EigenEngine::row_norms(system.M()), c = EigenEngine::row_norms(system.C()),
               k = EigenEngine::row_norms(system.K());
  double slowest = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < k.size(); ++i) {
    const double rate = k[i] == 0                    ? c[i] / m[i]
                        : c[i] * c[i] >= m[i] * k[i] ? k[i] / c[i]
                                                     : std::sqrt(k[i] / m[i]);
    if (rate > 0) slowest = std::min(slowest, rate);
  }
  return slowest;
}

TransferErrors errors_at(const Reduced& reduced, const std::vector<Output>& outputs,
                         const RepresentedLoads& loads, const std::function<MultiVector(double s)>& H,
                         double s) {
  const Vector unknown =
      Vector::Constant(static_cast<Index>(outputs.size()), std::numeric_limits<double>::quiet_NaN());
  try {
    const MultiVector exact = loads(transfer_of_model(reduced, outputs, s));
    return {s, largest_of_rows(exact), largest_of_rows(loads(H(s)) - exact), ""};
  } catch (const SingularMatrix&) {
    return {s, unknown, unknown, "s is an eigenvalue, up to rounding"};
  } catch (const NotAvailable& reason) {
    return {s, unknown, unknown, reason.what()};
  }
}

}  // namespace

TransferErrors transfer_errors(const Reduced& reduced, const std::vector<Output>& outputs,
                               const std::function<MultiVector(double s)>& H) {
  constexpr double part_of_rate = 0.7390851332151607;  // no round number, on which eigenvalues would lie
  constexpr double apart = 10;
  constexpr GlobalIndex most_dofs = 1000;
  const FreeSystem<EigenEngine>& model = reduced.before();
  const double fast = part_of_rate * characteristic_rate(model),
               slow = model.dofs().n_global() <= most_dofs ? part_of_rate * slowest_rate(model) : fast;
  const RepresentedLoads loads(reduced);
  TransferErrors errors = errors_at(reduced, outputs, loads, H, fast);
  if (!(apart * slow < fast)) return errors;
  TransferErrors at_slow = errors_at(reduced, outputs, loads, H, slow);
  if (!at_slow.not_compared.empty()) return errors;
  return errors.not_compared.empty() && largest_relative_error(errors) >= largest_relative_error(at_slow)
             ? errors
             : at_slow;
}
double largest_relative_error(const TransferErrors& errors) {
  double largest = 0;
  for (Index o = 0; o < errors.error.size(); ++o) {
    if (errors.error[o] == 0) continue;
    const double relative = errors.error[o] / errors.largest[o];
    if (std::isnan(relative)) return relative;
    largest = std::max(largest, relative);
  }
  return largest;
}

std::vector<Index> inaccurate_outputs(const TransferErrors& errors, double relative_error) {
  std::vector<Index> outputs;
  for (Index o = 0; o < errors.error.size(); ++o)
    if (!(errors.error[o] <= relative_error * errors.largest[o])) outputs.push_back(o);
  return outputs;
}

}  // namespace halfdof
