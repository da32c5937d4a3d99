// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/krylov/invariant_subspace.h>
#include <halfdof/linear_algebra/search_progress.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <boost/test/unit_test.hpp>

#include "linear_algebra/matrices.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

template <class Scalar>
BlockOperator<Scalar> times(const DenseMatrix<Scalar>& A) {
  return [&A](ConstView<Scalar> X) -> DenseMatrix<Scalar> { return A * X; };
}

template <class Vector>
auto times_diagonal(const Vector& values) {
  using Scalar = typename Vector::Scalar;
  return BlockOperator<Scalar>(
      [values](ConstView<Scalar> X) -> DenseMatrix<Scalar> { return values.asDiagonal() * X; });
}

SubspaceOptions sought(Index n_eigenvalues) {
  SubspaceOptions options;
  options.n_eigenvalues = n_eigenvalues;
  return options;
}

/// Q, after A Q = Q T was checked.
template <class Scalar>
DenseMatrix<Scalar> subspace(const DenseMatrix<Scalar>& A, const SubspaceOptions& options) {
  const InvariantSubspace<Scalar> found =
      dominant_subspace(times(A), Partition(static_cast<Index>(A.rows())), options);
  BOOST_TEST((A * found.Q - found.Q * found.T).norm() <= 1e-9 * A.norm());
  return found.Q;
}

MultiVector subspace(const MultiVector& A, Index n_eigenvalues) {
  return subspace(A, sought(n_eigenvalues));
}

std::vector<double> magnitudes(const ComplexVector& eigenvalues) {
  std::vector<double> sorted;
  for (const Complex eigenvalue : eigenvalues)
    sorted.push_back(std::abs(eigenvalue));
  std::sort(sorted.rbegin(), sorted.rend());
  return sorted;
}

/// Orthonormal, invariant to 1e-9 (the tolerance of the iteration is 1e-12, relative to each eigenvalue,
/// times the condition of the eigenvectors), and to the largest of all eigenvalues of A.
void check_dominant(const MultiVector& A, const MultiVector& Q, const ComplexVector& eigenvalues) {
  const Eigen::Index m = Q.cols();
  BOOST_TEST((Q.transpose() * Q - MultiVector::Identity(m, m)).norm() < 1e-12);
  const MultiVector T = Q.transpose() * A * Q;
  BOOST_TEST((A * Q - Q * T).norm() < 1e-9 * A.norm());
  const std::vector<double> all = magnitudes(eigenvalues), found = magnitudes(T.eigenvalues());
  for (std::size_t k = 0; k < found.size(); ++k)
    BOOST_TEST(std::abs(found[k] - all[k]) < 1e-8 * all[0]);
}

void check_dominant(const MultiVector& A, const MultiVector& Q) {
  check_dominant(A, Q, A.eigenvalues());
}

/// X diag(blocks) X^{-1} with the given real eigenvalues first, then complex pairs a +- b i.
MultiVector with_spectrum(const std::vector<double>& real, const std::vector<Complex>& pairs, unsigned seed) {
  const auto n = static_cast<Index>(real.size() + 2 * pairs.size());
  MultiVector B = MultiVector::Zero(n, n);
  Index i = 0;
  for (const double value : real)
    B(i, i) = value, ++i;
  for (const Complex value : pairs) {
    B.block<2, 2>(i, i) << value.real(), value.imag(), -value.imag(), value.real();
    i += 2;
  }
  const MultiVector X = random_vectors(n, n, seed) + 5 * MultiVector::Identity(n, n);
  return X * B * X.inverse();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(invariant_subspace)

BOOST_AUTO_TEST_CASE(the_subspace_of_a_small_operator_is_computed_densely) {
  for (const Index n : {1, 2, 3, 10, 40}) {
    const MultiVector A = random_vectors(n, n, static_cast<unsigned>(n));
    for (const Index n_eigenvalues : {1, 2, 3})
      check_dominant(A, subspace(A, n_eigenvalues));
  }
}

BOOST_AUTO_TEST_CASE(the_subspace_of_a_large_operator_is_found_by_iteration) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    std::vector<double> real;
    std::vector<Complex> pairs;
    for (int k = 0; k < 50; ++k) {
      real.push_back((k % 2 ? -1 : 1) * 10. / (1 + k));
      pairs.push_back(9.5 / (1 + k) * std::polar(1., 0.3 + k));
    }
    const MultiVector A = with_spectrum(real, pairs, seed);
    const ComplexVector eigenvalues = A.eigenvalues();
    for (const Index n_eigenvalues : {1, 5, 6, 12})
      check_dominant(A, subspace(A, n_eigenvalues), eigenvalues);
  }
}

