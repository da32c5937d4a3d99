#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/krylov_schur.h>
#include <halfdof/linear_algebra/search_progress.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace halfdof {

namespace {

/// Relative to the largest eigenvalue: as good as zero.
constexpr double negligible = 1e-11;
/// Factor between magnitudes that tells eigenvalues apart.
constexpr double clearly_larger = 1 + 1e-6;

/// Four at a time cost a third each where a triangular solve reads its factors, but twice as many are needed.
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

/// Runs a Krylov-Schur decomposition until its leading part is what is sought.
template <class Scalar>
class Search {
 public:
  Search(const BlockOperator<Scalar>& apply, const Partition& rows, const SubspaceOptions& options,
         Index n_block)
      : options_(options),
        // Room for what is kept and a second search beside it.
        krylov_(apply, rows, std::max(options.n_basis, options.n_eigenvalues + 1 + n_look * n_block), n_block,
                options.n_start_steps) {}

  InvariantSubspace<Scalar> run() {
    OrderedSchurForm<Scalar> found = converge();
    bool is_clear = look_beside(found), lacked = !is_clear;
    while (lacked) {
      OrderedSchurForm<Scalar> beside = converge_to_rim(is_clear);
      lacked = has_larger(beside, found);
      found = std::move(beside);
      if (lacked) lacked = !(is_clear = look_beside(found));
    }
    const Index n = found.without_cut(options_.n_eigenvalues);
    return {krylov_.V().leftCols(n), found.T.topLeftCorner(n, n), is_clear};
  }

 private:
  static constexpr Index n_look = 12;  ///< steps of a second search, at most, before it looks at all together

  /// Leaves the Schur vectors found, and no others, in the decomposition.
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

  /// The same until it is clear that none behind those found belongs to a larger eigenvalue, or that this
  /// will not be clear soon: of eigenvalues that crowd around the smallest magnitude found, any may be
  /// among those.
  OrderedSchurForm<Scalar> converge_to_rim(bool& is_clear) {
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

  /// Until it is worth while to look at the residuals, which costs a dense Schur form: more often where half
  /// of the digits are there.
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

  /// Keeps the better half of what is behind the vectors sought.
  void restart(const OrderedSchurForm<Scalar>& schur, Index max_restarts) {
    const Index n = n_sought(schur), kept = schur.without_cut(n + (krylov_.size() - n) / 2);
    digits_.push_back(missing_digits(schur));
    if (++n_restarts_ > max_restarts || is_stalled(max_restarts)) refuse(schur);
    krylov_.restart(schur, kept <= krylov_.largest_kept() ? kept : n);
  }

  /// Of the Schur vectors sought, relative to their eigenvalues.
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

  /// Which all vectors sought together still lack.
  double missing_digits(const OrderedSchurForm<Scalar>& schur) const {
    return (relative_residuals(schur).array() / options_.tolerance).max(1.).log10().sum();
  }

  /// How many restarts tell whether some more would help.
  Index n_for_judgement() const { return std::max(options_.max_restarts / 5, 1); }

  /// Whether at the pace of the last restarts several times those that are left would be needed.
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

  /// The smallest magnitude found.
  double rim(const OrderedSchurForm<Scalar>& found) const {
    return std::max(found.magnitudes[n_sought(found) - 1], negligible * found.magnitudes[0]);
  }

  /// Whether a Ritz value is as good as converged, or its eigenvalue below the rim.
  static bool is_known(double magnitude, double residual, double rim) {
    return residual <= (clearly_larger - 1) * rim || magnitude + residual <= rim;
  }

  /// Begins anew beside what was found, until the largest Ritz value has come near to an eigenvalue: one
  /// that is larger still grows faster, and would have shown itself. @return whether that tells that
  /// nothing larger is left
  bool look_beside(const OrderedSchurForm<Scalar>& found) {
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
      const OrderedSchurForm<Scalar> schur = krylov_.schur_form_beside(n, 1);
      const double magnitude = schur.magnitudes[0], residual = krylov_.residuals_beside(n, schur)[0];
      if (residual > near * magnitude) continue;
      if (is_known(magnitude, residual, smallest)) return magnitude <= clearly_larger * smallest;
      if (magnitude - residual > clearly_larger * smallest) return false;
    }
    return false;
  }

  /// Whether more magnitudes than before are larger than the smallest that was found.
  bool has_larger(const OrderedSchurForm<Scalar>& now, const OrderedSchurForm<Scalar>& found) const {
    const double threshold = clearly_larger * rim(found);
    const auto n_larger = [&](const Vector& magnitudes) { return (magnitudes.array() > threshold).count(); };
    return n_larger(now.magnitudes) > n_larger(found.magnitudes.head(n_sought(found)));
  }

  SubspaceOptions options_;
  KrylovSchur<Scalar> krylov_;
  Index n_restarts_ = 0, n_steps_ = 0;
  double worst_residual_ = std::numeric_limits<double>::infinity();  ///< of the last look
  std::vector<double> digits_;  ///< missing_digits() at each restart of one search
};

/// All of an operator as a matrix on every process, rows and columns by rank.
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

}  // namespace halfdof
