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
/// A modulus that is larger by this factor belongs to a larger eigenvalue.
constexpr double clearly_larger = 1 + 1e-6;

/// Returns the number of vectors in a block. In a block of four, a solve costs a third as much for
/// each vector as a single solve, because the factors are read only once, but twice as many vectors are
/// needed.
Index block_size(Index n_basis) {
  return std::clamp(n_basis / 20, 2, 4);
}

SubspaceOptions checked(SubspaceOptions options) {
  if (options.n_basis == 0) options.n_basis = options.n_eigenvalues + 40;
  if (options.n_eigenvalues < 0 || options.n_basis < options.n_eigenvalues + 2)
    throw InvalidInput("A Krylov basis of " + std::to_string(options.n_basis) + " vectors cannot give " +
                       std::to_string(options.n_eigenvalues) + " eigenvalues: it needs at least two more.");
  return options;
}

/// Runs a Krylov-Schur iteration until the wanted eigenvalues have converged.
template <class Scalar>
class Search {
 public:
  Search(const BlockOperator<Scalar>& apply, const Partition& rows, const SubspaceOptions& options,
         Index n_block)
      : options_(options),
        // The basis has room for the wanted vectors and for a second search in their complement.
        krylov_(apply, rows, std::max(options.n_basis, options.n_eigenvalues + 1 + n_look * n_block), n_block,
                options.n_start_steps) {}

  InvariantSubspace<Scalar> run() {
    OrderedSchurForm<Scalar> found = converge();
    bool is_clear = search_complement(found), lacked = !is_clear;
    while (lacked) {
      OrderedSchurForm<Scalar> beside = converge_to_smallest(is_clear);
      lacked = has_larger(beside, found);
      found = std::move(beside);
      if (lacked) lacked = !(is_clear = search_complement(found));
    }
    const Index n = found.without_cut(options_.n_eigenvalues);
    return {krylov_.V().leftCols(n), found.T.topLeftCorner(n, n), is_clear};
  }

 private:
  /// Most steps of a second search in the complement; if it is undecided then,
  /// converge_to_smallest() follows.
  static constexpr Index n_look = 12;

  /// Iterates until the wanted Schur vectors have converged, and restricts the decomposition to them.
  OrderedSchurForm<Scalar> converge() {
    while (true) {
      grow();
      const OrderedSchurForm<Scalar> schur = krylov_.schur_form(krylov_.size());
      if (has_converged(schur)) {
        krylov_.restart(schur, n_sought(schur));
        return schur;
      }
      if (!krylov_.can_expand()) restart(schur, options_.max_restarts);
    }
  }

  /// Iterates like converge(), and further until it is clear that no remaining Ritz value belongs to a larger
  /// eigenvalue. It gives up after some restarts: of many eigenvalues with about the smallest modulus found,
  /// any may be among those found.
  OrderedSchurForm<Scalar> converge_to_smallest(bool& is_clear) {
    const Index last_restart = n_restarts_ + n_for_judgement();
    while (true) {
      grow();
      const OrderedSchurForm<Scalar> schur = krylov_.schur_form(krylov_.size());
      const Index n = n_sought(schur);
      const bool has_converged_here = has_converged(schur);
      is_clear =
          has_converged_here &&
          (n >= krylov_.size() || is_known(schur.magnitudes[n], krylov_.residuals(schur)[n], rim(schur)));
      if (is_clear || (has_converged_here && n_restarts_ >= last_restart)) {
        krylov_.restart(schur, n);
        return schur;
      }
      if (!krylov_.can_expand()) restart(schur, std::max(options_.max_restarts, last_restart + 1));
    }
  }

  Index n_sought(const OrderedSchurForm<Scalar>& schur) const {
    return schur.without_cut(options_.n_eigenvalues);
  }

  /// Expands the basis until it is worth while to compute the residuals, which needs a dense Schur form. The
  /// residuals are computed more often once the worst one has reached half of the required digits.
  void grow() {
    const Index part = worst_residual_ * worst_residual_ <= options_.tolerance ? 16 : 8;
    const Index enough = std::max(options_.n_eigenvalues + 2, krylov_.size() + krylov_.largest_kept() / part);
    while (krylov_.can_expand() && krylov_.size() < enough)
      expand();
  }

  void expand() {
    krylov_.expand();
    ++n_steps_;
  }

