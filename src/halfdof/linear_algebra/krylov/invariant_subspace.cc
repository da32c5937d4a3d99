// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/krylov/krylov_schur.h>
#include <halfdof/linear_algebra/search_progress.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace halfdof::internal {

namespace {

/// Eigenvalues below this number times the largest one are treated as zero.
constexpr double negligible = 1e-11;
/// Moduli that differ by a smaller factor are treated as equal.
constexpr double clearly_larger = 1 + 1e-6;

/// Returns the number of vectors in a block of the Krylov iteration. With blocks of four vectors, a solve
/// costs a third as much for each vector as with single vectors, because the factors are read only once, but
/// twice as many vectors are needed.
Index block_size(Index n_basis) {
  return std::clamp(n_basis / 20, 2, 4);
}

/// Returns the options with the default size of the Krylov basis, after a check of the sizes.
SubspaceOptions complete_options(SubspaceOptions options) {
  if (options.n_basis == 0) options.n_basis = options.n_eigenvalues + 40;
  if (options.n_eigenvalues < 0 || options.n_basis < options.n_eigenvalues + 2)
    throw InvalidInput("A Krylov basis of " + std::to_string(options.n_basis) + " vectors is too small for " +
                       std::to_string(options.n_eigenvalues) +
                       " eigenvalues. The basis must have at least two vectors more than the number of "
                       "eigenvalues, which must not be negative: enlarge the basis.");
  return options;
}

/// Runs a Krylov-Schur iteration until the wanted eigenvalues have converged.
template <class Scalar>
class SubspaceSearch {
 public:
  SubspaceSearch(const BlockOperator<Scalar>& apply, const Partition& rows, const SubspaceOptions& options,
                 Index n_block)
      : options_(options),
        // The basis has room for the wanted vectors and for a second search in their complement.
        krylov_(apply, rows,
                std::max(options.n_basis, options.n_eigenvalues + 1 + max_complement_steps * n_block),
                n_block, options.n_start_steps) {}

  InvariantSubspace<Scalar> run() {
    OrderedSchurForm<Scalar> found = converge();
    bool is_complete = search_complement(found), is_missing = !is_complete;
    while (is_missing) {
      OrderedSchurForm<Scalar> extended = converge_to_smallest(is_complete);
      is_missing = has_larger(extended, found);
      found = std::move(extended);
      if (is_missing) is_missing = !(is_complete = search_complement(found));
    }
    const Index n = found.round_up_to_whole_pair(options_.n_eigenvalues);
    return {krylov_.V().leftCols(n), found.T.topLeftCorner(n, n), is_complete};
  }

 private:
  /// Largest number of expansions of a second search in the complement. If they leave open whether a larger
  /// eigenvalue exists, converge_to_smallest() decides.
  static constexpr Index max_complement_steps = 12;

  /// Iterates until the wanted Schur vectors have converged, and restricts the decomposition to them.
  OrderedSchurForm<Scalar> converge() {
    while (true) {
      expand_until_check();
      const OrderedSchurForm<Scalar> schur = krylov_.schur_form(krylov_.size());
      if (has_converged(schur)) {
        krylov_.restart(schur, n_sought(schur));
        return schur;
      }
      if (!krylov_.can_expand()) restart(schur, options_.max_restarts);
    }
  }

  /// Iterates like converge(), and then further until it is clear that no remaining Ritz value belongs to an
  /// eigenvalue that is larger than the smallest one found. After some restarts the iteration ends with
  /// is_complete = false, because no decision is possible if many eigenvalues have about the smallest modulus
  /// found.
  OrderedSchurForm<Scalar> converge_to_smallest(bool& is_complete) {
    const Index last_restart = n_restarts_ + n_observed_restarts();
    while (true) {
      expand_until_check();
      const OrderedSchurForm<Scalar> schur = krylov_.schur_form(krylov_.size());
      const Index n = n_sought(schur);
      const bool has_converged_here = has_converged(schur);
      is_complete = has_converged_here &&
                    (n >= krylov_.size() || is_comparable(schur.magnitudes[n], krylov_.residuals(schur)[n],
                                                          smallest_modulus(schur)));
      if (is_complete || (has_converged_here && n_restarts_ >= last_restart)) {
        krylov_.restart(schur, n);
        return schur;
      }
      if (!krylov_.can_expand()) restart(schur, std::max(options_.max_restarts, last_restart + 1));
    }
  }

  /// Returns the number of wanted eigenvalues, plus one if the last one belongs to a complex pair that would
  /// be split.
  Index n_sought(const OrderedSchurForm<Scalar>& schur) const {
    return schur.round_up_to_whole_pair(options_.n_eigenvalues);
  }

