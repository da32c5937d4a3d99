// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/block_diagonal.h>

#include <boost/test/unit_test.hpp>

#include "systems.h"
#include <algorithm>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(block_diagonal)

BOOST_AUTO_TEST_CASE(matrices_are_taken_apart_into_small_blocks) {
  RandomNumbers random(4);
  // Two distinct real eigenvalues, a pair, a defective one, and a cluster.
  MultiVector D = MultiVector::Zero(9, 9);
  D.diagonal() << -1, -3, -2, -2, -5, -5, -5, -7, -7 - 1e-9;
  D(2, 3) = 4;
  D(3, 2) = -4;
  D(4, 5) = D(5, 6) = D(7, 8) = 1;
  const MultiVector X = random.matrix(9, 9), T = X * D * X.inverse();
  const BlockDiagonalForm form = block_diagonal_form(T);
  MultiVector J = MultiVector::Zero(9, 9);
  std::vector<Eigen::Index> sizes;
  Eigen::Index first = 0;
  for (const MultiVector& block : form.J) {
    J.block(first, first, block.rows(), block.cols()) = block;
    first += block.rows();
    sizes.push_back(block.rows());
  }
  std::sort(sizes.begin(), sizes.end());
  BOOST_TEST((sizes == std::vector<Eigen::Index>{1, 1, 2, 2, 3}));
  BOOST_TEST((form.Z * J * form.Z_inverse - T).norm() < 1e-9 * T.norm());
  BOOST_TEST((form.Z * form.Z_inverse - MultiVector::Identity(9, 9)).norm() < 1e-9);
  BOOST_TEST(block_diagonal_form(MultiVector(0, 0)).J.empty());
}

BOOST_AUTO_TEST_SUITE_END()
