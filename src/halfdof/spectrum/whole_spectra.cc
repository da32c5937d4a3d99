// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/diagnosis/diagnosis.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/norms.h>
#include <halfdof/reduction/exact_count.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/state_space.h>
#include <halfdof/reduction/unreduced_system.h>
#include <halfdof/reduction/weierstrass/weierstrass_form.h>
#include <halfdof/spectrum/comparison_lists.h>
#include <halfdof/spectrum/dense_spectrum.h>
#include <halfdof/spectrum/eigenvalue_scale.h>
#include <halfdof/spectrum/left_vectors.h>
#include <halfdof/spectrum/whole_spectra.h>
#include <halfdof/spectrum/zero_eigenvalues.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace halfdof::internal {

namespace {

/// Computes the spectrum of the pencil with multipliers. A staircase has to deflate its blocks at infinity,
/// of order three and four, before QZ; QZ by itself would return false finite eigenvalues.
template <class Engine>
SpectrumBefore spectrum_with_multipliers(const ReducedSystem<Engine>& reduced) {
  const FreeSystem<Engine>& system = reduced.unreduced().system();
  SpectrumBefore before;
  try {
    before.finite = weierstrass_of(Engine::to_dense(system.M()), Engine::to_dense(system.C()),
                                   Engine::to_dense(system.K()))
                        .weierstrass.finite_eigenvalues();
    sort_by_modulus(before.finite);
  } catch (const Error& error) {
    before.reliable = false;
    before.reason = error.what();
  }
  before.n_infinite = 2 * system.dofs().n_global() - static_cast<GlobalIndex>(before.finite.size());
  if (before.reliable && static_cast<GlobalIndex>(before.finite.size()) != reduced.unreduced().n_finite()) {
    before.reliable = false;
    before.reason = "a staircase and QZ find " + std::to_string(before.finite.size()) +
                    " finite eigenvalues, but the constraints leave " +
                    std::to_string(reduced.unreduced().n_finite()) + " states";
  }
  return before;
}

template <class Engine>
SpectrumBefore spectrum_before(const ReducedSystem<Engine>& reduced) {
  if (reduced.free().constraints()) return spectrum_with_multipliers(reduced);
  const FreeSystem<Engine>& system = reduced.unreduced().system();
  const QuadraticSpectrum qz = quadratic_spectrum(Engine::to_dense(system.M()), Engine::to_dense(system.C()),
                                                  Engine::to_dense(system.K()));
  SpectrumBefore before;
  before.finite = qz.finite;
  before.n_infinite = qz.n_infinite;
  const GlobalIndex n_finite = reduced.unreduced().n_finite();
  const GlobalIndex n_infinite = 2 * system.dofs().n_global() - n_finite;
  if (static_cast<GlobalIndex>(qz.finite.size()) != n_finite || qz.n_infinite != n_infinite) {
    std::ostringstream reason;
    reason << "QZ finds " << qz.finite.size() << " finite, " << qz.n_infinite << " infinite and "
           << qz.n_undetermined << " undetermined eigenvalues, but ";
    if (reduced.classification().n_dropped_columns() > 0)
      reason << "the columns that are not null, including dropped ones, give det P the degree " << n_finite
             << " if their D is regular";
    else
      reason << "D is regular (condition about " << reduced.elimination().condition()
             << "), so that det P has degree " << n_finite;
    reason << " and " << n_infinite << " eigenvalues are infinite";
    before.reliable = false;
    before.reason = reason.str();
  }
  return before;
}

/// A batch of eigenvalues of the upper half plane, with their states and their positions among all
/// eigenvalues.
struct Batch {
  std::vector<std::size_t> places;
  std::vector<Complex> values;
  ComplexMultiVector states;  ///< eigenvectors. Shape: n_local_states() x size of the batch
};

template <class Engine>
std::vector<Batch> batches_of(const ReducedSystem<Engine>& reduced, const DenseEigenpairs& pairs) {
  constexpr std::size_t batch_size = 64;
  std::vector<Batch> batches;
  for (std::size_t j = 0; j < pairs.values.size(); ++j) {
    if (pairs.values[j].imag() < 0) continue;
    if (batches.empty() || batches.back().places.size() == batch_size) batches.emplace_back();
    batches.back().places.push_back(j);
    batches.back().values.push_back(pairs.values[j]);
  }
  for (Batch& batch : batches) {
    batch.states.resize(reduced.n_local_states(), static_cast<Index>(batch.places.size()));
    for (Index b = 0; b < batch.states.cols(); ++b)
      for (Index i = 0; i < batch.states.rows(); ++i)
        batch.states(i, b) = pairs.vectors(reduced.states().global_index(i),
                                           static_cast<Index>(batch.places[static_cast<std::size_t>(b)]));
  }
  return batches;
}

/// Returns a batch of eigenvalues with zeros set to zero, and with uncertainties if left vectors determine
/// them.
template <class Engine>
JudgedEigenvalues judged(const ReducedSystem<Engine>& reduced, const TermScales<Engine>& scales,
                         const ComplexMultiVector& left_states, const Batch& batch) {
  if (scales.has_own_left_vectors())
    return {rounded_eigenvalues<Engine>(reduced, scales, batch.values, batch.states), {}};
  std::vector<Index> rows(batch.places.begin(), batch.places.end());
  const LeftVectors left =
      left_vectors_of(reduced, scales.rate(), ComplexMultiVector(left_states(rows, Eigen::all).transpose()));
  return judged_by_left_vectors(reduced, scales, left, batch.values, batch.states);
}

/// Sets the eigenvalues after the elimination and their residuals; the two residuals of a conjugate pair are
/// equal.
template <class Engine>
void complete(SpectrumComparison& comparison, const ReducedSystem<Engine>& reduced,
              const DenseEigenpairs& pairs) {
  const TermScales<Engine> scales(reduced.free());
  const std::vector<Batch> batches = batches_of(reduced, pairs);
  const auto for_both = [](Complex value, std::size_t place, auto&& visit) {
    visit(place);
    if (value.imag() > 0) visit(place + 1);
  };
  // The rows of V^{-1} are the left eigenvectors that belong to the columns of V.
  ComplexMultiVector left_states;
  if (!scales.has_own_left_vectors()) {
    std::vector<GlobalIndex> owned;
    for (Index i = 0; i < reduced.n_local_states(); ++i)
      owned.push_back(reduced.states().global_index(i));
    left_states = pairs.vectors.inverse()(Eigen::all, owned);
  }

  comparison.after.finite = pairs.values;
  comparison.residuals.resize(pairs.values.size());
  std::vector<JudgedEigenvalues> judgements;
  for (const Batch& batch : batches) {
    judgements.push_back(judged(reduced, scales, left_states, batch));
    for (std::size_t b = 0; b < batch.values.size(); ++b)
      if (judgements.back().values[b] == 0.)
        for_both(batch.values[b], batch.places[b], [&](std::size_t j) { comparison.after.finite[j] = 0; });
  }
  const double scale = zero_scale(comparison.after.finite, scales.rate());
  for (std::size_t of = 0; of < batches.size(); ++of) {
    const Batch& batch = batches[of];
    auto residuals = eigenpair_residuals<Engine>(reduced, scales, batch.values, judgements[of].values,
                                                 batch.states, scale);
    for (std::size_t b = 0; b < residuals.size(); ++b) {
      if (!judgements[of].uncertainties.empty()) {
        residuals[b].uncertainty = judgements[of].uncertainties[b];
      }
      for_both(batch.values[b], batch.places[b],
               [&](std::size_t j) { comparison.residuals[j] = residuals[b]; });
    }
  }
}

/// Size of split zeros of a Jordan chain of length four, the fourth root of rounding.
constexpr double largest_rounded_zero = 1e-4;

/// Compares the whole spectrum of a small system, with the residuals of both equations.
template <class Engine>
SpectrumComparison compared(const ReducedSystem<Engine>& reduced, const SmallSpectrum& all,
                            double tolerance) {
  const TermScales<Engine> scales(reduced.free());
  SpectrumComparison comparison;
  comparison.before.finite = all.before;
  comparison.before.is_exact = true;
  comparison.before.n_infinite = 2 * reduced.assembled().free().n_global() -
                                 static_cast<GlobalIndex>(all.before.size() + all.missing.size());
  comparison.before.finite.insert(comparison.before.finite.end(), all.missing.begin(), all.missing.end());
  comparison.before.n_rounded = all.n_rounded;
  comparison.matching.missing = all.missing;
  comparison.after.finite = all.after;
  comparison.after.exact = all.exact;
  comparison.residuals = residuals_of(reduced, scales, all);
  for (std::size_t j = 0; j < all.after.size(); ++j) {
    comparison.matching.pairs.push_back({all.before[j], all.after[j], all.uncertainties[j], j, j});
  }
  list_zeros(comparison, tolerance, largest_rounded_zero * characteristic_rate(reduced.unreduced().system()));
  return comparison;
}

/// Compares all eigenvalues, before the elimination by QZ and after it by QR.
template <class Engine>
SpectrumComparison compared_by_dense_iterations(const ReducedSystem<Engine>& reduced,
                                                const ComparisonOptions& options) {
  SpectrumComparison comparison;
  {
    const StageTimer stage("eigenvalues before");
    comparison.before = spectrum_before(reduced);
  }
  {
    const StageTimer stage("eigenvalues after");
    complete(comparison, reduced, eigenpairs(dense_state_matrix(reduced)));
  }
  match(comparison, options);
  return comparison;
}

/// Returns the largest modulus that was set to zero, relative to the fastest eigenvalue.
double largest_zero(const SpectrumComparison& comparison) {
  double largest = 0, fastest = 0;
  for (std::size_t j = 0; j < comparison.after.finite.size(); ++j) {
    largest = std::max(largest, comparison.residuals[j].set_to_zero);
    fastest = std::max({fastest, std::abs(comparison.after.finite[j]), largest});
  }
  return fastest > 0 ? largest / fastest : 0;
}

/// Marks the spectrum as unreliable if eigenvalues that are too fast for zeros were set to zero, because
/// rounding changes them by as much as their modulus.
void refuse_false_zeros(SpectrumComparison& comparison) {
  if (comparison.before.is_exact || largest_zero(comparison) <= largest_rounded_zero) return;
  comparison.before.reliable = false;
  comparison.before.reason =
      "rounding leaves no digit of some eigenvalues: it moves them by as much as their modulus";
}

/// Whether QZ and QR, whose errors are relative to the fastest eigenvalues, give all eigenvalues with as many
/// digits as comparisons need. Differences that rounding of the matrices would explain are not accepted.
bool is_accurate(const SpectrumComparison& comparison, const ComparisonOptions& options) {
  const double tolerance = options.matching.tolerance;
  const auto is_sharp = [&](const MatchedEigenvalues& pair) {
    return pair.relative_difference() <= tolerance && pair.uncertainty <= tolerance * std::abs(pair.after);
  };
  const auto is_solved = [&](const EigenpairResidual& residual) {
    return !residual.is_empty && !std::isnan(residual.uncertainty) &&
           std::max(residual.assembled, residual.backward) <= options.residual_tolerance;
  };
  return comparison.before.reliable && comparison.matching.passed &&
         std::all_of(comparison.matching.pairs.begin(), comparison.matching.pairs.end(), is_sharp) &&
         std::all_of(comparison.residuals.begin(), comparison.residuals.end(), is_solved);
}

template <class Engine>
std::optional<SpectrumComparison> compared_small(const ReducedSystem<Engine>& reduced, Effort effort,
                                                 double tolerance) {
  const auto small = small_spectrum(reduced, effort);
  return small ? std::optional(compared(reduced, *small, tolerance)) : std::nullopt;
}

}  // namespace

