#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/exact/precise_vectors.h>

#include <acb_mat.h>

#include <algorithm>
#include <cmath>

namespace halfdof {

namespace {

constexpr slong precision = 512;  // bits
/// Distance from the eigenvalue, relative to it or, from zero, to one: a power of two below its rounding.
constexpr slong exponent_of_step = -64;

class BallMatrix {
 public:
  BallMatrix(Index rows, Index columns) { acb_mat_init(value_, rows, columns); }
  ~BallMatrix() { acb_mat_clear(value_); }
  BallMatrix(const BallMatrix&) = delete;
  BallMatrix& operator=(const BallMatrix&) = delete;
  acb_mat_struct* get() { return value_; }
  acb_ptr entry(Index i, Index j) { return acb_mat_entry(value_, i, j); }

 private:
  acb_mat_t value_;
};

void set_exactly(acb_ptr ball, Complex value) {
  acb_set_d_d(ball, value.real(), value.imag());
}

/// P at a point beside lambda.
void evaluate(ConstView<double> M, ConstView<double> C, ConstView<double> K, Complex lambda, BallMatrix& P) {
  acb_t z, square, term, step;
  for (const acb_ptr ball : {z, square, term, step})
    acb_init(ball);
  set_exactly(z, lambda);
  set_exactly(step, lambda == 0. ? Complex(1, 0.5) : lambda * Complex(1, 0.5));
  acb_mul_2exp_si(step, step, exponent_of_step);
  acb_add(z, z, step, precision);
  acb_mul(square, z, z, precision);
  for (Index j = 0; j < K.cols(); ++j)
    for (Index i = 0; i < K.rows(); ++i) {
      set_exactly(P.entry(i, j), K(i, j));
      set_exactly(term, C(i, j));
      acb_addmul(P.entry(i, j), term, z, precision);
      set_exactly(term, M(i, j));
      acb_addmul(P.entry(i, j), term, square, precision);
    }
  for (const acb_ptr ball : {z, square, term, step})
    acb_clear(ball);
}

/// Columns by powers of two near their largest entries, without their radii.
void normalize(BallMatrix& X, Index n, Index k) {
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

}  // namespace

ComplexMultiVector precise_null_vectors(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                        Complex lambda, Index k) {
  constexpr int n_steps = 2;
  const auto n = static_cast<Index>(K.rows());
  BallMatrix P(n, n), X(n, k);
  evaluate(M, C, K, lambda, P);
  for (Index j = 0; j < k; ++j)
    for (Index i = 0; i < n; ++i)
      set_exactly(X.entry(i, j),
                  std::polar(1., 1 + std::fmod(0.754877666 * (i + 1) + 0.569840291 * (j + 1) * (i + 3), 6.)));
  for (int step = 0; step < n_steps; ++step) {
    if (acb_mat_solve(X.get(), P.get(), X.get(), precision) == 0)
      throw SingularMatrix(
          "The pencil is singular beside one of its eigenvalues, to 150 digits: it is singular everywhere.");
    normalize(X, n, k);
  }
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

}  // namespace halfdof
