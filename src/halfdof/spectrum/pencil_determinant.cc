// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/term_scales.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/pseudo_random.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/kernels/tall_blocks.h>
#include <halfdof/linear_algebra/log_determinant.h>
#include <halfdof/spectrum/pencil_determinant.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace halfdof::internal {

namespace {

/// Errors of log det up to this are not corrected.
constexpr double negligible = 1e-4;

/// A sum as two doubles, the second of which is the rounding error of the first (Ogita, Rump and Oishi 2005).
struct Doubled {
  double high = 0, low = 0;

  void add(double value) {
    const double sum = high + value, part = sum - high;
    low += (high - (sum - part)) + (value - part);
    high = sum;
  }
  void add_product(double a, double b) {
    const double product = a * b;
    add(product);
    low += std::fma(a, b, -product);
  }
  void add_product(double a, const Doubled& b) {
    add_product(a, b.high);
    low += a * b.low;
  }
  double value() const { return high + low; }
};

struct DoubledComplex {
  Doubled real, imag;

  void add_product(double a, Complex b) {
    real.add_product(a, b.real());
    imag.add_product(a, b.imag());
  }
  void add_product(Complex a, const DoubledComplex& b) {
    real.add_product(a.real(), b.real);
    real.add_product(-a.imag(), b.imag);
    imag.add_product(a.real(), b.imag);
    imag.add_product(a.imag(), b.real);
  }
  Complex value() const { return {real.value(), imag.value()}; }
};

/// Returns all rows of X on every process. Shapes: X local rows x k, result all rows x k
ComplexMultiVector everywhere(const Partition& rows, ConstView<Complex> X) {
  if (rows.communicator().size() == 1) return X;
  ComplexMultiVector all = ComplexMultiVector::Zero(static_cast<Index>(rows.n_global()), X.cols());
  for (Index i = 0; i < rows.n_local(); ++i)
    all.row(static_cast<Index>(rows.global_index(i))) = X.row(i);
  rows.communicator().sum(reinterpret_cast<double*>(all.data()), static_cast<int>(2 * all.size()));
  return all;
}

/// Returns an orthonormal basis of the columns of X, without directions that are lost in rounding errors.
ComplexMultiVector basis_of(const Communicator& communicator, ComplexMultiVector X) {
  constexpr double lost = 1e-12;
  for (int pass = 0; pass < 3 && X.cols() > 0; ++pass) {
    const Eigen::SelfAdjointEigenSolver<DenseMatrix<Complex>> gram(
        tall_products<Complex>(communicator, X, X));
    const Vector& squares = gram.eigenvalues();
    const Index n = static_cast<Index>((squares.array() > lost * squares.maxCoeff()).count());
    const DenseMatrix<Complex> W =
        gram.eigenvectors().rightCols(n) * squares.tail(n).cwiseSqrt().cwiseInverse().asDiagonal();
    X = tall_combination<Complex>(X, W);
  }
  return X;
}

}  // namespace

template <class Engine>
struct PencilDeterminant<Engine>::Implementation {
  FreeSystem<Engine> system;
  Factorize factorize;
  FactorizeReal factorize_real;
  Vector units;  ///< units of displacements; they make results independent of those of the model
  std::array<OwnedRows, 3> rows;  ///< owned rows of M, C and K

  using Factors = std::array<Complex, 3>;

  /// Returns a M X + b C X + c K X, each entry rounded once.
  ComplexMultiVector product(const Factors& factors, ConstView<Complex> X) const;
  /// Returns S^{-1} E S Y with the units S. Shapes: Y local free DoFs x k.
  template <class Scalar>
  ComplexMultiVector error(const Factorization<Scalar>& LU, const Factors& factors,
                           ConstView<Complex> Y) const;
  ComplexMultiVector random(Index n_columns, Index first) const {
    return std::sqrt(3.) * pseudo_random(system.dofs(), n_columns, first);
  }
  /// Returns the root of the mean square norm of the columns. For E Y with random Y it estimates the
  /// Frobenius norm |E|.
  double norm(ConstView<Complex> X) const {
    return column_norms<Complex>(system.dofs().communicator(), X).norm() /
           std::sqrt(static_cast<double>(X.cols()));
  }
  FactorizationPtr<Complex> factorize_near(const Factors& factors) const;
  LogDeterminant<Complex> correction(const Factorization<Complex>& LU, const Factors& factors) const;
};

template <class Engine>
ComplexMultiVector PencilDeterminant<Engine>::Implementation::product(const Factors& factors,
                                                                      ConstView<Complex> X) const {
  const ComplexMultiVector all = everywhere(system.dofs(), X);
  ComplexMultiVector result(X.rows(), X.cols());
  for (Index column = 0; column < X.cols(); ++column)
    for (Index i = 0; i < X.rows(); ++i) {
      DoubledComplex sum;
      for (std::size_t m = 0; m < rows.size(); ++m) {
        if (factors[m] == 0.) continue;
        DoubledComplex of_matrix;
        for (OwnedRows::InnerIterator entry(rows[m], i); entry; ++entry)
          of_matrix.add_product(entry.value(), all(entry.col(), column));
        sum.add_product(factors[m], of_matrix);
      }
      result(i, column) = sum.value();
    }
  return result;
}

