// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/unreduced_system.h>
#include <halfdof/spectrum/compare_near.h>
#include <halfdof/spectrum/comparison_lists.h>
#include <halfdof/spectrum/nearest_eigenpairs.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>
#include <halfdof/spectrum/whole_spectra.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace halfdof {

using namespace internal;

namespace {

/// Compares the eigenvalues nearest to a shift, and some farther ones, by a search in each of the two
/// systems.
template <class Engine>
SpectrumComparison compared_by_searches(const ReducedSystem<Engine>& reduced, Index k,
                                        const ComparisonOptions& options, Index n_beyond) {
  const NearestEigenvalues after = [&] {
    const StageTimer stage("eigenvalues after");
    return nearest_eigenvalues(reduced, k + n_beyond, options.shift);
  }();
  SpectrumComparison comparison;
  comparison.after.finite = after.eigenvalues;
  comparison.residuals = after.residuals;
  comparison.shift = after.shift;
  comparison.completeness = after.completeness;
  comparison.is_whole = static_cast<GlobalIndex>(after.eigenvalues.size()) == reduced.n_states();
  const NearestAssembledEigenvalues before = [&] {
    const StageTimer stage("eigenvalues before");
    return nearest_assembled_eigenvalues(reduced, k + n_beyond, options.shift);
  }();
  comparison.before.finite = before.eigenvalues;
  if (before.completeness == Completeness::unknown) comparison.completeness = Completeness::unknown;
  comparison.before.n_infinite =
      2 * reduced.unreduced().system().dofs().n_global() - reduced.unreduced().n_finite();
  match(comparison, options, before.resolution);
  return comparison;
}

/// Counts the eigenvalues that are at least as near to the shift as the k-th of a longer list.
template <class Engine>
void count(SpectrumComparison& comparison, const ReducedSystem<Engine>& reduced, Index k,
           const ComparisonOptions& options) {
  const std::vector<Complex>& list = comparison.after.finite;
  if (comparison.is_whole) comparison.completeness = Completeness::counted;
  if (comparison.is_whole && (options.counting == Counting::where_cheap || list.empty())) return;
  double reach = 0;
  const std::vector<Complex>& decisive = comparison.after.decisive();
  for (const std::size_t place : nearest_places(decisive, options.shift, k))
    reach = std::max(reach, distance_of_pair(decisive[place], options.shift));
  comparison.certificate = options.counting == Counting::always
                               ? certify(reduced, list, options.shift, reach, comparison.is_whole)
                               : certify_by_inertia(reduced, list, options.shift, reach, comparison.is_whole);
  if (comparison.certificate && comparison.certificate->is_complete() &&
      comparison.certificate->radius >= reach)
    comparison.completeness = Completeness::counted;
}

/// Cuts longer lists to the k nearest eigenvalues, and sets the verdict.
template <class Engine>
SpectrumComparison cut(SpectrumComparison comparison, const ReducedSystem<Engine>& reduced, Index k,
                       const ComparisonOptions& options) {
  count(comparison, reduced, k, options);
  comparison.requested_shift = options.shift;
  keep_nearest(comparison, k, options.matching.tolerance);
  conclude(comparison, options);
  return comparison;
}

template <class Engine>
SpectrumComparison cut_from_whole(const ReducedSystem<Engine>& reduced, Index k,
                                  const ComparisonOptions& options, Effort most) {
  SpectrumComparison whole = whole_spectra(reduced, options, most);
  whole.shift = options.shift;
  return cut(std::move(whole), reduced, k, options);
}

template <class Engine>
SpectrumComparison cut_from_searches(const ReducedSystem<Engine>& reduced, Index k,
                                     const ComparisonOptions& options, Index n_beyond) {
  SpectrumComparison searched = compared_by_searches(reduced, k, options, n_beyond);
  check_exact_count(searched, reduced);
  return cut(std::move(searched), reduced, k, options);
}

/// Compares the nearest eigenvalues by searches, or from the whole spectrum if this is affordable and the
/// searches fail.
template <class Engine>
SpectrumComparison compared_near(const ReducedSystem<Engine>& reduced, Index k,
                                 const ComparisonOptions& options, Index n_beyond) {
  const GlobalIndex n = reduced.unreduced().system().dofs().n_global();
  if (n <= whole_up_to) return cut_from_whole(reduced, k, options, Effort::large);
  if (n > whole_fallback_up_to) return cut_from_searches(reduced, k, options, n_beyond);
  std::optional<SpectrumComparison> searched;
  std::exception_ptr failure;
  try {
    searched = cut_from_searches(reduced, k, options, n_beyond);
    if (searched->passed) return *searched;
  } catch (const Error&) {
    failure = std::current_exception();
  }
  // If the searches ended, the whole spectrum must agree without excuses by rounding.
  try {
    SpectrumComparison whole = cut_from_whole(reduced, k, options, Effort::little);
    if (whole.passed && (failure || whole.uncertain().empty())) return whole;
  } catch (const Error&) {
  }
  if (failure) std::rethrow_exception(failure);
  return *searched;
}

/// Compares the k nearest eigenvalues of the kind `listed`, from lists that grow until they contain k of
/// them.
template <class Engine>
SpectrumComparison compared_of_kind(const ReducedSystem<Engine>& reduced, Index k,
                                    const ComparisonOptions& options, Index n_beyond) {
  const bool is_small = reduced.unreduced().system().dofs().n_global() <= whole_up_to;
  const GlobalIndex n_states = reduced.n_states();
  Index length = is_small ? static_cast<Index>(n_states) : k;
  while (true) {
    SpectrumComparison comparison = compared_near(reduced, std::max<Index>(length, 1), options, n_beyond);
    const bool is_enough = n_listed(comparison, options.listed) >= k || comparison.is_whole;
    if (is_enough || length >= options.most_searched) {
      keep_listed(comparison, options.listed, options.matching.tolerance);
      keep_nearest(comparison, k, options.matching.tolerance);
      if (!is_enough) comparison.n_searched = length;
      conclude(comparison, options);
      return comparison;
    }
    length = std::min(2 * length, std::max(options.most_searched, k));
  }
}

}  // namespace

