// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/delassus.h>
#include <halfdof/inclusions/instantaneous_responses.h>

#include <boost/test/unit_test.hpp>

#include "models.h"

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

/// Random frictions on random DoFs, and H as a dense matrix.
struct RandomInclusions {
  std::vector<Inclusion> inclusions;
  MultiVector H;

  RandomInclusions(Index n_dofs, Index n_directions, unsigned seed)
      : H(MultiVector::Zero(n_dofs, n_directions)) {
    RandomNumbers random(seed);
    for (Index j = 0; j < n_directions; ++j) {
      std::vector<WeightedDoF> entries;
      for (int k = 0; k < 3; ++k) {
        entries.push_back({random.below(n_dofs), random()});
        H(static_cast<Index>(entries.back().dof), j) += entries.back().weight;
      }
      inclusions.push_back(inclusion("r" + std::to_string(j), friction(), Direction(entries)));
    }
  }
};

struct DenseDelassus {
  MultiVector I, C, K;
};

/// H^T J_a (D^{-1})_a H straight from the definition.
DenseDelassus dense_delassus(const DenseSystem& system, const MultiVector& H) {
  const DenseElimination e = dense_elimination(system);
  const MultiVector x = e.D.fullPivLu().solve(H);
  const auto n_I = static_cast<Index>(e.I.size()), n_C = static_cast<Index>(e.C.size()),
             n_K = static_cast<Index>(e.K.size());
  return {H(e.I, Eigen::all).transpose() * x.topRows(n_I),
          H(e.C, Eigen::all).transpose() * x.middleRows(n_I, n_C),
          H(e.K, Eigen::all).transpose() * x.bottomRows(n_K)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(delassus)

BOOST_AUTO_TEST_CASE(the_three_matrices_agree_with_the_dense_ones) {
  // Entries are of order one and D has condition numbers below 1e4.
  for (unsigned seed = 1; seed <= 10; ++seed)
    for (const DenseSystem& system : {random_unsymmetric(5, 4, 6, seed), random_symmetric(5, 4, 6, seed)}) {
      const RandomInclusions random(system.size(), 7, seed);
      const DelassusMatrices W =
          delassus_matrices(with(reduce(assemble<EigenEngine>(system)), random.inclusions));
      const DenseDelassus expected = dense_delassus(system, random.H);
      BOOST_TEST(relative_error(W.I, expected.I) < 1e-11);
      BOOST_TEST(relative_error(W.C, expected.C) < 1e-11);
      BOOST_TEST(relative_error(W.K, expected.K) < 1e-11);
    }
}

BOOST_AUTO_TEST_CASE(symmetric_systems_answer_symmetrically) {
  const DenseSystem system = random_symmetric(5, 4, 6, 3);
  const RandomInclusions random(system.size(), 7, 3);
  const auto inclusions = with(reduce(assemble<EigenEngine>(system)), random.inclusions);
  const MultiVector V = MultiVector::Identity(7, 7);
  const auto asymmetry = [](const MultiVector& W) { return relative_error(W, W.transpose()); };
  BOOST_TEST(asymmetry(delassus_matrices(inclusions).K) == 0.);
  BOOST_TEST(asymmetry(rate_jumps(inclusions, V)) < 1e-12);
  BOOST_TEST(asymmetry(acceleration_jumps(inclusions, V)) < 1e-12);
  BOOST_TEST(
      asymmetry(step_delassus(inclusions, inclusions.reduced().factorize_pencil(9., 3., 1.)).matrix()) == 0.);
}

BOOST_AUTO_TEST_CASE(more_directions_than_a_batch_are_solved_for_in_batches) {
  const DenseSystem system = random_unsymmetric(5, 4, 6, 2);
  const RandomInclusions random(system.size(), 71, 2);
  const auto inclusions = with(reduce(assemble<EigenEngine>(system)), random.inclusions);
  const DenseDelassus expected = dense_delassus(system, random.H);
  BOOST_TEST(relative_error(delassus_matrices(inclusions).K, expected.K) < 1e-11);
  const MultiVector all = MultiVector::Identity(71, 71);
  MultiVector diagonals(71, 3);
  diagonals << acceleration_jumps(inclusions, all).diagonal(), rate_jumps(inclusions, all).diagonal(),
      expected.K.diagonal();
  BOOST_TEST(relative_error(response_diagonals(inclusions), diagonals) < 1e-11);
}

BOOST_AUTO_TEST_CASE(above_the_limit_the_dense_matrices_are_refused) {
  const auto inclusions =
      with(reduced_one_of_each(), {inclusion("a", friction(), on(0)), inclusion("b", friction(), on(1))});
  DelassusOptions options;
  options.max_dense = 1;
  BOOST_CHECK_THROW(delassus_matrices(inclusions, options), NotAvailable);
}

BOOST_AUTO_TEST_CASE(a_steps_matrix_and_operator_agree_with_the_dense_inverse) {
  const DenseSystem system = random_unsymmetric(5, 4, 6, 4);
  const RandomInclusions random(system.size(), 6, 4);
  const auto inclusions = with(reduce(assemble<EigenEngine>(system)), random.inclusions);
  const MultiVector P = 40. * system.M + 3. * system.C + system.K;
  const MultiVector X = P.fullPivLu().solve(random.H);
  const MultiVector W = random.H.transpose() * X;
  const MultiVector r = RandomNumbers(5).matrix(6, 2);
  const MultiVector b = RandomNumbers(6).matrix(system.size(), 2), x = P.fullPivLu().solve(b);

  DelassusOptions as_operator, without_columns;
  as_operator.max_dense = 5;
  without_columns.max_column_bytes = 1;
  for (const DelassusOptions& options : {DelassusOptions(), as_operator, without_columns}) {
    const StepDelassus step =
        step_delassus(inclusions, inclusions.reduced().factorize_pencil(40., 3., 1.), options);
    BOOST_TEST(step.is_dense() == (options.max_dense >= 6));
    BOOST_TEST(relative_error(step.apply(r), W * r) < 1e-11);
    MultiVector z = b;
    step.forward_in_place(z);
    MultiVector seen = MultiVector::Ones(6, z.cols());
    step.add_local_components(z, seen);
    BOOST_TEST(relative_error(seen, MultiVector::Ones(6, z.cols()) + random.H.transpose() * x) < 1e-11);
    step.backward_in_place(z, r);
    BOOST_TEST(relative_error(z, x + X * r) < 1e-11);
    if (step.is_dense())
      BOOST_TEST(relative_error(step.matrix(), W) < 1e-11);
    else
      BOOST_CHECK_THROW(step.matrix(), NotAvailable);
  }
}

BOOST_AUTO_TEST_CASE(columns_in_groups_multiply_as_the_whole_matrix) {
  // Paths to a common root, given out of order, beside a full, an empty and a lonely column.
  const Index n = 40, m = 23;
  RandomNumbers random(9);
  MultiVector A = MultiVector::Zero(n, m);
  for (Index j = 0; j < m; ++j)
    for (Index i = (7 * j) % 30; i < n; ++i)
      if (i >= 30 || i % 3 == j % 3) A(i, j) = random();
  A.col(3) = random.matrix(n, 1);
  A.col(11).setZero();
  A.col(12) = 2. * Vector::Unit(n, 5);
  SparseColumnsBuilder growing(n, m);
  growing.append(A.leftCols(9));
  growing.append(A.rightCols(m - 9));
  BOOST_TEST(growing.bytes() == 12. * static_cast<double>((A.array() != 0.).count()));
  const GroupedColumns grouped(growing.finish());

  MultiVector x = random.matrix(m, 2), y = random.matrix(n, 2);
  x.row(12).setZero();
  const Vector d = random.matrix(n, 1);
  MultiVector sums = MultiVector::Ones(m, 2);
  grouped.add_transposed_product(d, y, sums);
  BOOST_TEST(relative_error(sums, MultiVector::Ones(m, 2) + A.transpose() * d.asDiagonal() * y) < 1e-14);
  const MultiVector expected = y + A * x;
  grouped.add_product(x, y);
  BOOST_TEST(relative_error(y, expected) < 1e-14);
}

BOOST_AUTO_TEST_CASE(factors_of_rows_are_found_where_there_are_any) {
  MultiVector A = RandomNumbers(9).matrix(6, 4);
  A.row(2).setZero();
  A(0, 1) = A(3, 0) = 0;
  const Vector d = RandomNumbers(10).matrix(6, 1);
  MultiVector B = d.asDiagonal() * A;
  const auto found = [&] {
    return row_factors(Eigen::SparseMatrix<double>(A.sparseView()),
                       Eigen::SparseMatrix<double>(B.sparseView()));
  };
  BOOST_TEST_REQUIRE(found().has_value());
  BOOST_TEST(relative_error(found()->asDiagonal() * A, B) < 1e-15);
  B(4, 3) *= 1 + 1e-14;
  BOOST_TEST(!found().has_value());
  B(4, 3) = 0;
  BOOST_TEST(!found().has_value());
}

BOOST_AUTO_TEST_CASE(constrained_rows_do_not_answer) {
  const auto inclusions =
      with(reduced_one_of_each(), {inclusion("a", friction(), Direction({{2, 2.}, {3, 7.}}))});
  BOOST_TEST(delassus_matrices(inclusions).K(0, 0) == 4. / 16, boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(the_least_responses_bound_the_entries_of_definite_blocks) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    // Without algebraic DoFs all blocks are positive definite, and W_C belongs to C_CC alone.
    const DenseSystem system = random_symmetric(5, 4, 0, seed);
    std::vector<Inclusion> all;
    const DenseElimination e = dense_elimination(system);
    for (const Index i : e.C)
      for (const Index j : e.C)
        if (i < j)
          all.push_back(inclusion(std::to_string(i) + "," + std::to_string(j), friction(), between(i, j)));
    const auto inclusions = with(reduce(assemble<EigenEngine>(system)), all);
    const Vector least = response_lower_bounds(inclusions).col(1);
    const Vector entries = delassus_matrices(inclusions).C.diagonal();
    BOOST_TEST((entries.array() >= (1 - 1e-12) * least.array()).all());
    BOOST_TEST(least.minCoeff() > 0);
  }
}

BOOST_AUTO_TEST_CASE(responses_are_the_first_terms_of_the_motion_after_a_reaction_is_switched_on) {
  // From rest, under a constant reaction, s(t) = s_0 + s_1 t + s_2 t^2 / 2 + ...: the exact derivatives of
  // the state give s_1 and s_2 as derivatives of q_K, q_C and v_I.
  const DenseSystem system = random_unsymmetric(4, 3, 5, 8);
  const RandomInclusions random(system.size(), 3, 8);
  const auto inclusions = with(reduce(assemble<EigenEngine>(system)), random.inclusions);
  const DenseElimination e = dense_elimination(system);
  const MultiVector A = dense_state_matrix_of(system);
  const MultiVector B = inclusions.reduced().input(inclusions.H().columns(0, 3));
  // q(t) of all DoFs is linear in (y, r): q = Q y + R r.
  const Index n_I = 4, n_C = 3, n_K = 5;
  MultiVector Q = MultiVector::Zero(system.size(), 2 * n_I + n_C), R = MultiVector::Zero(system.size(), 3);
  for (Index k = 0; k < n_I; ++k)
    Q(e.I[static_cast<std::size_t>(k)], k) = 1;
  for (Index k = 0; k < n_C; ++k)
    Q(e.C[static_cast<std::size_t>(k)], n_I + k) = 1;
  MultiVector loads(system.size(), 2 * n_I + n_C);
  loads << -system.K(Eigen::all, e.I), -system.K(Eigen::all, e.C), -system.C(Eigen::all, e.I);
  const auto lu = e.D.fullPivLu();
  Q(e.K, Eigen::all) = MultiVector(lu.solve(loads)).bottomRows(n_K);
  R(e.K, Eigen::all) = MultiVector(lu.solve(random.H)).bottomRows(n_K);

  const MultiVector V = MultiVector::Identity(3, 3);
  BOOST_TEST(relative_error(delassus_matrices(inclusions).K, random.H.transpose() * R) < 1e-11);
  BOOST_TEST(relative_error(rate_jumps(inclusions, V), random.H.transpose() * Q * B) < 1e-10);
  BOOST_TEST(relative_error(acceleration_jumps(inclusions, V), random.H.transpose() * Q * A * B) < 1e-10);
}

BOOST_AUTO_TEST_SUITE_END()
