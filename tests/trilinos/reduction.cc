// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/trilinos/engine.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/reduced_system.h>

#include <boost/test/unit_test.hpp>

#include "random_systems.h"
#include "systems.h"
#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

using System = AssembledSystem<TrilinosEngine>;

TrilinosMatrix distributed(const MultiVector& A, const Partition& dofs) {
  return test::with_stored_zeros(A, dofs);
}

System assemble(const test::DenseSystem& dense, const Partition& dofs) {
  return assembled_system<TrilinosEngine>(distributed(dense.M, dofs), distributed(dense.C, dofs),
                                          distributed(dense.K, dofs));
}

/// The entries of a vector on the whole system that this process owns.
Vector share(const Vector& whole, const Partition& dofs) {
  Vector here(dofs.n_local());
  for (Index i = 0; i < dofs.n_local(); ++i)
    here[i] = whole[static_cast<Index>(dofs.global_index(i))];
  return here;
}

/// The largest difference between local entries and those of a vector on the whole system.
double difference(const Vector& here, const Vector& whole, const Partition& dofs) {
  const double local = here.size() > 0 ? (here - share(whole, dofs)).lpNorm<Eigen::Infinity>() : 0.;
  return dofs.communicator().max(local);
}

/// The state of one process: q and v on the whole system, restricted.
struct Motion {
  Vector displacement, rate;
};

Motion random_motion(Index n, unsigned seed) {
  test::RandomNumbers random(seed);
  return {random.matrix(n, 1), random.matrix(n, 1)};
}

/// D^{-1} (f - C J_I v_I - K J_I q_I - K J_C q_C) densely, spread over the assembled DoFs.
Vector dense_highest_derivatives(const test::DenseSystem& system, const Motion& motion) {
  const test::DenseElimination e = test::dense_elimination(system);
  Vector q = motion.displacement, v = Vector::Zero(system.size());
  for (const Index j : e.K)
    q[j] = 0;
  for (const Index j : e.I)
    v[j] = motion.rate[j];
  const Vector x = e.D.fullPivLu().solve(Vector(-system.C * v - system.K * q));
  Vector spread(system.size());
  Index next = 0;
  for (const auto* kind : {&e.I, &e.C, &e.K})
    for (const Index j : *kind)
      spread[j] = x[next++];
  return spread;
}

void check_reduction(const test::DenseSystem& dense, test::Layout layout) {
  const Partition dofs = test::partition(dense.size(), layout);
  const auto reduced = reduce(assemble(dense, dofs));
  const test::DenseElimination e = test::dense_elimination(dense);
  BOOST_TEST(reduced.classification().n_inertial() == static_cast<GlobalIndex>(e.I.size()));
  BOOST_TEST(reduced.classification().n_viscous() == static_cast<GlobalIndex>(e.C.size()));
  BOOST_TEST(reduced.classification().n_algebraic() == static_cast<GlobalIndex>(e.K.size()));

  const Motion motion = random_motion(dense.size(), 3);
  const State state{0., reduced.restrict(share(motion.displacement, dofs), share(motion.rate, dofs))};
  const Vector expected = dense_highest_derivatives(dense, motion);
  const AssembledMotion lifted = reduced.lift(state);
  // Entries are of order one, the condition number of D below 1e4.
  BOOST_TEST(difference(
                 lifted.acceleration,
                 [&] {
                   Vector a = Vector::Zero(dense.size());
                   for (const Index j : e.I)
                     a[j] = expected[j];
                   return a;
                 }(),
                 dofs) < 1e-10);
  BOOST_TEST(difference(
                 lifted.rate,
                 [&] {
                   Vector v = Vector::Zero(dense.size());
                   for (const Index j : e.I)
                     v[j] = motion.rate[j];
                   for (const Index j : e.C)
                     v[j] = expected[j];
                   return v;
                 }(),
                 dofs) < 1e-10);

  // (sigma E - A) y = b, checked by applying A.
  const Complex sigma(0.3, 1.4);
  const ComplexMultiVector b = state.y.cast<Complex>() * Complex(2, -1);
  const ComplexMultiVector y = reduced.shifted(sigma).solve(b);
  const ComplexMultiVector residual = sigma * y - reduced.apply_homogeneous(y) - b;
  BOOST_TEST(norm(reduced.communicator(), residual) < 1e-9 * (1 + norm(reduced.communicator(), y)));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distributed_reduction)

BOOST_AUTO_TEST_CASE(unsymmetric_systems_give_the_dense_result_on_any_distribution) {
  for (const test::Layout layout : test::all_layouts)
    for (unsigned seed = 1; seed <= 5; ++seed)
      check_reduction(test::random_unsymmetric(4, 3, 5, seed), layout);
}

BOOST_AUTO_TEST_CASE(symmetric_systems_give_the_dense_result_on_any_distribution) {
  for (const test::Layout layout : test::all_layouts)
    for (unsigned seed = 1; seed <= 5; ++seed) {
      check_reduction(test::random_symmetric(4, 3, 5, seed), layout);
      check_reduction(test::random_symmetric(5, 0, 2, seed), layout);
    }
}

BOOST_AUTO_TEST_CASE(extremes_without_some_kinds_are_reduced) {
  for (const test::Layout layout : test::all_layouts) {
    check_reduction(test::random_unsymmetric(0, 4, 2, 1), layout);
    check_reduction(test::random_unsymmetric(0, 0, 5, 1), layout);
    check_reduction(test::random_unsymmetric(5, 0, 0, 1), layout);
    check_reduction(test::three_kinds(), layout);
    check_reduction(test::engine_mount(), layout);
  }
}