template <class Engine>
SpectrumComparison internal::compare_near(const ReducedSystem<Engine>& reduced, Index k,
                                          const ComparisonOptions& options, Index n_beyond) {
  check_nearest(k, options.shift);
  SpectrumComparison comparison = options.listed == Listed::all
                                      ? compared_near(reduced, k, options, n_beyond)
                                      : compared_of_kind(reduced, k, options, n_beyond);
  if (options.order == PairOrder::frequency) order_by(comparison, options.order);
  return comparison;
}

template <class Engine>
SpectrumComparison compare_spectra(const ReducedSystem<Engine>& reduced, Index k,
                                   const ComparisonOptions& options) {
  try {
    return compare_near(reduced, k, options);
  } catch (const StalledSearch& stalled) {
    ComparisonOptions where_they_crowd = options;
    where_they_crowd.shift = stalled.better_shift();
    SpectrumComparison comparison = compare_near(reduced, k, where_they_crowd);
    comparison.abandoned_shift = options.shift;
    conclude(comparison, options);
    return comparison;
  }
}

template <class Engine>
SpectrumComparison compare_all(const ReducedSystem<Engine>& reduced, const ComparisonOptions& options) {
  const GlobalIndex n = reduced.unreduced().system().dofs().n_global();
  if (2 * n > dense_spectrum_limit)
    throw NotAvailable("All eigenvalues of " + std::to_string(n) +
                       " free degrees of freedom were asked for, but the limit is " +
                       std::to_string(dense_spectrum_limit / 2) +
                       ". Ask for some nearest to a shift (compare_spectra).");
  SpectrumComparison comparison = whole_spectra(reduced, options, Effort::large);
  if (options.order == PairOrder::frequency) order_by(comparison, options.order);
  conclude(comparison, options);
  return comparison;
}

template SpectrumComparison internal::compare_near(const ReducedSystem<InstantiatedEngine>&, Index,
                                                   const ComparisonOptions&, Index);
template SpectrumComparison compare_spectra(const ReducedSystem<InstantiatedEngine>&, Index,
                                            const ComparisonOptions&);
template SpectrumComparison compare_all(const ReducedSystem<InstantiatedEngine>&, const ComparisonOptions&);

}  // namespace halfdof
