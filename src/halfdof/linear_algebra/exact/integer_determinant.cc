// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/exact/integer_determinant.h>
#include <halfdof/linear_algebra/exact/modular_matrix.h>
#include <halfdof/linear_algebra/search_progress.h>

#include <flint/fmpz_vec.h>
#include <flint/nmod_poly.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <future>
#include <limits>
#include <thread>
#include <vector>

namespace halfdof::internal {

namespace {

constexpr int bits_of_prime = 61;
constexpr mp_limb_t first_prime_above = mp_limb_t{1} << bits_of_prime;

/// The shifts s at which a pencil is evaluated modulo a prime: numbers that are not quotients of small
/// numbers.
constexpr std::array<mp_limb_t, 3> shifts = {1234567890123456787, 987654321098765431, 1122334455667788991};

/// A polynomial with coefficients modulo a prime (RAII wrapper of FLINT's nmod_poly_t).
class ModularPolynomial {
 public:
  explicit ModularPolynomial(mp_limb_t prime) { nmod_poly_init(value_, prime); }
  ~ModularPolynomial() { nmod_poly_clear(value_); }
  ModularPolynomial(const ModularPolynomial&) = delete;
  ModularPolynomial& operator=(const ModularPolynomial&) = delete;
  nmod_poly_struct* get() { return value_; }

