#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/explicit_forms.h>
#include <halfdof/reduction/first_order_form.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/dense_spectrum.h>
#include <halfdof/spectrum/eigenvalue_scale.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>
#include <halfdof/spectrum/norms.h>
#include <halfdof/spectrum/zero_eigenvalues.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace halfdof {

namespace {

/// Of the pencil with multipliers, whose blocks at infinity of order three and four a staircase has to deflate before
/// QZ: alone it would return false finite eigenvalues.
template <class Engine>
SpectrumBefore spectrum_with_multipliers(const ReducedSystem<Engine>& reduced) {
  check_multipliers_determined(reduced.constraints());
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
  SpectrumBefore before{qz.finite, qz.n_infinite, true, {}};
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

  comparison.after.finite = pairs.values;
  for (const Batch& batch : batches) {
    const auto rounded = rounded_eigenvalues<Engine>(reduced, scales, batch.values, batch.states);
    for (std::size_t b = 0; b < rounded.size(); ++b)
      if (rounded[b] == 0.)
        for_both(batch.values[b], batch.places[b], [&](std::size_t j) { comparison.after.finite[j] = 0; });
  }

  const double scale = zero_scale(comparison.after.finite, scales.rate());
  comparison.residuals.resize(pairs.values.size());
  for (const Batch& batch : batches) {
    const auto residuals = eigenpair_residuals<Engine>(reduced, scales, batch.values, batch.states, scale);
    for (std::size_t b = 0; b < residuals.size(); ++b)
      for_both(batch.values[b], batch.places[b],
               [&](std::size_t j) { comparison.residuals[j] = residuals[b]; });
  }
}

}  // namespace

template <class Engine>
SpectrumComparison compare_spectra(const ReducedSystem<Engine>& reduced, Index k,
                                   const ComparisonOptions& options) {
  const NearestEigenvalues after = [&] {
    const Stage stage("eigenvalues after");
    return nearest_eigenvalues(reduced, k, options.shift);
  }();
  SpectrumComparison comparison;
  comparison.after.finite = after.eigenvalues;
  comparison.residuals = after.residuals;
  {
    const Stage stage("eigenvalues before");
    comparison.before.finite = nearest_assembled_eigenvalues(reduced, k, after.shift).eigenvalues;
  }
  const GlobalIndex n_before = reduced.n_finite_before();
  comparison.before.n_infinite = 2 * reduced.before().dofs().n_global() - n_before;

  comparison.matching =
      match_eigenvalues(comparison.before.finite, comparison.after.finite, options.matching);
  const double reach = std::min(reach_of(comparison.before.finite, after.shift, k, n_before),
                                reach_of(comparison.after.finite, after.shift, k, reduced.n_states()));
  forgive_rim(comparison.matching, after.shift, reach, options.matching);
  conclude(comparison, options);
  return comparison;
}

template <class Engine>
SpectrumComparison compare_all(const ReducedSystem<Engine>& reduced, const ComparisonOptions& options) {
  const GlobalIndex n = reduced.before().dofs().n_global();
  if (2 * n > dense_spectrum_limit)
    throw NotAvailable("All eigenvalues of " + std::to_string(n) +
                       " free degrees of freedom were asked for, but the limit is " +
                       std::to_string(dense_spectrum_limit / 2) +
                       ". Ask for some nearest to a shift (compare_spectra).");
  SpectrumComparison comparison;
  {
    const Stage stage("eigenvalues before");
    comparison.before = spectrum_before(reduced);
  }
  {
    const Stage stage("eigenvalues after");
    complete(comparison, reduced, eigenpairs(dense_state_matrix(reduced)));
  }
  comparison.matching =
      match_eigenvalues(comparison.before.finite, comparison.after.finite, options.matching);
  conclude(comparison, options);
  return comparison;
}

template SpectrumComparison compare_spectra(const ReducedSystem<InstantiatedEngine>&, Index,
                                            const ComparisonOptions&);
template SpectrumComparison compare_all(const ReducedSystem<InstantiatedEngine>&, const ComparisonOptions&);

}  // namespace halfdof
