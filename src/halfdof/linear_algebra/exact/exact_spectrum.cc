#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/exact/exact_spectrum.h>
#include <halfdof/linear_algebra/exact/integer_determinant.h>

#include <acb_poly.h>
#include <flint/fmpz_poly_factor.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof {

namespace {

/// Complex balls of Arb, with their memory.
class Balls {
 public:
  explicit Balls(slong n) : n_(n), value_(_acb_vec_init(n)) {}
  ~Balls() { _acb_vec_clear(value_, n_); }
  Balls(const Balls&) = delete;
  Balls& operator=(const Balls&) = delete;
  acb_ptr get() { return value_; }

 private:
  slong n_;
  acb_ptr value_;
};

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

/// Of Newton's polygon: powers and the binary logarithms of their coefficients, about, whose upper convex
/// hull has a corner there.
std::vector<std::pair<slong, double>> corners_of(const fmpz_poly_struct* polynomial) {
  std::vector<std::pair<slong, double>> hull;
  for (slong power = 0; power <= fmpz_poly_degree(polynomial); ++power) {
    const fmpz* coefficient = polynomial->coeffs + power;
    if (fmpz_is_zero(coefficient)) continue;
    const std::pair<slong, double> next(power, static_cast<double>(fmpz_bits(coefficient)));
    const auto slope = [](const auto& from, const auto& to) {
      return (to.second - from.second) / static_cast<double>(to.first - from.first);
    };
    while (hull.size() > 1 && slope(hull[hull.size() - 2], next) >= slope(hull[hull.size() - 2], hull.back()))
      hull.pop_back();
    hull.push_back(next);
  }
  return hull;
}

/// Where an iteration begins: on circles about zero whose radii and numbers of roots Newton's polygon tells
/// (Bini, Numer. Algorithms 13, 1996), so that moduli of very different size do not matter.
void place_on_circles(const fmpz_poly_struct* polynomial, acb_ptr starts) {
  const std::vector<std::pair<slong, double>> corners = corners_of(polynomial);
  slong placed = 0;
  for (std::size_t corner = 0; corner + 1 < corners.size(); ++corner) {
    const auto& [power, bits] = corners[corner];
    const slong n = corners[corner + 1].first - power;
    const double logarithm = (bits - corners[corner + 1].second) / static_cast<double>(n);
    const double exponent = std::floor(logarithm);
    for (slong k = 0; k < n; ++k, ++placed) {
      constexpr double two_pi = 6.283185307179586;
      const double angle =
          two_pi * static_cast<double>(k) / static_cast<double>(n) + 0.7 * static_cast<double>(corner + 1);
      const Complex start = std::polar(std::exp2(logarithm - exponent), angle);
      acb_set_d_d(starts + placed, start.real(), start.imag());
      acb_mul_2exp_si(starts + placed, starts + placed, static_cast<slong>(exponent));
    }
  }
}

/// Whether real and imaginary part are known to 64 bits, or are zero as far as 64 bits of the modulus tell.
bool is_accurate(const acb_struct* ball) {
  constexpr slong bits = 64;
  const auto part = [&](const arb_struct* x) {
    return arb_rel_accuracy_bits(x) >= bits || arb_contains_zero(x);
  };
  return acb_rel_accuracy_bits(ball) >= bits && part(acb_realref(ball)) && part(acb_imagref(ball));
}

/// The roots of a polynomial without multiple ones and without zero, by Durand and Kerner's iteration with as
/// many digits as it takes to separate them. Nothing where these are more than so many bits.
std::optional<std::vector<Complex>> simple_roots(const fmpz_poly_struct* polynomial, int exponent_of_rate) {
  constexpr slong most_bits = 1 << 16;
  const slong n = fmpz_poly_degree(polynomial);
  Balls balls(n), starts(n);
  place_on_circles(polynomial, starts.get());
  acb_poly_t approximate;
  acb_poly_init(approximate);
  bool are_found = false;
  for (slong bits = 128 + 2 * n; !are_found && bits <= most_bits; bits *= 2) {
    acb_poly_set_fmpz_poly(approximate, polynomial, bits);
    const slong n_separate = acb_poly_find_roots(balls.get(), approximate, starts.get(), 0, bits);
    are_found = n_separate == n &&
                std::all_of(balls.get(), balls.get() + n,
                            [](const acb_struct& ball) { return is_accurate(&ball); }) &&
                acb_poly_validate_real_roots(balls.get(), approximate, bits) != 0;
    for (slong k = 0; k < n; ++k)
      acb_get_mid(starts.get() + k, balls.get() + k);
  }
  acb_poly_clear(approximate);
  if (!are_found) return std::nullopt;
  std::vector<Complex> roots;
  for (slong k = 0; k < n; ++k) {
    const acb_ptr ball = balls.get() + k;
    roots.emplace_back(with_exponent(acb_realref(ball), exponent_of_rate),
                       with_exponent(acb_imagref(ball), exponent_of_rate));
  }
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
  slong n_zeros = 0;
  while (fmpz_is_zero(determinant.get()->coeffs + n_zeros))
    ++n_zeros;
  if (n_zeros > 0) spectrum.roots.push_back({0., static_cast<Index>(n_zeros)});
  fmpz_poly_shift_right(determinant.get(), determinant.get(), n_zeros);
  fmpz_poly_factor_t factors;
  fmpz_poly_factor_init(factors);
  fmpz_poly_factor_squarefree(factors, determinant.get());
  bool are_found = true;
  for (slong f = 0; are_found && f < factors->num; ++f) {
    const auto roots = simple_roots(factors->p + f, pencil->exponent_of_rate);
    are_found = roots.has_value();
    if (!roots) continue;
    for (const Complex value : in_pairs(*roots))
      spectrum.roots.push_back({value, static_cast<Index>(factors->exp[f])});
  }
  fmpz_poly_factor_clear(factors);
  return are_found ? std::optional(spectrum) : std::nullopt;
}

}  // namespace halfdof
