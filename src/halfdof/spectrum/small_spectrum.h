// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/exact/precise_spectrum.h>
#include <halfdof/spectrum/eigenmodes.h>

#include <optional>
#include <string>
#include <vector>

namespace halfdof::internal {

/**
 * All eigenvalues of a small system, before and after the elimination: those of the assembled pencil from its
 * determinant over the integers (exact_spectrum()) or with 32 digits (precise_spectrum()), and for each of
 * them the corresponding eigenvalue of the reduced system. They are sorted by ascending modulus and closed
 * under conjugation: the conjugate of each value follows it.
 *
 * Near every group of exact eigenvalues, the same number of eigenvalues of the reduced system is computed by
 * inverse iteration with a shift close to the group. Since both systems have the same total number of
 * eigenvalues, none is omitted. Copies of one exact eigenvalue, which rounding splits into a ring about it,
 * are listed as their mean, which rounding hardly changes; they are listed separately even if the eigenvalue
 * is defective (a Jordan block). Exact eigenvalues that cannot be distinguished from zero because of
 * rounding of the entries, such as those of free bodies with rounded entries, count as zeros in both lists.
 */
struct SmallSpectrum {
  std::vector<Complex> before;  ///< exact eigenvalues, correct to about the last digit [1/s]
  /// As `before`, but eigenvalues that `before` lists as zero because of rounding of the entries have their
  /// exact value for the given entries [1/s]. These values determine which eigenvalues are nearest to a
  /// shift.
  std::vector<Complex> exact;
  std::vector<Complex> after;  ///< the corresponding eigenvalues of the reduced system [1/s]
  std::vector<Complex> found;  ///< as `after`, before copies are replaced by their mean [1/s]
  ComplexMultiVector states;   ///< eigenvectors of `found`; n_local_states() x k
  /// Bases of the invariant subspaces of copies: equal to the states, except for
  /// defective eigenvalues. Shape: that of states.
  ComplexMultiVector basis;
  /// Uncertainties of `after` by RoundingRadius [1/s]. Those of zeros are at least the deviation of the
  /// computed values, if this is a small part of the distance to other eigenvalues.
  std::vector<double> uncertainties;
  std::vector<Complex> missing;  ///< exact eigenvalues that the reduced system does not have [1/s]
  /// Number of exact eigenvalues so fast that they cannot be distinguished from infinite ones because of
  /// rounding of the entries.
  GlobalIndex n_rounded = 0;
};

/// Number of free DoFs up to which a list of some eigenvalues is taken from the whole spectrum. This takes
/// half a second, or some seconds if eigenvalues are so sensitive that they need more digits.
constexpr GlobalIndex whole_up_to = 200;

/// Number of free DoFs up to which a list is taken from the whole spectrum if a search fails. This takes some
/// seconds.
constexpr GlobalIndex whole_fallback_up_to = 600;

/// The time that a whole spectrum may take: little is about half a second; large is about a minute, and more
/// if eigenvalues crowd. Systems of order up to precise_spectrum_limit for which neither 32 digits nor a
/// cheap determinant is sufficient may take that minute in both cases.
enum class Effort { little, large };

/**
 * Computes both spectra; returns nothing if this would take too long, or the pencil is singular. If the
 * reduced system has fewer eigenvalues than its entries imply, because columns were dropped as null or ranks
 * were decided in spite of rounding, the fastest exact eigenvalues have no counterpart. They are listed as
 * missing, unless they cannot be distinguished from infinite ones because of rounding of the entries.
 * Collective.
 */
template <class Engine>
std::optional<SmallSpectrum> small_spectrum(const ReducedSystem<Engine>& reduced,
                                            Effort effort = Effort::little);

/// Returns an exact eigenvalue of a small system that the reduced system lost by more than rounding of the
/// entries explains: it is missing, or the corresponding eigenvalue differs by more than a hundredth of its
/// modulus and by more than its uncertainty. Returns nothing if there is none, or if the spectrum takes more
/// than Effort::little. Collective.
template <class Engine>
std::optional<Complex> lost_eigenvalue(const ReducedSystem<Engine>& reduced);

/// Returns how well the states satisfy the equations. For each state the smaller `backward` error decides
/// whether the computed or the listed eigenvalue is used: the vector of a copy belongs to the computed
/// eigenvalue on the ring, and the vector of a zero to the listed zero. @param scales Of reduced.free().
/// Collective.
template <class Engine>
std::vector<EigenpairResidual> residuals_of(const ReducedSystem<Engine>& reduced,
                                            const TermScales<Engine>& scales, const SmallSpectrum& all);

}  // namespace halfdof::internal