  /// Expands the basis by a number of blocks after which the residuals are computed again, which requires a
  /// dense Schur form. The residuals are computed more often once the largest residual has reached half of
  /// the required digits.
  void expand_until_check() {
    const Index part = worst_residual_ * worst_residual_ <= options_.tolerance ? 16 : 8;
    const Index enough = std::max(options_.n_eigenvalues + 2, krylov_.size() + krylov_.largest_kept() / part);
    while (krylov_.can_expand() && krylov_.size() < enough)
      expand();
  }

  void expand() {
    krylov_.expand();
    ++n_steps_;
  }

  /// Restarts with the wanted Schur vectors and with half of the other Schur vectors, which belong to the
  /// next largest eigenvalues.
  void restart(const OrderedSchurForm<Scalar>& schur, Index max_restarts) {
    const Index n = n_sought(schur), kept = schur.round_up_to_whole_pair(n + (krylov_.size() - n) / 2);
    digits_.push_back(missing_digits(schur));
    if (++n_restarts_ > max_restarts || is_stalled(max_restarts)) throw_stalled_iteration(schur);
    krylov_.restart(schur, kept <= krylov_.largest_kept() ? kept : n);
  }

  /// Returns the residuals of the wanted Schur vectors relative to their eigenvalues.
  Vector relative_residuals(const OrderedSchurForm<Scalar>& schur) const {
    const Index n = n_sought(schur);
    const double floor = negligible * schur.magnitudes[0];
    const Vector residuals = krylov_.residuals(schur).head(n);
    return (residuals.array() > 0)
        .select(residuals.array() / schur.magnitudes.head(n).array().max(floor), 0.)
        .matrix();
  }

  bool has_converged(const OrderedSchurForm<Scalar>& schur) {
    const Vector residuals = relative_residuals(schur);
    const double worst = worst_residual_ = residuals.maxCoeff();
    const double done = worst > 0 ? std::log(worst) / std::log(options_.tolerance) : 1.;
    show_progress(
        {options_.n_eigenvalues, n_below_tolerance(residuals), n_steps_, worst, std::clamp(done, 0., 1.)});
    return worst <= options_.tolerance;
  }

  Index n_below_tolerance(const Vector& residuals) const {
    return static_cast<Index>((residuals.array() <= options_.tolerance).count());
  }

  /// Returns the total number of decimal digits by which the wanted vectors still miss the tolerance.
  double missing_digits(const OrderedSchurForm<Scalar>& schur) const {
    return (relative_residuals(schur).array() / options_.tolerance).max(1.).log10().sum();
  }

  /// Returns the number of restarts from which the rate of convergence is estimated.
  Index n_observed_restarts() const { return std::max(options_.max_restarts / 5, 1); }

  /// Returns whether, at the rate of convergence of the last restarts, more than three times the remaining
  /// restarts would be needed.
  bool is_stalled(Index max_restarts) const {
    constexpr double several = 3;
    const auto n_watched = static_cast<std::size_t>(n_observed_restarts());
    if (digits_.size() <= n_watched) return false;
    const double now = digits_.back(), gained = digits_[digits_.size() - 1 - n_watched] - now;
    return now * static_cast<double>(n_watched) > several * gained * (max_restarts - n_restarts_);
  }

  [[noreturn]] void throw_stalled_iteration(const OrderedSchurForm<Scalar>& schur) const {
    const Vector residuals = relative_residuals(schur);
    const Index n_converged = n_below_tolerance(residuals);
    std::ostringstream message;
    message << "The Krylov iteration for " << options_.n_eigenvalues
            << " eigenvalues of largest magnitude was ended after " << n_restarts_
            << " restarts of a basis of " << options_.n_basis << " vectors: " << n_converged
            << " eigenvalues have converged, and the largest relative residual is " << residuals.maxCoeff()
            << " instead of at most " << options_.tolerance
            << ". Allow more restarts, a larger basis or a looser tolerance.";
    throw StalledIteration(message.str(), residuals.maxCoeff(), schur.values.head(residuals.size()),
                           residuals, n_converged);
  }

  /// Returns the smallest modulus of the wanted eigenvalues, but at least the modulus below which eigenvalues
  /// are treated as zero.
  double smallest_modulus(const OrderedSchurForm<Scalar>& found) const {
    return std::max(found.magnitudes[n_sought(found) - 1], negligible * found.magnitudes[0]);
  }

  /// Returns whether a Ritz value of the given magnitude and residual can be compared with the smallest
  /// modulus found: the Ritz value has practically converged, or its eigenvalue is certainly not larger.
  static bool is_comparable(double magnitude, double residual, double smallest) {
    return residual <= (clearly_larger - 1) * smallest || magnitude + residual <= smallest;
  }

