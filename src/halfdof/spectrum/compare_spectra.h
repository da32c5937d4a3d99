#pragma once

#include <halfdof/spectrum/eigenmodes.h>
#include <halfdof/spectrum/matching.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace halfdof {

/// Eigenvalues of the assembled pencil, nothing eliminated.
struct SpectrumBefore {
  std::vector<Complex> finite;  ///< [1/s]
  GlobalIndex n_infinite = 0;   ///< of all 2 n
  bool reliable = true;         ///< no: the counts contradict each other; residuals decide instead
  std::string reason;           ///< why not
};

/// Eigenvalues of the reduced state matrix A.
struct SpectrumAfter {
  std::vector<Complex> finite;  ///< [1/s]
};

/// The spectrum before and after the elimination, side by side. Whole on every process.
struct SpectrumComparison {
  SpectrumBefore before;
  SpectrumAfter after;
  SpectrumMatching matching;
  std::vector<EigenpairResidual> residuals;  ///< one for each of after.finite
  double max_relative_difference = 0;        ///< of the matching
  double max_residual = 0;                   ///< largest `assembled`
  double max_reduced_residual = 0;           ///< largest `reduced`; does not decide
  double max_backward_error = 0;             ///< largest `backward`
  double difference_tolerance = 0;           ///< what the matching was judged by
  double residual_tolerance = 0;             ///< what `assembled` and `backward` were judged by
  std::size_t n_unchecked = 0;               ///< of after.finite, those whose residuals say nothing
  bool passed = false;

  /// Places in after.finite, that of a conjugate left out, of what is not zero and more uncertain than difference_tolerance.
  std::vector<std::size_t> uncertain() const;
  /// The largest `uncertainty` or `set_to_zero` of zeros [1/s]: how fast what counts as zero may be.
  double zero_radius() const;
  /// Whether the list before says anything: otherwise residuals alone have decided.
  bool is_compared() const { return before.reliable || matching.passed; }
  /// Table of the pairs with what they mean, then counts and verdict. @param n_rows As many pairs at most.
  void print(std::ostream& out, std::size_t n_rows = 40) const;
};

struct ComparisonOptions {
  MatchingOptions matching;
  double residual_tolerance = 1e-6;  ///< largest `assembled` and `backward` of an eigenpair
  Complex shift = 0;                 ///< [1/s] of the k eigenvalues
};

/**
 * The verdict: passed if the two lists match (or the one before is not reliable) and `assembled` and
 * `backward` of every pair are within the tolerance, none of them empty. `reduced` does not decide: where A
 * multiplies rounding errors of smooth modes by the stiffness of rough ones it is large although nothing is
 * wrong, and `backward` tests the same before that. Fills in the figures of the comparison, given its lists,
 * matching and residuals.
 */
void conclude(SpectrumComparison& comparison, const ComparisonOptions& options = {});

/**
 * The k eigenvalues nearest to a shift, computed twice: from the assembled companion pencil and from the
 * reduced system (nearest_assembled_eigenvalues() and nearest_eigenvalues()). As many infinite eigenvalues as
 * the pencil has are counted by 2 n - N_s (of all columns, also those that a null tolerance dropped: before,
 * nothing is dropped). Passed as conclude() says: both iterations solve with the same shifted matrix, so that
 * only the residuals with A test the elimination.
 *
 * Eigenvalues as far from the shift as the farthest ones of a list that was cut after k (within one percent)
 * may be without counterpart. Collective. Throws as nearest_eigenvalues().
 */
template <class Engine>
SpectrumComparison compare_spectra(const ReducedSystem<Engine>& reduced, Index k,
                                   const ComparisonOptions& options = {});

/**
 * All eigenvalues: QZ of the assembled companion pencil (quadratic_spectrum()) against those of the dense A.
 * Infinite eigenvalues of the pencil are counted by beta = 0 and, independently, by 2 n - N_s: since D is
 * regular, det P has degree N_s. With multipliers of constraints a WeierstrassForm deflates what is infinite
 * before QZ. Where the counts contradict each other, `before` is marked unreliable and the residuals of the
 * eigenvalues after decide. N_s is that of all columns, nothing dropped.
 *
 * Eigenvalues after that rounding does not tell from zero are returned as zero; those of QZ are not.
 *
 * For small systems: up to dense_spectrum_limit / 2 free DoFs; the work grows like n^3 (about half a minute
 * for n = 1000). Under MPI every process computes the same. Collective.
 * @throws NotAvailable above the limit; SingularMatrix where redundant constraints leave multipliers undetermined.
 */
template <class Engine>
SpectrumComparison compare_all(const ReducedSystem<Engine>& reduced, const ComparisonOptions& options = {});

}  // namespace halfdof
