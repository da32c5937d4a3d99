// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

struct MatchingOptions {
  double tolerance = 1e-6;       ///< largest relative difference at which two eigenvalues agree
  double unmatched_above = 0.1;  ///< relative difference above which two eigenvalues do not form a pair
};

/// An eigenvalue of the list before the elimination, paired with one of the list after it.
struct MatchedEigenvalues {
  Complex before;
  Complex after;
  double uncertainty = 0;        ///< how far rounding may have moved them [1/s]
  std::size_t place_before = 0;  ///< position in the list before the elimination
  std::size_t place_after = 0;   ///< position in the list after the elimination

  /// @f$ |\lambda - \mu| / \max(|\lambda|, |\mu|) @f$, relative to the pair's own moduli; zero for two zeros.
  double relative_difference() const;
  /// Whether the relative difference is at most `tolerance`, or the difference at most the uncertainty.
  bool agree(double tolerance) const;
  /// Whether they agree only because of the uncertainty.
  bool agree_within_rounding(double tolerance) const;
};

/// The result of matching two lists of eigenvalues.
struct SpectrumMatching {
  std::vector<MatchedEigenvalues> pairs;  ///< matched eigenvalues, by ascending modulus
  std::vector<Complex> missing;           ///< eigenvalues that only the list before contains
  std::vector<Complex> extra;             ///< eigenvalues that only the list after contains
  /// Largest relative difference of the pairs, except those that agree only because of rounding; a missing or
  /// extra eigenvalue counts as 1.
  double max_relative_difference = 0;
  bool passed = true;  ///< whether nothing is missing or extra, and all pairs agree
};

/// Sets max_relative_difference and passed from the pairs and the lists.
void judge(SpectrumMatching& matching, const MatchingOptions& options = {});

/**
 * Pairs two lists of eigenvalues by the assignment with the smallest sum of relative differences
 * @f$ |\lambda - \mu| / \max(|\lambda|, |\mu|) @f$, each relative to its own modulus, so that slow
 * eigenvalues must agree to as many digits as fast ones. Eigenvalues that differ by less than the uncertainty
 * of the one after (zeros, or copies that rounding splits) form a pair whatever their moduli.
 *
 * @param uncertainties One for each of `after` [1/s], not negative; none: zero for all
 * @throws InvalidInput if an eigenvalue is not finite, or the numbers of entries differ
 */
SpectrumMatching match_eigenvalues(const std::vector<Complex>& before, const std::vector<Complex>& after,
                                   const std::vector<double>& uncertainties = {},
                                   const MatchingOptions& options = {});

/// Returns the distance from a shift to a value or its conjugate, whichever is nearer.
double distance_of_pair(Complex value, Complex shift);

/**
 * Returns the positions of the k values nearest to a shift, nearest first, and those of their conjugates,
 * each after the nearer value of the pair. Returns all positions if there are at most k values.
 * @param values Closed under conjugation; the two values of a pair are neighbours
 */
std::vector<std::size_t> nearest_places(const std::vector<Complex>& values, Complex shift, Index k);

/// Eigenvalues of the assembled pencil, before the elimination.
struct SpectrumBefore {
  std::vector<Complex> finite;  ///< finite eigenvalues [1/s]
  GlobalIndex n_infinite = 0;   ///< number of infinite eigenvalues among all 2 n
  GlobalIndex n_rounded = 0;    ///< infinite ones that are finite only by rounding of the entries
  bool is_exact = false;        ///< whether correct to about the last digit (small_spectrum())
  bool reliable = true;         ///< false if the counts contradict each other; then nothing is compared
  std::string reason;           ///< why the list is not reliable
};

/// Eigenvalues of the reduced state matrix A.
struct SpectrumAfter {
  std::vector<Complex> finite;  ///< finite eigenvalues [1/s]
  std::vector<Complex> exact;   ///< SmallSpectrum::exact of each [1/s]; empty if not known

  /// The exact values if they are known. They decide which eigenvalues are nearest to a shift.
  const std::vector<Complex>& decisive() const { return exact.empty() ? finite : exact; }
};

