// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>
#include <halfdof/linear_algebra/exact/exact_spectrum.h>
#include <halfdof/linear_algebra/exact/integer_determinant.h>

#include <acb_poly.h>
#include <flint/fmpz_poly_factor.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof::internal {

namespace {

/// Limit of the effort for the roots if the limit of the determinant is small. The effort corresponds to some
/// seconds, which are needed for roots that spread over hundreds of orders of magnitude.
constexpr double min_limit_of_root_effort = 2e10;

/// An array of complex balls: numbers with a bound of their error (RAII wrapper of the type of Arb).
class BallArray {
 public:
  explicit BallArray(slong n) : n_(n), value_(_acb_vec_init(n)) {}
  ~BallArray() { _acb_vec_clear(value_, n_); }
  BallArray(const BallArray&) = delete;
  BallArray& operator=(const BallArray&) = delete;
  acb_ptr get() { return value_; }

 private:
  slong n_;
  acb_ptr value_;
};

/// Returns the midpoint of a ball times 2^exponent; zero if the ball contains zero.
double midpoint_times_power(const arb_struct* ball, int exponent) {
  if (arb_contains_zero(ball)) return 0;
  arf_t scaled;
  arf_init(scaled);
  arf_mul_2exp_si(scaled, arb_midref(ball), exponent);
  const double value = arf_get_d(scaled, ARF_RND_NEAR);
  arf_clear(scaled);
  return value;
}

/// Returns the corners of Newton's polygon of a polynomial: of the upper convex hull of the points (power,
/// number of bits of the coefficient of this power).
std::vector<std::pair<slong, double>> newton_polygon(const fmpz_poly_struct* polynomial) {
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

/// Computes start points for the roots of a polynomial on circles about zero. The radii of the circles and
/// the numbers of points on them follow from Newton's polygon (Bini, Numer. Algorithms 13, 1996), so that
/// roots with moduli of very different size are found as well.
void start_on_circles(const fmpz_poly_struct* polynomial, acb_ptr points) {
  const std::vector<std::pair<slong, double>> corners = newton_polygon(polynomial);
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
      const Complex point = std::polar(std::exp2(logarithm - exponent), angle);
      acb_set_d_d(points + placed, point.real(), point.imag());
      acb_mul_2exp_si(points + placed, points + placed, static_cast<slong>(exponent));
    }
  }
}

