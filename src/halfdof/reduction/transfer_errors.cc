#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/assembled/term_scales.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/unit_roundoff.h>
#include <halfdof/linear_algebra/rates_of_rows.h>
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

Vector largest_of_rows(const MultiVector& H) {
  Vector largest = Vector::Zero(H.rows());
  for (Index i = 0; H.cols() > 0 && i < H.rows(); ++i)
    largest[i] = H.row(i).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  return largest;
}

/// C P(s)^{-1} of the model.
class TransferOfModel {
 public:
  TransferOfModel(const Reduced& reduced, const std::vector<Output>& outputs,
                  const TermScales<EigenEngine>& scales, double s)
      : reduced_(reduced),
        scales_(scales),
        s_(s),
        pencil_(reduced.factorize_pencil_before(s * s, s, 1)),
        C_T_(AssembledOutputs<EigenEngine>(reduced, outputs).transposed(s)),
        y_(pencil_->solve_transposed(C_T_)) {}

  /// With zero columns of constrained DoFs.
  MultiVector H() const {
    MultiVector H_T = MultiVector::Zero(reduced_.assembled().dofs().n_local(), y_.cols());
    reduced_.before().add_weights_to(y_, H_T);
    return H_T.transpose();
  }

  /// The responses of all DoFs to loads, one for each output. Shape: assembled DoFs x outputs
  MultiVector x(const MultiVector& loads) const {
    return pencil_->solve(reduced_.before().restrict_forces(loads));
  }
  /// TransferErrors::Place::size
  Vector size(const MultiVector& x) const {
    const Vector &unit = scales_.column_scales(),
                 largest = largest_of_rows(x.transpose() * unit.cwiseInverse().asDiagonal());
    return largest.cwiseProduct(C_T_.cwiseAbs().transpose() * unit);
  }
  /// TransferErrors::Place::rounding
  Vector rounding(const MultiVector& x) const {
    const MultiVector terms = scales_(ComplexVector::Constant(x.cols(), s_), x.cast<Complex>());
    return unit_roundoff * y_.cwiseAbs().cwiseProduct(terms).colwise().sum().transpose();
  }

 private:
  const Reduced& reduced_;
  const TermScales<EigenEngine>& scales_;
  double s_;
  FactorizationPtr<double> pencil_;
  MultiVector C_T_, y_;
};

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

  /// The loads of these columns of what operator() returns. Shape: assembled DoFs x columns
  MultiVector loads(const std::vector<Index>& columns, Index n_dofs) const {
    const auto n_single = static_cast<Index>(single_.size());
    const bool is_empty = single_.empty() && coefficients_.cols() == 0;
    MultiVector f = MultiVector::Zero(n_dofs, static_cast<Index>(columns.size()));
    for (std::size_t k = 0; k < columns.size() && !is_empty; ++k)
      if (const Index j = columns[k]; j < n_single)
        f(single_[static_cast<std::size_t>(j)], static_cast<Index>(k)) = 1;
      else
        f(joint_, static_cast<Index>(k)) = coefficients_.col(j - n_single);
    return f;
  }

 private:
  static constexpr std::size_t most_joint = 1000;  ///< above, their dense equations would cost too much

  std::vector<Index> single_, joint_;
  MultiVector coefficients_{0, 0};
};

/// The place of the largest entry of each row; 0 where there is none.
std::vector<Index> places_of_largest(const MultiVector& H) {
  std::vector<Index> places(static_cast<std::size_t>(H.rows()), 0);
  for (Index i = 0; H.cols() > 0 && i < H.rows(); ++i)
    H.row(i).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(&places[static_cast<std::size_t>(i)]);
  return places;
}

/// A zero that is found to be zero has no error; what is not finite has an infinite one.
double relative(double error, double largest) {
  if (error == 0) return 0;
  return std::isfinite(error) && std::isfinite(largest) ? error / largest
                                                        : std::numeric_limits<double>::infinity();
}

/// The rates at which transfer functions are compared.
std::vector<double> rates_of(const Reduced& reduced) {
  constexpr GlobalIndex most_dofs = 1000;
  constexpr std::size_t most = 8;
  const FreeSystem<EigenEngine>& model = reduced.before();
  std::vector<double> rates{characteristic_rate(model)};
  // A null tolerance drops parts on purpose, which have the fastest rates.
  if (model.dofs().n_global() <= most_dofs && reduced.classification().n_dropped_columns() == 0)
    for (const double rate :
         rates_of_rows(EigenEngine::row_norms(model.M()), EigenEngine::row_norms(model.C()),
                       EigenEngine::row_norms(model.K()), most))
      if (std::abs(std::log(rate / rates.front())) > 1) rates.push_back(rate);
  return rates;
}

}  // namespace

TransferErrors transfer_errors(const Reduced& reduced, const std::vector<Output>& outputs,
                               const std::function<MultiVector(double s)>& H) {
  constexpr double part_of_rate = 0.7390851332151607;  // no round number, on which eigenvalues would lie
  const RepresentedLoads loads(reduced);
  const TermScales<EigenEngine> scales(reduced.before());
  const auto n = static_cast<Index>(outputs.size());
  const Vector unknown = Vector::Constant(n, std::numeric_limits<double>::quiet_NaN());
  TransferErrors errors{unknown, unknown, unknown, "", {}};
  bool are_known = false;
  for (const double rate : rates_of(reduced)) {
    const double s = part_of_rate * rate;
    try {
      const TransferOfModel model(reduced, outputs, scales, s);
      const MultiVector exact = loads(model.H()), difference = loads(H(s)) - exact;
      const Vector largest = largest_of_rows(exact), error = largest_of_rows(difference);
      for (Index o = 0; o < n; ++o)
        if (!are_known || relative(error[o], largest[o]) > relative(errors.error[o], errors.largest[o])) {
          errors.s[o] = s;
          errors.largest[o] = largest[o];
          errors.error[o] = error[o];
        }
      are_known = true;
      const MultiVector x =
          model.x(loads.loads(places_of_largest(difference), reduced.assembled().dofs().n_local()));
      errors.places.push_back({s, largest, error, model.size(x), model.rounding(x)});
    } catch (const SingularMatrix&) {
      errors.not_compared = "s = " + number_text(s) + " 1/s is an eigenvalue, up to rounding";
    } catch (const NotAvailable& reason) {
      errors.not_compared = reason.what();
    }
  }
  if (are_known) errors.not_compared.clear();
  return errors;
}

double largest_relative_error(const TransferErrors& errors) {
  double largest = 0;
  for (Index o = 0; o < errors.error.size(); ++o)
    largest = std::max(largest, relative(errors.error[o], errors.largest[o]));
  return largest;
}

std::vector<Index> inaccurate_outputs(const TransferErrors& errors, double relative_error) {
  std::vector<Index> outputs;
  for (Index o = 0; o < errors.error.size(); ++o)
    if (!(errors.error[o] <= relative_error * errors.largest[o])) outputs.push_back(o);
  return outputs;
}

bool loses_an_output(const TransferErrors& errors, double relative_error) {
  constexpr double most_roundings = 1e4;
  for (const TransferErrors::Place& place : errors.places)
    if (!(place.error.array() <=
          (relative_error * place.size).cwiseMax(most_roundings * place.rounding).array())
             .all())
      return true;
  return false;
}

}  // namespace halfdof
