#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

// GCC 12 takes Spectra's reuse of a vector for a use after free.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuse-after-free"
#include <Spectra/GenEigsSolver.h>
#pragma GCC diagnostic pop
#include <lapacke.h>

namespace halfdof {

namespace {

/// A Q = Q T with orthonormal columns Q and T in real Schur form; up to a residual where an iteration made
/// it.
struct InvariantSubspace {
  MultiVector Q;
  MultiVector T;
  Vector magnitudes;  ///< of the eigenvalues of T
  double residual = 0;
  bool converged = true;
};

/// Brings the `n_wanted` eigenvalues of H of largest magnitude to the front of its Schur form, one more where
/// a complex pair would be cut.
InvariantSubspace leading_part(MultiVector H, Index n_wanted) {
  const auto n = static_cast<lapack_int>(H.rows());
  Vector real(n), imaginary(n);
  MultiVector Q(n, n);
  lapack_int n_selected = 0;
  if (LAPACKE_dgees(LAPACK_COL_MAJOR, 'V', 'N', nullptr, n, H.data(), n, &n_selected, real.data(),
                    imaginary.data(), Q.data(), n) != 0)
    throw NoConvergence("The Schur form of a dense " + std::to_string(n) + " x " + std::to_string(n) +
                            " matrix did not converge.",
                        1.);

  std::vector<lapack_int> by_magnitude(static_cast<std::size_t>(n));
  std::iota(by_magnitude.begin(), by_magnitude.end(), 0);
  std::stable_sort(by_magnitude.begin(), by_magnitude.end(), [&](lapack_int i, lapack_int j) {
    return std::hypot(real[i], imaginary[i]) > std::hypot(real[j], imaginary[j]);
  });
  std::vector<lapack_logical> selected(static_cast<std::size_t>(n), 0);
  for (lapack_int k = 0; k < std::min<lapack_int>(n, n_wanted); ++k) {
    const lapack_int i = by_magnitude[static_cast<std::size_t>(k)];
    selected[static_cast<std::size_t>(i)] = 1;
    // A pair stands together in the Schur form, the positive imaginary part first.
    if (imaginary[i] != 0.) selected[static_cast<std::size_t>(imaginary[i] > 0. ? i + 1 : i - 1)] = 1;
  }
  double condition = 0, separation = 0;
  Vector work(n);
  lapack_int integer_work = 0;
  // LAPACKE_dtrsen() itself passes a null pointer for the integers that LAPACK writes.
  if (LAPACKE_dtrsen_work(LAPACK_COL_MAJOR, 'N', 'V', selected.data(), n, H.data(), n, Q.data(), n,
                          real.data(), imaginary.data(), &n_selected, &condition, &separation, work.data(), n,
                          &integer_work, 1) != 0)
    throw NoConvergence("The Schur form of a dense " + std::to_string(n) + " x " + std::to_string(n) +
                            " matrix could not be reordered: its eigenvalues are too close.",
                        1.);
  return {Q.leftCols(n_selected), H.topLeftCorner(n_selected, n_selected),
          (real.array().square() + imaginary.array().square()).sqrt().head(n_selected)};
}

/// (1 - Q Q^T) A / scale, in the shape that Spectra asks for.
class DeflatedOperator {
 public:
  using Scalar = double;

  DeflatedOperator(const LinearOperator& apply, MultiVector Q, double scale)
      : apply_(&apply), Q_(std::move(Q)), scale_(scale) {}

  Eigen::Index rows() const { return Q_.rows(); }
  Eigen::Index cols() const { return Q_.rows(); }
  void perform_op(const double* x, double* y) const {
    Eigen::Map<Vector>(y, rows()) = (*this)(Eigen::Map<const Vector>(x, rows()));
  }

  Vector operator()(const Vector& x) const {
    Vector y = undeflated(x);
    y -= Q_ * (Q_.transpose() * y);
    return y;
  }

  Vector undeflated(const Vector& x) const {
    Vector y = (*apply_)(x) / scale_;
    if (!y.allFinite())
      throw InvalidInput(
          "The operator whose eigenvalues are sought returned an infinite value or not a number. "
          "Check its shift: it may lie on an eigenvalue.");
    return y;
  }

  const MultiVector& Q() const { return Q_; }

 private:
  const LinearOperator* apply_;
  MultiVector Q_;
  double scale_;
};

/// Arnoldi's iteration with access to its relation A V = V H + f e^T.
class Arnoldi : public Spectra::GenEigsSolver<DeflatedOperator> {
 public:
  using GenEigsSolver::GenEigsSolver;

