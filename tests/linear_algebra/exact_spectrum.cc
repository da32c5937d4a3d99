// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/exact/exact_spectrum.h>
#include <halfdof/linear_algebra/exact/precise_vectors.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

namespace halfdof::test {

using namespace internal;

BOOST_AUTO_TEST_SUITE(exact_spectra)

namespace {

MultiVector matrix(Index n, std::initializer_list<double> by_rows) {
  MultiVector A(n, n);
  auto entry = by_rows.begin();
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      A(i, j) = *entry++;
  return A;
}

Index multiplicity(const ExactSpectrum& spectrum, Complex value) {
  for (const ExactRoot& root : spectrum.roots)
    if (std::abs(root.value - value) <= 4e-16 * std::abs(value)) return root.multiplicity;
  return 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(critical_damping_is_one_root_twice) {
  const auto one = MultiVector::Ones(1, 1);
  const auto found = exact_spectrum(one, 2 * one, one);
  BOOST_REQUIRE(found);
  BOOST_TEST(found->n_finite == 2);
  BOOST_TEST(found->roots.size() == 1u);
  BOOST_TEST(multiplicity(*found, -1.) == 2);
}

BOOST_AUTO_TEST_CASE(isotropic_vectors_do_not_make_zeros) {
  const auto found =
      exact_spectrum(matrix(2, {0, 1, 1, 0}), MultiVector::Zero(2, 2), matrix(2, {0, 4, 4, 0}));
  BOOST_REQUIRE(found);
  BOOST_TEST(multiplicity(*found, Complex(0, 2)) == 2);
  BOOST_TEST(multiplicity(*found, Complex(0, -2)) == 2);
}

BOOST_AUTO_TEST_CASE(roots_of_very_different_size_have_all_their_digits) {
  const auto found = exact_spectrum(matrix(1, {std::exp2(-52)}), matrix(1, {4}), matrix(1, {1}));
  BOOST_REQUIRE(found);
  BOOST_TEST(multiplicity(*found, -0.25) == 1);
  BOOST_TEST(multiplicity(*found, -4 * std::exp2(52)) == 1);
}

BOOST_AUTO_TEST_CASE(a_singular_pencil_and_one_without_finite_eigenvalues_are_told_apart) {
  const MultiVector zero = MultiVector::Zero(2, 2);
  const auto singular = exact_spectrum(zero, zero, matrix(2, {1, 1, 1, 1}));
  const auto none = exact_spectrum(zero, zero, matrix(2, {1, 1, 1, 2}));
  BOOST_REQUIRE((singular && none));
  BOOST_TEST(!singular->is_regular);
  BOOST_TEST(none->is_regular);
  BOOST_TEST(none->n_finite == 0);
}

BOOST_AUTO_TEST_CASE(the_number_of_finite_eigenvalues_is_exact_where_rounding_hides_it) {
  // Of the determinants of orders 4 and 5, whose leading coefficients cancel; D has a condition number of
  // 2.5e14 by rounding.
  const auto found = exact_spectrum(
      matrix(5, {3, 3, 3, 6, 0, 0, 0, 0, 0, 0, -2, -2, -2, -4, 0, 0, -1, -1, 0, 1, 0, 0, 0, 0, 0}),
      matrix(5, {-1, 1, -1, -1, 0, 0, 0, 0, 0, 0, 1, -1, 1, 1, 0, 1, -1, 1, 1, 0, 0, 0, 0, 0, 0}),
      matrix(5, {1, 4, -2, 6, 2, 1, 0, 0, 2, 1, 0, -3, 2, -3, -1, 3, -1, 2, 4, 1, 0, 0, 1, 0, 0}));
  BOOST_REQUIRE(found);
  BOOST_TEST(found->n_finite == 1);
  BOOST_TEST(multiplicity(*found, -1.) == 1);
}

BOOST_AUTO_TEST_CASE(units_of_dofs_and_of_time_do_not_matter) {
  MultiVector M = matrix(2, {2, 0, 0, 1}), C = matrix(2, {1, 0, 0, 0}), K = matrix(2, {3, -1, -1, 2});
  const auto before = exact_spectrum(M, C, K);
  const double time = std::exp2(40);
  const Vector units = (Vector(2) << std::exp2(20), std::exp2(-20)).finished();
  for (MultiVector* A : {&M, &C, &K})
    *A = units.asDiagonal() * *A * units.asDiagonal();
  const auto after = exact_spectrum(M * time * time, C * time, K);
  BOOST_REQUIRE((before && after));
  BOOST_TEST(before->n_finite == 4);
  for (const ExactRoot& root : before->roots)
    BOOST_TEST(multiplicity(*after, root.value / time) == root.multiplicity);
}

BOOST_AUTO_TEST_CASE(moduli_of_very_different_size_are_found_at_once) {
  // A chain whose every spring is 2^-8 of the one before.
  const Index n = 40;
  MultiVector K = MultiVector::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    const double k = std::exp2(-8 * i);
    K(i, i) += k;
    if (i == 0) continue;
    K(i - 1, i - 1) += k;
    K(i, i - 1) = K(i - 1, i) = -k;
  }
  const auto found = exact_spectrum(MultiVector::Identity(n, n), MultiVector::Zero(n, n), K, largest_effort);
  BOOST_REQUIRE(found);
  BOOST_TEST(found->roots.size() == 2u * n);
  // The product of the squares is det K, that of the springs.
  double logarithm = 0;
  for (const ExactRoot& root : found->roots) {
    BOOST_TEST(root.value.real() == 0);
    logarithm += std::log2(std::abs(root.value.imag()));
  }
  BOOST_TEST(std::abs(logarithm + 4 * n * (n - 1)) < 1e-10);
}

BOOST_AUTO_TEST_CASE(many_small_integers_are_solved_whole) {
  // Sixty oscillators and twenty half DoFs, mixed by rows and columns that are added to each other.
  const Index n_oscillators = 60, n_relaxing = 20, n = n_oscillators + n_relaxing;
  MultiVector M = MultiVector::Zero(n, n), C = M, K = MultiVector::Identity(n, n);
  for (Index i = 0; i < n; ++i) {
    if (i < n_oscillators) {
      M(i, i) = 1;
      K(i, i) = 1 + i % 3;
    } else
      C(i, i) = 1 + i % 2;
  }
  for (Index i = 0; i < n; ++i) {
    const Index other = (7 * i + 3) % n;
    if (other == i) continue;
    for (MultiVector* A : {&M, &C, &K}) {
      A->row(other) += A->row(i);
      A->col(other) += A->col(i);
    }
  }
  const auto found = exact_spectrum(M, C, K);
  BOOST_REQUIRE(found);
  BOOST_TEST(found->n_finite == 2 * n_oscillators + n_relaxing);
  for (const double square : {1., 2., 3.})
    BOOST_TEST(multiplicity(*found, Complex(0, std::sqrt(square))) == n_oscillators / 3);
  BOOST_TEST(multiplicity(*found, -1.) == n_relaxing / 2);
  BOOST_TEST(multiplicity(*found, -0.5) == n_relaxing / 2);
}

BOOST_AUTO_TEST_CASE(roots_over_many_orders_of_magnitude_and_close_ones_are_all_found) {
  // Uncoupled oscillators: slow ones 1e-9 apart, fast ones far away, of which floating-point numbers know
  // nothing of the slow ones.
  constexpr Index n = 12;
  MultiVector K = MultiVector::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    K(i, i) = std::exp2(i % 3 == 0 ? 60 : 0) * (1 + i * std::exp2(-30));
  const auto found = exact_spectrum(MultiVector::Identity(n, n), MultiVector::Zero(n, n), K);
  BOOST_REQUIRE(found);
  BOOST_TEST(found->roots.size() == 2u * n);
  for (Index i = 0; i < n; ++i)
    BOOST_TEST(multiplicity(*found, Complex(0, std::sqrt(K(i, i)))) == 1, i);
}

BOOST_AUTO_TEST_CASE(left_and_right_vectors_are_those_of_one_elimination) {
  // Unsymmetric, and the first pivot is zero whatever lambda is.
  const MultiVector C = matrix(3, {0, 1, 0, 1, 0, 0, 0, 0, 0}), K = matrix(3, {0, 2, 1, 3, 0, 0, 0, 1, 5}),
                    M = MultiVector::Zero(3, 3);
  const auto found = exact_spectrum(M, C, K);
  BOOST_REQUIRE(found);
  for (const ExactRoot& root : found->roots) {
    const auto [x, y] = precise_vector_pair(M, C, K, root.value);
    const ComplexMultiVector P = root.value * C + K.cast<Complex>();
    BOOST_TEST(x.lpNorm<Eigen::Infinity>() == 1);
    BOOST_TEST(y.lpNorm<Eigen::Infinity>() == 1);
    BOOST_TEST((P * x).norm() <= 1e-14);
    BOOST_TEST((P.transpose() * y).norm() <= 1e-14);
    BOOST_TEST((x - precise_null_vectors(M, C, K, root.value, 1)).norm() == 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace halfdof::test
