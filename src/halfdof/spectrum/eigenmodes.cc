// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/norms.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/state_parts.h>
#include <halfdof/reduction/unreduced_system.h>
#include <halfdof/spectrum/eigenmodes.h>
#include <halfdof/spectrum/eigenvalue_scale.h>
#include <halfdof/spectrum/uncertainty.h>
#include <halfdof/spectrum/without_conjugates.h>
#include <halfdof/spectrum/zero_eigenvalues.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace halfdof::internal {
namespace {

/**
 * Returns one over the entry that is normalized to one. It is the largest entry; if several are equally large
 * (symmetric shapes), it is the one with the lowest assembled index, so that the result does not depend on
 * rounding or on the number of processes.
 */
ComplexVector normalizing_factors(const Partition& dofs, ConstView<Complex> shapes) {
  const Index k = static_cast<Index>(shapes.cols());
  Vector largest = Vector::Zero(k), first = Vector::Constant(k, -std::numeric_limits<double>::infinity());
  if (shapes.rows() > 0) largest = shapes.cwiseAbs().colwise().maxCoeff().transpose();
  dofs.communicator().max(largest.data(), k);

  ComplexVector chosen = ComplexVector::Zero(k);
  for (Index j = 0; j < k; ++j)
    for (Index i = 0; i < shapes.rows(); ++i)
      if (const auto index = -static_cast<double>(dofs.global_index(i));
          std::abs(shapes(i, j)) >= 0.99 * largest[j] && index > first[j]) {
        first[j] = index;
        chosen[j] = shapes(i, j);
      }
  Vector lowest = first;
  dofs.communicator().max(lowest.data(), k);
  for (Index j = 0; j < k; ++j)
    if (first[j] != lowest[j]) chosen[j] = 0;
  dofs.communicator().sum(reinterpret_cast<double*>(chosen.data()), 2 * k);

  for (Index j = 0; j < k; ++j)
    chosen[j] = largest[j] > 0 ? std::abs(chosen[j]) / (largest[j] * chosen[j]) : 1.;
  return chosen;
}

/// The 1-norms of M, C and K.
struct MatrixNorms {
  double M, C, K;

  template <class Engine>
  explicit MatrixNorms(const FreeSystem<Engine>& system)
      : M(one_norm<Engine>(system.M())), C(one_norm<Engine>(system.C())), K(one_norm<Engine>(system.K())) {}

  /// |lambda|^2 ||M|| + |lambda| ||C|| + ||K||
  Vector of_terms(const Vector& modulus) const {
    return (modulus.array().square() * M + modulus.array() * C + K).matrix();
  }
};

/// Whether rounding errors of such terms have squares that are numbers.
bool is_in_range(double terms) {
  const double lowest =
                   std::sqrt(std::numeric_limits<double>::min()) / std::numeric_limits<double>::epsilon(),
               highest = std::sqrt(std::numeric_limits<double>::max());
  return terms > lowest && terms < highest;
}

/// The result of the elimination for states Y: z = (a_I; q_C'; q_K) = D^{-1} b, each entry at the place of
/// its DoF.
template <class Engine>
class Eliminated {
 public:
  Eliminated(const ReducedSystem<Engine>& reduced, const ComplexMultiVector& Y)
      : reduced_(reduced), Y_(Y), b_(zero()) {
    MultiVector parts(Y.rows(), 2 * Y.cols());
    parts << Y.real(), Y.imag();
    MultiVector b = MultiVector::Zero(b_.rows(), parts.cols());
    reduced.free().C().add_product(-1., velocity_states(reduced, parts), b);
    reduced.free().K().add_product(-1., displacement_states(reduced, parts), b);
    b_ = joined(b);
    z_ = joined(reduced.elimination().solve(b));
  }

  /// Returns x, the displacements of all free DoFs.
  ComplexMultiVector displacements() const {
    return displacement_states(reduced_, Y_) + only(kinds().algebraic(), z_);
  }
  /// Returns A Y.
  ComplexMultiVector derivative() const {
    ComplexMultiVector result(Y_.rows(), Y_.cols());
    stack_rows(result, reduced_.v_I(Y_), kinds().viscous().selected_rows(z_),
               kinds().inertial().selected_rows(z_));
    return result;
  }
  /// Returns D (z - lambda (v_I; q_C; 0) - (0; 0; q_K)), which vanishes for eigenpairs.
  ComplexMultiVector contradiction(const ComplexVector& lambda) const {
    const ComplexMultiVector states = Y_ * lambda.asDiagonal();
    return rates(
        only(kinds().inertial(), z_) - velocity_states(reduced_, states),
        only(kinds().viscous(), z_) - only(kinds().viscous(), displacement_states(reduced_, states)));
  }
  /// Returns |D z - b| relative to the terms of D z, which count as at least w; the maximum over all rows.
  Vector residual(const TermScales<Engine>& scales, const MultiVector& w) const {
    const ComplexMultiVector a = only(kinds().inertial(), z_), rate = only(kinds().viscous(), z_),
                             q = only(kinds().algebraic(), z_);
    const MultiVector terms = scales.term_bounds(a, rate, q).cwiseMax(w);
    ComplexMultiVector difference = rates(a, rate) - b_;
    reduced_.free().K().add_product(Complex(1), q, difference);
    return largest_entries(reduced_.communicator(), moduli(difference).cwiseQuotient(terms));
  }