/// Which eigenvalues compare_spectra() lists. Parts of an eigenvalue count as zero up to its uncertainty, or
/// only if they are zero where that is not known.
enum class Listed {
  all,
  oscillating,  ///< vibrations: the imaginary part is not zero
  relaxing,     ///< motions without vibration that decay: the imaginary part is zero, the real part negative
  unstable      ///< motions that grow: the real part is positive
};

/// A rectangle of the complex plane with its rim [1/s].
struct Rectangle {
  Complex lower_left, upper_right;
  bool contains(Complex value) const {
    return value.real() >= lower_left.real() && value.real() <= upper_right.real() &&
           value.imag() >= lower_left.imag() && value.imag() <= upper_right.imag();
  }
};

/**
 * Counts the eigenvalues of @f$ P(\lambda) @f$ inside a rectangle, with multiplicity. Those of undamped
 * symmetric pencils with a semidefinite mass lie on the axes. If the imaginary axis passes through the
 * inside of the rectangle @f$ [a, b] + \mathrm{i} [c, d] @f$, they are counted by Sylvester's law of
 * inertia, with
 * @f$\nu@f$ as for count_undamped():
 * @f[ n = |\nu(d^2) - \nu(c^2)| \quad (0 < c \text{ or } d < 0), \qquad
 *     n = \nu(c^2) + \nu(d^2) - \nu(-a^2) - \nu(-b^2) \quad (c < 0 < d) . @f]
 * Others, and rectangles with c = 0 or d = 0, are counted by the argument principle along the rim.
 * Collective.
 *
 * @param known As for count_inside()
 * @return The count; without n if an eigenvalue lies too near to the rim, a solver provides no determinants,
 * or the sides differ too much.
 * @throws InvalidInput as compare_region()
 */
template <class Engine>
EigenvalueCount count_in_rectangle(const ReducedSystem<Engine>& reduced, const Rectangle& region,
                                   const std::vector<Complex>& known = {});

/// The eigenvalues of a band or of a rectangle, as they were counted.
struct RegionCount {
  Rectangle counted;        ///< the rectangle that was counted [1/s]
  EigenvalueCount count;    ///< eigenvalues in `counted`, with multiplicity
  GlobalIndex n_found = 0;  ///< number of these that are listed
  Index n_searches = 0;     ///< shifts about which eigenvalues were searched
  bool is_complete() const { return count.n && *count.n == n_found; }
};

/// The spectrum before and after the elimination, with the result of the comparison. Every process has the
/// whole of it.
struct SpectrumComparison {
  SpectrumBefore before;
  SpectrumAfter after;
  SpectrumMatching matching;
  std::vector<EigenpairResidual> residuals;  ///< residuals of after.finite
  /// The shift to which the listed eigenvalues are nearest, and the shift that was used to compute them
  /// [1/s].
  Complex requested_shift = 0, shift = 0;
  /// The shift that was asked for, if the search about it stalled. requested_shift is then the point near
  /// which the eigenvalues crowd.
  std::optional<Complex> abandoned_shift = {};
  bool is_whole = true;         ///< all eigenvalues are listed, not only those nearest to a shift
  Listed listed = Listed::all;  ///< which of these are listed
  /// If fewer eigenvalues of the kind `listed` were found than asked for: how many of the nearest eigenvalues
  /// of any kind were searched for them.
  std::optional<Index> n_searched = {};
  Completeness completeness = Completeness::searched;
  std::optional<Certificate> certificate = {};  ///< result of counting, if eigenvalues were counted
  std::optional<FrequencyBand> band = {};       ///< argument of compare_band()
  std::optional<Rectangle> region = {};         ///< argument of compare_region()
  std::optional<RegionCount> counted = {};      ///< count of compare_band() or compare_region()
  double max_relative_difference = 0;           ///< SpectrumMatching::max_relative_difference
  double max_residual = 0;                      ///< largest EigenpairResidual::assembled
  double max_reduced_residual = 0;              ///< largest `reduced`; does not affect `passed`
  double max_backward_error = 0;                ///< largest EigenpairResidual::backward
  double difference_tolerance = 0;              ///< tolerance of the matching
  double residual_tolerance = 0;                ///< tolerance of `assembled` and `backward`
  std::size_t n_unchecked = 0;                  ///< number of after.finite whose residuals are empty
  bool passed = false;

