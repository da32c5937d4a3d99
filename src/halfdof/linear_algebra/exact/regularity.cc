// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/linear_algebra/corner_frequencies.h>
#include <halfdof/linear_algebra/exact/regularity.h>

#include <arb_mat.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace halfdof::internal {

namespace {

/// A square matrix of real balls: numbers with a bound of their error (RAII wrapper of the type of Arb).
class RealBallMatrix {
 public:
  explicit RealBallMatrix(Index n) { arb_mat_init(value_, n, n); }
  ~RealBallMatrix() { arb_mat_clear(value_); }
  RealBallMatrix(const RealBallMatrix&) = delete;
  RealBallMatrix& operator=(const RealBallMatrix&) = delete;
  arb_mat_struct* get() { return value_; }
  arb_ptr entry(Index i, Index j) { return arb_mat_entry(value_, i, j); }

 private:
  arb_mat_t value_;
};

/// Returns upper bounds of the absolute values of the entries of P(lambda)^{-1}. No value is returned if even
/// the largest number of digits does not suffice for the inverse.
std::optional<MultiVector> absolute_inverse(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                            double lambda) {
  constexpr slong least_bits = 256, most_bits = 2048;
  const auto n = static_cast<Index>(K.rows());
  RealBallMatrix P(n), inverse(n);
  arb_t coefficient;
  arb_init(coefficient);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      for (const double a : {M(i, j), C(i, j), K(i, j)}) {  // exact evaluation by Horner's scheme
        arb_set_d(coefficient, lambda);
        arb_mul(P.entry(i, j), P.entry(i, j), coefficient, ARF_PREC_EXACT);
        arb_set_d(coefficient, a);
        arb_add(P.entry(i, j), P.entry(i, j), coefficient, ARF_PREC_EXACT);
      }
  arb_clear(coefficient);
  slong bits = least_bits;
  while (arb_mat_inv(inverse.get(), P.get(), bits) == 0)
    if ((bits *= 2) > most_bits) return std::nullopt;
  MultiVector absolute(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      mag_t bound;
      mag_init(bound);
      arb_get_mag(bound, inverse.entry(i, j));
      absolute(i, j) = mag_get_d(bound);
      mag_clear(bound);
    }
  return absolute;
}

/// Returns an upper bound of the spectral radius of the product A B of two matrices without negative entries,
/// by the quotients of Collatz and Wielandt.
double spectral_radius_bound(const MultiVector& A, const MultiVector& B) {
  constexpr int n_iterations = 30;
  Vector x = Vector::Ones(A.rows());
  double bound = std::numeric_limits<double>::infinity();
  for (int i = 0; i < n_iterations; ++i) {
    const Vector y = A * (B * x);
    bound = std::min(bound, y.cwiseQuotient(x).maxCoeff());
    x = y.cwiseMax(std::numeric_limits<double>::min()) / y.maxCoeff();
    x = x.cwiseMax(std::numeric_limits<double>::min());
  }
  return bound;
}

}  // namespace

bool is_regular_to_rounding(ConstView<double> M, ConstView<double> C, ConstView<double> K) {
  constexpr std::size_t max_lambdas = 5;
  if (K.rows() == 0) return true;
  std::vector<double> lambdas =
      corner_frequencies(M.rowwise().norm(), C.rowwise().norm(), K.rowwise().norm(), max_lambdas);
  if (lambdas.empty()) lambdas.push_back(1);  // only one of the matrices is nonzero
  for (const double lambda : lambdas) {
    const auto inverse = absolute_inverse(M, C, K, lambda);
    if (!inverse) continue;
    const MultiVector T = lambda * lambda * M.cwiseAbs() + lambda * C.cwiseAbs() + K.cwiseAbs();
    if (unit_roundoff * spectral_radius_bound(*inverse, T) < 1) return true;
  }
  return false;
}

}  // namespace halfdof::internal
