// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/base/errors.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/reduction/consistent_state.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "random_systems.h"
#include <cmath>
#include <limits>

namespace {

using namespace halfdof;
using namespace halfdof::test;

/// Hardening springs and quadratic dampers between DoFs of different processes, and to the ground.
LumpedElements elements(const DenseSystem& system) {
  const DenseElimination kinds = dense_elimination(system);
  LumpedElements all;
  const auto spring = [](double x, double) { return 0.7 * x * x * x; };
  const auto stiffness = [](double x, double) { return 2.1 * x * x; };
  const auto damper = [](double, double v) { return 0.4 * v * std::abs(v); };
  const auto damping = [](double, double v) { return 0.8 * std::abs(v); };
  all.nonlinear = {{kinds.I.front(), kinds.I.back(), spring, stiffness},
                   {kinds.I.front(), ground, damper, {}, damping},
                   {kinds.C.front(), kinds.C.back(), damper, {}, damping},
                   {kinds.C.front(), ground, spring, stiffness}};
  return all;
}

TimeFunction wave(Index n) {
  return [n](double time) { return Vector(Vector::LinSpaced(n, -1., 1.) * std::sin(3 * time)); };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(state_forces)

BOOST_AUTO_TEST_CASE(nonlinear_elements_do_on_all_processes_what_they_do_on_one) {
  const DenseSystem system = random_symmetric(5, 3, 2, 11);
  const Index n = system.size();
  SystemDescription<EigenEngine> of_one;
  of_one.mass = matrix_of<EigenEngine>(system.M);
  of_one.damping = matrix_of<EigenEngine>(system.C);
  of_one.stiffness = matrix_of<EigenEngine>(system.K);
  of_one.load = wave(n);
  const ReducedSystem<EigenEngine> whole(
      AssembledSystem<EigenEngine>(with_lumped_elements(of_one, elements(system))));
  RandomNumbers random(3);
  const Vector q = random.matrix(n, 1), v = random.matrix(n, 1);
  State expected{0.5, whole.restrict(q, v)};
  RadauIIA5<EigenEngine>(whole, 0.05).run(expected, 1.);
  const AssembledMotion at_end = whole.lift(expected);
  const State rest = equilibrium(whole, expected);

  for (const Layout layout : all_layouts) {
    const Partition dofs = partition(n, layout);
    SystemDescription<TrilinosEngine> description;
    description.mass = with_stored_zeros(system.M, dofs);
    description.damping = with_stored_zeros(system.C, dofs);
    description.stiffness = with_stored_zeros(system.K, dofs);
    description.load = [=](double time) -> Vector { return local(wave(n)(time), dofs); };
    const ReducedSystem<TrilinosEngine> spread(
        AssembledSystem<TrilinosEngine>(with_lumped_elements(description, elements(system))));
    State state{0.5, spread.restrict(local(q, dofs), local(v, dofs))};
    RadauIIA5<TrilinosEngine>(spread, 0.05).run(state, 1.);
    const AssembledMotion motion = spread.lift(state);
    BOOST_TEST(error_of(motion.displacement, at_end.displacement, dofs) < 1e-8);
    BOOST_TEST(error_of(motion.rate, at_end.rate, dofs) < 1e-8);
    const AssembledMotion resting = spread.lift(equilibrium(spread, state));
    BOOST_TEST(error_of(resting.displacement, whole.lift(rest).displacement, dofs) < 1e-8);
  }
}

BOOST_AUTO_TEST_CASE(an_element_that_ends_nowhere_is_refused_on_all_processes) {
  const DenseSystem system = random_symmetric(5, 3, 2, 11);
  const Partition dofs = partition(system.size(), Layout::consecutive);
  SystemDescription<TrilinosEngine> description;
  description.stiffness = with_stored_zeros(system.K, dofs);
  LumpedElements wrong;
  wrong.nonlinear = {{0, 100, [](double x, double) { return x; }}};
  BOOST_CHECK_THROW(with_lumped_elements(description, wrong), InvalidInput);
  wrong.nonlinear = {{0, 1, {}}};
  BOOST_CHECK_THROW(with_lumped_elements(description, wrong), InvalidInput);
}

BOOST_AUTO_TEST_CASE(numbers_that_one_process_returns_and_that_are_not_finite_are_refused_on_all) {
  const DenseSystem system = random_symmetric(5, 3, 2, 11);
  for (const Layout layout : all_layouts) {
    const Partition dofs = partition(system.size(), layout);
    SystemDescription<TrilinosEngine> description;
    description.mass = with_stored_zeros(system.M, dofs);
    description.damping = with_stored_zeros(system.C, dofs);
    description.stiffness = with_stored_zeros(system.K, dofs);
    const bool owns_last = dofs.local_index(system.size() - 1) >= 0;
    const auto nan_at_last = [=](bool is_bad) -> Vector {
      Vector values = Vector::Zero(dofs.n_local());
      if (is_bad && owns_last)
        values[dofs.local_index(system.size() - 1)] = std::numeric_limits<double>::quiet_NaN();
      return values;
    };
    description.load = [=](double time) { return nan_at_last(time > 1); };
    description.state_force.force = [=](double, const AssembledMotion& now) {
      const double here = now.displacement.size() > 0 ? now.displacement.cwiseAbs().maxCoeff() : 0.;
      return nan_at_last(dofs.communicator().max(here) > 1e3);
    };
    description.state_force.tangents = [](double, const AssembledMotion&) {
      return Tangents<TrilinosEngine>{};
    };
    const ReducedSystem<TrilinosEngine> reduced(AssembledSystem<TrilinosEngine>(std::move(description)));
    const Vector zero = Vector::Zero(reduced.n_local_states());
    BOOST_CHECK_NO_THROW(reduced.apply({0, zero}));
    BOOST_CHECK_THROW(reduced.apply({2, zero}), InvalidInput);
    const Vector far = Vector::Constant(reduced.n_local_states(), 1e6);
    BOOST_CHECK_THROW(reduced.apply({0, far}), NoConvergence);
  }
}

BOOST_AUTO_TEST_SUITE_END()