  /// Whether all eigenvalues that only one of the lists contains are as far from the shift as the last listed
  /// eigenvalue: which of equally far eigenvalues a search finds is arbitrary.
  bool is_cut_between_equally_far() const;
  /// The largest modulus of the eigenvalues that do not agree [1/s]; zero if all agree.
  double fastest_that_differs() const;
  /// Positions in after.finite of nonzero eigenvalues that are more uncertain than difference_tolerance; only
  /// one of each conjugate pair.
  std::vector<std::size_t> uncertain() const;
  /// Returns zero_radius() of the eigenvalues `after`.
  double zero_radius() const;
  /// Prints a table of the pairs with their frequencies and damping ratios, then counts and verdict.
  /// @param n_rows Maximum number of pairs.
  void print(std::ostream& out, std::size_t n_rows = 40) const;
};

/// When a list of some eigenvalues is checked by counting.
enum class Counting {
  where_cheap,  ///< only for undamped symmetric pencils, by an inertia: a few factorizations
  always        ///< also for others, by the argument principle: tens of complex factorizations
};

/// The order of the pairs of compare_spectra() and compare_all().
enum class PairOrder {
  modulus,   ///< by |lambda|
  frequency  ///< by |Im lambda|, and equal ones by |lambda|
};

struct ComparisonOptions {
  MatchingOptions matching;
  double residual_tolerance = 1e-6;  ///< limit of `assembled` and `backward` of an eigenpair
  Complex shift = 0;                 ///< the k eigenvalues nearest to this shift are compared [1/s]
  Counting counting = Counting::where_cheap;
  Listed listed = Listed::all;
  PairOrder order = PairOrder::modulus;
  /// Eigenvalues of the kind `listed` are searched among at most this number of those nearest to the shift.
  /// Relaxations lie on the real axis, so that their distance from a shift i omega is at least omega.
  /// It is also the largest number of searches for the eigenvalues of a band or a rectangle.
  Index most_searched = 300;
};

/**
 * Sets the figures and the verdict of a comparison from its lists, matching and residuals. It has passed if
 * the two lists match, the list before is reliable, and the residuals `assembled` and `backward` of every
 * pair are within the tolerance and not empty; and if the completeness of the lists is known and no count
 * refutes it. The residual `reduced` does not affect the verdict: it may be large although nothing is wrong,
 * because A multiplies rounding errors of the lowest modes by the stiffness of the highest ones. The residual
 * `backward` tests the same equations without this amplification.
 */
void conclude(SpectrumComparison& comparison, const ComparisonOptions& options = {});

/**
 * Computes the k eigenvalues nearest to a shift, and the conjugate of each, twice: before and after the
 * elimination. Compares the two lists.
 *
 * For systems of up to whole_up_to free DoFs, the whole spectra are computed as by compare_all() and cut to
 * the list. The same is done for systems of up to whole_fallback_up_to free DoFs whose searches do not end,
 * do not agree, or fail a count. For other systems both lists come from separate searches, in the assembled
 * companion pencil (nearest_assembled_eigenvalues()) and in the reduced system (nearest_eigenvalues()). Each
 * search goes some eigenvalues farther than the list and thus checks the completeness of the other. If an
 * inertia gives the number of eigenvalues, or options.counting asks for it, the eigenvalues are also counted
 * (certify()). The number of infinite eigenvalues of the pencil is 2 n - N_s, where N_s is that of all
 * columns, including columns that a null tolerance dropped, because the pencil before the elimination
 * contains them. The verdict is that of conclude(): both iterations solve with the same shifted matrix, so
 * that only the residuals with A test the elimination.
 *
 * If options.listed names a kind, the list grows until k of its eigenvalues are of that kind, or until it has
 * options.most_searched of them (SpectrumComparison::n_searched); the others are then omitted from all lists,
 * and is_whole is false.
 * @throws As nearest_eigenvalues(). Collective.
 */
template <class Engine>
SpectrumComparison compare_spectra(const ReducedSystem<Engine>& reduced, Index k,
                                   const ComparisonOptions& options = {});