template <class Engine>
void check_exact_count(SpectrumComparison& comparison, const ReducedSystem<Engine>& reduced) {
  if (reduced.unreduced().is_surely_counted()) return;
  const FreeSystem<Engine> given(reduced.assembled());
  const std::optional<ExactStructure> exact = exact_structure_of(given);
  if (!exact) return;
  const bool has_redundant = !reduced.constraints().redundant.empty();
  if (has_redundant && (!exact->is_regular() || exact->has_rounded_entries)) return;
  const GlobalIndex n_finite = reduced.unreduced().n_finite();
  if (exact->is_regular() && exact->n_finite == n_finite) return;
  if (exact->is_regular() && exact->has_rounded_entries && exact->n_finite > n_finite) {
    comparison.before.n_rounded = exact->n_finite - n_finite;
    return;
  }
  comparison.before.reliable = false;
  comparison.before.reason =
      (exact->is_regular() ? "in exact arithmetic, det P has degree " + std::to_string(exact->n_finite)
                           : std::string("in exact arithmetic, det P vanishes for every lambda")) +
      ", but " + std::to_string(n_finite) + " states were found";
}

template <class Engine>
SpectrumComparison whole_spectra(const ReducedSystem<Engine>& reduced, const ComparisonOptions& options,
                                 Effort most) {
  const double tolerance = options.matching.tolerance;
  std::optional<SpectrumComparison> comparison = compared_small(reduced, Effort::little, tolerance);
  if (!comparison) {
    comparison = compared_by_dense_iterations(reduced, options);
    check_exact_count(*comparison, reduced);
    if (comparison->before.n_rounded > 0 || !is_accurate(*comparison, options)) {
      auto small = most == Effort::large ? compared_small(reduced, most, tolerance) : std::nullopt;
      if (small) comparison = std::move(small);
      refuse_false_zeros(*comparison);
    }
  }
  comparison->completeness = Completeness::counted;
  return *std::move(comparison);
}

template SpectrumComparison whole_spectra(const ReducedSystem<InstantiatedEngine>&, const ComparisonOptions&,
                                          Effort);
template void check_exact_count(SpectrumComparison&, const ReducedSystem<InstantiatedEngine>&);

}  // namespace halfdof::internal
