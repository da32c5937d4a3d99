#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/exact/exact_spectrum.h>
#include <halfdof/linear_algebra/exact/integer_determinant.h>

#include <arb_fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof {

namespace {

/// Of moduli of roots, in powers of two: beyond that, Durand and Kerner's iteration takes seconds to minutes.
constexpr double widest_spread = 250;

/// The middle of a ball, zero if it may be zero.
double with_exponent(const arb_struct* ball, int exponent) {
  if (arb_contains_zero(ball)) return 0;
  arf_t scaled;
  arf_init(scaled);
  arf_mul_2exp_si(scaled, arb_midref(ball), exponent);
  const double value = arf_get_d(scaled, ARF_RND_NEAR);
  arf_clear(scaled);
  return value;
}

/// The binary logarithm of the quotient of the largest and the smallest modulus of nonzero roots, about: of
/// the
/// slopes of the upper convex hull of the coefficients' logarithms (Newton's polygon).
double spread_of_roots(const fmpz_poly_struct* polynomial) {
  std::vector<std::pair<double, double>> hull;  // power, logarithm of the coefficient
  for (slong power = 0; power <= fmpz_poly_degree(polynomial); ++power) {
    const fmpz* coefficient = polynomial->coeffs + power;
    if (fmpz_is_zero(coefficient)) continue;
    const std::pair<double, double> next(power, static_cast<double>(fmpz_bits(coefficient)));
    const auto slope = [](const auto& from, const auto& to) {
      return (to.second - from.second) / (to.first - from.first);
    };
    while (hull.size() > 1 && slope(hull[hull.size() - 2], next) >= slope(hull[hull.size() - 2], hull.back()))
      hull.pop_back();
    hull.push_back(next);
  }
  if (hull.size() < 3) return 0;
  const auto slope_after = [&](std::size_t k) {
    return (hull[k + 1].second - hull[k].second) / (hull[k + 1].first - hull[k].first);
  };
  return slope_after(0) - slope_after(hull.size() - 2);
}

/// The roots of a polynomial without multiple ones.
std::vector<Complex> simple_roots(const fmpz_poly_struct* polynomial, int exponent_of_rate) {
  constexpr slong digits = 64;
  const slong n = fmpz_poly_degree(polynomial);
  const acb_ptr balls = _acb_vec_init(n);
  arb_fmpz_poly_complex_roots(balls, polynomial, 0, digits);
  std::vector<Complex> roots;
  for (slong k = 0; k < n; ++k)
    roots.emplace_back(with_exponent(acb_realref(balls + k), exponent_of_rate),
                       with_exponent(acb_imagref(balls + k), exponent_of_rate));
  _acb_vec_clear(balls, n);
  return roots;
}

/// Those of the upper half plane and of the real axis, each complex one before its conjugate.
std::vector<Complex> in_pairs(const std::vector<Complex>& roots) {
  std::vector<Complex> paired;
  for (const Complex root : roots) {
    if (root.imag() < 0) continue;
    paired.push_back(root);
    if (root.imag() > 0) paired.push_back(std::conj(root));
  }
  return paired;
}

}  // namespace

std::optional<ExactSpectrum> exact_spectrum(ConstView<double> M, ConstView<double> C, ConstView<double> K,
                                            double effort) {
  const auto n = static_cast<Index>(K.rows());
  for (const auto& [rows, columns] :
       {std::pair(M.rows(), M.cols()), {C.rows(), C.cols()}, {K.rows(), K.cols()}})
    if (rows != K.rows() || columns != K.rows())
      throw InvalidInput("Mass, damping and stiffness differ in shape. Pass three n x n matrices.");
  ExactSpectrum spectrum;
  if (n == 0) return spectrum;
  const double most_bits = effort / (4. * n * n * n);
  if (most_bits < 1) return std::nullopt;
  const std::optional<IntegerPencil> pencil = integer_pencil(M, C, K, static_cast<int>(most_bits));
  if (!pencil) return std::nullopt;

  IntegerPolynomial determinant;
  integer_determinant(*pencil, determinant);
  spectrum.is_regular = !fmpz_poly_is_zero(determinant.get());
  if (!spectrum.is_regular) return spectrum;
  spectrum.n_finite = static_cast<Index>(fmpz_poly_degree(determinant.get()));
  if (spectrum.n_finite == 0) return spectrum;
  if (spread_of_roots(determinant.get()) > widest_spread) return std::nullopt;
  fmpz_poly_factor_t factors;
  fmpz_poly_factor_init(factors);
  fmpz_poly_factor_squarefree(factors, determinant.get());
  for (slong f = 0; f < factors->num; ++f)
    for (const Complex value : in_pairs(simple_roots(factors->p + f, pencil->exponent_of_rate)))
      spectrum.roots.push_back({value, static_cast<Index>(factors->exp[f])});
  fmpz_poly_factor_clear(factors);
  return spectrum;
}

}  // namespace halfdof
