// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/assembled/term_scales.h>
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/linear_algebra/corner_frequencies.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/reduction/assembled_outputs.h>
#include <halfdof/reduction/excluded_loads.h>
#include <halfdof/reduction/transfer_errors.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

namespace halfdof::internal {

namespace {

using Reduced = ReducedSystem<EigenEngine>;

/// Returns the largest modulus in each row; NaN if the row contains NaN.
Vector largest_of_rows(const MultiVector& H) {
  Vector largest = Vector::Zero(H.rows());
  for (Index i = 0; H.cols() > 0 && i < H.rows(); ++i)
    largest[i] = H.row(i).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  return largest;
}

/// The transfer functions C P(s)^{-1} of the model at one value of s, with bounds of their rounding errors.
class TransferOfModel {
 public:
  TransferOfModel(const Reduced& reduced, const std::vector<Output>& outputs,
                  const TermScales<EigenEngine>& scales, double s)
      : reduced_(reduced),
        scales_(scales),
        pencil_(reduced.unreduced().factorize_pencil(s * s, s, 1)),
        C_T_(AssembledOutputs<EigenEngine>(reduced, outputs).transposed(s)),
        y_(pencil_->solve_transposed(C_T_)) {
    const FreeSystem<EigenEngine>& model = reduced.unreduced().system();
    const auto absolute = [](const EigenMatrix& A) { return absolute_of<EigenEngine>(A); };
    size_of_P_ = EigenEngine::sum(1, EigenEngine::sum(s * s, absolute(model.M()), s, absolute(model.C())), 1,
                                  absolute(model.K()));
  }

  /// Computes the transfer functions of loads on assembled DoFs. Columns of constrained DoFs are zero.
  MultiVector H() const {
    MultiVector H_T = MultiVector::Zero(reduced_.assembled().dofs().n_local(), y_.cols());
    reduced_.unreduced().system().add_weights_to(y_, H_T);
    return H_T.transpose();
  }

  double log_determinant() const { return log_modulus_of_determinant(*pencil_); }
  /// Computes the bound TransferFunction::rounding_of_determinant for det P(s).
  double rounding_of_determinant() const {
    const auto n = static_cast<Index>(y_.rows());
    const MultiVector inverse = pencil_->solve(MultiVector(MultiVector::Identity(n, n)));
    return unit_roundoff *
           inverse.cwiseAbs().transpose().cwiseProduct(EigenEngine::to_dense(*size_of_P_)).sum();
  }

  /// Computes TransferErrors::Lost::size and TransferFunction::rounding for loads. Shapes of the results:
  /// outputs x loads
  std::pair<MultiVector, MultiVector> sizes_and_rounding(const MultiVector& loads) const {
    const MultiVector x =
        MultiVector(pencil_->solve(reduced_.unreduced().system().restrict_forces(loads))).cwiseAbs();
    const Vector& unit = scales_.column_scales();
    const Vector largest = largest_of_rows(x.transpose() * unit.cwiseInverse().asDiagonal());
    MultiVector terms = MultiVector::Zero(x.rows(), x.cols());
    size_of_P_->add_product(1., x, terms);
    return {C_T_.cwiseAbs().transpose() * unit * largest.transpose(),
            unit_roundoff * (y_.cwiseAbs().transpose() * terms + C_T_.cwiseAbs().transpose() * x)};
  }

 private:
  const Reduced& reduced_;
  const TermScales<EigenEngine>& scales_;
  FactorizationPtr<double> pencil_;
  MultiVector C_T_, y_;
  std::optional<EigenMatrix> size_of_P_;  ///< s^2 |M| + s |C| + |K|
};

/// A basis of the loads f with L^T f = 0, for transfer functions H f.
class RepresentedLoads {
 public:
  explicit RepresentedLoads(const Reduced& reduced) {
    const Eigen::SparseMatrix<double> L = excluded_loads(reduced);
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
    if (joint_.size() > max_joint) joint_.clear();
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
    stack_columns(of_loads, H(Eigen::all, single_), H(Eigen::all, joint_) * coefficients_);
    return of_loads;
  }

  /// Returns the loads f that belong to some columns of the result of operator(). Shape: assembled DoFs x
  /// columns
  MultiVector of_columns(const std::vector<Index>& columns, Index n_dofs) const {
    const auto n_single = static_cast<Index>(single_.size());
    MultiVector f = MultiVector::Zero(n_dofs, static_cast<Index>(columns.size()));
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (const Index j = columns[k]; j < n_single)
        f(single_[static_cast<std::size_t>(j)], static_cast<Index>(k)) = 1;
      else
        f(joint_, static_cast<Index>(k)) = coefficients_.col(j - n_single);
    return f;
  }

 private:
  static constexpr std::size_t max_joint = 1000;  ///< limit above which the dense equations would cost too
                                                  ///< much

