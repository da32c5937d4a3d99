// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/exact/precise_vectors.h>

#include <acb_mat.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace halfdof::internal {

namespace {

constexpr slong precision = 512;  // number of bits of the arithmetic
/// Binary logarithm of the distance of the shift from the eigenvalue, relative to the eigenvalue (absolute
/// for an eigenvalue of zero). The distance is smaller than the rounding error of a double.
constexpr slong exponent_of_distance = -64;

/// A matrix of complex balls: numbers with a bound of their error (RAII wrapper of the type of Arb).
class ComplexBallMatrix {
 public:
  ComplexBallMatrix(slong rows, slong columns) { acb_mat_init(value_, rows, columns); }
  ~ComplexBallMatrix() { acb_mat_clear(value_); }
  ComplexBallMatrix(const ComplexBallMatrix&) = delete;
  ComplexBallMatrix& operator=(const ComplexBallMatrix&) = delete;
  acb_mat_struct* get() { return value_; }
  acb_ptr entry(slong i, slong j) { return acb_mat_entry(value_, i, j); }

 private:
  acb_mat_t value_;
};

void set_exactly(acb_ptr ball, Complex value) {
  acb_set_d_d(ball, value.real(), value.imag());
}

/// Computes P(z) = z^2 M + z C + K and its derivative P'(z) = 2 z M + C at a shift z close to lambda.
void evaluate(ConstView<double> M, ConstView<double> C, ConstView<double> K, Complex lambda,
              ComplexBallMatrix& P, ComplexBallMatrix& slope) {
  acb_t z, step, square, twice, term;
  for (const acb_ptr ball : {z, step, square, twice, term})
    acb_init(ball);
  set_exactly(z, lambda);
  set_exactly(step, lambda == 0. ? Complex(1, 0.5) : lambda * Complex(1, 0.5));
  acb_mul_2exp_si(step, step, exponent_of_distance);
  acb_add(z, z, step, precision);
  acb_mul(square, z, z, precision);
  acb_mul_2exp_si(twice, z, 1);
  for (Index j = 0; j < K.cols(); ++j)
    for (Index i = 0; i < K.rows(); ++i) {
      set_exactly(P.entry(i, j), K(i, j));
      set_exactly(slope.entry(i, j), C(i, j));
      acb_addmul(P.entry(i, j), slope.entry(i, j), z, precision);
      set_exactly(term, M(i, j));
      acb_addmul(P.entry(i, j), term, square, precision);
      acb_addmul(slope.entry(i, j), term, twice, precision);
    }
  for (const acb_ptr ball : {z, step, square, twice, term})
    acb_clear(ball);
}

/// Scales each column by a power of two so that its largest entry is near one, and sets the radii of the
/// balls to zero.
void normalize(ComplexBallMatrix& X, Index n, Index k) {
  for (Index j = 0; j < k; ++j) {
    slong largest = -ARF_PREC_EXACT;
    for (Index i = 0; i < n; ++i)
      for (const arb_struct* part : {acb_realref(X.entry(i, j)), acb_imagref(X.entry(i, j))})
        if (!arf_is_zero(arb_midref(part)))
          largest = std::max<slong>(largest, arf_abs_bound_lt_2exp_si(arb_midref(part)));
    for (Index i = 0; i < n; ++i) {
      acb_get_mid(X.entry(i, j), X.entry(i, j));
      acb_mul_2exp_si(X.entry(i, j), X.entry(i, j), -largest);
    }
  }
}

/// The LU factorization of P(z) with row pivoting, and the derivative P'(z), at a shift z close to an
/// eigenvalue lambda.
class FactorizedPencil {
 public:
  FactorizedPencil(ConstView<double> M, ConstView<double> C, ConstView<double> K, Complex lambda)
      : n_(static_cast<Index>(K.rows())),
        factors_(n_, n_),
        slope_(n_, n_),
        permutation_(static_cast<std::size_t>(n_)) {
    ComplexBallMatrix P(n_, n_);
    evaluate(M, C, K, lambda, P, slope_);
    if (acb_mat_approx_lu(permutation_.data(), factors_.get(), P.get(), precision) == 0)
      throw SingularMatrix(
          "The matrix lambda^2 M + lambda C + K is singular to 150 digits even at a point next to an "
          "eigenvalue. Its determinant is zero for every lambda, so that M, C and K do not determine the "
          "motion: run `halfdof inspect` to find the DoFs that are not determined.");
  }

