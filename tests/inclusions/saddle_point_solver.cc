// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/inclusions/saddle_point_solver.h>

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// A chain of masses whose springs couple them by `coupling`, with a branch at every fifth.
Sparse step_matrix(Index n, double coupling) {
  MultiVector P = MultiVector::Identity(n, n);
  for (Index i = 0; i + 1 < n; ++i) {
    const Index j = i % 5 == 4 ? i - 3 : i, k = i + 1;
    P(j, j) += coupling;
    P(k, k) += (1 + 0.1 * i) * coupling;
    P(j, k) -= coupling;
    P(k, j) -= coupling;
  }
  return P.sparseView();
}

/// Each mass by itself, with a sign and a size, and every third relative to the next but one.
Sparse directions(Index n) {
  MultiVector H = MultiVector::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    H(i, i) = (i % 2 ? -1. : 1.) * (1 + i % 4);
    if (i % 3 == 0 && i + 2 < n) H(i + 2, i) = -0.7;
  }
  return H.sparseView();
}

MultiVector delassus(const Sparse& P, const Sparse& H) {
  return MultiVector(H).transpose() * MultiVector(P).inverse() * MultiVector(H);
}

/// Waves along the chain.
Vector load(Index n, int step) {
  Vector b(n);
  for (Index i = 0; i < n; ++i)
    b[i] = std::sin(0.5 * step + 0.3 * i) + 0.5 * std::sin(0.83 * step - 0.11 * i);
  return b;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(directions_that_are_held)

BOOST_AUTO_TEST_CASE(reactions_that_hold_some_directions_are_those_of_the_block_of_the_delassus_matrix) {
  const Index n = 30;
  const Sparse P = step_matrix(n, 100.), H = directions(n);
  const MultiVector W = delassus(P, H);
  SaddlePointSolver held(P, H);
  for (const std::vector<Index>& F : {std::vector<Index>{}, {3}, {0, 1, 2, 7, 8, 29}, {5, 6, 20}}) {
    BOOST_TEST_REQUIRE(held.factorize(F));
    const Vector right = load(static_cast<Index>(F.size()), 1);
    Vector r = right;
    held.solve(r);
    // W is conditioned like 1e3, and so is P.
    BOOST_TEST((W(F, F) * r - right).norm() <= 1e-11 * right.norm());
  }
}

BOOST_AUTO_TEST_CASE(parallel_directions_cannot_both_be_held) {
  const Sparse P = step_matrix(8, 100.);
  MultiVector H = MultiVector::Zero(8, 3);
  H(2, 0) = 1;
  H(2, 1) = -3;
  H(6, 2) = 1;
  SaddlePointSolver held(P, H.sparseView());
  BOOST_TEST(held.factorize({0, 2}));
  BOOST_TEST(held.factorize({1, 2}));
  BOOST_TEST(!held.factorize({0, 1}));
}

BOOST_AUTO_TEST_CASE(pivoting_with_held_directions_finds_the_reactions_that_pivoting_with_the_matrix_does) {
  const Index n = 40;
  const Sparse P = step_matrix(n, 100.), H = directions(n);
  const MultiVector W = delassus(P, H);
  std::vector<NamedLaw> laws;
  std::vector<LocalMatrix> blocks;
  for (Index i = 0; i < n; ++i) {
    if (i % 4)
      laws.push_back({std::make_shared<UnilateralContact>(), "contact"});
    else
      laws.push_back({std::make_shared<DryFriction>(-0.5, 0.8), "friction"});
    blocks.emplace_back(W.block(i, i, 1, 1));
  }
  OneStepSolver with_matrix(OneStepProblem(laws, W));
  OneStepSolver with_held(OneStepProblem(
      laws, [&](const Vector& r, Vector& Wr) { Wr = W * r; }, blocks,
      std::make_shared<SaddlePointSolver>(P, H)));
  Vector r = Vector::Zero(n), w(n), expected = r, expected_w(n);
  for (int step = 0; step < 10; ++step) {
    LawsAtTime now = with_matrix.problem().laws_at(0.), then = now;
    with_matrix.solve(now, load(n, step), expected, expected_w);
    const OneStepReport report = with_held.solve(then, load(n, step), r, w);
    BOOST_TEST((report.method == OneStepMethod::pivoting));
    // Both to a residual of 1e-12.
    BOOST_TEST((r - expected).norm() <= 1e-9 * expected.norm());
    BOOST_TEST((w - expected_w).norm() <= 1e-9 * expected_w.norm());
  }
}

BOOST_AUTO_TEST_SUITE_END()
