#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

// GCC 12 takes Spectra's reuse of a vector for a use after free.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuse-after-free"
#include <Spectra/GenEigsSolver.h>
#pragma GCC diagnostic pop
#include <lapacke.h>

namespace halfdof {

namespace {

/// The operator of unknown scale, divided by `scale`, in the shape that Spectra asks for.
class ScaledOperator {
 public:
  using Scalar = double;

  ScaledOperator(const LinearOperator& apply, Index n, double scale) : apply_(&apply), n_(n), scale_(scale) {}

  Eigen::Index rows() const { return n_; }
  Eigen::Index cols() const { return n_; }
  void perform_op(const double* x, double* y) const {
    Eigen::Map<Vector>(y, n_) = (*this)(Eigen::Map<const Vector>(x, n_));
  }

  Vector operator()(const Vector& x) const {
    Vector y = (*apply_)(x) / scale_;
    if (!y.allFinite())
      throw InvalidInput(
          "The operator whose eigenvalues are sought returned an infinite value or not a number. "
          "Check the shift: it may lie on an eigenvalue.");
    return y;
  }

 private:
  const LinearOperator* apply_;
  Index n_;
  double scale_;
};

/// Arnoldi's iteration with access to its relation A V = V H + f e^T.
class Arnoldi : public Spectra::GenEigsSolver<ScaledOperator> {
 public:
  using GenEigsSolver::GenEigsSolver;
  MultiVector V() const { return m_fac.matrix_V(); }
  MultiVector H() const { return m_fac.matrix_H(); }
  double residual_norm() const { return m_fac.f_norm(); }
};

/// Uniform in (-1, 1), the same on every machine.
Vector pseudo_random(Index n) {
  Vector x(n);
  std::uint64_t state = 88172645463325252u;
  for (Index i = 0; i < n; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    x[i] = static_cast<double>(state >> 11) * 0x1p-52 - 1.;
  }
  return x;
}

/// Orthonormal columns Q_1 with H Q_1 = Q_1 T_1, where T_1 has the `n_wanted` eigenvalues of H of largest
/// magnitude (one more where a complex pair would be cut).
MultiVector leading_schur_vectors(MultiVector H, Index n_wanted) {
  const auto n = static_cast<lapack_int>(H.rows());
  if (n == 0 || n_wanted <= 0) return MultiVector(n, 0);
  Vector real(n), imaginary(n);
  MultiVector Q(n, n);
  lapack_int n_selected = 0;
  const lapack_int failed = LAPACKE_dgees(LAPACK_COL_MAJOR, 'V', 'N', nullptr, n, H.data(), n, &n_selected,
                                          real.data(), imaginary.data(), Q.data(), n);
  if (failed != 0) throw NoConvergence("The Schur form of a dense matrix did not converge.", 1.);

  std::vector<lapack_int> by_magnitude(static_cast<std::size_t>(n));
  std::iota(by_magnitude.begin(), by_magnitude.end(), 0);
  std::stable_sort(by_magnitude.begin(), by_magnitude.end(), [&](lapack_int i, lapack_int j) {
    return std::hypot(real[i], imaginary[i]) > std::hypot(real[j], imaginary[j]);
  });
  std::vector<lapack_logical> selected(static_cast<std::size_t>(n), 0);
  for (lapack_int k = 0; k < std::min(n, static_cast<lapack_int>(n_wanted)); ++k) {
    const lapack_int i = by_magnitude[static_cast<std::size_t>(k)];
    selected[static_cast<std::size_t>(i)] = 1;
    // The pair stands together in the Schur form, the positive imaginary part first.
    if (imaginary[i] != 0.) selected[static_cast<std::size_t>(imaginary[i] > 0. ? i + 1 : i - 1)] = 1;
  }
  double unused_s = 0, unused_sep = 0;
  LAPACKE_dtrsen(LAPACK_COL_MAJOR, 'N', 'V', selected.data(), n, H.data(), n, Q.data(), n, real.data(),
                 imaginary.data(), &n_selected, &unused_s, &unused_sep);
  return Q.leftCols(n_selected);
}

MultiVector dense(const ScaledOperator& apply, Index n) {
  MultiVector A(n, n);
  for (Index j = 0; j < n; ++j)
    A.col(j) = apply(Vector::Unit(n, j));
  return A;
}

}  // namespace

MultiVector EigenEngine::dominant_subspace(const LinearOperator& apply, const Partition& partition,
                                           const SubspaceOptions& options) {
  constexpr Index smallest_for_arnoldi = 40;
  const Index n = partition.n_local();
  const Index n_wanted = options.n_eigenvalues;
  const Index n_basis = options.n_basis > 0 ? options.n_basis : std::max(2 * n_wanted + 1, 20);
  if (n_wanted < 0 || n_basis < n_wanted + 2)
    throw InvalidInput("A Krylov basis of " + std::to_string(n_basis) + " vectors cannot give " +
                       std::to_string(n_wanted) + " eigenvalues: it needs at least two vectors more.");
  if (n_wanted == 0 || n == 0) return MultiVector(n, 0);
  if (n <= std::max(n_basis, smallest_for_arnoldi))
    return leading_schur_vectors(dense(ScaledOperator(apply, n, 1.), n), n_wanted);

  const Vector start = options.start.size() > 0 ? options.start : pseudo_random(n);
  // Spectra takes eigenvalues below 1e-11 for zero: bring the largest near 1.
  double scale = 1;
  Vector x = start.normalized();
  for (int k = 0; k < 3; ++k) {
    x = ScaledOperator(apply, n, 1.)(x);
    const double norm = x.norm();
    if (norm == 0.) break;
    scale = norm;
    x /= norm;
  }
  ScaledOperator scaled(apply, n, scale);
  Arnoldi arnoldi(scaled, n_wanted, n_basis);
  arnoldi.init(start.data());
  arnoldi.compute(Spectra::SortRule::LargestMagn, options.max_restarts, options.tolerance);
  const MultiVector Q = leading_schur_vectors(arnoldi.H(), n_wanted);
  if (arnoldi.info() != Spectra::CompInfo::Successful) {
    const double residual = arnoldi.residual_norm() * Q.row(Q.rows() - 1).norm();
    throw NoConvergence("The " + std::to_string(n_wanted) +
                            " eigenvalues of largest magnitude did not "
                            "converge within " +
                            std::to_string(options.max_restarts) + " restarts: the relative residual is " +
                            std::to_string(residual) +
                            ". Allow more restarts, a larger basis or a looser tolerance.",
                        residual);
  }
  return arnoldi.V() * Q;
}

}  // namespace halfdof