  std::vector<Index> single_, joint_;
  MultiVector coefficients_{0, 0};
};

/// Returns error / largest; zero if the error is zero, infinite if a value is not finite.
double relative(double error, double largest) {
  if (error == 0) return 0;
  return std::isfinite(error) && std::isfinite(largest) ? error / largest
                                                        : std::numeric_limits<double>::infinity();
}

constexpr GlobalIndex max_compared_dofs = 1000;  ///< largest number of DoFs of models that are compared at
                                                 ///< additional rates

/// Returns the rates at which transfer functions are compared.
std::vector<double> rates_of(const Reduced& reduced) {
  constexpr std::size_t max_rates = 8;
  const FreeSystem<EigenEngine>& model = reduced.unreduced().system();
  std::vector<double> rates{characteristic_rate(model)};
  // A null tolerance drops parts of the model on purpose, and these parts have the fastest rates.
  if (model.dofs().n_global() <= max_compared_dofs && reduced.classification().n_dropped_columns() == 0)
    for (const double rate :
         corner_frequencies(EigenEngine::row_norms(model.M()), EigenEngine::row_norms(model.C()),
                            EigenEngine::row_norms(model.K()), max_rates))
      if (std::abs(std::log(rate / rates.front())) > 1) rates.push_back(rate);
  if (rates.size() == 1) rates.push_back(0.25 * rates.front());
  return rates;
}

/// Returns the loads whose differences are not small relative to the transfer functions. Each of these
/// loads costs a solve, so that only the loads with the largest relative differences are returned if there
/// are many.
std::vector<Index> inaccurate_loads(const MultiVector& difference, const MultiVector& exact) {
  constexpr std::size_t max_loads = 1000;
  std::vector<std::pair<double, Index>> found;
  for (Index j = 0; j < static_cast<Index>(exact.cols()); ++j) {
    double largest = 0;
    for (Index o = 0; o < static_cast<Index>(exact.rows()); ++o)
      largest = std::max(largest, relative(std::abs(difference(o, j)), std::abs(exact(o, j))));
    if (largest > transfer_accuracy) found.emplace_back(-largest, j);
  }
  if (found.size() > max_loads) {
    std::nth_element(found.begin(), found.begin() + max_loads, found.end());
    found.resize(max_loads);
  }
  std::vector<Index> loads;
  for (const auto& [error, j] : found)
    loads.push_back(j);
  return loads;
}

/// Records the outputs with an error above the allowed error; for each output the largest error relative to
/// its size.
void record_lost(double s, const MultiVector& error, const MultiVector& sizes, const MultiVector& allowed,
                 std::vector<TransferErrors::Lost>& lost) {
  for (Index o = 0; o < static_cast<Index>(error.rows()); ++o)
    for (Index j = 0; j < static_cast<Index>(error.cols()); ++j) {
      if (error(o, j) <= allowed(o, j)) continue;
      const TransferErrors::Lost here{o, s, error(o, j), sizes(o, j)};
      const auto same =
          std::find_if(lost.begin(), lost.end(), [o](const auto& other) { return other.output == o; });
      if (same == lost.end())
        lost.push_back(here);
      else if (relative(here.error, here.size) > relative(same->error, same->size))
        *same = here;
    }
}

/// The logarithm of |det (s E - A) / det P(s)| at a value of s.
struct LogDeterminantRatio {
  double s, value;
};

/// Returns the two values of s between which the determinant ratio changes most in excess of the effect of
/// rounding, if this change exceeds 1 %.
/// @param rounding_effect Effect of rounding on the logarithm of the ratio at s
std::optional<TransferErrors::LostEigenvalues> lost_eigenvalues(
    const std::vector<LogDeterminantRatio>& ratios, const std::function<double(double s)>& rounding_effect) {
  constexpr double max_change = 1e-2;
  const auto by_value = [](const LogDeterminantRatio& a, const LogDeterminantRatio& b) {
    return a.value < b.value;
  };
  const auto [lowest, highest] = std::minmax_element(ratios.begin(), ratios.end(), by_value);
  if (ratios.empty() || highest->value - lowest->value <= max_change) return std::nullopt;
  std::vector<LogDeterminantRatio> at_least, at_most;
  for (const auto& [s, value] : ratios) {
    const double of_rounding = rounding_effect(s);
    at_least.push_back({s, value - of_rounding});
    at_most.push_back({s, value + of_rounding});
  }
  const LogDeterminantRatio largest = *std::max_element(at_least.begin(), at_least.end(), by_value),
                            least = *std::min_element(at_most.begin(), at_most.end(), by_value);
  if (largest.value - least.value <= max_change) return std::nullopt;
  return TransferErrors::LostEigenvalues{least.s, largest.s, std::exp(largest.value - least.value)};
}

}  // namespace

TransferErrors transfer_errors(const Reduced& reduced, const std::vector<Output>& outputs,
                               const std::function<TransferFunction(double s)>& transfer) {
  constexpr double part_of_rate = 0.7390851332151607;  // an arbitrary number, so that s is no eigenvalue
  constexpr double max_model_rounding = 1e4;  // allowed multiple of the effect of rounding M, C and K
  constexpr double rounding_of_large = 0.25;  // allowed effect on determinants if inverses cost too much
  const RepresentedLoads loads(reduced);
  const TermScales<EigenEngine> scales(reduced.unreduced().system());
  const auto n = static_cast<Index>(outputs.size()), n_dofs = reduced.assembled().dofs().n_local();
  // Allowed multiple of the effect of rounding the entries of the form; errors grow with the number of
  // eliminated unknowns.
  const double max_form_rounding = 16 * static_cast<double>(reduced.unreduced().system().dofs().n_global());
  const Vector unknown = Vector::Constant(n, std::numeric_limits<double>::quiet_NaN());
  TransferErrors errors{unknown, unknown, unknown, "", {}, {}, {}};
  std::vector<LogDeterminantRatio> ratios;
  // With a null tolerance, errors are intended, because the tolerance drops parts of the model.
  const bool is_complete = reduced.classification().n_dropped_columns() == 0;
  bool are_known = false;
  for (const double rate : rates_of(reduced)) {
    const double s = part_of_rate * rate;
    try {
      const TransferOfModel model(reduced, outputs, scales, s);
      const TransferFunction form = transfer(s);
      const double ratio = form.log_determinant - model.log_determinant();
      if (std::isfinite(ratio)) ratios.push_back({s, ratio});
      const MultiVector exact = loads(model.H()), difference = loads(form.H) - exact;
      if (const std::vector<Index> inaccurate = inaccurate_loads(difference, exact);
          is_complete && !inaccurate.empty()) {
        const MultiVector f = loads.of_columns(inaccurate, n_dofs);
        const auto [sizes, rounding] = model.sizes_and_rounding(f);
        record_lost(s, difference(Eigen::all, inaccurate).cwiseAbs(), sizes,
                    (transfer_accuracy * sizes)
                        .cwiseMax(max_model_rounding * rounding)
                        .cwiseMax(max_form_rounding * form.rounding(f)),
                    errors.lost);
      }
      const Vector largest = largest_of_rows(exact), error = largest_of_rows(difference);
      for (Index o = 0; o < n; ++o)
        if (!are_known || relative(error[o], largest[o]) > relative(errors.error[o], errors.largest[o])) {
          errors.s[o] = s;
          errors.largest[o] = largest[o];
          errors.error[o] = error[o];
        }
      are_known = true;
      errors.places.push_back({s, largest, error});
    } catch (const SingularMatrix&) {
      errors.not_compared = "s = " + number_text(s) + " 1/s is an eigenvalue, up to rounding";
    } catch (const NotAvailable& reason) {
      errors.not_compared = reason.what();
    }
  }
  if (are_known) errors.not_compared.clear();
  if (is_complete)
    errors.lost_eigenvalues = lost_eigenvalues(ratios, [&](double s) {
      if (reduced.unreduced().system().dofs().n_global() > max_compared_dofs) return rounding_of_large;
      try {
        return max_model_rounding * TransferOfModel(reduced, outputs, scales, s).rounding_of_determinant() +
               max_form_rounding * transfer(s).rounding_of_determinant();
      } catch (const NotAvailable&) {  // there is not enough memory for the inverses
        return std::numeric_limits<double>::infinity();
      }
    });
  return errors;
}

}  // namespace halfdof::internal