 private:
  nmod_poly_t value_;
};

/// Returns the entry (i, j) of the coefficient of mu^power.
const fmpz* entry(const IntegerPencil& pencil, std::size_t power, Index i, Index j) {
  return pencil.entries[power][static_cast<std::size_t>(j * pencil.n + i)].get();
}

/// Returns the numbers of the columns of M with nonzero entries.
std::vector<Index> inertial_columns(const IntegerPencil& pencil) {
  std::vector<Index> columns;
  for (Index j = 0; j < pencil.n; ++j)
    for (Index i = 0; i < pencil.n; ++i)
      if (!fmpz_is_zero(entry(pencil, 2, i, j))) {
        columns.push_back(j);
        break;
      }
  return columns;
}

/// Returns an upper bound of the binary logarithm of the coefficients of det P: the logarithm of the product
/// of the norms of the rows of |M| + |C| + |K|, or of its columns (Hadamard's bound), whichever is smaller.
double hadamard_bound_in_bits(const IntegerPencil& pencil) {
  MultiVector logarithm(pencil.n, pencil.n);  // upper bounds of the logarithms of |M| + |C| + |K|
  for (Index j = 0; j < pencil.n; ++j)
    for (Index i = 0; i < pencil.n; ++i) {
      ExactInteger sum;
      for (std::size_t power = 0; power < 3; ++power) {
        ExactInteger modulus;
        fmpz_abs(modulus.get(), entry(pencil, power, i, j));
        fmpz_add(sum.get(), sum.get(), modulus.get());
      }
      slong exponent = 0;
      const double mantissa = fmpz_get_d_2exp(&exponent, sum.get());
      logarithm(i, j) = mantissa == 0 ? -std::numeric_limits<double>::infinity()
                                      : std::log2(mantissa) + static_cast<double>(exponent);
    }
  const auto of_rows = [](const MultiVector& logarithms) {
    double bits = 0;
    for (Eigen::Index i = 0; i < logarithms.rows(); ++i) {
      const double largest = logarithms.row(i).maxCoeff();
      if (std::isinf(largest)) return 0.;
      double squares = 0;
      for (Eigen::Index j = 0; j < logarithms.cols(); ++j)
        squares += std::exp2(2 * (logarithms(i, j) - largest));
      bits += largest + std::log2(squares) / 2;
    }
    return bits;
  };
  return std::max(0., std::min(of_rows(logarithm), of_rows(logarithm.transpose())));
}

/// Returns the 2 n + 1 coefficients of the polynomial det P(mu) modulo a prime, that of mu^0 first.
std::vector<mp_limb_t> determinant_modulo(const IntegerPencil& pencil, const std::vector<Index>& inertial,
                                          mp_limb_t prime) {
  const Index n = pencil.n, order = n + static_cast<Index>(inertial.size());
  std::vector<mp_limb_t> coefficients(static_cast<std::size_t>(2 * n + 1), 0);
  ModularMatrix E(order, order, prime), W(order, order, prime), X(order, order, prime);
  const nmod_t modulus = E.modulus();
  const auto residue = [&](std::size_t power, Index i, Index j) {
    return fmpz_get_nmod(entry(pencil, power, i, j), modulus);
  };
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      E(i, j) = residue(1, i, j);
  for (Index k = 0; k < order - n; ++k) {
    const Index j = inertial[static_cast<std::size_t>(k)];
    for (Index i = 0; i < n; ++i)
      E(i, n + k) = residue(2, i, j);
    E(n + k, j) = prime - 1;
  }
  // The first shift at which L is regular is used. If L is singular at all shifts, det P counts as zero: a
  // nonzero polynomial of degree 2 n vanishes at a shift only with a probability of 2 n / 2^61.
  const auto shift = std::find_if(shifts.begin(), shifts.end(), [&](mp_limb_t at) {
    nmod_mat_scalar_mul(W.get(), E.get(), at);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        W(i, j) = nmod_add(W(i, j), residue(0, i, j), modulus);
    for (Index k = n; k < order; ++k)
      W(k, k) = nmod_add(W(k, k), 1, modulus);
    return nmod_mat_solve(X.get(), W.get(), E.get()) != 0;
  });
  if (shift == shifts.end()) return coefficients;

  ModularPolynomial polynomial(prime);
  nmod_mat_charpoly(polynomial.get(), X.get());
  nmod_poly_reverse(polynomial.get(), polynomial.get(), order + 1);
  for (slong power = 1; power <= order; power += 2)
    nmod_poly_set_coeff_ui(polynomial.get(), power,
                           nmod_neg(nmod_poly_get_coeff_ui(polynomial.get(), power), modulus));
  nmod_poly_scalar_mul_nmod(polynomial.get(), polynomial.get(), nmod_mat_det(W.get()));
  nmod_poly_taylor_shift(polynomial.get(), polynomial.get(), prime - *shift);
  for (slong power = 0; power < nmod_poly_length(polynomial.get()); ++power)
    coefficients[static_cast<std::size_t>(power)] = nmod_poly_get_coeff_ui(polynomial.get(), power);
  return coefficients;
}

}  // namespace

void integer_determinant(const IntegerPencil& pencil, IntegerPolynomial& determinant) {
  const auto n_primes = static_cast<std::size_t>((hadamard_bound_in_bits(pencil) + 3) / bits_of_prime) + 1;
  std::vector<mp_limb_t> primes;
  for (mp_limb_t prime = first_prime_above; primes.size() < n_primes;)
    primes.push_back(prime = n_nextprime(prime, 0));
  const std::vector<Index> inertial = inertial_columns(pencil);
  std::vector<std::vector<mp_limb_t>> residues(n_primes);
  const std::size_t n_threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, n_primes);
  std::vector<std::future<void>> workers;
  const auto work = [&](std::size_t first, auto&& show) {
    for (std::size_t p = first; p < n_primes; p += n_threads) {
      residues[p] = determinant_modulo(pencil, inertial, primes[p]);
      show(static_cast<double>(p + 1) / static_cast<double>(n_primes));
    }
  };
  for (std::size_t first = 1; first < n_threads; ++first)
    workers.push_back(std::async(std::launch::async, [&, first] { work(first, [](double) {}); }));
  work(0, [&](double done) {
    show_progress({2 * pencil.n, 0, static_cast<Index>(done * static_cast<double>(n_primes)), 1, done});
  });
  for (std::future<void>& worker : workers)
    worker.get();

  fmpz_comb_t comb;
  fmpz_comb_temp_t scratch;
  fmpz_comb_init(comb, primes.data(), static_cast<slong>(n_primes));
  fmpz_comb_temp_init(scratch, comb);
  std::vector<mp_limb_t> of_one(n_primes);
  ExactInteger coefficient;
  for (std::size_t power = 0; power < residues.front().size(); ++power) {
    for (std::size_t p = 0; p < n_primes; ++p)
      of_one[p] = residues[p][power];
    fmpz_multi_CRT_ui(coefficient.get(), of_one.data(), comb, scratch, 1);
    fmpz_poly_set_coeff_fmpz(determinant.get(), static_cast<slong>(power), coefficient.get());
  }
  fmpz_comb_temp_clear(scratch);
  fmpz_comb_clear(comb);
}

}  // namespace halfdof::internal
