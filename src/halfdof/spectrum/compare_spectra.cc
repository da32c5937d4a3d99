#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/diagnosis.h>
#include <halfdof/reduction/exact_count.h>
#include <halfdof/reduction/explicit_forms.h>
#include <halfdof/reduction/first_order_form.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/cut_lists.h>
#include <halfdof/spectrum/dense_spectrum.h>
#include <halfdof/spectrum/eigenvalue_scale.h>
#include <halfdof/spectrum/left_vectors.h>
#include <halfdof/spectrum/nearest_eigenpairs.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>
#include <halfdof/spectrum/norms.h>
#include <halfdof/spectrum/small_spectrum.h>
#include <halfdof/spectrum/zero_eigenvalues.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <sstream>
#include <string>

namespace halfdof {

namespace {

/// Of the pencil with multipliers, whose blocks at infinity of order three and four a staircase has to
/// deflate before QZ: alone it would return false finite eigenvalues.
template <class Engine>
SpectrumBefore spectrum_with_multipliers(const ReducedSystem<Engine>& reduced) {
  const FreeSystem<Engine>& system = reduced.before();
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
  if (before.reliable && static_cast<GlobalIndex>(before.finite.size()) != reduced.n_finite_before()) {
    before.reliable = false;
    before.reason = "a staircase and QZ find " + std::to_string(before.finite.size()) +
                    " finite eigenvalues, but the constraints leave " +
                    std::to_string(reduced.n_finite_before()) + " states";
  }
  return before;
}

template <class Engine>
SpectrumBefore spectrum_before(const ReducedSystem<Engine>& reduced) {
  if (reduced.free().constraints()) return spectrum_with_multipliers(reduced);
  const FreeSystem<Engine>& system = reduced.before();
  const QuadraticSpectrum qz = quadratic_spectrum(Engine::to_dense(system.M()), Engine::to_dense(system.C()),
                                                  Engine::to_dense(system.K()));
  SpectrumBefore before;
  before.finite = qz.finite;
  before.n_infinite = qz.n_infinite;
  const GlobalIndex n_finite = reduced.n_finite_before();
  const GlobalIndex n_infinite = 2 * system.dofs().n_global() - n_finite;
  if (static_cast<GlobalIndex>(qz.finite.size()) != n_finite || qz.n_infinite != n_infinite) {
    std::ostringstream reason;
    reason << "QZ finds " << qz.finite.size() << " finite, " << qz.n_infinite << " infinite and "
           << qz.n_undetermined << " undetermined eigenvalues, but ";
    if (reduced.classification().n_dropped_columns() > 0)
      reason << "the columns that are not null, none dropped, make det P of degree " << n_finite
             << " where their D is regular";
    else
      reason << "D is regular (condition about " << reduced.elimination().condition()
             << "), so that det P has degree " << n_finite;
    reason << " and " << n_infinite << " eigenvalues are infinite";
    before.reliable = false;
    before.reason = reason.str();
  }
  return before;
}

/// Eigenvalues of the upper half plane in batches, with their states and the places among all.
struct Batch {
  std::vector<std::size_t> places;
  std::vector<Complex> values;
  ComplexMultiVector states;  ///< n_local_states() x batch
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

/// A batch of eigenvalues with zeros as such, and with their uncertainties where left vectors tell them.
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

/// Fills in eigenvalues after and their residuals; those of a conjugate pair are equal.
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

/// What both equations say of the whole spectrum of a small system.
template <class Engine>
SpectrumComparison compared(const ReducedSystem<Engine>& reduced, const SmallSpectrum& all) {
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
  return comparison;
}

/// Pairs the lists. What is beside a zero within its uncertainty is listed as zero, too.
/// @param resolution [1/s] of the list before: what is slower is not told from zero there
void match(SpectrumComparison& comparison, const ComparisonOptions& options, double resolution = 0) {
  std::vector<double> uncertainties = uncertainties_of(comparison.residuals);
  for (std::size_t j = 0; j < uncertainties.size(); ++j)
    if (comparison.after.finite[j] == 0.) uncertainties[j] = std::max(uncertainties[j], resolution);
  comparison.matching =
      match_eigenvalues(comparison.before.finite, comparison.after.finite, uncertainties, options.matching);
  for (MatchedEigenvalues& pair : comparison.matching.pairs)
    if (pair.after == 0. && pair.agree(options.matching.tolerance))
      pair.before = comparison.before.finite[pair.place_before] = 0;
  judge(comparison.matching, options.matching);
}

/// Those nearest to a shift by a search in each of the two, and some farther away.
template <class Engine>
SpectrumComparison compared_by_searches(const ReducedSystem<Engine>& reduced, Index k,
                                        const ComparisonOptions& options) {
  // So many farther, that what is equally far as the last of the list is in both.
  constexpr Index n_beyond = 4;
  const NearestEigenvalues after = [&] {
    const Stage stage("eigenvalues after");
    return nearest_eigenvalues(reduced, k + n_beyond, options.shift);
  }();
  SpectrumComparison comparison;
  comparison.after.finite = after.eigenvalues;
  comparison.residuals = after.residuals;
  comparison.shift = after.shift;
  comparison.completeness = after.completeness;
  comparison.is_whole = static_cast<GlobalIndex>(after.eigenvalues.size()) == reduced.n_states();
  const NearestAssembledEigenvalues before = [&] {
    const Stage stage("eigenvalues before");
    return nearest_assembled_eigenvalues(reduced, k + n_beyond, options.shift);
  }();
  comparison.before.finite = before.eigenvalues;
  if (before.completeness == Completeness::unknown) comparison.completeness = Completeness::unknown;
  comparison.before.n_infinite = 2 * reduced.before().dofs().n_global() - reduced.n_finite_before();
  match(comparison, options, before.resolution);
  return comparison;
}

/// Counts what is as near to the shift as the k-th of a list that goes farther.
template <class Engine>
void count(SpectrumComparison& comparison, const ReducedSystem<Engine>& reduced, Index k,
           const ComparisonOptions& options) {
  const std::vector<Complex>& list = comparison.after.finite;
  if (comparison.is_whole) comparison.completeness = Completeness::counted;
  if (comparison.is_whole && (options.counting == Counting::where_cheap || list.empty())) return;
  double reach = 0;
  const std::vector<Complex>& decisive = comparison.after.decisive();
  for (const std::size_t place : nearest_places(decisive, options.shift, k))
    reach = std::max(reach, std::min(std::abs(decisive[place] - options.shift),
                                     std::abs(std::conj(decisive[place]) - options.shift)));
  comparison.certificate = options.counting == Counting::always
                               ? certify(reduced, list, options.shift, reach, comparison.is_whole)
                               : certify_by_inertia(reduced, list, options.shift, reach, comparison.is_whole);
  if (comparison.certificate && comparison.certificate->is_complete() &&
      comparison.certificate->radius >= reach)
    comparison.completeness = Completeness::counted;
}

/// All eigenvalues before by QZ and after by QR.
template <class Engine>
SpectrumComparison compared_by_dense_iterations(const ReducedSystem<Engine>& reduced,
                                                const ComparisonOptions& options) {
  SpectrumComparison comparison;
  {
    const Stage stage("eigenvalues before");
    comparison.before = spectrum_before(reduced);
  }
  {
    const Stage stage("eigenvalues after");
    complete(comparison, reduced, eigenpairs(dense_state_matrix(reduced)));
  }
  match(comparison, options);
  return comparison;
}

/// The largest modulus that was set to zero relative to the fastest eigenvalue.
double largest_zero(const SpectrumComparison& comparison) {
  double largest = 0, fastest = 0;
  for (std::size_t j = 0; j < comparison.after.finite.size(); ++j) {
    largest = std::max(largest, comparison.residuals[j].set_to_zero);
    fastest = std::max({fastest, std::abs(comparison.after.finite[j]), largest});
  }
  return fastest > 0 ? largest / fastest : 0;
}

/// What rounding makes of a chain of four zeros, the fourth root of it.
constexpr double largest_rounded_zero = 1e-4;

/// Eigenvalues that rounding moves by more than itself are no zeros: then nothing is known of them.
void refuse_false_zeros(SpectrumComparison& comparison) {
  if (comparison.before.is_exact || largest_zero(comparison) <= largest_rounded_zero) return;
  comparison.before.reliable = false;
  comparison.before.reason =
      "rounding leaves no digit of some eigenvalues: it moves them by as much as they are";
}

/// Whether QZ and QR, which keep digits relative to the fastest eigenvalues, leave enough of all: of each so
/// many as comparisons ask for, so that rounding has to excuse nothing.
bool is_settled(const SpectrumComparison& comparison, const ComparisonOptions& options) {
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

/// Where the exact degree of det P is known and not the number of states, nothing is compared; of rounded
/// entries it may be larger.
template <class Engine>
void hold_against_exact_count(SpectrumComparison& comparison, const ReducedSystem<Engine>& reduced) {
  if (is_surely_counted(reduced)) return;
  const FreeSystem<Engine> given(reduced.assembled());
  const std::optional<ExactStructure> exact = exact_structure_of(given);
  if (!exact) return;
  const bool has_redundant = !reduced.constraints().redundant.empty();
  if (has_redundant && (!exact->is_regular() || exact->is_of_rounded)) return;
  const GlobalIndex n_finite = reduced.n_finite_before();
  if (exact->is_regular() && exact->n_finite == n_finite) return;
  if (exact->is_regular() && exact->is_of_rounded && exact->n_finite > n_finite) {
    comparison.before.n_rounded = exact->n_finite - n_finite;
    return;
  }
  comparison.before.reliable = false;
  comparison.before.reason =
      (exact->is_regular() ? "exactly, det P has degree " + std::to_string(exact->n_finite)
                           : std::string("exactly, det P vanishes for every lambda")) +
      ", but " + std::to_string(n_finite) + " states were found";
}

template <class Engine>
std::optional<SpectrumComparison> compared_small(const ReducedSystem<Engine>& reduced, Effort effort) {
  const auto small = small_spectrum(reduced, effort);
  return small ? std::optional(compared(reduced, *small)) : std::nullopt;
}

/// The whole spectrum, not yet judged.
template <class Engine>
SpectrumComparison compared_whole(const ReducedSystem<Engine>& reduced, const ComparisonOptions& options) {
  std::optional<SpectrumComparison> comparison = compared_small(reduced, Effort::little);
  if (!comparison) {
    comparison = compared_by_dense_iterations(reduced, options);
    hold_against_exact_count(*comparison, reduced);
    if (comparison->before.n_rounded > 0 || !is_settled(*comparison, options)) {
      if (auto small = compared_small(reduced, Effort::large)) comparison = std::move(small);
      refuse_false_zeros(*comparison);
    }
  }
  comparison->completeness = Completeness::counted;
  return *std::move(comparison);
}

/// The nearest by searches; where these do not answer and the whole spectrum is still affordable, from that.
template <class Engine>
SpectrumComparison compared_near(const ReducedSystem<Engine>& reduced, Index k,
                                 const ComparisonOptions& options) {
  const auto cut = [&](SpectrumComparison comparison) {
    count(comparison, reduced, k, options);
    comparison.requested_shift = options.shift;
    keep_nearest(comparison, k, options.matching.tolerance);
    conclude(comparison, options);
    return comparison;
  };
  const GlobalIndex n = reduced.before().dofs().n_global();
  if (n > whole_up_to) {
    try {
      SpectrumComparison searched = compared_by_searches(reduced, k, options);
      hold_against_exact_count(searched, reduced);
      searched = cut(std::move(searched));
      if (searched.passed || n > whole_instead_up_to) return searched;
    } catch (const Error&) {
      if (n > whole_instead_up_to) throw;
    }
  }
  SpectrumComparison whole = compared_whole(reduced, options);
  whole.shift = options.shift;
  return cut(std::move(whole));
}

/// The k nearest that oscillate, from lists that grow until they hold so many.
template <class Engine>
SpectrumComparison compared_oscillating(const ReducedSystem<Engine>& reduced, Index k,
                                        const ComparisonOptions& options) {
  const bool is_small = reduced.before().dofs().n_global() <= whole_up_to;
  const GlobalIndex n_states = reduced.n_states();
  Index length = is_small ? static_cast<Index>(n_states) : k;
  while (true) {
    SpectrumComparison comparison = compared_near(reduced, std::max<Index>(length, 1), options);
    const std::vector<bool> oscillates = oscillating(comparison);
    const auto n = static_cast<Index>(std::count(oscillates.begin(), oscillates.end(), true));
    if (n >= k || comparison.is_whole) {
      leave_out_relaxations(comparison, options.matching.tolerance);
      keep_nearest(comparison, k, options.matching.tolerance);
      conclude(comparison, options);
      return comparison;
    }
    if (length >= options.most_searched)
      throw NotAvailable(
          std::to_string(k) + " eigenvalues that oscillate were asked for, but of the " +
          std::to_string(length) + " nearest to the shift only " + std::to_string(n) +
          " do: the others are relaxations or zeros. Set the shift to i omega, with omega = 2 pi times a "
          "frequency that is of interest, or raise ComparisonOptions::most_searched.");
    length = std::min(2 * length, std::max(options.most_searched, k));
  }
}

}  // namespace

template <class Engine>
SpectrumComparison compare_spectra(const ReducedSystem<Engine>& reduced, Index k,
                                   const ComparisonOptions& options) {
  check_nearest(k, options.shift);
  const auto listed = [&](const ComparisonOptions& about) {
    SpectrumComparison comparison = about.listed == Listed::oscillating
                                        ? compared_oscillating(reduced, k, about)
                                        : compared_near(reduced, k, about);
    if (about.order == PairOrder::frequency) order_by_frequency(comparison);
    return comparison;
  };
  try {
    return listed(options);
  } catch (const StalledSearch& stalled) {
    ComparisonOptions where_they_crowd = options;
    where_they_crowd.shift = stalled.better_shift();
    SpectrumComparison comparison = listed(where_they_crowd);
    comparison.abandoned_shift = options.shift;
    conclude(comparison, options);
    return comparison;
  }
}

template <class Engine>
SpectrumComparison compare_all(const ReducedSystem<Engine>& reduced, const ComparisonOptions& options) {
  const GlobalIndex n = reduced.before().dofs().n_global();
  if (2 * n > dense_spectrum_limit)
    throw NotAvailable("All eigenvalues of " + std::to_string(n) +
                       " free degrees of freedom were asked for, but the limit is " +
                       std::to_string(dense_spectrum_limit / 2) +
                       ". Ask for some nearest to a shift (compare_spectra).");
  SpectrumComparison comparison = compared_whole(reduced, options);
  conclude(comparison, options);
  return comparison;
}

template SpectrumComparison compare_spectra(const ReducedSystem<InstantiatedEngine>&, Index,
                                            const ComparisonOptions&);
template SpectrumComparison compare_all(const ReducedSystem<InstantiatedEngine>&, const ComparisonOptions&);

}  // namespace halfdof