namespace halfdof {

using namespace internal;

std::string describe_lost(const TransferErrors& errors, const std::vector<Output>& outputs) {
  if (errors.lost.empty() && !errors.lost_eigenvalues) return "";
  std::ostringstream text;
  if (const auto& lost = errors.lost_eigenvalues)
    text << "The eigenvalues of the written matrices differ from those of the model: det(s E - A) / det P(s) "
            "should not depend on s, but changes by a factor of "
         << lost->factor << " between s = " << lost->s << " 1/s and s = " << lost->other_s << " 1/s. ";
  if (!errors.lost.empty()) {
    const TransferErrors::Lost& worst = *std::max_element(
        errors.lost.begin(), errors.lost.end(),
        [](const auto& a, const auto& b) { return relative(a.error, a.size) < relative(b.error, b.size); });
    const auto n_others = errors.lost.size() - 1;
    text << "The transfer function of output " << worst.output << ", "
         << describe(outputs[static_cast<std::size_t>(worst.output)]) << ", has an error of " << worst.error
         << " at s = " << worst.s << " 1/s, compared with " << worst.size
         << " if all degrees of freedom of the output moved as far as the largest displacement";
    if (n_others > 0)
      text << "; " << n_others << (n_others == 1 ? " other output is" : " other outputs are")
           << " wrong, too";
    text << ". ";
  }
  text << "The cause is rounding in the elimination. Reduce parts that are not connected in separate models, "
          "or replace entries of M, C and K that are zero up to rounding by zeros.";
  return text.str();
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

}  // namespace halfdof