template <class Engine>
template <class Scalar>
ComplexMultiVector PencilDeterminant<Engine>::Implementation::error(const Factorization<Scalar>& LU,
                                                                    const Factors& factors,
                                                                    ConstView<Complex> Y) const {
  const ComplexMultiVector b = product(factors, units.asDiagonal() * Y);
  ComplexMultiVector x(b.rows(), b.cols());
  if constexpr (std::is_same_v<Scalar, Complex>) {
    x = LU.rough_solve(b);
  } else {
    x.real() = LU.rough_solve(MultiVector(b.real()));
    x.imag() = LU.rough_solve(MultiVector(b.imag()));
  }
  return units.cwiseInverse().asDiagonal() * x - Y;
}

/// Factorizes P(lambda), or if rounding makes it singular, a nearby matrix: it adds a little of each matrix,
/// relative to the largest one, so that none is lost in the rounding of another.
template <class Engine>
FactorizationPtr<Complex> PencilDeterminant<Engine>::Implementation::factorize_near(
    const Factors& factors) const {
  constexpr int n_attempts = 3;
  constexpr double little = 1e-13;
  try {
    return factorize(factors[0], factors[1], factors[2]);
  } catch (const SingularMatrix&) {
  }
  std::array<double, 3> sizes{};
  double largest = 0;
  for (std::size_t m = 0; m < rows.size(); ++m) {
    const OwnedRows magnitudes = rows[m].cwiseAbs();
    const Vector sums =
        units.cwiseProduct(magnitudes * everywhere(system.dofs(), units.cast<Complex>()).real());
    sizes[m] = system.dofs().communicator().max(sums.size() > 0 ? sums.maxCoeff() : 0.);
    largest = std::max(largest, std::abs(factors[m]) * sizes[m]);
  }
  for (int attempt = 1;; ++attempt) {
    Factors beside = factors;
    for (std::size_t m = 0; m < rows.size(); ++m)
      if (sizes[m] > 0) beside[m] += attempt * little * largest / sizes[m];
    try {
      return factorize(beside[0], beside[1], beside[2]);
    } catch (const SingularMatrix&) {
      if (attempt == n_attempts) throw;
    }
  }
}

template <class Engine>
LogDeterminant<Complex> PencilDeterminant<Engine>::Implementation::correction(
    const Factorization<Complex>& LU, const Factors& factors) const {
  constexpr Index n_probes = 2, most_motions = 64;
  const Communicator& communicator = system.dofs().communicator();
  const ComplexMultiVector probes = random(n_probes, 0);
  const ComplexMultiVector images = error(LU, factors, probes);
  if (norm(images) <= negligible) return {};
  for (Index n = 8; n <= most_motions; n *= 2) {
    ComplexMultiVector Q = basis_of(communicator, error(LU, factors, random(n, n_probes)));
    Q = basis_of(communicator, error(LU, factors, Q));
    const ComplexMultiVector EQ = error(LU, factors, Q);
    const DenseMatrix<Complex> T = tall_products<Complex>(communicator, Q, EQ);
    const auto without = [&](ComplexMultiVector X) {
      subtract_combination<Complex>(Q, tall_products<Complex>(communicator, Q, X), X);
      return X;
    };
    // E = [T B; R D] with respect to Q and its orthogonal complement
    const ComplexMultiVector beside = error(LU, factors, without(probes)), D = without(beside);
    const double B = norm(beside - D), R = column_norms<Complex>(communicator, without(EQ)).norm();
    if (norm(D) > negligible || R * B > negligible) continue;
    const Eigen::PartialPivLU<DenseMatrix<Complex>> factors_of_T(
        DenseMatrix<Complex>::Identity(T.rows(), T.cols()) + T);
    const auto pivots = factors_of_T.matrixLU().diagonal();
    if ((pivots.array() == 0.).any()) throw SingularMatrix("The pencil is singular there.");
    LogDeterminant<Complex> result = log_product(pivots);
    result.phase *= static_cast<double>(factors_of_T.permutationP().determinant());
    return result;
  }
  throw NotAvailable("rounding of the factorization hides the determinant of the pencil");
}

template <class Engine>
PencilDeterminant<Engine>::PencilDeterminant(const FreeSystem<Engine>& system, Factorize factorize,
                                             FactorizeReal factorize_real)
    : implementation_(std::make_shared<Implementation>(Implementation{
          system,
          std::move(factorize),
          std::move(factorize_real),
          TermScales<Engine>(system).column_scales(),
          {Engine::to_rows(system.M()), Engine::to_rows(system.C()), Engine::to_rows(system.K())}})) {}

template <class Engine>
LogDeterminant<Complex> PencilDeterminant<Engine>::operator()(Complex lambda) const {
  const std::array<Complex, 3> factors{lambda * lambda, lambda, 1.};
  const FactorizationPtr<Complex> LU = implementation_->factorize_near(factors);
  LogDeterminant<Complex> result = LU->log_determinant();
  result *= implementation_->correction(*LU, factors);
  return result;
}

template <class Engine>
std::optional<MatrixInertia> PencilDeterminant<Engine>::inertia(double a, double c) const {
  constexpr double clearly_below_one = 0.3;
  const FactorizationPtr<double> LU = implementation_->factorize_real(a, 0, c);
  const std::optional<MatrixInertia> inertia = LU->inertia();
  if (!inertia) return std::nullopt;
  const double size =
      implementation_->norm(implementation_->error(*LU, {a, 0., c}, implementation_->random(4, 0)));
  return size <= clearly_below_one ? inertia : std::nullopt;
}

template class PencilDeterminant<InstantiatedEngine>;

}  // namespace halfdof::internal
