// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/exact/exact_structure.h>
#include <halfdof/linear_algebra/exact/precise_vectors.h>
#include <halfdof/linear_algebra/exact/simple_eigenvalue.h>
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/spectrum_rounding.h>

#include <algorithm>
#include <cmath>

namespace halfdof::internal {

SpectrumRounding::SpectrumRounding(MultiVector M, MultiVector C, MultiVector K, RoundingRadius of_reduced)
    : M_(std::move(M)),
      C_(std::move(C)),
      K_(std::move(K)),
      of_assembled_(M_, C_, K_),
      of_reduced_(std::move(of_reduced)) {}

bool SpectrumRounding::has_rounded_entries() const {
  return internal::has_rounded_entries(M_) || internal::has_rounded_entries(C_) ||
         internal::has_rounded_entries(K_);
}

double SpectrumRounding::of_entries(const ExactRoot& root, double farthest) const {
  if (root.value == 0.) return of_zeros(root.multiplicity, farthest);
  const double bound = of_assembled_(root.value, root.multiplicity, farthest);
  if (root.multiplicity > 1 || bound <= MatchingOptions().tolerance * std::abs(root.value)) return bound;
  const auto [x, y] = precise_vector_pair(M_, C_, K_, root.value);
  const double by_vectors = rounding_of_simple_eigenvalue(M_, C_, K_, root.value, x, y);
  return std::isnan(by_vectors) ? bound : by_vectors;
}

/// Returns how far rounding of the entries moves an eigenvalue zero. This may be farther than the nearest
/// nonzero eigenvalue, whose modulus is `farthest` (a slow eigenvalue of another part of the model). So the
/// bound is computed for circles about zero of growing radius, until one contains the moved zeros; if none
/// does, `farthest` is returned.
double SpectrumRounding::of_zeros(Index multiplicity, double farthest) const {
  constexpr double wider = 0x1p10, widest = 0x1p400;
  for (double reach = farthest; reach < widest * farthest; reach *= wider)
    if (const double bound = of_assembled_(0., multiplicity, reach); bound < reach) return bound;
  return farthest;
}

double SpectrumRounding::of_copies(const ExactRoot& root, double farthest) const {
  return of_reduced_(root.value, root.multiplicity, farthest, RoundingRadius::Changes::of_all_places);
}

WithZeros with_zeros(std::vector<ExactRoot> roots, const SpectrumRounding& rounding) {
  constexpr double most = 4;
  std::sort(roots.begin(), roots.end(),
            [](const ExactRoot& a, const ExactRoot& b) { return std::abs(a.value) < std::abs(b.value); });
  const auto farthest_of = [&](const ExactRoot& root) {
    double nearest = 2 * std::abs(root.value);
    for (const ExactRoot& other : roots)
      if (other.value != root.value) nearest = std::min(nearest, std::abs(other.value - root.value));
    return nearest;
  };
  WithZeros zeros;
  ExactRoot zero{0, 0};
  // As soon as a root is distinguished from zero, no faster root counts as zero.
  bool is_distinct_from_zero = !rounding.has_rounded_entries();
  const auto counts_as_zero = [&](const ExactRoot& root) {
    if (root.value == 0. || is_distinct_from_zero) return root.value == 0.;
    is_distinct_from_zero = std::abs(root.value) > most * rounding.of_entries(root, farthest_of(root));
    return !is_distinct_from_zero;
  };
  for (const ExactRoot& root : roots) {
    if (root.value.imag() < 0) continue;  // with its conjugate
    const bool is_pair = root.value.imag() > 0;
    if (counts_as_zero(root)) {
      zero.multiplicity += (is_pair ? 2 : 1) * root.multiplicity;
      for (Index copy = 0; copy < root.multiplicity; ++copy) {
        zeros.zeros.push_back(root.value);
        if (is_pair) zeros.zeros.push_back(std::conj(root.value));
      }
      zeros.farthest = std::max(zeros.farthest, std::abs(root.value));
      continue;
    }
    zeros.roots.push_back(root);
    if (is_pair) zeros.roots.push_back({std::conj(root.value), root.multiplicity});
  }
  if (zero.multiplicity > 0) zeros.roots.push_back(zero);
  return zeros;
}

}  // namespace halfdof::internal
