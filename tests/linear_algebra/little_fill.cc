// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/eigen/engine.h>

#include <boost/test/unit_test.hpp>

#include "linear_algebra/matrices.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// A tree whose node i hangs on node i / 3, by springs of different sizes, node 0 and every tenth also held.
EigenMatrix tree(Index n) {
  EigenMatrix::Storage A(n, n);
  for (Index i = 0; i < n; ++i) {
    const double held = i % 10 == 0 ? 0.3 : 0.;
    A.coeffRef(i, i) += held;
    if (i == 0) continue;
    const double spring = 1 + 0.5 * std::sin(i);
    A.coeffRef(i, i) += spring;
    A.coeffRef(i / 3, i / 3) += spring;
    A.coeffRef(i, i / 3) = A.coeffRef(i / 3, i) = -spring;
  }
  return EigenMatrix(std::move(A));
}

/// Both solves and their halves of a definite A, n > 0.
void check_solves(const EigenMatrix& A) {
  const MultiVector dense = EigenEngine::to_dense(A);
  const auto n = static_cast<Index>(dense.rows());
  const auto factors = EigenEngine::factorize(A);
  BOOST_TEST((factors->report().solver == Solver::cholmod));
  for (const Index n_columns : {1, 3}) {
    const MultiVector b = random_vectors(n, n_columns, 7), h = random_vectors(n, 2, 8);
    BOOST_TEST(backward_error(dense, factors->solve(b), b) < 1e-14);
    BOOST_TEST(backward_error(dense, factors->solve_transposed(b), b) < 1e-14);
    const MultiVector z = factors->forward(b), g = factors->transposed_backward(h);
    BOOST_TEST(backward_error(dense, factors->backward(z), b) < 1e-14);
    BOOST_TEST((g.transpose() * z - h.transpose() * factors->solve(b)).norm() < 1e-12 * g.norm() * z.norm());
  }
  BOOST_TEST(factors->solve(MultiVector(n, 0)).cols() == 0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(little_fill)

BOOST_AUTO_TEST_CASE(trees_are_solved_to_the_last_digits_in_any_units) {
  for (const Index n : {2, 3, 10, 200}) {
    const EigenMatrix A = tree(n);
    check_solves(A);
    const Vector units = (30 * random_vectors(n, 1, 2).array()).exp();
    check_solves(EigenEngine::scaled(A, units, units));
    check_solves(EigenEngine::scaled(A, Vector::Constant(n, -1e-12), Vector::Ones(n)));
  }
}

BOOST_AUTO_TEST_CASE(columns_of_a_larger_block_are_solved_for) {
  const EigenMatrix A = tree(50);
  const auto factors = EigenEngine::factorize(A);
  const MultiVector b = random_vectors(80, 4, 3);
  BOOST_TEST(equal(factors->solve(b.middleRows(7, 50)), factors->solve(MultiVector(b.middleRows(7, 50)))));
}

BOOST_AUTO_TEST_SUITE_END()