BOOST_AUTO_TEST_CASE(a_complex_pair_is_never_cut) {
  std::vector<Complex> pairs;
  for (int k = 0; k < 30; ++k)
    pairs.push_back(std::pow(0.7, k) * std::polar(1., 1.));
  const MultiVector A = with_spectrum({}, pairs, 1);
  BOOST_TEST(subspace(A, 5).cols() == 6);
  BOOST_TEST(subspace(A, 6).cols() == 6);
  BOOST_TEST(subspace(A.topLeftCorner(2, 2), 1).cols() <= 2);
}

BOOST_AUTO_TEST_CASE(multiple_eigenvalues_are_found_with_all_their_copies) {
  std::vector<double> real = {4, 4, 4, 3, 3, 2, 2, 2};
  for (int k = 0; k < 80; ++k)
    real.push_back(1. / (1 + k));
  const MultiVector A = with_spectrum(real, {{2.5, 1.}, {2.5, 1.}}, 4);
  const MultiVector Q = subspace(A, 12);
  BOOST_TEST(Q.cols() == 12);
  check_dominant(A, Q);
}

// Of a block of p start vectors, the Krylov space holds p copies.
BOOST_AUTO_TEST_CASE(more_copies_of_an_eigenvalue_than_the_block_has_columns_are_found) {
  Vector values = Vector::LinSpaced(300, 2., 1.).array().pow(3);
  values.tail(23).setConstant(10);
  values.head(14).setConstant(-9);
  SubspaceOptions narrow = sought(30);
  narrow.n_basis = 34;
  narrow.max_restarts = 1000;
  for (const SubspaceOptions& options : {sought(40), narrow})
    check_dominant(values.asDiagonal(), dominant_subspace(times_diagonal(values), Partition(300), options).Q,
                   values);
}

// A real block of p columns holds p copies of both partners of a pair.
BOOST_AUTO_TEST_CASE(more_copies_of_a_complex_pair_than_the_block_has_columns_are_found) {
  std::vector<double> real;
  for (int k = 0; k < 150; ++k)
    real.push_back(2. / (1 + k));
  for (const int n_copies : {2, 3, 4, 5, 9}) {
    const std::vector<Complex> pairs(static_cast<std::size_t>(n_copies), Complex(2.5, 1.));
    const MultiVector A = with_spectrum(real, pairs, 4);
    const MultiVector Q = subspace(A, 2 * n_copies + 3);
    BOOST_TEST(Q.cols() == 2 * n_copies + 3);
    check_dominant(A, Q);
  }
}

// Three equal chains, as seen from a shift far away: a third copy is but a little larger than what may take
// its place.
BOOST_AUTO_TEST_CASE(copies_are_found_where_all_magnitudes_are_close) {
  for (const Index n_frequencies : {10, 20, 40}) {
    ComplexVector values(6 * n_frequencies);
    for (Index k = 0; k < n_frequencies; ++k)
      for (Index copy = 0; copy < 3; ++copy)
        for (const double sign : {1., -1.}) {
          const Complex lambda(-0.01 * k, sign * 18 * std::sin(1.5 * (k + 1) / n_frequencies));
          values[6 * k + 2 * copy + (sign > 0)] = 1. / (Complex(-5, 300) - lambda);
        }
    std::vector<double> all(static_cast<std::size_t>(values.size()));
    std::transform(values.begin(), values.end(), all.begin(), [](Complex value) { return std::abs(value); });
    std::sort(all.rbegin(), all.rend());
    const BlockOperator<Complex> A = times_diagonal(values);
    for (const Index n : {4, 5, 7}) {
      const InvariantSubspace<Complex> found =
          dominant_subspace(A, Partition(static_cast<Index>(values.size())), sought(n));
      BOOST_TEST((A(found.Q) - found.Q * found.T).norm() < 1e-9 * values.norm());
      std::vector<double> magnitudes_found;
      for (const Complex value : found.T.diagonal())
        magnitudes_found.push_back(std::abs(value));
      std::sort(magnitudes_found.rbegin(), magnitudes_found.rend());
      for (std::size_t k = 0; k < magnitudes_found.size(); ++k)
        BOOST_TEST(std::abs(magnitudes_found[k] - all[k]) < 1e-8 * all[0]);
    }
  }
}

