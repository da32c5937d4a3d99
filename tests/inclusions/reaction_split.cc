// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/reaction_split.h>

#include <boost/test/unit_test.hpp>

#include "systems.h"
#include <algorithm>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

Vector bounds(const MultiVector& P) {
  return P.diagonal().cwiseAbs();
}

MultiVector matrix(std::initializer_list<double> rows, Index n) {
  MultiVector result(n, n);
  Index k = 0;
  for (const double entry : rows) {
    result(k / n, k % n) = entry;
    ++k;
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(splitting)

BOOST_AUTO_TEST_CASE(what_one_kind_leaves_is_decided_by_the_next) {
  // W_K has the kernel (1, -1, 0) and does not see the third direction.
  ReactionSplitter splitter(3, Symmetry::symmetric);
  const MultiVector W_K = matrix({4, 4, 0, 4, 4, 0, 0, 0, 0}, 3),
                    W_I = matrix({5, 1, 0, 1, 2, 0, 0, 0, 3}, 3);
  splitter.decide(DoFKind::algebraic, W_K, bounds(W_K));
  BOOST_TEST(splitter.reactions().cols() == 2);
  BOOST_TEST((W_K * splitter.reactions()).norm() < 1e-13);
  const MultiVector P = splitter.motions().transpose() * W_I * splitter.reactions();
  splitter.decide(DoFKind::inertial, P, bounds(P));
  BOOST_TEST(splitter.is_finished());
  const ReactionSplit split = splitter.finish();
  BOOST_TEST(split.part(DoFKind::algebraic)->rank == 1);
  BOOST_TEST(split.part(DoFKind::inertial)->rank == 2);
  BOOST_TEST(split.part(DoFKind::viscous) == nullptr);
  BOOST_TEST(split.kinds_of[0].size() == 2u);
  BOOST_TEST(split.kinds_of[2].size() == 1u);
  BOOST_TEST(split.response[1] == 4.);
  BOOST_TEST(split.response[2] == 3.);
  BOOST_TEST(split.dependent.empty());
}

BOOST_AUTO_TEST_CASE(unsymmetric_matrices_have_a_kernel_on_each_side) {
  // W (1, -2) = 0 and (-2, 1) W = 0.
  ReactionSplitter splitter(2, Symmetry::unsymmetric);
  const MultiVector W = matrix({2, 1, 4, 2}, 2);
  splitter.decide(DoFKind::algebraic, W, bounds(W));
  BOOST_REQUIRE(splitter.reactions().cols() == 1);
  BOOST_TEST((W * splitter.reactions()).norm() < 1e-14);
  BOOST_TEST((splitter.motions().transpose() * W).norm() < 1e-14);
}

BOOST_AUTO_TEST_CASE(scales_of_directions_do_not_change_the_rank) {
  const MultiVector R = RandomNumbers(1).matrix(6, 4);
  Vector scales(6);
  scales << 1e-9, 1, 1e6, 1e3, 1e-4, 1e8;
  const MultiVector W = scales.asDiagonal() * R * R.transpose() * scales.asDiagonal();
  BOOST_TEST(scaled_rank(W) == 4);
  ReactionSplitter splitter(6, Symmetry::symmetric);
  splitter.decide(DoFKind::viscous, W, bounds(W));
  const ReactionSplit split = splitter.finish();
  BOOST_TEST(split.part(DoFKind::viscous)->rank == 4);
  BOOST_TEST(split.dependent.size() == 2u);
}

BOOST_AUTO_TEST_CASE(separate_dependencies_come_out_one_by_one) {
  // Two pairs and a loop of three, mixed up; nothing else moves what they leave.
  const MultiVector B = matrix({1, 0, 0, 0,  0,  0,  0,  //
                                0, 1, 0, 0,  0,  0,  0,  //
                                1, 0, 0, 0,  0,  0,  0,  //
                                0, 0, 0, 1,  -1, 0,  0,  //
                                0, 1, 0, 0,  0,  0,  0,  //
                                0, 0, 0, 0,  1,  -1, 0,  //
                                0, 0, 0, -1, 0,  1,  0},
                               7);
  const MultiVector R = RandomNumbers(2).matrix(7, 7) + 3 * MultiVector::Identity(7, 7);
  const MultiVector W = B * R * R.transpose() * B.transpose();
  ReactionSplitter splitter(7, Symmetry::symmetric);
  splitter.decide(DoFKind::inertial, W, bounds(W));
  std::vector<std::vector<Index>> groups = splitter.finish().dependent;
  std::sort(groups.begin(), groups.end());
  const std::vector<std::vector<Index>> expected = {{0, 2}, {1, 4}, {3, 5, 6}};
  BOOST_TEST((groups == expected));
}

BOOST_AUTO_TEST_CASE(matrices_that_are_not_monotone_are_noticed) {
  for (const double off_diagonal : {0.9, 1.1}) {
    ReactionSplitter splitter(2, Symmetry::symmetric);
    const MultiVector W = matrix({1, off_diagonal, off_diagonal, 1}, 2);
    splitter.decide(DoFKind::inertial, W, bounds(W));
    BOOST_TEST(splitter.finish().part(DoFKind::inertial)->is_monotone == (off_diagonal < 1));
  }
}

BOOST_AUTO_TEST_SUITE_END()
