// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/instantaneous_responses.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

#include <boost/test/unit_test.hpp>

#include "random_systems.h"
#include "systems.h"
#include <sstream>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

using System = AssembledSystem<TrilinosEngine>;

System assemble(const test::DenseSystem& dense, const Partition& dofs) {
  return assembled_system<TrilinosEngine>(test::with_stored_zeros(dense.M, dofs),
                                          test::with_stored_zeros(dense.C, dofs),
                                          test::with_stored_zeros(dense.K, dofs));
}

/// Frictions on random DoFs, whoever owns them, and H on the whole system.
struct RandomInclusions {
  std::vector<Inclusion> inclusions;
  MultiVector H;

  RandomInclusions(Index n_dofs, Index n_directions, unsigned seed)
      : H(MultiVector::Zero(n_dofs, n_directions)) {
    test::RandomNumbers random(seed);
    for (Index j = 0; j < n_directions; ++j) {
      std::vector<WeightedDoF> entries;
      for (int k = 0; k < 3; ++k) {
        entries.push_back({random.below(n_dofs), random()});
        H(static_cast<Index>(entries.back().dof), j) += entries.back().weight;
      }
      inclusions.push_back(inclusion("r" + std::to_string(j), std::make_shared<const DryFriction>(-1., 1.),
                                     Direction(entries)));
    }
  }
};

