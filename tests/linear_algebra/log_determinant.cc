// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/linear_algebra/log_determinant.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <boost/test/unit_test.hpp>

#include "linear_algebra/matrices.h"
#include <cmath>
#include <complex>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

FactorizationOptions named(Solver solver) {
  FactorizationOptions options;
  options.solver = solver;
  return options;
}

/// Of a dense matrix by elimination with extended precision.
template <class Scalar>
LogDeterminant<Scalar> expected(const DenseMatrix<Scalar>& A) {
  using Long = std::conditional_t<std::is_same_v<Scalar, double>, long double, std::complex<long double>>;
  using LongMatrix = Eigen::Matrix<Long, Eigen::Dynamic, Eigen::Dynamic>;
  const Eigen::PartialPivLU<LongMatrix> factors(A.template cast<Long>());
  Long phase = static_cast<Long>(static_cast<double>(factors.permutationP().determinant()));
  long double log_modulus = 0;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const Long pivot = factors.matrixLU()(i, i);
    log_modulus += std::log(std::abs(pivot));
    phase *= pivot / std::abs(pivot);
  }
  return {static_cast<double>(log_modulus), static_cast<Scalar>(phase)};
}

/// A sum of n logarithms, each with the rounding of a pivot, whose errors are relative to the condition.
template <class Scalar>
void check(const LogDeterminant<Scalar>& found, const DenseMatrix<Scalar>& A) {
  const LogDeterminant<Scalar> right = expected(A);
  BOOST_TEST(std::abs(found.log_modulus - right.log_modulus) <
             1e-10 * std::max(1., std::abs(right.log_modulus)));
  BOOST_TEST(std::abs(found.phase - right.phase) < 1e-10);
}

MatrixInertia expected_inertia(const MultiVector& A) {
  return inertia_of(Eigen::SelfAdjointEigenSolver<MultiVector>(A).eigenvalues());
}

MultiVector block_diagonal(const MultiVector& block, Index n_blocks) {
  const Eigen::Index n = block.rows();
  MultiVector A = MultiVector::Zero(n * n_blocks, n * n_blocks);
  for (Index b = 0; b < n_blocks; ++b)
    A.block(b * n, b * n, n, n) = block;
  return A;
}

MultiVector dense(const EigenMatrix& A) {
  return EigenEngine::to_dense(A);
}

/// A definite matrix without its last rows, minus one, and what couples them.
MultiVector quasi_definite(Index n, unsigned seed) {
  MultiVector A = random_definite(n, seed);
  const Index n_negative = 2 + static_cast<Index>(seed) % (n - 3);
  A.bottomRightCorner(n_negative, n_negative) *= -1;
  return A;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(log_determinants)

BOOST_AUTO_TEST_CASE(every_solver_tells_the_determinant_of_unsymmetric_matrices) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Index n = 5 + static_cast<Index>(seed) * 7;
    const MultiVector A = random_sparse(n, 3, seed);
    for (const Solver solver : {Solver::automatic, Solver::umfpack, Solver::klu}) {
      const auto factorization = EigenEngine::factorize(sparse(A), named(solver));
      check(factorization->log_determinant(), A);
      BOOST_TEST(!factorization->inertia().has_value());
    }
  }
}

BOOST_AUTO_TEST_CASE(every_solver_tells_the_determinant_and_inertia_of_definite_matrices) {
  for (unsigned seed = 0; seed < 10; ++seed)
    for (const double sign : {1., -1.}) {
      const Index n = 5 + static_cast<Index>(seed) * 7;
      const MultiVector A = sign * random_definite(n, seed);
      for (const Solver solver :
           {Solver::automatic, Solver::cholmod, Solver::ldlt, Solver::umfpack, Solver::klu})
        check(EigenEngine::factorize(sparse(A), named(solver))->log_determinant(), A);
      const auto inertia = EigenEngine::factorize(sparse(A))->inertia();
      BOOST_REQUIRE(inertia.has_value());
      BOOST_TEST(inertia->n_positive == (sign > 0 ? n : 0));
      BOOST_TEST(inertia->n_negative == (sign > 0 ? 0 : n));
    }
}

BOOST_AUTO_TEST_CASE(quasi_definite_matrices_have_the_inertia_of_their_blocks) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const MultiVector A = quasi_definite(6 + static_cast<Index>(seed) * 3, seed);
    const auto factorization = EigenEngine::factorize(sparse(A));
    check(factorization->log_determinant(), A);
    if (const auto inertia = factorization->inertia()) {
      BOOST_TEST(inertia->n_positive == expected_inertia(A).n_positive);
      BOOST_TEST(inertia->n_negative == expected_inertia(A).n_negative);
    }
  }
}