/**
 * Compares all eigenvalues. For small systems the eigenvalues before the elimination are exact, and the
 * eigenvalues after it are computed near each of them (small_spectrum()). The same method is used for larger
 * systems if the following one leaves too few digits. For other systems, QZ of the assembled companion pencil
 * (quadratic_spectrum()) is compared with the eigenvalues of the dense A. Infinite eigenvalues of the pencil
 * are counted by beta = 0 and, independently, by 2 n - N_s: since D is regular, det P has degree N_s. If
 * constraints have multipliers, a WeierstrassForm deflates the infinite eigenvalues before QZ. If the counts
 * contradict each other, `before` is marked unreliable, and the comparison does not pass. N_s is that of all
 * columns, without dropping any.
 *
 * Eigenvalues that cannot be distinguished from zero because of rounding are returned as zero.
 *
 * For small systems: up to dense_spectrum_limit / 2 free DoFs; the work grows like n^3 (about half a minute
 * for n = 1000). Under MPI every process computes the same. Collective.
 * @throws NotAvailable above the limit
 */
template <class Engine>
SpectrumComparison compare_all(const ReducedSystem<Engine>& reduced, const ComparisonOptions& options = {});

/**
 * Compares all eigenvalues of a band (FrequencyBand::contains()), and the conjugate of each. If the band
 * begins at zero, eigenvalues that do not oscillate are omitted (see Listed::oscillating).
 *
 * Eigenvalues are searched about points of the imaginary axis, in both systems as by compare_spectra(), until
 * the discs in which the lists are complete cover the axis within the band. If many eigenvalues have nearly
 * the same distance from such a point, only the nearer ones are listed. The eigenvalues of the band are then
 * counted by count_in_rectangle(). If fewer were found, they lie off the axis: the rectangle of the band is
 * halved again and again, and the search is repeated about the center of each part that no disc covers,
 * until the count is met, the discs cover the rectangle, or there were options.most_searched searches. A
 * band that begins at zero is counted together with its conjugates and the eigenvalues that do not oscillate.
 * If more of these exist than were found near the axis, the band is counted from half the lowest frequency
 * that was found there; since vibrations with lower frequencies may be missing then, the comparison has not
 * passed.
 *
 * The rectangle is widened on all sides by 1e-9 of its farthest corner's modulus, or by a thousandth of its
 * shorter side if that is less, so that it contains eigenvalues on its rim; a side beside the real axis moves
 * by at most half of its distance from the axis. If a listed eigenvalue is less
 * certain than its distance from this rim, or the count fails, the rectangle is widened by 1e-6 and then by
 * 1e-3 instead, within the same limit. RegionCount::counted has the result. If the eigenvalue is too
 * uncertain for all of them, there is no count, with this reason.
 *
 * @return The comparison, ordered by frequency, with `band` and `counted`. It has passed only if the count is
 * met.
 * @param options The shift, `counting`, `listed` and `order` are not used.
 * @throws InvalidInput unless 0 <= from < to, both finite; otherwise as compare_spectra(). Collective.
 */
template <class Engine>
SpectrumComparison compare_band(const ReducedSystem<Engine>& reduced, const FrequencyBand& band,
                                const ComparisonOptions& options = {});

/**
 * Compares all eigenvalues in a rectangle, and the conjugate of each, as compare_band() does: the rectangle
 * may lie anywhere, also across the axes. Searches cover the part of the imaginary axis within it, or its
 * middle, before the eigenvalues are counted by count_in_rectangle(), and the rest of the rectangle until the
 * count is met. The rectangle is widened as for compare_band().
 * @return The comparison with `region` and `counted`. It has passed only if the count is met.
 * @param options The shift, `counting` and `listed` are not used.
 * @throws InvalidInput unless both corners are finite and the second one lies above and to the right of the
 * first one; otherwise as compare_spectra(). Collective.
 */
template <class Engine>
SpectrumComparison compare_region(const ReducedSystem<Engine>& reduced, const Rectangle& region,
                                  const ComparisonOptions& options = {});

}  // namespace halfdof