BOOST_AUTO_TEST_CASE(the_culprits_of_a_singular_elimination_are_named_on_every_process) {
  for (const test::Layout layout : test::all_layouts) {
    test::DenseSystem system = test::random_symmetric(6, 0, 2, 4);
    const test::DenseElimination e = test::dense_elimination(system);
    // The two algebraic DoFs are joined to each other and to nothing else.
    for (const Index j : e.K) {
      system.K.col(j).setZero();
      system.K.row(j).setZero();
    }
    const Index a = std::min(e.K[0], e.K[1]), b = std::max(e.K[0], e.K[1]);
    system.K(a, a) = system.K(b, b) = 3;
    system.K(a, b) = system.K(b, a) = -3;
    const Partition dofs = test::partition(system.size(), layout);
    try {
      reduce(assemble(system, dofs));
      BOOST_ERROR("the system was not refused");
    } catch (const SingularElimination& error) {
      std::vector<GlobalIndex> named = error.dofs();
      std::sort(named.begin(), named.end());
      const std::vector<GlobalIndex> expected = {a, b};
      BOOST_TEST(named == expected, boost::test_tools::per_element());
      BOOST_TEST(error.block() == "K_KK");
    }
  }
}

BOOST_AUTO_TEST_CASE(mistakes_found_by_one_process_are_reported_by_all) {
  const Partition dofs = test::partition(6, test::Layout::consecutive);
  SystemDescription<TrilinosEngine> description;
  description.stiffness = distributed(MultiVector::Identity(6, 6), dofs);
  if (dofs.communicator().rank() == 0) description.constrained = {17};
  BOOST_CHECK_THROW(System{description}, InvalidInput);
}

BOOST_AUTO_TEST_CASE(the_summary_is_written_by_the_first_process) {
  const Partition dofs = test::partition(9, test::Layout::scattered);
  const auto reduced = reduce(assemble(test::random_symmetric(4, 3, 2, 1), dofs));
  std::ostringstream out;
  reduced.print_summary(out);
  BOOST_TEST(out.str().empty() == (dofs.communicator().rank() != 0));
  if (dofs.communicator().rank() == 0)
    BOOST_TEST(out.str().find("N_I = 4, N_C = 3, N_K = 2, N_s = 11") != std::string::npos, out.str());
}

BOOST_AUTO_TEST_CASE(no_process_holds_much_more_than_its_share_of_a_reduced_system) {
  // A cube of springs; the upper half of each column of points has no mass.
  const int m = 16;
  const Partition rows = test::partition(m * m * m, test::Layout::consecutive);
  const OwnedRows K = test::difference_star(rows, m);
  OwnedRows M(rows.n_local(), rows.n_global());
  for (Index i = 0; i < rows.n_local(); ++i)
    for (OwnedRows::InnerIterator entry(K, i); entry; ++entry)
      if (rows.global_index(i) % m < m / 2 && entry.col() % m < m / 2)
        M.insert(i, entry.col()) = entry.value();
  M.makeCompressed();
  SystemDescription<TrilinosEngine> description;
  description.mass = TrilinosMatrix(M, rows, rows);
  description.stiffness = TrilinosMatrix(K, rows, rows);
  const auto reduced = reduce(AssembledSystem<TrilinosEngine>(std::move(description)));

  const double size = rows.communicator().size();
  const double allowed = size == 1 ? 1. : 0.6 + 0.6 / size;  // the trees of so small blocks split unevenly
  BOOST_TEST(reduced.elimination().blocks().size() == 2u);
  for (const EliminationBlock& block : reduced.elimination().blocks()) {
    BOOST_TEST(block.factorization.n_rows == m * m * m / 2);
    BOOST_TEST(block.factorization.largest_share <= allowed);
  }
  BOOST_TEST(reduced.factorize_pencil(4., 2., 1.)->report().largest_share <= allowed);
  BOOST_TEST(rows.communicator().max(static_cast<double>(reduced.n_local_states())) <=
             1.1 / size * static_cast<double>(reduced.n_states()));
}

BOOST_AUTO_TEST_CASE(what_a_package_does_not_tell_is_no_zero_in_the_summary) {
  const Partition dofs = test::partition(10, test::Layout::consecutive);
  const System assembled = assemble(test::random_symmetric(4, 3, 3, 5), dofs);
  for (const Solver solver : {Solver::mumps, Solver::klu}) {
    ReductionOptions options;
    options.elimination.factorization.solver = solver;
    std::ostringstream out;
    reduce(assembled, options).print_summary(out);
    if (dofs.communicator().rank() != 0) continue;
    std::istringstream lines(out.str());
    int n_rows = 0;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream cells(line);
      const std::vector<std::string> words{std::istream_iterator<std::string>(cells), {}};
      const bool is_solved = std::find(words.begin(), words.end(), "mumps") != words.end();
      if (!is_solved) continue;
      ++n_rows;
      BOOST_TEST((std::find(words.begin(), words.end(), "0") == words.end()), line);
      BOOST_TEST((std::find(words.begin(), words.end(), "-") != words.end()) == (solver == Solver::klu),
                 line);
    }
    BOOST_TEST(n_rows > 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