 private:
  const Classification& kinds() const { return reduced_.classification(); }
  ComplexMultiVector zero() const {
    return ComplexMultiVector::Zero(reduced_.free().dofs().n_local(), Y_.cols());
  }
  static ComplexMultiVector joined(const MultiVector& parts) {
    const Index k = static_cast<Index>(parts.cols()) / 2;
    ComplexMultiVector result(parts.rows(), k);
    result.real() = parts.leftCols(k);
    result.imag() = parts.rightCols(k);
    return result;
  }
  ComplexMultiVector only(const Selection& kind, const ComplexMultiVector& z) const {
    ComplexMultiVector part = zero();
    kind.add_to(kind.selected_rows(z), part);
    return part;
  }
  /// Returns M a + C rate.
  ComplexMultiVector rates(const ComplexMultiVector& a, const ComplexMultiVector& rate) const {
    ComplexMultiVector sum = zero();
    reduced_.free().M().add_product(Complex(1), a, sum);
    reduced_.free().C().add_product(Complex(1), rate, sum);
    return sum;
  }

  const ReducedSystem<Engine>& reduced_;
  const ComplexMultiVector& Y_;
  ComplexMultiVector b_, z_;
};

/// Returns y with every entry changed by one unit in the last place, with alternating signs.
ComplexMultiVector rounded(const ComplexMultiVector& y) {
  ComplexMultiVector perturbed = y;
  for (Index j = 0; j < y.cols(); ++j)
    for (Index i = 0; i < y.rows(); ++i)
      perturbed(i, j) *= 1 + ((i + i / 3) % 2 ? 1 : -1) * std::numeric_limits<double>::epsilon();
  return perturbed;
}

/// A few eigenpairs with the quantities from which the residuals of both equations are computed.
template <class Engine>
struct CompletedPairs {
  CompletedPairs(const ReducedSystem<Engine>& reduced, const ComplexVector& eigenvalues,
                 ConstView<Complex> states)
      : lambda(eigenvalues),
        y(states),
        eliminated(reduced, y),
        x(eliminated.displacements()),
        products(term_products(reduced.free(), x)) {}
  CompletedPairs(const CompletedPairs&) = delete;
  CompletedPairs& operator=(const CompletedPairs&) = delete;