  /// Replaces X by P'(z) X.
  void multiply_by_derivative(ComplexBallMatrix& X) {
    acb_mat_approx_mul(X.get(), slope_.get(), X.get(), precision);
  }
  /// Replaces X by P'(z)^T X.
  void multiply_by_transposed_derivative(ComplexBallMatrix& X) {
    ComplexBallMatrix transposed(n_, n_);
    acb_mat_transpose(transposed.get(), slope_.get());
    acb_mat_approx_mul(X.get(), transposed.get(), X.get(), precision);
  }

  /// Replaces X by P(z)^{-1} X.
  void solve(ComplexBallMatrix& X) {
    acb_mat_approx_solve_lu_precomp(X.get(), permutation_.data(), factors_.get(), X.get(), precision);
  }

  /// Replaces X by P(z)^{-T} X: solves with U^T and L^T, and reverses the permutation of the rows.
  void solve_transposed(ComplexBallMatrix& X) {
    const slong k = acb_mat_ncols(X.get());
    ComplexBallMatrix transposed(n_, n_), Y(n_, k);
    acb_mat_transpose(transposed.get(), factors_.get());
    acb_mat_approx_solve_tril(Y.get(), transposed.get(), X.get(), 0, precision);
    acb_mat_approx_solve_triu(Y.get(), transposed.get(), Y.get(), 1, precision);
    for (Index i = 0; i < n_; ++i)
      for (slong j = 0; j < k; ++j)
        acb_set(acb_mat_entry(X.get(), permutation_[static_cast<std::size_t>(i)], j),
                acb_mat_entry(Y.get(), i, j));
  }

 private:
  Index n_;
  ComplexBallMatrix factors_, slope_;
  std::vector<slong> permutation_;
};

/// Computes eigenvectors by inverse iteration with P(z)^{-1} P'(z), from k start vectors without relation to
/// the structure of any model. The derivative P' is needed because the powers of P^{-1} would lose a right
/// eigenvector that is orthogonal to the left eigenvector. The largest entry of each result is one.
template <class Solve, class Differentiate>
ComplexMultiVector null_vectors(Index n, Index k, Solve&& solve, Differentiate&& multiply_by_derivative) {
  ComplexBallMatrix X(n, k);
  for (Index j = 0; j < k; ++j)
    for (Index i = 0; i < n; ++i)
      set_exactly(X.entry(i, j),
                  std::polar(1., 1 + std::fmod(0.754877666 * (i + 1) + 0.569840291 * (j + 1) * (i + 3), 6.)));
  solve(X);
  normalize(X, n, k);
  multiply_by_derivative(X);
  solve(X);
  normalize(X, n, k);
  ComplexMultiVector result(n, k);
  for (Index j = 0; j < k; ++j)
    for (Index i = 0; i < n; ++i)
      result(i, j) = {arf_get_d(arb_midref(acb_realref(X.entry(i, j))), ARF_RND_NEAR),
                      arf_get_d(arb_midref(acb_imagref(X.entry(i, j))), ARF_RND_NEAR)};
  for (Index j = 0; j < k; ++j) {
    Index place = 0;
    const double largest = result.col(j).cwiseAbs().maxCoeff(&place);
    if (largest > 0) result.col(j) /= result(place, j);
  }
  return result;
}

}  // namespace

ComplexMultiVector precise_null_vectors(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                        Complex lambda, Index k) {
  FactorizedPencil P(M, C, K, lambda);
  return null_vectors(
      static_cast<Index>(K.rows()), k, [&](ComplexBallMatrix& X) { P.solve(X); },
      [&](ComplexBallMatrix& X) { P.multiply_by_derivative(X); });
}

VectorPair precise_vector_pair(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                               Complex lambda) {
  const auto n = static_cast<Index>(K.rows());
  FactorizedPencil P(M, C, K, lambda);
  return {null_vectors(
              n, 1, [&](ComplexBallMatrix& X) { P.solve(X); },
              [&](ComplexBallMatrix& X) { P.multiply_by_derivative(X); }),
          null_vectors(
              n, 1, [&](ComplexBallMatrix& X) { P.solve_transposed(X); },
              [&](ComplexBallMatrix& X) { P.multiply_by_transposed_derivative(X); })};
}

}  // namespace halfdof::internal