/// Computes the eigenvalues mu of an integer pencil that are neither zero nor infinite by the QZ algorithm,
/// as start points for exact roots. The list is empty if the QZ algorithm fails.
std::vector<Complex> floating_point_eigenvalues(const IntegerPencil& pencil) {
  const Index n = pencil.n;
  constexpr flint_bitcnt_t most_bits = 1000;
  for (const std::vector<ExactInteger>& entries : pencil.entries)
    for (const ExactInteger& entry : entries)
      if (fmpz_bits(entry.get()) > most_bits) return {};
  const auto matrix = [&](std::size_t power) {
    MultiVector A(n, n);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        A(i, j) = fmpz_get_d(pencil.entries[power][static_cast<std::size_t>(j * n + i)].get());
    return A;
  };
  MultiVector A = MultiVector::Zero(2 * n, 2 * n), E = MultiVector::Identity(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -matrix(0);
  A.bottomRightCorner(n, n) = -matrix(1);
  E.bottomRightCorner(n, n) = matrix(2);
  std::vector<Complex> values;
  try {
    for (const auto& [alpha, beta] : eigenvalues(A, E))
      if (const Complex value = alpha / beta; value != 0. && std::isfinite(std::abs(value)))
        values.push_back(value);
  } catch (const NoConvergence&) {  // the start points of start_on_circles() are used instead
  }
  return values;
}

/// Returns the approximate binary logarithm of |z|.
double logarithm_of(const acb_struct* z) {
  mag_t modulus;
  mag_init(modulus);
  acb_get_mag(modulus, z);
  const double logarithm = mag_get_d_log2_approx(modulus);
  mag_clear(modulus);
  return logarithm;
}

/// Sets the start points of the iteration for the roots of a polynomial. First, all start points lie on
/// circles. Then each guess whose Newton step is short compared with its modulus replaces the start point
/// with the nearest modulus. Only one guess is used for each root.
void set_start_points(const fmpz_poly_struct* polynomial, const std::vector<Complex>& guesses, slong bits,
                      acb_ptr starts) {
  constexpr double short_step = -4;  // binary logarithm
  const slong n = fmpz_poly_degree(polynomial);
  start_on_circles(polynomial, starts);
  std::vector<std::pair<double, slong>> free;  // (binary logarithm of the modulus, index) of unused points
  for (slong k = 0; k < n; ++k)
    free.emplace_back(logarithm_of(starts + k), k);

  acb_poly_t approximate;
  acb_poly_init(approximate);
  acb_poly_set_fmpz_poly(approximate, polynomial, bits);
  BallArray scratch(3);
  const acb_ptr point = scratch.get(), value = point + 1, slope = point + 2;
  std::vector<std::pair<double, Complex>> by_steps;
  for (const Complex guess : guesses) {
    acb_set_d_d(point, guess.real(), guess.imag());
    acb_poly_evaluate2(value, slope, approximate, point, bits);
    acb_get_mid(value, value);
    acb_get_mid(slope, slope);
    const double step = logarithm_of(value) - logarithm_of(slope);
    if (step - std::log2(std::abs(guess)) < short_step) by_steps.emplace_back(step, guess);
  }
  acb_poly_clear(approximate);
  std::stable_sort(by_steps.begin(), by_steps.end(), [](const auto& a, const auto& b) {
    return a.first - std::log2(std::abs(a.second)) < b.first - std::log2(std::abs(b.second));
  });

  std::vector<std::pair<double, Complex>> taken;
  for (const auto& [step, guess] : by_steps) {
    const auto is_of_one_root = [&, step = step, guess = guess](const auto& other) {
      return std::log2(std::abs(guess - other.second)) <= std::max(step, other.first) + 1;
    };
    if (free.empty() || std::any_of(taken.begin(), taken.end(), is_of_one_root)) continue;
    const double modulus = std::log2(std::abs(guess));
    const auto place = std::min_element(free.begin(), free.end(), [&](const auto& a, const auto& b) {
      return std::abs(a.first - modulus) < std::abs(b.first - modulus);
    });
    acb_set_d_d(starts + place->second, guess.real(), guess.imag());
    free.erase(place);
    taken.emplace_back(step, guess);
  }
}

/// Returns whether a complex ball has a relative accuracy of 64 bits, and its real and its imaginary part
/// each have this accuracy or may be zero.
bool is_accurate(const acb_struct* ball) {
  constexpr slong bits = 64;
  const auto part = [&](const arb_struct* x) {
    return arb_rel_accuracy_bits(x) >= bits || arb_contains_zero(x);
  };
  return acb_rel_accuracy_bits(ball) >= bits && part(acb_realref(ball)) && part(acb_imagref(ball));
}

/// Computes the roots of a polynomial that has only simple, nonzero roots, by the Durand-Kerner iteration.
/// The number of digits is doubled until all roots are separated. No value is returned if the computation
/// would cost more than `effort`.
std::optional<std::vector<Complex>> simple_roots(const fmpz_poly_struct* polynomial,
                                                 const std::vector<Complex>& guesses,
                                                 int exponent_of_eigenvalue, double effort) {
  constexpr slong most_bits = 1 << 16;
  const slong n = fmpz_poly_degree(polynomial), fewest_bits = 128 + 2 * n;
  BallArray balls(n), starts(n);
  set_start_points(polynomial, guesses, fewest_bits, starts.get());
  acb_poly_t approximate;
  acb_poly_init(approximate);
  bool are_found = false;
  for (slong bits = fewest_bits; !are_found && bits <= most_bits; bits *= 2) {
    const double of_step = static_cast<double>(n * n) * static_cast<double>(bits),
                 steps = std::min(effort / of_step, static_cast<double>(2 * n + bits));
    if (steps < 1) break;
    effort -= steps * of_step;
    acb_poly_set_fmpz_poly(approximate, polynomial, bits);
    const slong n_separate =
        acb_poly_find_roots(balls.get(), approximate, starts.get(), static_cast<slong>(steps), bits);
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
    roots.emplace_back(midpoint_times_power(acb_realref(ball), exponent_of_eigenvalue),
                       midpoint_times_power(acb_imagref(ball), exponent_of_eigenvalue));
  }
  return roots;
}

/// Returns the given roots on the real axis and in the upper half plane, where each complex root is followed
/// by its exact conjugate.
std::vector<Complex> conjugate_pairs(const std::vector<Complex>& roots) {
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
      throw InvalidInput(
          "The mass, damping and stiffness matrices have different shapes or are not square, so that they "
          "have no eigenvalues. Pass three square matrices of equal size.");
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
  const std::vector<Complex> guesses = floating_point_eigenvalues(*pencil);
  const double effort_of_roots = std::max(4 * effort, min_limit_of_root_effort);
  bool are_found = true;
  for (slong f = 0; are_found && f < factors->num; ++f) {
    const auto roots = simple_roots(factors->p + f, guesses, pencil->exponent_of_eigenvalue, effort_of_roots);
    are_found = roots.has_value();
    if (!roots) continue;
    for (const Complex value : conjugate_pairs(*roots))
      spectrum.roots.push_back({value, static_cast<Index>(factors->exp[f])});
  }
  fmpz_poly_factor_clear(factors);
  return are_found ? std::optional(spectrum) : std::nullopt;
}

}  // namespace halfdof::internal