  ComplexVector lambda;
  ComplexMultiVector y;
  Eliminated<Engine> eliminated;  ///< result of the elimination for y
  ComplexMultiVector x;
  TermProducts products;  ///< products of x with M, C and K of reduced.free()
};

/// Calls `some` for batches of pairs that are so small that their data stay in the cache. @param some
/// Function of the first pair of a batch and the number of its pairs
void for_some_pairs(Index n, const std::function<void(Index, Index)>& some) {
  constexpr Index n_some = 4;
  for (Index first = 0; first < n; first += n_some)
    some(first, std::min(n_some, n - first));
}

/// Returns P(lambda) x of the assembled system, including dropped columns.
template <class Engine>
ComplexMultiVector assembled_residual(const ReducedSystem<Engine>& reduced,
                                      const CompletedPairs<Engine>& pairs) {
  return residual_of(reduced.unreduced().has_dropped()
                         ? term_products(reduced.unreduced().undropped(), pairs.x)
                         : pairs.products,
                     pairs.lambda);
}

/// The effect of rounding is not computed for a residual `reduced` below this.
constexpr double needs_no_excuse = 1e-10;

/// Returns residuals whose `reduced` and `rounding` are in 1/s, not yet relative to the eigenvalue.
template <class Engine>
std::vector<EigenpairResidual> residuals_of(const ReducedSystem<Engine>& reduced,
                                            const TermScales<Engine>& scales, const MatrixNorms& norms,
                                            const CompletedPairs<Engine>& pairs, const Vector& modulus) {
  const Communicator& communicator = reduced.communicator();
  const ComplexVector& lambda = pairs.lambda;
  const ComplexMultiVector &x = pairs.x, &y = pairs.y, Ay = pairs.eliminated.derivative();
  const ComplexMultiVector Px = assembled_residual(reduced, pairs);
  const Vector terms = norms.of_terms(modulus).cwiseProduct(norms_of_columns(communicator, x));
  const Vector assembled = norms_of_columns(communicator, Px).cwiseQuotient(terms);
  const Vector size = norms_of_columns(communicator, y);
  const Vector off = norms_of_columns(communicator, Ay - y * lambda.asDiagonal());
  Vector rounding = Vector::Zero(size.size());
  if (communicator.any((off.array() > needs_no_excuse * size.array() * lambda.array().abs()).any()))
    rounding = norms_of_columns(communicator, reduced.apply_homogeneous(rounded(y)) - Ay);

  const MultiVector largest = moduli(Px).cwiseMax(moduli(pairs.eliminated.contradiction(lambda)));
  const MultiVector w = scales(modulus.cast<Complex>(), x).cwiseMax(std::numeric_limits<double>::min());
  const Vector backward =
      largest_entries(communicator, largest.cwiseQuotient(w)).cwiseMax(pairs.eliminated.residual(scales, w));

  std::vector<EigenpairResidual> residuals;
  for (Index k = 0; k < static_cast<Index>(lambda.size()); ++k) {
    EigenpairResidual residual{assembled[k], off[k] / size[k], rounding[k] / size[k], backward[k]};
    residual.is_empty = !is_in_range(terms[k]);
    residuals.push_back(residual);
  }
  if (!scales.has_own_left_vectors()) return residuals;
  const Vector uncertainty = uncertainties(scales, lambda, x, x, pairs.products),
               correction = corrections(scales.system(), lambda, x, pairs.products);
  for (Index k = 0; k < static_cast<Index>(lambda.size()); ++k) {
    residuals[static_cast<std::size_t>(k)].uncertainty = uncertainty[k];
    residuals[static_cast<std::size_t>(k)].distance_to_root = correction[k];
  }
  return residuals;
}

/// Rounded eigenvalues and residuals of the pairs that WithoutConjugates selects.
struct Completed {
  ComplexVector rounded;  ///< eigenvalues with zeros set to zero
  std::vector<EigenpairResidual> residuals;
};

/// Computes rounded eigenvalues and residuals, some pairs at a time. @param listed Eigenvalues with zeros set
/// to zero; if empty, round_zeros() sets them. @param zero_scale Function of all rounded eigenvalues.
/// @param see Further use of displacements: a function of the number of the first pair, and of x
template <class Engine>
Completed completed(const ReducedSystem<Engine>& reduced, const TermScales<Engine>& scales,
                    const ComplexVector& lambda, ConstView<Complex> y,
                    const std::optional<ComplexVector>& listed,
                    const std::function<double(const ComplexVector& rounded)>& zero_scale,
                    const std::function<void(Index first, const ComplexMultiVector& x)>& see) {
  Completed all{listed.value_or(lambda),
                std::vector<EigenpairResidual>(static_cast<std::size_t>(lambda.size()))};
  const MatrixNorms norms(reduced.unreduced().undropped());
  const auto measure = [&](const CompletedPairs<Engine>& pairs, Index first, const Vector& modulus) {
    const auto residuals = residuals_of(reduced, scales, norms, pairs, modulus);
    std::copy(residuals.begin(), residuals.end(), all.residuals.begin() + first);
  };

  // Residuals of zeros are relative to a rate that depends on all eigenvalues, and are computed last.
  std::vector<std::pair<Index, Index>> with_zeros;
  const auto n_pairs = static_cast<Index>(lambda.size());
  for_some_pairs(n_pairs, [&](Index first, Index n) {
    const CompletedPairs<Engine> pairs(reduced, lambda.segment(first, n), y.middleCols(first, n));
    auto rounded = all.rounded.segment(first, n);
    if (!listed) rounded = round_zeros(scales, pairs.lambda, pairs.x, pairs.products);
    if (reduced.communicator().any((rounded.array() == 0.).any()))
      with_zeros.emplace_back(first, n);
    else
      measure(pairs, first, pairs.lambda.cwiseAbs());
    see(first, pairs.x);
  });
  const double scale = zero_scale(all.rounded);
  for (const auto& [first, n] : with_zeros) {
    const CompletedPairs<Engine> pairs(reduced, lambda.segment(first, n), y.middleCols(first, n));
    const Vector modulus = pairs.lambda.cwiseAbs();
    measure(pairs, first,
            (all.rounded.segment(first, n).array() == 0.).select(modulus.cwiseMax(scale), modulus));
  }
  for (Index k = 0; k < n_pairs; ++k) {
    EigenpairResidual& residual = all.residuals[static_cast<std::size_t>(k)];
    residual.reduced /= std::max(std::abs(lambda[k]), scale);
    residual.rounding /= std::max(std::abs(lambda[k]), scale);
    if (all.rounded[k] == 0.) residual.set_to_zero = std::abs(lambda[k]);
  }
  return all;
}

/// Returns one residual for each pair, from those of the pairs that WithoutConjugates selects.
std::vector<EigenpairResidual> expanded(const WithoutConjugates& distinct,
                                        const std::vector<EigenpairResidual>& few, Index n) {
  std::vector<EigenpairResidual> all;
  for (Index j = 0; j < n; ++j)
    all.push_back(few[static_cast<std::size_t>(distinct.source(j))]);
  return all;
}

}  // namespace