// An eigenvalue of 1e-5 beside chains of two to zero, which rounding splits by 1e-8.
BOOST_AUTO_TEST_CASE(small_eigenvalues_of_small_operators_are_freed_of_defective_zeros) {
  MultiVector B = MultiVector::Zero(12, 12);
  B.topLeftCorner(3, 3) << 1, 0, 0, 0, 3e-6, 1e-5, 0, -1e-5, 3e-6;
  for (Index i = 4; i + 1 < 12; i += 2)
    B(i, i + 1) = 10;
  const MultiVector X = random_vectors(12, 12, 3) + 3 * MultiVector::Identity(12, 12),
                    A = X * B * X.inverse();
  SubspaceOptions options = sought(3);
  options.n_start_steps = 2;
  const InvariantSubspace<double> found = dominant_subspace(times(A), Partition(12), options);
  BOOST_REQUIRE(found.T.rows() == 3);
  for (const Complex value : ComplexVector(found.T.eigenvalues()))
    BOOST_TEST(std::min(std::abs(value - 1.), std::abs(std::abs(value) - std::hypot(3e-6, 1e-5)) / 1e-5) <
               1e-7);
}

BOOST_AUTO_TEST_CASE(an_identity_has_any_subspace) {
  const MultiVector A = MultiVector::Identity(120, 120);
  BOOST_TEST(subspace(A, 30).cols() == 30);
  check_dominant(A, subspace(A, 30));
}

BOOST_AUTO_TEST_CASE(what_the_start_steps_take_out_is_sought_no_less) {
  // Ten chains to the eigenvalue zero, a thousand times larger than the rest.
  MultiVector A = MultiVector::Zero(150, 150);
  A.diagonal().head(130) = Vector::LinSpaced(130, 1., 3.);
  for (Index i = 130; i < 150; i += 2)
    A(i, i + 1) = 1e3;
  SubspaceOptions options = sought(7);
  options.n_start_steps = 2;
  check_dominant(A, subspace(A, options));
}

BOOST_AUTO_TEST_CASE(complex_operators_give_their_largest_eigenvalues) {
  const Index n = 120;
  ComplexMultiVector B = ComplexMultiVector::Zero(n, n);
  for (Index k = 0; k < n; ++k)
    B(k, k) = std::polar(5. / (1 + k), 1. * k);
  B(1, 1) = B(2, 2) = B(3, 3) = Complex(0, 4);
  B(2, 3) = 1;
  ComplexMultiVector X(n, n);
  X << random_vectors(n, n, 1) + Complex(0, 1) * random_vectors(n, n, 2);
  X += 8 * ComplexMultiVector::Identity(n, n);
  const ComplexMultiVector A = X * B * X.inverse();
  const InvariantSubspace<Complex> found = dominant_subspace(times(A), Partition(n), sought(6));
  BOOST_TEST(found.Q.cols() == 6);
  BOOST_TEST((found.Q.adjoint() * found.Q - ComplexMultiVector::Identity(6, 6)).norm() < 1e-12);
  BOOST_TEST((A * found.Q - found.Q * found.T).norm() < 1e-9 * A.norm());
  BOOST_TEST(std::abs(found.T.trace() - B.diagonal().segment(1, 3).sum() - B(0, 0) -
                      B.diagonal().segment(4, 2).sum()) < 1e-8);
}

BOOST_AUTO_TEST_CASE(defective_eigenvalues_keep_an_invariant_subspace) {
  MultiVector A = MultiVector::Zero(60, 60);
  A.diagonal().setLinSpaced(60, 0., 1.);
  A.topLeftCorner(3, 3) << 2, 1, 0, 0, 2, 1, 0, 0, 2;
  const MultiVector X = random_vectors(60, 60, 1) + 5 * MultiVector::Identity(60, 60);
  const MultiVector B = X * A * X.inverse();
  const MultiVector Q = subspace(B, 3);
  BOOST_TEST(Q.cols() == 3);
  BOOST_TEST((B * Q - Q * (Q.transpose() * B * Q)).norm() < 1e-9 * B.norm());
  BOOST_TEST(std::abs((Q.transpose() * B * Q).trace() - 6.) < 1e-8);
}

BOOST_AUTO_TEST_CASE(the_scale_of_the_operator_does_not_matter) {
  std::vector<double> real;
  for (int k = 0; k < 60; ++k)
    real.push_back(10. / (1 + k));
  const MultiVector A = with_spectrum(real, {}, 1);
  for (const double scale : {1e-30, 1e30})
    check_dominant(scale * A, subspace(scale * A, 4));
}