double relative_error(const MultiVector& found, const MultiVector& expected) {
  return (found - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

/// The rows of D^{-1} H that belong to each kind, in front of those of H.
MultiVector dense_delassus(const MultiVector& H, const MultiVector& x, const std::vector<Index>& dofs,
                           Index first) {
  return H(dofs, Eigen::all).transpose() * x.middleRows(first, static_cast<Index>(dofs.size()));
}

void check_delassus(const test::DenseSystem& dense, test::Layout layout, unsigned seed) {
  const Partition dofs = test::partition(dense.size(), layout);
  const RandomInclusions random(dense.size(), 6, seed);
  const Inclusions<TrilinosEngine> inclusions(reduce(assemble(dense, dofs)), random.inclusions);

  const test::DenseElimination e = test::dense_elimination(dense);
  const MultiVector x = e.D.fullPivLu().solve(random.H);
  const auto n_I = static_cast<Index>(e.I.size()), n_C = static_cast<Index>(e.C.size());
  const DelassusMatrices W = delassus_matrices(inclusions);
  // Entries are of order one, condition numbers of D below 1e4.
  BOOST_TEST(relative_error(W.I, dense_delassus(random.H, x, e.I, 0)) < 1e-10);
  BOOST_TEST(relative_error(W.C, dense_delassus(random.H, x, e.C, n_I)) < 1e-10);
  BOOST_TEST(relative_error(W.K, dense_delassus(random.H, x, e.K, n_I + n_C)) < 1e-10);
  MultiVector diagonals(6, 3);
  const MultiVector all = MultiVector::Identity(6, 6);
  diagonals << acceleration_jumps(inclusions, all).diagonal(), rate_jumps(inclusions, all).diagonal(),
      W.K.diagonal();
  BOOST_TEST(relative_error(response_diagonals(inclusions), diagonals) < 1e-12);

  const MultiVector P = 40. * dense.M + 3. * dense.C + dense.K;
  const MultiVector X = P.fullPivLu().solve(random.H);
  const Vector r = Vector::LinSpaced(6, -1., 2.), b = Vector::LinSpaced(dense.size(), -0.7, 1.1),
               x_b = P.fullPivLu().solve(b);
  DelassusOptions as_operator;
  as_operator.max_dense = 2;
  as_operator.max_column_bytes = 0;
  for (const DelassusOptions& options : {DelassusOptions(), as_operator}) {
    const StepDelassus step =
        step_delassus(inclusions, inclusions.reduced().factorize_pencil(40., 3., 1.), options);
    BOOST_TEST(relative_error(step.apply(r), random.H.transpose() * X * r) < 1e-10);
    MultiVector z = test::local(b, dofs);
    step.forward_in_place(z);
    MultiVector seen = MultiVector::Zero(random.H.cols(), z.cols());
    step.add_local_components(z, seen);
    inclusions.H().communicator().sum(seen.data(), static_cast<int>(seen.size()));
    BOOST_TEST(relative_error(seen, random.H.transpose() * x_b) < 1e-10);
    step.backward_in_place(z, r);
    BOOST_TEST(test::error_of(z, MultiVector(x_b + X * r), dofs) < 1e-10);
  }

  // The local quantities of a state: g = H^T q with the reactions' own part.
  const Vector y_whole = Vector::LinSpaced(dense.size(), 0.3, 1.4);
  const Vector mine = test::local(y_whole, dofs);
  const State state{0., inclusions.reduced().restrict(mine, Vector::Zero(mine.size()))};
  const AssembledMotion lifted = inclusions.lift(state, r);
  BOOST_TEST(relative_error(inclusions.gaps(state, r),
                            random.H.transpose() * test::whole(lifted.displacement, dofs)) < 1e-11);
}

/// DoFs 0 and 1 are massless nodes on springs, 2 has mass, 3 only damping.
test::DenseSystem four_nodes() {
  test::DenseSystem system{MultiVector::Zero(4, 4), MultiVector::Zero(4, 4), MultiVector::Zero(4, 4)};
  system.M(2, 2) = 3;
  system.C(3, 3) = 2;
  system.K << 5, -1, 0, 0, -1, 4, -2, 0, 0, -2, 6, -1, 0, 0, -1, 7;
  return system;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distributed_inclusions)

BOOST_AUTO_TEST_CASE(delassus_matrices_and_gaps_are_those_of_one_process) {
  for (const test::Layout layout : test::all_layouts)
    for (unsigned seed = 1; seed <= 3; ++seed) {
      check_delassus(test::random_unsymmetric(4, 3, 5, seed), layout, seed);
      check_delassus(test::random_symmetric(4, 3, 5, seed), layout, seed);
    }
}

BOOST_AUTO_TEST_CASE(all_processes_see_the_same_outcome) {
  for (const test::Layout layout : test::all_layouts) {
    const Partition dofs = test::partition(4, layout);
    const auto friction = std::make_shared<const DryFriction>(-1., 1.);
    const auto contact = std::make_shared<const UnilateralContact>();
    const Inclusions<TrilinosEngine> inclusions(
        reduce(assemble(four_nodes(), dofs)),
        {inclusion("left", friction, Direction({{0, 1.}})),
         inclusion("right", friction, Direction({{0, -2.}})), inclusion("gap", contact, between(2, 1)),
         inclusion("rub", friction, Direction({{2, 1.}})),
         inclusion("seal", friction, Direction({{3, 1.}}))});
    const InclusionOutcome outcome = classify_inclusions(inclusions);
    BOOST_REQUIRE(outcome.directions.size() == 4u);
    BOOST_TEST((outcome.directions[0].reduced_law() == ReducedLaw::play));
    BOOST_TEST((outcome.directions[1].reduced_law() == ReducedLaw::lipschitz_contact));
    BOOST_TEST((outcome.directions[2].reduced_law() == ReducedLaw::filippov_inclusion));
    BOOST_TEST((outcome.directions[3].reduced_law() == ReducedLaw::lipschitz_friction));
    BOOST_TEST(outcome.n_states == 4);
    // K_KK = [5 -1; -1 4]
    BOOST_TEST(outcome.directions[0].W == 4. / 19, boost::test_tools::tolerance(1e-13));
    BOOST_TEST(outcome.directions[1].W == 5. / 19, boost::test_tools::tolerance(1e-13));
    std::ostringstream out;
    out << outcome;
    BOOST_TEST(out.str().find("left + right") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(plays_start_alike_on_all_processes) {
  for (const test::Layout layout : test::all_layouts) {
    const Partition dofs = test::partition(4, layout);
    const auto friction = std::make_shared<const DryFriction>(-9., 9.);
    const Inclusions<TrilinosEngine> inclusions(
        reduce(assemble(four_nodes(), dofs)),
        {inclusion("a", friction, Direction({{0, 1.}})), inclusion("b", friction, Direction({{1, 1.}}))});
    Vector q(4);
    q << 0.1, 0.3, 0.2, 0;
    const Vector mine = test::local(q, dofs);
    const NonsmoothStart found =
        nonsmooth_start(inclusions, classify_inclusions(inclusions), mine, Vector::Zero(mine.size()));
    const Vector expected = Vector(four_nodes().K * q).head(2);
    BOOST_TEST(relative_error(found.r, expected) < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(mistakes_are_refused_on_all_processes) {
  const Partition dofs = test::partition(4, test::Layout::consecutive);
  const auto contact = std::make_shared<const UnilateralContact>(0., 0.5);
  const auto system = reduce(assemble(four_nodes(), dofs));
  BOOST_CHECK_THROW(Inclusions<TrilinosEngine>(system, {inclusion("a", contact, Direction({{4, 1.}}))}),
                    InvalidInput);
  const Inclusions<TrilinosEngine> massless(system, {inclusion("a", contact, Direction({{0, 1.}}))});
  BOOST_CHECK_THROW(classify_inclusions(massless), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