template <class Engine>
ComplexMultiVector free_displacements(const ReducedSystem<Engine>& reduced, ConstView<Complex> states) {
  const WithoutConjugates distinct(reduced.communicator(), states);
  const ComplexMultiVector y = distinct.vectors(states);
  return distinct.expanded(Eliminated<Engine>(reduced, y).displacements());
}

template <class Engine>
std::vector<Complex> rounded_eigenvalues(const ReducedSystem<Engine>& reduced,
                                         const TermScales<Engine>& scales,
                                         const std::vector<Complex>& eigenvalues, ConstView<Complex> states) {
  const WithoutConjugates distinct(reduced.communicator(), eigenvalues, states);
  ComplexVector few = distinct.values(eigenvalues);
  const ComplexMultiVector y = distinct.vectors(states);
  for_some_pairs(static_cast<Index>(y.cols()), [&](Index first, Index n) {
    const CompletedPairs<Engine> pairs(reduced, few.segment(first, n), y.middleCols(first, n));
    few.segment(first, n) = round_zeros(scales, pairs.lambda, pairs.x, pairs.products);
  });
  return distinct.expanded(few);
}

template <class Engine>
std::vector<EigenpairResidual> eigenpair_residuals(const ReducedSystem<Engine>& reduced,
                                                   const TermScales<Engine>& scales,
                                                   const std::vector<Complex>& found,
                                                   const std::vector<Complex>& listed,
                                                   ConstView<Complex> states, double zero_scale) {
  const WithoutConjugates distinct(reduced.communicator(), found, states);
  const Completed few = completed<Engine>(
      reduced, scales, distinct.values(found), distinct.vectors(states), distinct.values(listed),
      [zero_scale](const ComplexVector&) { return zero_scale; }, [](Index, const ComplexMultiVector&) {});
  return expanded(distinct, few.residuals, static_cast<Index>(states.cols()));
}

template <class Engine>
Eigenmodes eigenmodes(const ReducedSystem<Engine>& reduced, const TermScales<Engine>& scales,
                      const std::vector<Complex>& eigenvalues, ComplexMultiVector states, Zeros zeros) {
  const StageTimer stage("modes");
  const Partition& dofs = reduced.assembled().dofs();
  const WithoutConjugates distinct(reduced.communicator(), eigenvalues, states);
  ComplexMultiVector y = distinct.vectors(states),
                     shapes = ComplexMultiVector::Zero(dofs.n_local(), y.cols());
  states.resize(0, 0);
  const Completed few = completed<Engine>(
      reduced, scales, distinct.values(eigenvalues), y,
      zeros == Zeros::as_given ? std::optional(distinct.values(eigenvalues)) : std::nullopt,
      [&](const ComplexVector& rounded) { return zero_scale(distinct.expanded(rounded), scales.rate()); },
      [&](Index first, const ComplexMultiVector& x) {
        auto some = shapes.middleCols(first, x.cols());
        reduced.free().add_to(x, some);
      });
  const ComplexVector factors = normalizing_factors(dofs, shapes);
  y *= factors.asDiagonal();
  shapes *= factors.asDiagonal();
  return {distinct.expanded(few.rounded), eigenvalues, distinct.expanded(y), distinct.expanded(shapes),
          expanded(distinct, few.residuals, static_cast<Index>(eigenvalues.size()))};
}

template ComplexMultiVector free_displacements(const ReducedSystem<InstantiatedEngine>&, ConstView<Complex>);
template std::vector<EigenpairResidual> eigenpair_residuals(const ReducedSystem<InstantiatedEngine>&,
                                                            const TermScales<InstantiatedEngine>&,
                                                            const std::vector<Complex>&,
                                                            const std::vector<Complex>&, ConstView<Complex>,
                                                            double);
template std::vector<Complex> rounded_eigenvalues(const ReducedSystem<InstantiatedEngine>&,
                                                  const TermScales<InstantiatedEngine>&,
                                                  const std::vector<Complex>&, ConstView<Complex>);
template Eigenmodes eigenmodes(const ReducedSystem<InstantiatedEngine>&,
                               const TermScales<InstantiatedEngine>&, const std::vector<Complex>&,
                               ComplexMultiVector, Zeros);

}  // namespace halfdof::internal