// The Laplacian of a grid less a number: eigenvalues in closed form, dense blocks of the factors, and few
// entries in those of a line.
BOOST_AUTO_TEST_CASE(the_inertia_of_a_grid_is_that_of_its_closed_form) {
  const auto eigenvalue = [](Index k, Index n) { return 2 - 2 * std::cos(k * M_PI / (n + 1)); };
  for (const auto& [n_x, n_y] : {std::pair<Index, Index>(300, 1), {20, 37}})
    for (const double shift : {0.05, 0.3, 1.}) {
      EigenMatrix::Storage entries = laplacian(n_x, n_y, 1).entries();
      entries.diagonal().array() -= shift;
      const EigenMatrix A(entries);
      GlobalIndex n_negative = 0;
      for (Index i = 1; i <= n_x; ++i)
        for (Index j = 1; j <= n_y; ++j)
          n_negative += eigenvalue(i, n_x) + eigenvalue(j, n_y) < shift;
      const auto factorization = EigenEngine::factorize(A);
      check(factorization->log_determinant(), dense(A));
      BOOST_REQUIRE(factorization->inertia().has_value());
      BOOST_TEST(factorization->inertia()->n_negative == n_negative);
    }
}

BOOST_AUTO_TEST_CASE(determinants_of_diagonal_matrices_and_equal_blocks) {
  const Vector d{{2., -3., 1e200, -1e200, -1e150}};
  const MultiVector A = d.asDiagonal();
  const auto factorization = EigenEngine::factorize(sparse(A));
  check(factorization->log_determinant(), A);
  BOOST_TEST(factorization->inertia()->n_negative == 3);
  for (const Index n_blocks : {3, 4}) {
    const MultiVector blocks = block_diagonal(-random_definite(7, 3), n_blocks);
    const auto equal = EigenEngine::factorize(sparse(blocks));
    check(equal->log_determinant(), blocks);
    BOOST_TEST(equal->inertia()->n_negative == 7 * n_blocks);
  }
  const EigenMatrix none = sparse(MultiVector(0, 0));
  BOOST_TEST(EigenEngine::factorize(none)->log_determinant().log_modulus == 0);
}

// Rows and columns of very different scales, which equilibration divides by powers of two.
BOOST_AUTO_TEST_CASE(determinants_know_of_equilibration) {
  const Index n = 40;
  MultiVector A = random_sparse(n, 3, 7);
  Vector scales(n);
  for (Index i = 0; i < n; ++i)
    scales[i] = std::exp2(i % 7 * 9 - 30);
  const MultiVector scaled = scales.asDiagonal() * A;
  for (const Solver solver : {Solver::automatic, Solver::umfpack, Solver::klu})
    check(EigenEngine::factorize(sparse(scaled), named(solver))->log_determinant(), scaled);
}

BOOST_AUTO_TEST_CASE(complex_pencils_have_the_determinant_of_their_sum) {
  const Complex a(0.3, 2), b(1, -0.5), c(0.7, 0.2);
  for (unsigned seed = 0; seed < 12; ++seed)
    for (const bool symmetric : {false, true}) {
      const Index n = 8 + 6 * static_cast<Index>(seed);
      const auto matrix = [&](unsigned number) {
        return symmetric ? random_definite(n, seed + number) : random_sparse(n, 3, seed + number);
      };
      const MultiVector M = matrix(1), C = matrix(2), K = matrix(3);
      for (const Solver solver : {Solver::automatic, Solver::umfpack, Solver::klu}) {
        const EigenPencil pencil(sparse(M), sparse(C), sparse(K), named(solver));
        check<Complex>(pencil.factorize(a, b, c)->log_determinant(), a * M + b * C + c * K);
      }
    }
}

// Large enough for dense blocks of a complex symmetric factor.
BOOST_AUTO_TEST_CASE(complex_symmetric_factors_of_a_grid_have_its_determinant) {
  constexpr Index n = 512;
  const EigenMatrix K = laplacian(8, 8, 8);
  EigenMatrix::Storage identity(n, n), nothing(n, n);
  identity.setIdentity();
  const EigenPencil pencil(EigenMatrix(std::move(identity)), EigenMatrix(std::move(nothing)), K);
  const Complex lambda(-0.1, 0.6);
  const auto factorization = pencil.factorize(lambda * lambda, lambda, 1.);
  BOOST_TEST(name_of(factorization->report().solver) == "ldlt");
  const ComplexMultiVector P =
      dense(K).cast<Complex>() + lambda * lambda * ComplexMultiVector::Identity(n, n);
  check<Complex>(factorization->log_determinant(), P);
}

BOOST_AUTO_TEST_SUITE_END()