BOOST_AUTO_TEST_CASE(operators_of_low_rank_and_zero_give_some_orthonormal_basis) {
  const MultiVector u = random_vectors(80, 3, 1);
  const MultiVector A = u * random_vectors(80, 3, 2).transpose();
  check_dominant(A, subspace(A, 6));
  BOOST_TEST(subspace(MultiVector::Zero(80, 80), 4).cols() == 4);
  BOOST_TEST(subspace(MultiVector::Zero(5, 5), 4).cols() == 4);
  BOOST_TEST(subspace(MultiVector(0, 0), 4).size() == 0);
  BOOST_TEST(subspace(MultiVector::Identity(5, 5), 0).cols() == 0);
  BOOST_TEST(subspace(MultiVector::Identity(3, 3), 6).cols() == 3);
}

BOOST_AUTO_TEST_CASE(the_same_call_gives_the_same_basis) {
  const MultiVector A = random_vectors(100, 100, 5);
  BOOST_TEST((subspace(A, 6) - subspace(A, 6)).norm() == 0.);
}

BOOST_AUTO_TEST_CASE(too_few_restarts_throw_with_the_residual) {
  const MultiVector A = random_vectors(200, 200, 6);
  SubspaceOptions options = sought(6);
  options.max_restarts = 1;
  try {
    subspace(A, options);
    BOOST_ERROR("no exception");
  } catch (const NoConvergence& error) {
    BOOST_TEST(error.residual() > 1e-12);
    BOOST_TEST(error.residual() < 10.);
  }
}

// Magnitudes that hardly differ: an edge of a band, in the order of 1e-7.
BOOST_AUTO_TEST_CASE(an_iteration_that_stalls_ends_early_and_tells_what_it_has_found) {
  const Index n = 3000;
  const Vector values = 1 + 1e-7 * Vector::LinSpaced(n, 0, n - 1).array().square();
  SubspaceOptions options = sought(10);
  options.max_restarts = 100;
  Index n_columns = 0;
  const BlockOperator<double> A = [&](ConstView<double> X) -> MultiVector {
    n_columns += static_cast<Index>(X.cols());
    return values.cwiseInverse().asDiagonal() * X;
  };
  try {
    dominant_subspace(A, Partition(n), options);
    BOOST_ERROR("no exception");
  } catch (const StalledIteration& error) {
    BOOST_TEST(error.values().size() == 10);
    BOOST_TEST(error.residuals().maxCoeff() == error.residual());
    BOOST_TEST(error.n_converged() == (error.residuals().array() <= options.tolerance).count());
    BOOST_TEST((error.values().array() - 1.).abs().maxCoeff() < 1e-2);
    // Half of what all restarts would take.
    BOOST_TEST(n_columns < 100 * 20 / 2);
  }
}

BOOST_AUTO_TEST_CASE(the_end_of_the_second_search_is_told) {
  Vector values = Vector::LinSpaced(400, 1, 0).array().exp();
  values.head(20).setConstant(5);
  const InvariantSubspace<double> apart =
      dominant_subspace(times_diagonal(values), Partition(400), sought(20));
  BOOST_TEST(apart.is_complete);
  BOOST_TEST((apart.T.eigenvalues().array() - 5.).abs().maxCoeff() < 1e-9);
}

BOOST_AUTO_TEST_CASE(searches_show_their_progress_to_an_observer) {
  std::vector<SearchProgress> shown;
  const Vector values = Vector::LinSpaced(300, 1, 300).cwiseInverse();
  {
    const ScopedSearchObserver observed([&](const SearchProgress& progress) { shown.push_back(progress); });
    dominant_subspace(times_diagonal(values), Partition(300), sought(8));
  }
  BOOST_REQUIRE(shown.size() > 1u);
  for (const SearchProgress& progress : shown) {
    BOOST_TEST(progress.n_wanted == 8);
    BOOST_TEST(progress.n_converged <= 8);
    BOOST_TEST((progress.done >= 0 && progress.done <= 1));
  }
  BOOST_TEST(shown.back().done == 1);
  BOOST_TEST(shown.back().n_converged == 8);
  const std::size_t n_shown = shown.size();
  dominant_subspace(times_diagonal(values), Partition(300), sought(8));
  BOOST_TEST(shown.size() == n_shown);
}

BOOST_AUTO_TEST_CASE(impossible_requests_are_refused) {
  const MultiVector A = random_vectors(60, 60, 7);
  SubspaceOptions options = sought(10);
  options.n_basis = 11;
  BOOST_CHECK_THROW(subspace(A, options), InvalidInput);
  BOOST_CHECK_THROW(subspace(A, -1), InvalidInput);
  const MultiVector broken = MultiVector::Constant(60, 60, std::numeric_limits<double>::quiet_NaN());
  BOOST_CHECK_THROW(subspace(broken, 2), InvalidInput);
  BOOST_CHECK_THROW(subspace(broken.topLeftCorner(4, 4), 2), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