  /// The invariant subspace, up to the residual |f| |e^T Q|.
  InvariantSubspace leading(halfdof::Index n_wanted) const {
    InvariantSubspace small = leading_part(m_fac.matrix_H(), n_wanted);
    const double residual = m_fac.f_norm() * small.Q.row(small.Q.rows() - 1).norm();
    return {m_fac.matrix_V() * small.Q, std::move(small.T), std::move(small.magnitudes), residual,
            info() == Spectra::CompInfo::Successful};
  }
};

/// Uniform in (-1, 1), the same on every machine.
Vector pseudo_random(Eigen::Index n) {
  Vector x(n);
  std::uint64_t state = 88172645463325252u;
  for (Eigen::Index i = 0; i < n; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    x[i] = static_cast<double>(state >> 11) * 0x1p-52 - 1.;
  }
  return x;
}

InvariantSubspace iterate(DeflatedOperator A, Index n_wanted, const SubspaceOptions& options) {
  Arnoldi arnoldi(A, n_wanted, options.n_basis);
  arnoldi.init(options.start.data());
  arnoldi.compute(Spectra::SortRule::LargestMagn, options.max_restarts, options.tolerance);
  return arnoldi.leading(n_wanted);
}

void check_converged(const InvariantSubspace& found, Index n_wanted, const SubspaceOptions& options) {
  if (found.converged) return;
  std::ostringstream message;
  message << "The " << n_wanted << " eigenvalues of largest magnitude did not converge within "
          << options.max_restarts << " restarts of a Krylov basis of " << options.n_basis
          << " vectors: the relative residual is " << found.residual / found.magnitudes.maxCoeff()
          << ". Allow more restarts, a larger basis or a looser tolerance.";
  throw NoConvergence(message.str(), found.residual / found.magnitudes.maxCoeff());
}

/// The leading part of the sum of two invariant subspaces, the second one of the deflated operator:
/// A [Q Z] = [Q Z] [T, Q^T A Z; 0, T_Z].
InvariantSubspace merge(const InvariantSubspace& found, const InvariantSubspace& missing,
                        const DeflatedOperator& A, Index n_wanted) {
  const Eigen::Index m = found.T.rows();
  const Eigen::Index k = missing.T.rows();
  MultiVector T = MultiVector::Zero(m + k, m + k);
  T.topLeftCorner(m, m) = found.T;
  T.bottomRightCorner(k, k) = missing.T;
  for (Eigen::Index j = 0; j < k; ++j)
    T.col(m + j).head(m) = found.Q.transpose() * A.undeflated(missing.Q.col(j));
  MultiVector both(found.Q.rows(), m + k);
  both << found.Q, missing.Q;
  InvariantSubspace leading = leading_part(std::move(T), n_wanted);
  leading.Q = both * leading.Q;
  return leading;
}

/**
 * The Krylov space of one start vector holds one direction for each eigenvalue; further copies of a multiple
 * one enter by rounding only, perhaps too late. So what was found is deflated, and as long as an eigenvalue
 * is left that is clearly larger than the smallest one found, it is taken in. A first look in a small basis,
 * to a few digits, settles nearly every case.
 */
InvariantSubspace with_all_copies(InvariantSubspace found, const LinearOperator& apply, double scale,
                                  const SubspaceOptions& options) {
  constexpr double clearly_larger = 1.01;
  constexpr double zero = 1e-13;  // relative to the largest eigenvalue
  SubspaceOptions look = options;
  look.n_basis = 10;
  look.tolerance = 1e-3;
  for (Index n_sought = 1; n_sought <= options.n_eigenvalues; n_sought *= 2) {
    const DeflatedOperator deflated(apply, found.Q, scale);
    const double negligible = zero * found.magnitudes.maxCoeff();
    look.start = deflated(pseudo_random(found.Q.rows()));
    if (deflated(look.start).norm() <= negligible * look.start.norm()) break;
    const InvariantSubspace largest_left = iterate(deflated, 1, look);
    if (largest_left.magnitudes.maxCoeff() <=
        std::max(clearly_larger * found.magnitudes.minCoeff(), negligible))
      break;

    SubspaceOptions precise = options;
    precise.start = largest_left.Q.rowwise().sum();
    const InvariantSubspace missing = iterate(deflated, n_sought, precise);
    check_converged(missing, n_sought, precise);
    found = merge(found, missing, deflated, options.n_eigenvalues);
  }
  return found;
}

/// Norm of the operator on the vector to which a few steps of the power method lead: some scale of its
/// largest eigenvalues; zero if the operator is. Spectra takes eigenvalues below 1e-11 for zero.
double scale_of(const LinearOperator& apply, Vector x) {
  const DeflatedOperator A(apply, MultiVector(x.size(), 0), 1.);
  double scale = 0;
  for (int step = 0; step < 3 && x.norm() > 0.; ++step) {
    x = A(x.normalized());
    if (x.norm() > 0.) scale = x.norm();
  }
  return scale;
}

MultiVector dense(const LinearOperator& apply, Index n) {
  const DeflatedOperator A(apply, MultiVector(n, 0), 1.);
  MultiVector all(n, n);
  for (Index j = 0; j < n; ++j)
    all.col(j) = A(Vector::Unit(n, j));
  return all;
}

}  // namespace

MultiVector EigenEngine::dominant_subspace(const LinearOperator& apply, const Partition& partition,
                                           const SubspaceOptions& given) {
  constexpr Index smallest_for_arnoldi = 40;
  SubspaceOptions options = given;
  const Index n = partition.n_local();
  if (options.n_basis == 0) options.n_basis = std::max(2 * options.n_eigenvalues + 1, 20);
  if (options.n_eigenvalues < 0 || options.n_basis < options.n_eigenvalues + 2)
    throw InvalidInput("A Krylov basis of " + std::to_string(options.n_basis) + " vectors cannot give " +
                       std::to_string(options.n_eigenvalues) + " eigenvalues: it needs at least two more.");
  if (options.start.size() != 0 && options.start.size() != n)
    throw InvalidInput("The start vector of an operator on " + std::to_string(n) + " entries has " +
                       std::to_string(options.start.size()) + ".");
  if (options.n_eigenvalues == 0 || n == 0) return MultiVector(n, 0);
  if (n <= std::max(options.n_basis, smallest_for_arnoldi))
    return leading_part(dense(apply, n), options.n_eigenvalues).Q;

  if (options.start.size() == 0) options.start = pseudo_random(n);
  const double scale = scale_of(apply, options.start);
  if (scale == 0.) return MultiVector::Identity(n, options.n_eigenvalues);
  const DeflatedOperator A(apply, MultiVector(n, 0), scale);
  const InvariantSubspace found = iterate(A, options.n_eigenvalues, options);
  check_converged(found, options.n_eigenvalues, options);
  return with_all_copies(found, apply, scale, options).Q;
}

}  // namespace halfdof
