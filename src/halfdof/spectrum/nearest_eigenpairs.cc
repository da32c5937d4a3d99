#include <halfdof/base/errors.h>
#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/spectrum/conjugate_pairs.h>
#include <halfdof/spectrum/dense_spectrum.h>
#include <halfdof/spectrum/nearest_eigenpairs.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace halfdof {

namespace {

// Real vectors of the engine and the vectors that R is applied to: the same, or real and imaginary parts.

Partition partition_of_parts(const ShiftInverse<double>& inverse) {
  return inverse.partition;
}

Partition partition_of_parts(const ShiftInverse<Complex>& inverse) {
  return Partition(2 * inverse.partition.n_local(), inverse.partition.shared_communicator());
}

MultiVector joined(const MultiVector& parts, double) {
  return parts;
}

ComplexMultiVector joined(const MultiVector& parts, Complex) {
  ComplexMultiVector x(parts.rows() / 2, parts.cols());
  x.real() = parts.topRows(x.rows());
  x.imag() = parts.bottomRows(x.rows());
  return x;
}

Vector parts_of(const MultiVector& x) {
  return x;
}

Vector parts_of(const ComplexMultiVector& x) {
  Vector parts(2 * x.rows());
  parts << x.real(), x.imag();
  return parts;
}

/// X^H Y over all processes.
template <class Scalar>
DenseMatrix<Scalar> products(const Communicator& communicator, const DenseMatrix<Scalar>& X,
                             const DenseMatrix<Scalar>& Y) {
  DenseMatrix<Scalar> result = X.adjoint() * Y;
  constexpr auto n_parts = static_cast<Eigen::Index>(sizeof(Scalar) / sizeof(double));
  communicator.sum(reinterpret_cast<double*>(result.data()), static_cast<int>(n_parts * result.size()));
  return result;
}

/// The engine's basis is one for R.
MultiVector basis_of_parts(const Communicator&, const MultiVector& parts, double) {
  return parts;
}

/**
 * Joined to complex vectors, columns come twice. An orthonormal basis of what they span, in their order
 * (Gram-Schmidt, twice); the order matters: it is that of a Schur form, dominant eigenvalues first, and keeps
 * the small ones free of the rounding of the large ones.
 */
ComplexMultiVector basis_of_parts(const Communicator& communicator, const MultiVector& parts, Complex) {
  constexpr double nothing_new = 1e-6;
  const Eigen::Index n_rows = parts.rows() / 2;
  ComplexMultiVector basis(n_rows, parts.cols());
  Eigen::Index n = 0;
  for (Eigen::Index j = 0; j < parts.cols(); ++j) {
    ComplexMultiVector x = joined(parts.col(j), Complex());
    double length = 1;
    for (int pass = 0; pass < 2 && length > nothing_new; ++pass) {
      const ComplexMultiVector found = basis.leftCols(n);
      x -= found * products(communicator, found, x);
      length = norm(communicator, x);
      x /= length;
    }
    if (length > nothing_new) basis.col(n++) = x;
  }
  return basis.leftCols(n);
}

/// Many eigenvalues at nearly the same distance need a larger Krylov basis, not more restarts.
template <class Engine>
MultiVector with_basis_large_enough(const LinearOperator& R, const Partition& partition,
                                    SubspaceOptions options) {
  constexpr int n_enlargements = 3;
  options.max_restarts = 50;
  options.n_basis = std::max(2 * options.n_eigenvalues + 1, options.n_eigenvalues + 30);
  for (int enlarged = 0;; ++enlarged) {
    try {
      return Engine::dominant_subspace(R, partition, options);
    } catch (const NoConvergence&) {
      if (enlarged == n_enlargements) throw;
    }
    options.n_basis *= 2;
  }
}

/// Orthonormal basis of the invariant subspace of R to its n dominant eigenvalues, or a few more.
template <class Engine, class Scalar>
DenseMatrix<Scalar> dominant_basis(const ShiftInverse<Scalar>& inverse, Index n) {
  const Communicator& communicator = inverse.partition.communicator();
  const Partition parts = partition_of_parts(inverse);
  const LinearOperator R = [&](const Vector& x) { return parts_of(inverse.apply(joined(x, Scalar()))); };

  SubspaceOptions options;
  options.n_eigenvalues = static_cast<Index>(sizeof(Scalar) / sizeof(double)) *
                          static_cast<Index>(std::min<GlobalIndex>(n, inverse.n_finite));
  options.start = pseudo_random(parts);
  for (int step = 0; step < inverse.n_infinite_steps; ++step) {
    options.start = R(options.start);
    options.start /= norm(communicator, options.start);
  }
  return basis_of_parts(communicator, with_basis_large_enough<Engine>(R, parts, options), Scalar());
}

/// Positions of the k values nearest to the shift.
std::vector<Index> nearest(const std::vector<Complex>& values, Complex sigma, Index k) {
  std::vector<Index> positions(values.size());
  std::iota(positions.begin(), positions.end(), 0);
  const auto distance = [&](Index i) { return std::abs(values[static_cast<std::size_t>(i)] - sigma); };
  std::stable_sort(positions.begin(), positions.end(),
                   [&](Index i, Index j) { return distance(i) < distance(j); });
  positions.resize(std::min(positions.size(), static_cast<std::size_t>(k)));
  return positions;
}

/// Multiplies a vector by a phase that makes it as real as can be, and drops the imaginary part.
ComplexVector made_real(const Communicator& communicator, const ComplexVector& y) {
  Complex square = (y.array() * y.array()).sum();
  communicator.sum(reinterpret_cast<double*>(&square), 2);
  const Complex phase = square == 0. ? 1. : std::sqrt(std::abs(square) / square);
  return (phase * y).real().cast<Complex>();
}

/// Values with their vectors, closed under conjugation.
Eigenpairs with_partners(const Communicator& communicator, Complex sigma, const Eigenpairs& pairs) {
  std::vector<double> tolerances;
  for (const Complex& value : pairs.values)
    tolerances.push_back(1e-10 * std::max(std::abs(value), std::abs(value - sigma)));
  const std::vector<ConjugateEntry> entries = with_conjugate_partners(pairs.values, tolerances);

  Eigenpairs closed{{}, ComplexMultiVector(pairs.vectors.rows(), static_cast<Index>(entries.size()))};
  for (const ConjugateEntry& entry : entries) {
    const ComplexVector y = pairs.vectors.col(entry.source);
    const auto column = static_cast<Index>(closed.values.size());
    if (entry.real)
      closed.vectors.col(column) = made_real(communicator, y);
    else if (entry.conjugated)
      closed.vectors.col(column) = y.conjugate();
    else
      closed.vectors.col(column) = y;
    closed.values.push_back(entry.value);
  }
  return closed;
}

}  // namespace

