#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/linear_algebra/krylov_schur.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace halfdof {

namespace {

/// Relative to the largest eigenvalue: as good as zero.
constexpr double negligible = 1e-11;
/// Relative distance of eigenvalues up to which they may be copies.
constexpr double close = 0.01;
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
        n_block_(n_block),
        // Room for what is kept and a first look beyond.
        krylov_(apply, rows, std::max(options.n_basis, options.n_eigenvalues + 1 + n_look * n_block), n_block,
                options.n_start_steps) {}

  InvariantSubspace<Scalar> run() {
    OrderedSchurForm<Scalar> found = converge(false);
    for (bool lacked = true; lacked && may_lack_copies(found);) {
      krylov_.begin_anew();
      for (Index step = 0; step < n_look; ++step)
        krylov_.expand();
      OrderedSchurForm<Scalar> beside = converge(true);
      lacked = has_larger(beside, found);
      found = std::move(beside);
    }
    const Index n = found.without_cut(options_.n_eigenvalues);
    return {krylov_.V().leftCols(n), found.T.topLeftCorner(n, n)};
  }

 private:
  /// Steps of a first look beside what was found: as many as a copy takes to stand out among eigenvalues close to it.
  static constexpr Index n_look = 12;

  /// Leaves the Schur vectors found, and no others, in the decomposition. @param to_rim Until it is clear that none behind
  /// them belongs to a larger eigenvalue
  OrderedSchurForm<Scalar> converge(bool to_rim) {
    const Index n_wanted = options_.n_eigenvalues;
    while (true) {
      grow();
      const OrderedSchurForm<Scalar> schur = krylov_.schur_form(krylov_.size());
      const Index n = schur.without_cut(n_wanted);
      const double worst = worst_residual(schur, n);
      if (worst <= options_.tolerance && (!to_rim || is_clear(schur, n))) {
        krylov_.restart(schur, n);
        return schur;
      }
      if (krylov_.can_expand()) continue;
      if (++n_restarts_ > options_.max_restarts) refuse(worst);
      const Index kept = schur.without_cut(n + (krylov_.size() - n) / 2);
      krylov_.restart(schur, kept <= krylov_.largest_kept() ? kept : n);
    }
  }

  /// Until it is worth while to look at the residuals, which costs a dense Schur form.
  void grow() {
    const Index enough = std::max(options_.n_eigenvalues + 2, krylov_.size() + krylov_.largest_kept() / 8);
    while (krylov_.can_expand() && krylov_.size() < enough)
      krylov_.expand();
  }

  /// Of the first n Schur vectors, relative to their eigenvalues.
  double worst_residual(const OrderedSchurForm<Scalar>& schur, Index n) const {
    const double floor = negligible * schur.magnitudes[0];
    const Vector residuals = krylov_.residuals(schur).head(n);
    double worst = 0;
    for (Index j = 0; j < n; ++j)
      if (residuals[j] > 0) worst = std::max(worst, residuals[j] / std::max(floor, schur.magnitudes[j]));
    return worst;
  }

  [[noreturn]] void refuse(double residual) const {
    std::ostringstream message;
    message << "The " << options_.n_eigenvalues
            << " eigenvalues of largest magnitude did not converge within " << options_.max_restarts
            << " restarts of a Krylov basis of " << options_.n_basis << " vectors: the relative residual is "
            << residual << ". Allow more restarts, a larger basis or a looser tolerance.";
    throw NoConvergence(message.str(), residual);
  }

  /// Whether as many eigenvalues as the block has columns lie close together.
  bool may_lack_copies(const OrderedSchurForm<Scalar>& found) const {
    const auto values = found.values.head(found.without_cut(options_.n_eigenvalues)).array();
    return std::any_of(values.begin(), values.end(), [&](Complex value) {
      return ((values - value).abs() <= close * std::abs(value)).count() >= n_block_;
    });
  }

  /// Whether the next Schur vector behind the first n has come so near to an eigenvalue that it is not one of theirs.
  bool is_clear(const OrderedSchurForm<Scalar>& schur, Index n) const {
    if (n >= krylov_.size()) return true;
    const double residual = krylov_.residuals(schur)[n], rim = schur.magnitudes[n - 1];
    return residual <= (clearly_larger - 1) * rim || schur.magnitudes[n] + residual <= rim;
  }

  /// Whether more magnitudes than before are larger than the smallest that was found.
  bool has_larger(const OrderedSchurForm<Scalar>& now, const OrderedSchurForm<Scalar>& found) const {
    const Index n = found.without_cut(options_.n_eigenvalues);
    const double threshold =
        std::max(clearly_larger * found.magnitudes[n - 1], negligible * found.magnitudes[0]);
    const auto n_larger = [&](const Vector& magnitudes) { return (magnitudes.array() > threshold).count(); };
    return n_larger(now.magnitudes) > n_larger(found.magnitudes.head(n));
  }

  SubspaceOptions options_;
  Index n_block_;
  KrylovSchur<Scalar> krylov_;
  Index n_restarts_ = 0;
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
