#pragma once

#include <halfdof/linear_algebra/exact/precise_spectrum.h>
#include <halfdof/spectrum/eigenmodes.h>

#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/**
 * All eigenvalues of a small system, twice: those of the assembled pencil from its determinant over the
 * integers (exact_spectrum()) or with 32 digits (precise_spectrum()), and beside each of them that of the
 * reduced system. Ascending by modulus, closed under conjugation: the conjugate of each value stands behind
 * it.
 *
 * The reduced system is asked near every group of exact eigenvalues for as many of its own, by the inverse at
 * a shift beside them; since both have the same number of eigenvalues in all, none is left that nobody asked
 * for. Copies of one exact eigenvalue, which rounding splits into a ring about it, are listed as their mean,
 * which rounding hardly moves, and where vectors of several are one (a Jordan block), they are listed all the
 * same. Exact eigenvalues that rounding of the entries does not tell from zero, as those of bodies whose
 * entries are rounded, count as zeros in both lists.
 */
struct SmallSpectrum {
  std::vector<Complex> before;  ///< right to the last digit or so [1/s]
  /// Those before, where zeros that rounding explains have the value of the entries as they stand [1/s]. This
  /// value decides what is nearest to a shift.
  std::vector<Complex> exact;
  std::vector<Complex> after;  ///< beside them [1/s]
  std::vector<Complex> found;  ///< those after as they were found, before copies took their mean [1/s]
  ComplexMultiVector states;   ///< of those found; n_local_states() x k
  /// Of the invariant subspaces of copies: the states, but where several copies share a vector. The same
  /// shape
  ComplexMultiVector basis;
  std::vector<double>
      uncertainties;  ///< of those after [1/s]: RoundingRadius; of zeros also how far they are off, if
                      ///< that is a small part of the distance to other eigenvalues
  std::vector<Complex> missing;  ///< exact eigenvalues that the reduced system does not have [1/s]
  GlobalIndex n_rounded =
      0;  ///< of the exact ones, so fast that rounding of the entries does not tell them from infinite ones
};

/// Free DoFs up to which some eigenvalues are cut from the whole spectrum: half a second, and some seconds
/// where eigenvalues are so sensitive that they need more digits.
constexpr GlobalIndex whole_up_to = 200;

/// Free DoFs up to which they are cut from the whole spectrum where a search does not find them: some
/// seconds.
constexpr GlobalIndex whole_instead_up_to = 600;

/// What a whole spectrum may cost: half a second or so, or a minute, and more where eigenvalues crowd.
/// Systems of order up to precise_spectrum_limit that neither 32 digits nor a cheap determinant decide may
/// take that minute in any case.
enum class Effort { little, large };

/**
 * Nothing where that would take too long, or the pencil is singular. Where the reduced system has fewer
 * eigenvalues than its entries say, because columns were dropped as null or ranks decided in spite of
 * rounding, the fastest exact ones have no counterpart: they are missing, unless rounding of the entries does
 * not tell them from infinite ones. Collective.
 */
template <class Engine>
std::optional<SmallSpectrum> small_spectrum(const ReducedSystem<Engine>& reduced,
                                            Effort effort = Effort::little);

/// An exact eigenvalue of a small system that the reduced system does not have, although rounding of the
/// entries does not move it so far: it is missing, or the one beside it differs by more than a hundredth.
/// and by more than its uncertainty. Nothing where there is none, or where the spectrum takes more than
/// Effort::little. Collective.
template <class Engine>
std::optional<Complex> lost_eigenvalue(const ReducedSystem<Engine>& reduced);

/// How well the states satisfy the equations, each with the eigenvalue that was found or with the one that is
/// listed, whichever does better: a vector of copies belongs to one on their ring, and one of a zero to the
/// zero. @param scales Of reduced.free(). Collective.
template <class Engine>
std::vector<EigenpairResidual> residuals_of(const ReducedSystem<Engine>& reduced,
                                            const TermScales<Engine>& scales, const SmallSpectrum& all);

}  // namespace halfdof