template <class Engine, class Scalar>
Eigenpairs nearest_eigenpairs(const ShiftInverse<Scalar>& inverse, Index k) {
  const Communicator& communicator = inverse.partition.communicator();
  if (inverse.n_finite == 0) return {{}, ComplexMultiVector(inverse.partition.n_local(), 0)};

  const DenseMatrix<Scalar> Q = dominant_basis<Engine>(inverse, k);
  const DenseMatrix<Scalar> RQ = inverse.apply(Q);
  DenseEigenpairs pairs = eigenpairs(products(communicator, Q, RQ));
  for (Complex& value : pairs.values)
    value = inverse.sigma - 1. / value;

  const std::vector<Index> chosen = nearest(pairs.values, inverse.sigma, k);
  Eigenpairs found;
  for (const Index i : chosen)
    found.values.push_back(pairs.values[static_cast<std::size_t>(i)]);
  // R Q W instead of Q W: one more application of R damps what A would amplify.
  found.vectors = RQ * pairs.vectors(Eigen::all, chosen);
  return with_partners(communicator, inverse.sigma, found);
}

template Eigenpairs nearest_eigenpairs<InstantiatedEngine>(const ShiftInverse<double>&, Index);
template Eigenpairs nearest_eigenpairs<InstantiatedEngine>(const ShiftInverse<Complex>&, Index);

}  // namespace halfdof