  /// Restarts with the wanted Schur vectors and the larger half of the others.
  void restart(const OrderedSchurForm<Scalar>& schur, Index max_restarts) {
    const Index n = n_sought(schur), kept = schur.without_cut(n + (krylov_.size() - n) / 2);
    digits_.push_back(missing_digits(schur));
    if (++n_restarts_ > max_restarts || is_stalled(max_restarts)) refuse(schur);
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

  /// Returns the number of restarts from which the pace of the convergence is judged.
  Index n_for_judgement() const { return std::max(options_.max_restarts / 5, 1); }

  /// Returns whether, at the pace of the last restarts, several times the remaining restarts would be needed.
  bool is_stalled(Index max_restarts) const {
    constexpr double several = 3;
    const auto n_watched = static_cast<std::size_t>(n_for_judgement());
    if (digits_.size() <= n_watched) return false;
    const double now = digits_.back(), gained = digits_[digits_.size() - 1 - n_watched] - now;
    return now * static_cast<double>(n_watched) > several * gained * (max_restarts - n_restarts_);
  }

  [[noreturn]] void refuse(const OrderedSchurForm<Scalar>& schur) const {
    const Vector residuals = relative_residuals(schur);
    const Index n_converged = n_below_tolerance(residuals);
    std::ostringstream message;
    message << "Of the " << options_.n_eigenvalues << " eigenvalues of largest magnitude " << n_converged
            << " have converged after " << n_restarts_ << " restarts of a Krylov basis of "
            << options_.n_basis << " vectors; the largest relative residual is " << residuals.maxCoeff()
            << ". Allow more restarts, a larger basis or a looser tolerance.";
    throw StalledIteration(message.str(), residuals.maxCoeff(), schur.values.head(residuals.size()),
                           residuals, n_converged);
  }

  /// Returns the smallest modulus found.
  double rim(const OrderedSchurForm<Scalar>& found) const {
    return std::max(found.magnitudes[n_sought(found) - 1], negligible * found.magnitudes[0]);
  }

  /// Returns whether a Ritz value has practically converged, or its eigenvalue is certainly below `rim`.
  static bool is_known(double magnitude, double residual, double rim) {
    return residual <= (clearly_larger - 1) * rim || magnitude + residual <= rim;
  }

  /// Searches in the complement of the subspace found, with new start vectors, until the largest Ritz value
  /// is close to an eigenvalue: a still larger eigenvalue would have converged faster.
  /// @return Whether it is clear that no larger eigenvalue remains
  bool search_complement(const OrderedSchurForm<Scalar>& found) {
    constexpr Index n_between = 2;
    constexpr double near = 0.01;
    const Index n = krylov_.size();
    const double smallest = rim(found);
    krylov_.begin_anew();
    digits_.clear();
    worst_residual_ = std::numeric_limits<double>::infinity();
    for (Index step = 1; step <= n_look && krylov_.can_expand(); ++step) {
      expand();
      if (step % n_between != 0) continue;
      const OrderedSchurForm<Scalar> schur = krylov_.schur_form_of_complement(n, 1);
      const double magnitude = schur.magnitudes[0], residual = krylov_.residuals_of_complement(n, schur)[0];
      if (residual > near * magnitude) continue;
      if (is_known(magnitude, residual, smallest)) return magnitude <= clearly_larger * smallest;
      if (magnitude - residual > clearly_larger * smallest) return false;
    }
    return false;
  }

  /// Returns whether `now` has more moduli than `found` that are clearly larger than the smallest in `found`.
  bool has_larger(const OrderedSchurForm<Scalar>& now, const OrderedSchurForm<Scalar>& found) const {
    const double threshold = clearly_larger * rim(found);
    const auto n_larger = [&](const Vector& magnitudes) { return (magnitudes.array() > threshold).count(); };
    return n_larger(now.magnitudes) > n_larger(found.magnitudes.head(n_sought(found)));
  }

  SubspaceOptions options_;
  KrylovSchur<Scalar> krylov_;
  Index n_restarts_ = 0, n_steps_ = 0;
  /// Largest relative residual at the last check.
  double worst_residual_ = std::numeric_limits<double>::infinity();
  std::vector<double> digits_;  ///< missing_digits() at each restart of one search
};

/// Returns the operator as a dense matrix on every process, with rows and columns in order of rank.
template <class Scalar>
DenseMatrix<Scalar> dense(const BlockOperator<Scalar>& apply, const Partition& rows) {
  const Communicator& communicator = rows.communicator();
  const auto n = static_cast<Index>(rows.n_global()), n_local = rows.n_local();
  const auto before = static_cast<Index>(communicator.sum_before(n_local));
  const DenseMatrix<Scalar> images = apply(DenseMatrix<Scalar>::Identity(n, n).middleRows(before, n_local));
  if (communicator.any(!images.allFinite()))
    throw InvalidInput(
        "The operator whose eigenvalues are sought returned an infinite value or not a number. "
        "Check its shift: it may lie on an eigenvalue.");
  DenseMatrix<Scalar> all = DenseMatrix<Scalar>::Zero(n, n);
  all.middleRows(before, n_local) = images;
  constexpr auto n_parts = static_cast<Eigen::Index>(sizeof(Scalar) / sizeof(double));
  communicator.sum(reinterpret_cast<double*>(all.data()), static_cast<int>(n_parts * all.size()));
  return all;
}

template <class Scalar>
InvariantSubspace<Scalar> of_small(const BlockOperator<Scalar>& apply, const Partition& rows,
                                   Index n_wanted) {
  const auto before = static_cast<Index>(rows.communicator().sum_before(rows.n_local()));
  const OrderedSchurForm<Scalar> schur = ordered_schur_form<Scalar>(dense(apply, rows), n_wanted);
  const Index n = schur.without_cut(std::min(n_wanted, static_cast<Index>(rows.n_global())));
  return {schur.Q.block(before, 0, rows.n_local(), n), schur.T.topLeftCorner(n, n)};
}

}  // namespace

template <class Scalar>
InvariantSubspace<Scalar> dominant_subspace(const BlockOperator<Scalar>& apply, const Partition& rows,
                                            const SubspaceOptions& given) {
  const Stage stage("Krylov iteration");
  constexpr Index smallest_for_iteration = 40;
  const SubspaceOptions options = checked(given);
  if (options.n_eigenvalues == 0 || rows.n_global() == 0)
    return {DenseMatrix<Scalar>(rows.n_local(), 0), DenseMatrix<Scalar>(0, 0)};
  const Index n_block = block_size(options.n_basis);
  if (rows.n_global() <= std::max(options.n_basis + 6 * n_block, smallest_for_iteration))
    return of_small(apply, rows, options.n_eigenvalues);
  return Search<Scalar>(apply, rows, options, n_block).run();
}

template InvariantSubspace<double> dominant_subspace(const BlockOperator<double>&, const Partition&,
                                                     const SubspaceOptions&);
template InvariantSubspace<Complex> dominant_subspace(const BlockOperator<Complex>&, const Partition&,
                                                      const SubspaceOptions&);

}  // namespace halfdof::internal