  /// Searches for eigenvalues in the complement of the subspace found, with new start vectors, until the
  /// largest Ritz value is close to an eigenvalue. A still larger eigenvalue would have converged faster.
  /// @return Whether it is clear that no larger eigenvalue remains
  bool search_complement(const OrderedSchurForm<Scalar>& found) {
    constexpr Index n_between = 2;
    constexpr double near = 0.01;
    const Index n = krylov_.size();
    const double smallest = smallest_modulus(found);
    krylov_.start_new_block();
    digits_.clear();
    worst_residual_ = std::numeric_limits<double>::infinity();
    for (Index step = 1; step <= max_complement_steps && krylov_.can_expand(); ++step) {
      expand();
      if (step % n_between != 0) continue;
      const OrderedSchurForm<Scalar> schur = krylov_.schur_form_of_complement(n, 1);
      const double magnitude = schur.magnitudes[0], residual = krylov_.residuals_of_complement(n, schur)[0];
      if (residual > near * magnitude) continue;
      if (is_comparable(magnitude, residual, smallest)) return magnitude <= clearly_larger * smallest;
      if (magnitude - residual > clearly_larger * smallest) return false;
    }
    return false;
  }

  /// Returns whether more moduli of `now` than of `found` are clearly larger than the smallest modulus of the
  /// wanted eigenvalues in `found`.
  bool has_larger(const OrderedSchurForm<Scalar>& now, const OrderedSchurForm<Scalar>& found) const {
    const double threshold = clearly_larger * smallest_modulus(found);
    const auto n_larger = [&](const Vector& magnitudes) { return (magnitudes.array() > threshold).count(); };
    return n_larger(now.magnitudes) > n_larger(found.magnitudes.head(n_sought(found)));
  }

  SubspaceOptions options_;
  KrylovSchur<Scalar> krylov_;
  Index n_restarts_ = 0, n_steps_ = 0;
  /// Largest relative residual when the residuals were computed last.
  double worst_residual_ = std::numeric_limits<double>::infinity();
  std::vector<double> digits_;  ///< missing_digits() at each restart of one search
};

/// Returns the operator as a dense matrix on every process. Rows and columns are numbered process by process.
template <class Scalar>
DenseMatrix<Scalar> operator_as_dense_matrix(const BlockOperator<Scalar>& apply, const Partition& rows) {
  const Communicator& communicator = rows.communicator();
  const auto n = static_cast<Index>(rows.n_global()), n_local = rows.n_local();
  const auto before = static_cast<Index>(communicator.sum_before(n_local));
  const DenseMatrix<Scalar> images = apply(DenseMatrix<Scalar>::Identity(n, n).middleRows(before, n_local));
  if (communicator.any(!images.allFinite()))
    throw InvalidInput(
        "The computation of eigenvalues found an infinite value or NaN in the result of its operator. If the "
        "operator contains the inverse of a shifted matrix, the shift may be an eigenvalue: "
        "change the shift.");
  DenseMatrix<Scalar> all = DenseMatrix<Scalar>::Zero(n, n);
  all.middleRows(before, n_local) = images;
  constexpr auto n_parts = static_cast<Eigen::Index>(sizeof(Scalar) / sizeof(double));
  communicator.sum(reinterpret_cast<double*>(all.data()), static_cast<int>(n_parts * all.size()));
  return all;
}

/// Computes the dominant subspace of a small operator from the Schur form of its dense matrix.
template <class Scalar>
InvariantSubspace<Scalar> dominant_subspace_by_schur_form(const BlockOperator<Scalar>& apply,
                                                          const Partition& rows, Index n_wanted) {
  const auto before = static_cast<Index>(rows.communicator().sum_before(rows.n_local()));
  const OrderedSchurForm<Scalar> schur =
      ordered_schur_form<Scalar>(operator_as_dense_matrix(apply, rows), n_wanted);
  const Index n = schur.round_up_to_whole_pair(std::min(n_wanted, static_cast<Index>(rows.n_global())));
  return {schur.Q.block(before, 0, rows.n_local(), n), schur.T.topLeftCorner(n, n)};
}

}  // namespace

template <class Scalar>
InvariantSubspace<Scalar> dominant_subspace(const BlockOperator<Scalar>& apply, const Partition& rows,
                                            const SubspaceOptions& given) {
  const StageTimer stage("Krylov iteration");
  constexpr Index smallest_for_iteration = 40;
  const SubspaceOptions options = complete_options(given);
  if (options.n_eigenvalues == 0 || rows.n_global() == 0)
    return {DenseMatrix<Scalar>(rows.n_local(), 0), DenseMatrix<Scalar>(0, 0)};
  const Index n_block = block_size(options.n_basis);
  if (rows.n_global() <= std::max(options.n_basis + 6 * n_block, smallest_for_iteration))
    return dominant_subspace_by_schur_form(apply, rows, options.n_eigenvalues);
  return SubspaceSearch<Scalar>(apply, rows, options, n_block).run();
}

template InvariantSubspace<double> dominant_subspace(const BlockOperator<double>&, const Partition&,
                                                     const SubspaceOptions&);
template InvariantSubspace<Complex> dominant_subspace(const BlockOperator<Complex>&, const Partition&,
                                                      const SubspaceOptions&);

}  // namespace halfdof::internal
