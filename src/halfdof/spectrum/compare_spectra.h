#pragma once

#include <halfdof/spectrum/count.h>
#include <halfdof/spectrum/matching.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/// Eigenvalues of the assembled pencil, nothing eliminated.
struct SpectrumBefore {
  std::vector<Complex> finite;  ///< [1/s]
  GlobalIndex n_infinite = 0;   ///< of all 2 n
  GlobalIndex n_rounded = 0;    ///< of these, that rounding of the entries alone makes finite
  bool is_exact = false;        ///< right to the last digit or so (small_spectrum())
  bool reliable = true;         ///< no: the counts contradict each other, and nothing is compared
  std::string reason;           ///< why not
};

/// Eigenvalues of the reduced state matrix A.
struct SpectrumAfter {
  std::vector<Complex> finite;  ///< [1/s]
  std::vector<Complex>
      exact;  ///< `exact` of a SmallSpectrum beside them [1/s]; empty where that is not known

  /// Exact values where they are known: they decide which are nearest to a shift.
  const std::vector<Complex>& decisive() const { return exact.empty() ? finite : exact; }
};

/// Which eigenvalues compare_spectra() lists.
enum class Listed {
  all,
  /// Those whose imaginary part is larger than their uncertainty (zero where it is not known): vibrations, no
  /// relaxations.
  oscillating
};

/// The spectrum before and after the elimination, side by side. Whole on every process.
struct SpectrumComparison {
  SpectrumBefore before;
  SpectrumAfter after;
  SpectrumMatching matching;
  std::vector<EigenpairResidual> residuals;  ///< one for each of after.finite
  /// The shift that a list of some eigenvalues is nearest to, and the one that was used to find them [1/s].
  Complex requested_shift = 0, shift = 0;
  /// The shift that was asked for, where the search about it stalled: requested_shift is then where
  /// eigenvalues crowd.
  std::optional<Complex> abandoned_shift = {};
  bool is_whole = true;         ///< all eigenvalues; otherwise those nearest to requested_shift
  Listed listed = Listed::all;  ///< of those; relaxations may be left out
  Completeness completeness = Completeness::searched;
  std::optional<Certificate> certificate = {};  ///< of some eigenvalues that were counted
  double max_relative_difference = 0;           ///< of the matching
  double max_residual = 0;                      ///< largest `assembled`
  double max_reduced_residual = 0;              ///< largest `reduced`; does not decide
  double max_backward_error = 0;                ///< largest `backward`
  double difference_tolerance = 0;              ///< what the matching was judged by
  double residual_tolerance = 0;                ///< what `assembled` and `backward` were judged by
  std::size_t n_unchecked = 0;                  ///< of after.finite, those whose residuals say nothing
  bool passed = false;

  /// Whether all that the lists do not share is as far from the shift as the last of them: which of equally
  /// far eigenvalues a search finds is chance.
  bool is_cut_between_equally_far() const;
  /// The largest modulus of what does not agree [1/s]; zero where all does.
  double fastest_that_differs() const;
  /// Places in after.finite, that of a conjugate left out, of what is not zero and more uncertain than
  /// difference_tolerance.
  std::vector<std::size_t> uncertain() const;
  /// zero_radius() of the list after.
  double zero_radius() const;
  /// Table of the pairs with what they mean, then counts and verdict. @param n_rows As many pairs at most.
  void print(std::ostream& out, std::size_t n_rows = 40) const;
};

/// Which lists of some eigenvalues are counted.
enum class Counting {
  where_cheap,  ///< of undamped symmetric pencils, by an inertia: one factorization or some
  always        ///< others, too, by the argument principle: tens of complex factorizations
};

/// In which order the pairs of compare_spectra() stand.
enum class PairOrder {
  modulus,   ///< |lambda|
  frequency  ///< |Im lambda|, and equal ones by their modulus
};

struct ComparisonOptions {
  MatchingOptions matching;
  double residual_tolerance = 1e-6;  ///< largest `assembled` and `backward` of an eigenpair
  Complex shift = 0;                 ///< [1/s] of the k eigenvalues
  Counting counting = Counting::where_cheap;
  Listed listed = Listed::all;
  PairOrder order = PairOrder::modulus;
  /// Oscillating ones are looked for among at most so many eigenvalues nearest to the shift. Relaxations
  /// stand on the real axis, so that none is nearer to a shift i omega than omega.
  Index most_searched = 300;
};

/**
 * The verdict: passed if the two lists match, the one before is reliable, and `assembled` and
 * `backward` of every pair are within the tolerance, none of them empty. `reduced` does not decide: where A
 * multiplies rounding errors of smooth modes by the stiffness of rough ones it is large although nothing is
 * wrong, and `backward` tests the same before that. Fills in the figures of the comparison, given its lists,
 * matching and residuals.
 */
void conclude(SpectrumComparison& comparison, const ComparisonOptions& options = {});

/**
 * The k eigenvalues nearest to a shift, and the conjugate of each, computed twice.
 *
 * Systems of up to whole_up_to free DoFs are solved whole, as by compare_all(), and cut; so are those of up
 * to whole_instead_up_to whose searches do not end, do not agree, or fail a count. Of others both lists
 * come from searches of their own, in the assembled companion pencil and in the reduced system
 * (nearest_assembled_eigenvalues() and nearest_eigenvalues()), which go some eigenvalues farther than the
 * list: each is the second search of the other. Where an inertia tells how many there are, or
 * options.counting asks for it, they are counted besides (certify()). As many infinite eigenvalues as the
 * pencil has are counted by 2 n - N_s (of all columns, also those that a null tolerance dropped: before,
 * nothing is dropped). Passed as conclude() says: both iterations solve with the same shifted matrix, so
 * that only the residuals with A test the elimination.
 *
 * Where Listed::oscillating is asked for, the list grows until k of its eigenvalues oscillate; the others
 * are then left out of all lists, and is_whole is false.
 * @throws NotAvailable if fewer than k of options.most_searched eigenvalues oscillate, and there are more;
 * otherwise as nearest_eigenvalues(). Collective.
 */
template <class Engine>
SpectrumComparison compare_spectra(const ReducedSystem<Engine>& reduced, Index k,
                                   const ComparisonOptions& options = {});

/**
 * All eigenvalues. Of small systems those before are exact, and those after are found beside them
 * (small_spectrum()); so it is with larger ones where what follows leaves too few digits. Others:
 * QZ of the assembled companion pencil (quadratic_spectrum()) against those of
 * the dense A. Infinite eigenvalues of the pencil are counted by beta = 0 and, independently, by 2 n - N_s:
 * since D is regular, det P has degree N_s. With multipliers of constraints a WeierstrassForm deflates what
 * is infinite before QZ. Where the counts contradict each other, `before` is marked unreliable, and the
 * comparison does not pass. N_s is that of all columns, nothing dropped.
 *
 * Eigenvalues that rounding does not tell from zero are returned as zero.
 *
 * For small systems: up to dense_spectrum_limit / 2 free DoFs; the work grows like n^3 (about half a minute
 * for n = 1000). Under MPI every process computes the same. Collective.
 * @throws NotAvailable above the limit
 */
template <class Engine>
SpectrumComparison compare_all(const ReducedSystem<Engine>& reduced, const ComparisonOptions& options = {});

}  // namespace halfdof
