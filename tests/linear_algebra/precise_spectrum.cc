// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/exact/precise_spectrum.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace halfdof::test {

using namespace internal;

BOOST_AUTO_TEST_SUITE(precise_spectra)

namespace {

using Random = std::mt19937;

/// Rows and columns in another order, and some rows and columns added to others: integers stay integers, and
/// eigenvalues what they are.
void mix(MultiVector& E, MultiVector& A, Random& random) {
  const auto n = static_cast<Index>(E.rows());
  std::uniform_int_distribution<Index> any(0, n - 1);
  for (Index step = 0; step < n; ++step) {
    const Index i = any(random), j = any(random);
    if (i == j) continue;
    const double sign = step % 2 == 0 ? 1 : -1;
    for (MultiVector* matrix : {&E, &A}) {
      matrix->row(i).swap(matrix->row(j));
      matrix->col(i) += sign * matrix->col(j).eval();
    }
  }
}

Index multiplicity(const ExactSpectrum& spectrum, Complex value, double tolerance) {
  Index n = 0;
  for (const ExactRoot& root : spectrum.roots)
    if (std::abs(root.value - value) <= tolerance * std::abs(value)) n += root.multiplicity;
  return n;
}

/// Of the same pencil in integers.
std::optional<ExactSpectrum> by_determinant(const MultiVector& E, const MultiVector& A) {
  return exact_spectrum(MultiVector::Zero(E.rows(), E.cols()), E, -A, largest_effort);
}

/// Independent eigenvalues -2^{-i / step}, on the diagonal of an upper triangular matrix whose entries are
/// integers times those of the row: badly conditioned.
MultiVector triangular(Index n, int highest, Random& random) {
  MultiVector A = MultiVector::Zero(n, n);
  std::uniform_int_distribution<int> factor(-highest, highest), often(0, 9);
  for (Index i = 0; i < n; ++i) {
    A(i, i) = -std::exp2(-i);
    for (Index j = i + 1; j < n; ++j)
      if (often(random) < 3) A(i, j) = A(i, i) * factor(random);
  }
  return A;
}

}  // namespace

BOOST_AUTO_TEST_CASE(zeros_copies_and_infinite_eigenvalues_of_a_mixed_pencil_are_counted) {
  // Oscillators 1, 2, 3, 1, 2, 3, ...; chains of two and of three zeros; chains at infinity of two and of
  // three.
  Random random(3);
  const Index n_oscillators = 45, n = 2 * n_oscillators + 10;
  MultiVector E = MultiVector::Identity(n, n), A = MultiVector::Zero(n, n);
  for (Index k = 0; k < n_oscillators; ++k) {
    A(2 * k, 2 * k + 1) = 1 + k % 3;
    A(2 * k + 1, 2 * k) = -(1 + k % 3);
  }
  const Index zeros = 2 * n_oscillators, infinite = zeros + 5;
  A(zeros, zeros + 1) = A(zeros + 2, zeros + 3) = A(zeros + 3, zeros + 4) = 1;
  E.bottomRightCorner(5, 5).setZero();
  E(infinite, infinite + 1) = E(infinite + 2, infinite + 3) = E(infinite + 3, infinite + 4) = 1;
  A.bottomRightCorner(5, 5).setIdentity();
  mix(E, A, random);
  const auto found = precise_spectrum(E, A);
  BOOST_REQUIRE(found);
  BOOST_TEST(found->n_finite == n - 5);
  BOOST_TEST(multiplicity(*found, 0., 0) == 5);
  for (const double omega : {1., 2., 3.}) {
    BOOST_TEST(multiplicity(*found, Complex(0, omega), 1e-14) == 15);
    BOOST_TEST(multiplicity(*found, Complex(0, -omega), 1e-14) == 15);
  }
}

BOOST_AUTO_TEST_CASE(badly_conditioned_eigenvalues_are_right_or_left_to_the_determinant) {
  Random random(1);
  for (const auto& [n, highest, is_found] :
       {std::tuple(45, 4096, false), {60, 16, true}, {100, 1 << 20, false}}) {
    const MultiVector A = triangular(n, highest, random);
    const auto found = precise_spectrum(MultiVector::Identity(n, n), A);
    BOOST_TEST(found.has_value() == is_found);
    for (Index i = 0; found && i < n; ++i)
      BOOST_TEST(multiplicity(*found, A(i, i), 1e-9) == 1);
    if (found) continue;
    const auto exact = by_determinant(MultiVector::Identity(n, n), A);
    BOOST_REQUIRE(exact);
    for (Index i = 0; i < n; ++i)
      BOOST_TEST(multiplicity(*exact, A(i, i), 1e-15) == 1);
  }
}

BOOST_AUTO_TEST_CASE(jordan_blocks_are_copies_of_their_mean_or_left_to_the_determinant) {
  Random random(7);
  for (const Index order : {2, 3, 4}) {
    const Index n = 48;
    MultiVector E = MultiVector::Identity(n, n), A = MultiVector::Zero(n, n);
    for (Index i = 0; i < n; ++i) {
      A(i, i) = -1 - i / order;
      if (i % order != 0) A(i - 1, i) = 1;
    }
    mix(E, A, random);
    const auto found = precise_spectrum(E, A);
    BOOST_TEST(found.has_value() == (order < 4));
    const auto exact = by_determinant(E, A);
    BOOST_REQUIRE(exact);
    for (Index k = 0; k < n / order; ++k) {
      if (found) BOOST_TEST(multiplicity(*found, -1. - k, 1e-9) == order);
      BOOST_TEST(multiplicity(*exact, -1. - k, 1e-15) == order);
    }
  }
}

BOOST_AUTO_TEST_CASE(units_do_not_matter) {
  Random random(5);
  const Index n = 60;
  MultiVector E = MultiVector::Identity(n, n), A = MultiVector::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    A(i, i) = -1. - i;
  mix(E, A, random);
  std::uniform_int_distribution<int> exponent(-30, 30);
  for (Index i = 0; i < n; ++i) {
    const double row = std::exp2(exponent(random)), column = std::exp2(exponent(random));
    for (MultiVector* matrix : {&E, &A}) {
      matrix->row(i) *= row;
      matrix->col(i) *= column;
    }
  }
  E *= std::exp2(-40);
  const auto found = precise_spectrum(E, A);
  BOOST_REQUIRE(found);
  for (Index i = 0; i < n; ++i)
    BOOST_TEST(multiplicity(*found, -(1. + i) * std::exp2(40), 1e-14) == 1);
}

BOOST_AUTO_TEST_CASE(a_singular_pencil_has_no_roots) {
  MultiVector E = MultiVector::Identity(50, 50), A = E;
  E.row(7).setZero();
  A.row(7).setZero();
  const auto found = precise_spectrum(E, A);
  BOOST_REQUIRE(found);
  BOOST_TEST(!found->is_regular);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace halfdof::test
