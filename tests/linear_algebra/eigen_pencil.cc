// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <Eigen/LU>
#include <boost/test/unit_test.hpp>

#include "linear_algebra/matrices.h"
#include <limits>
#include <string>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// Sparse, unsymmetric, with different patterns; M and C have null columns, so that only K makes them
/// regular.
struct Matrices {
  MultiVector M, C, K;
};

Matrices unsymmetric(Index n, unsigned seed) {
  Matrices matrices{random_sparse(n, 2, seed), random_sparse(n, 2, seed + 1), random_sparse(n, 2, seed + 2)};
  matrices.M.rightCols(n / 2).setZero();
  matrices.C.rightCols(n / 4).setZero();
  return matrices;
}

Matrices definite(Index n, unsigned seed) {
  Matrices matrices{random_definite(n, seed), random_definite(n, seed + 1), random_definite(n, seed + 2)};
  matrices.M.bottomRows(n / 2).setZero();
  matrices.M.rightCols(n / 2).setZero();
  return matrices;
}

EigenPencil pencil(const Matrices& matrices, const FactorizationOptions& options = {}) {
  return EigenPencil(with_all_stored(matrices.M), sparse(matrices.C), sparse(matrices.K), options);
}

/// Relative residuals of both solves: rounding errors times the growth of the factors, far below 1e-10.
template <class Scalar>
void check(const EigenPencil& tested, const Matrices& matrices, Scalar a, Scalar b, Scalar c) {
  const DenseMatrix<Scalar> P = a * matrices.M + b * matrices.C + c * matrices.K;
  const auto factorization = tested.factorize(a, b, c);
  for (const Index n_columns : {1, 5, 11}) {
    const DenseMatrix<Scalar> f = a * random_vectors(static_cast<Index>(P.rows()), n_columns, 1);
    const DenseMatrix<Scalar> x = factorization->solve(f);
    const DenseMatrix<Scalar> y = factorization->solve_transposed(f);
    BOOST_TEST((P * x - f).norm() < 1e-11 * (P.norm() * x.norm()));
    BOOST_TEST((P.transpose() * y - f).norm() < 1e-11 * (P.norm() * y.norm()));

    const DenseMatrix<Scalar> z = factorization->forward(f), g = factorization->transposed_backward(f);
    BOOST_TEST((P * factorization->backward(z) - f).norm() < 1e-11 * (P.norm() * x.norm()));
    BOOST_TEST((g.transpose() * z - f.transpose() * x).norm() < 1e-11 * g.norm() * z.norm());
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(eigen_pencil)

BOOST_AUTO_TEST_CASE(one_pencil_serves_many_real_and_complex_factors) {
  const Matrices matrices = unsymmetric(40, 1);
  const EigenPencil tested = pencil(matrices);
  for (const double sigma : {0.5, -3., 1e3}) {
    check<double>(tested, matrices, sigma * sigma, sigma, 1.);
    const Complex shift(sigma, 2.);
    check<Complex>(tested, matrices, shift * shift, shift, 1.);
  }
  BOOST_CHECK(tested.factorize(1., 1., 1.)->report().solver != Solver::cholmod);
}

BOOST_AUTO_TEST_CASE(a_symmetric_definite_pencil_goes_to_cholesky) {
  const Matrices matrices = definite(40, 1);
  const EigenPencil tested = pencil(matrices);
  check<double>(tested, matrices, 4., 2., 1.);
  check<double>(tested, matrices, -4., -2., -1.);
  BOOST_CHECK(tested.factorize(4., 2., 1.)->report().solver == Solver::cholmod);
  BOOST_CHECK(tested.factorize(-4., -2., -1.)->report().solver == Solver::cholmod);
}

BOOST_AUTO_TEST_CASE(complex_symmetric_shifts_are_not_conjugated) {
  const Matrices matrices = definite(30, 4);
  const EigenPencil tested = pencil(matrices);
  check<Complex>(tested, matrices, Complex(-4., 1.), Complex(0., 2.), 1.);
}

BOOST_AUTO_TEST_CASE(a_factorization_outlives_the_pencil_and_its_successors) {
  const Matrices matrices = unsymmetric(25, 7);
  const Matrices symmetric = definite(25, 7);
  FactorizationPtr<double> first, first_symmetric;
  FactorizationPtr<Complex> first_complex;
  {
    const EigenPencil tested = pencil(matrices);
    const EigenPencil tested_symmetric = pencil(symmetric);
    first = tested.factorize(1., 2., 3.);
    first_complex = tested.factorize(Complex(1., 1.), 2., 3.);
    first_symmetric = tested_symmetric.factorize(1., 2., 3.);
    tested.factorize(5., 5., 5.);
    tested_symmetric.factorize(5., 5., 5.);
  }
  const Vector f = random_vectors(25, 1, 1);
  const MultiVector P = matrices.M + 2 * matrices.C + 3 * matrices.K;
  const ComplexMultiVector Z = Complex(1., 1.) * matrices.M + 2 * matrices.C + 3 * matrices.K;
  const MultiVector S = symmetric.M + 2 * symmetric.C + 3 * symmetric.K;
  BOOST_TEST((P * first->solve(f) - f).norm() < 1e-11);
  BOOST_TEST((Z * first_complex->solve(f.cast<Complex>()) - f).norm() < 1e-11);
  BOOST_TEST((S * first_symmetric->solve(f) - f).norm() < 1e-11);
}

BOOST_AUTO_TEST_CASE(a_diagonal_pencil_is_divided) {
  Matrices matrices{MultiVector::Identity(4, 4), MultiVector::Zero(4, 4), 3. * MultiVector::Identity(4, 4)};
  const EigenPencil tested = pencil(matrices);
  check<double>(tested, matrices, 2., 1., 1.);
  check<Complex>(tested, matrices, Complex(0., 2.), 1., 1.);
  BOOST_CHECK(tested.factorize(2., 1., 1.)->report().solver == Solver::diagonal);
  BOOST_CHECK_THROW(tested.factorize(-3., 1., 1.), SingularMatrix);
}

BOOST_AUTO_TEST_CASE(a_singular_combination_throws_and_the_next_regular_one_works) {
  MultiVector K(3, 3);
  K << 2, -1, 0, -1, 2, -1, 0, -1, 2;
  Matrices matrices{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), K};
  matrices.M(0, 0) = 1;
  const EigenPencil tested = pencil(matrices);
  BOOST_CHECK_THROW(tested.factorize(1., 0., 0.), SingularMatrix);
  BOOST_CHECK_THROW(tested.factorize(0., 0., 0.), SingularMatrix);
  BOOST_CHECK_THROW(tested.factorize(Complex(0., 1.), 0., 0.), SingularMatrix);
  check<double>(tested, matrices, 1., 0., 1.);
}

BOOST_AUTO_TEST_CASE(pencils_of_size_zero_and_one_work) {
  const MultiVector none(0, 0);
  BOOST_TEST(pencil({none, none, none}).factorize(1., 1., 1.)->solve(MultiVector(0, 2)).cols() == 2);
  const MultiVector one = MultiVector::Ones(1, 1);
  BOOST_TEST(pencil({one, one, one}).factorize(1., 2., 3.)->solve(one)(0, 0) == 1. / 6.);
}

BOOST_AUTO_TEST_CASE(wrong_input_is_refused) {
  const MultiVector A = MultiVector::Identity(3, 3);
  MultiVector broken = A;
  broken(1, 2) = std::numeric_limits<double>::quiet_NaN();
  BOOST_CHECK_THROW(pencil({A, A, MultiVector::Identity(4, 4)}), InvalidInput);
  BOOST_CHECK_THROW(pencil({A, A, MultiVector::Ones(3, 4)}), InvalidInput);
  BOOST_CHECK_THROW(pencil({A, broken, A}), InvalidInput);
  BOOST_CHECK_THROW(pencil({A, A, A}).factorize(std::numeric_limits<double>::infinity(), 1., 1.),
                    InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_named_solver_treats_every_factorization) {
  FactorizationOptions options;
  options.solver = Solver::klu;
  const Matrices matrices = unsymmetric(30, 3);
  const EigenPencil tested = pencil(matrices, options);
  check<double>(tested, matrices, 2., 1., 1.);
  check<Complex>(tested, matrices, Complex(1., 2.), 1., 1.);
  BOOST_CHECK(tested.factorize(Complex(1., 2.), 1., 1.)->report().solver == Solver::klu);
}

BOOST_AUTO_TEST_SUITE_END()
