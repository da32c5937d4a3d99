// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_factorization.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>

#include <boost/test/unit_test.hpp>

#include "systems.h"
#include <limits>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(dense_solves)

BOOST_AUTO_TEST_CASE(systems_of_any_shape_and_rank_are_solved_by_the_smallest_of_the_best) {
  RandomNumbers random(1);
  for (const auto& [m, n, rank] :
       {std::array<Index, 3>{5, 5, 5}, {6, 4, 2}, {3, 7, 3}, {4, 4, 1}, {4, 3, 0}, {0, 0, 0}}) {
    BOOST_TEST_CONTEXT(m << ' ' << n << ' ' << rank) {
      const MultiVector A = random.matrix(m, rank) * random.matrix(rank, n), B = random.matrix(m, 2);
      const LeastSquares system(A);
      BOOST_TEST(system.rank() == rank);
      const MultiVector X = system.solve(B), kernel = system.kernel(), left_kernel = system.left_kernel();
      BOOST_TEST((A.transpose() * (A * X - B)).norm() < 1e-12);
      BOOST_TEST((kernel.transpose() * X).norm() < 1e-12);
      BOOST_TEST(kernel.cols() == n - rank);
      BOOST_TEST((A * kernel).norm() < 1e-13);
      BOOST_TEST(left_kernel.cols() == m - rank);
      BOOST_TEST((A.transpose() * left_kernel).norm() < 1e-13);
      BOOST_TEST(independent_columns(A, 1e-12).size() == static_cast<std::size_t>(rank));
    }
  }
  BOOST_TEST(LeastSquares(Vector(Vector::LinSpaced(3, 1, 3)).asDiagonal().toDenseMatrix(), 0.5).rank() == 2);
}

BOOST_AUTO_TEST_CASE(regular_matrices_are_told_from_singular_ones) {
  RandomNumbers random(2);
  const MultiVector A = random.matrix(4, 4), B = random.matrix(4, 3), I = MultiVector::Identity(4, 4);
  BOOST_TEST((A * solve_dense(A, B) - B).norm() < 1e-12);
  BOOST_TEST((A * inverse_of(A).value() - I).norm() < 1e-12);
  const MultiVector singular = random.matrix(4, 3) * random.matrix(3, 4);
  BOOST_TEST(!inverse_of(singular));
  BOOST_TEST(!inverse_of(MultiVector::Zero(2, 2)));
  BOOST_CHECK_THROW(solve_dense(MultiVector::Zero(2, 2), MultiVector::Ones(2, 1)), SingularMatrix);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_CHECK_THROW(solve_dense(MultiVector::Constant(2, 2, nan), MultiVector::Ones(2, 1)), InvalidInput);
  BOOST_TEST(solve_dense(MultiVector(0, 0), MultiVector(0, 2)).cols() == 2);
  BOOST_TEST(inverse_of(MultiVector(0, 0)).value().size() == 0);

  BOOST_TEST(reciprocal_condition_of_definite(Vector(Vector::LinSpaced(3, 1, 4)).asDiagonal()) == 0.25);
  BOOST_TEST(reciprocal_condition_of_definite(-I) == 0);
}

BOOST_AUTO_TEST_CASE(bases_and_independent_columns_span_the_range) {
  MultiVector A = RandomNumbers(3).matrix(5, 3);
  const MultiVector Q = orthonormal_range(A);
  BOOST_TEST((Q.transpose() * Q - MultiVector::Identity(3, 3)).norm() < 1e-14);
  BOOST_TEST((A - Q * (Q.transpose() * A)).norm() < 1e-14);
  A.col(0) = 100 * A.col(1);
  const std::vector<Index> independent = independent_columns(A, 1e-12);
  BOOST_REQUIRE(independent.size() == 2u);
  BOOST_TEST(independent[0] == 0);
  BOOST_TEST(independent[1] == 2);
}

BOOST_AUTO_TEST_CASE(definite_systems_are_factorized_and_solved_in_place) {
  RandomNumbers random(5);
  MultiVector workspace = random.matrix(20, 20);  // what stands beside a block is not read
  for (const Index n : {0, 1, 3, 8, 9, 20}) {
    const MultiVector B = random.matrix(n, n), A = B * B.transpose() + MultiVector::Identity(n, n);
    const Vector b = random.matrix(n, 1);
    workspace.topLeftCorner(n, n).triangularView<Eigen::Lower>() = A;
    BOOST_TEST(cholesky_in_place(workspace, n));
    Vector x = b;
    cholesky_solve_in_place(workspace, x);
    BOOST_TEST((A * x - b).norm() <= 1e-13 * A.norm() * b.norm());
  }
  workspace(0, 0) = -1;
  BOOST_TEST(!cholesky_in_place(workspace, 1));
}

BOOST_AUTO_TEST_SUITE_END()
