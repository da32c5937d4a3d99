// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/constraint_rows.h>
#include <halfdof/assembled/free_system.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/state_parts.h>

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"

/// Integrators and inclusions on constrained systems.

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

/// Masses 2 and 3 on springs to the ground and to each other.
DenseSystem two_masses() {
  DenseSystem system = empty_system(2);
  system.M.diagonal() << 2, 3;
  system.K.diagonal() << 30, 50;
  connect(system.K, 0, 1, 20);
  return system;
}

SystemDescription<EigenEngine> description_of(const DenseSystem& system, const MultiVector& A_2,
                                              const PrescribedMotion& b = {}, const MultiVector& A_1 = {}) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  AdditionalConstraints<EigenEngine> constraints;
  constraints.position = matrix_of<EigenEngine>(A_2);
  if (A_1.size() > 0) constraints.rate = matrix_of<EigenEngine>(A_1);
  constraints.right_side = b;
  return with_constraints(description, constraints);
}

MultiVector row(const std::vector<double>& entries) {
  return vector_of(entries).transpose();
}

/// sin(2 t) with its derivatives.
PrescribedMotion wave() {
  const double quarter = std::acos(0.);
  const auto derivative = [quarter](int k) -> TimeFunction {
    return [=](double t) { return one(std::pow(2., k) * std::sin(2 * t + k * quarter)); };
  };
  return {derivative(0), derivative(1), derivative(2), derivative(3)};
}

/// A reduced system with inclusions.
struct Constrained {
  Inclusions<EigenEngine> inclusions;
  InclusionOutcome outcome;

  Constrained(const SystemDescription<EigenEngine>& description, std::vector<Inclusion> given)
      : inclusions(reduce(AssembledSystem<EigenEngine>(description)), std::move(given)),
        outcome(classify_inclusions(inclusions)) {}
  NonsmoothState start(const Vector& displacement, const Vector& rate) const {
    return nonsmooth_start(inclusions, outcome, displacement, rate, 0.);
  }
  template <class Method>
  Method with_step(double step) const {
    if constexpr (std::is_constructible_v<Method, Inclusions<EigenEngine>, InclusionOutcome, double>)
      return Method(inclusions, outcome, step);
    else
      return Method(inclusions, outcome);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(constraints)

using Smooth = boost::mpl::list<ImplicitEuler<EigenEngine>, GeneralizedAlpha<EigenEngine>,
                                Trapezoidal<EigenEngine>, RadauIIA5<EigenEngine>>;

BOOST_AUTO_TEST_CASE_TEMPLATE(prescribed_links_are_kept_to_rounding, Method, Smooth) {
  const auto reduced =
      reduce(AssembledSystem<EigenEngine>(description_of(two_masses(), row({1, -1}), wave())));
  ConsistentState start = consistent_state(reduced, vector_of({0.1, 0.1, 0}), vector_of({2, 0, 0}));
  double largest = 0;
  Vector last;
  Method(reduced, 1e-2).run(start, 2., [&](const Observation<EigenEngine>& now) {
    const AssembledMotion& lifted = now.lift();
    largest = std::max(largest,
                       std::abs(lifted.displacement[0] - lifted.displacement[1] - std::sin(2 * now.time())));
    last = lifted.displacement;
  });
  BOOST_TEST(largest < 1e-14);
  // 5 q'' + 80 q = -2 b'' - 30 b, q(0) = 0.1, q'(0) = 0, of q_1: q = p sin 2 t + homogeneous.
  const double p = (8. - 30.) / (80 - 20.), t = 2.;
  const double exact = p * std::sin(2 * t) + 0.1 * std::cos(4 * t) - p / 2 * std::sin(4 * t);
  BOOST_TEST(std::abs(last[1] - exact) < 0.15);
}

BOOST_AUTO_TEST_CASE(a_rigid_link_passes_on_an_impact) {
  // The stop catches the left mass; both rebound as one of 5 kg.
  DenseSystem system = empty_system(2);
  system.M.diagonal() << 2, 3;
  const Constrained model(description_of(system, row({1, -1})), {inclusion("stop", contact(0., 0.5), on(0))});
  BOOST_TEST(model.outcome.directions[0].W == 1. / 5, boost::test_tools::tolerance(1e-14));
  NonsmoothState state = model.start(vector_of({1, 1, 0}), vector_of({-2, -2, 0}));
  Vector impulse;
  verified_run(model.with_step<EventDriven<EigenEngine>>(0), state, 1.,
               [&](const NonsmoothObservation<EigenEngine>& now) {
                 for (const ContactEvent& event : now.events())
                   if (event.impulse.size() > 0 && event.impulse[0] > 0) impulse = event.impulse;
               });
  BOOST_REQUIRE(impulse.size() == 1);
  BOOST_TEST(impulse[0] == 5 * 3., boost::test_tools::tolerance(1e-10));
  const AssembledMotion lifted = model.inclusions.lift(state, state.r);
  for (const Index i : {0, 1}) {
    BOOST_TEST(lifted.rate[i] == 1., boost::test_tools::tolerance(1e-10));
    BOOST_TEST(lifted.displacement[i] == 0.5, boost::test_tools::tolerance(1e-10));
  }
}

BOOST_AUTO_TEST_CASE(forces_act_through_the_equations_and_gaps_see_the_coordinates) {
  // q_0 = q_1, but the multiplier pushes along (1, -1/2): 8 q'' = r_0 + 2 r_1.
  DenseSystem system = empty_system(3);
  system.M.diagonal() << 2, 3, 0;
  system.K.block(2, 0, 1, 2) << 1, -1;
  system.K.block(0, 2, 2, 1) << 1, -0.5;
  const NonsmoothModel<> model(
      system, {inclusion("left", friction(-1., 1.), on(0)), inclusion("right", friction(-1., 2.), on(1))});
  const MultiVector& W = model.outcome.W.I;
  for (const Index i : {0, 1})
    for (const Index j : {0, 1})
      BOOST_TEST(W(i, j) == (j + 1) / 8., boost::test_tools::tolerance(1e-13));
  // One equation is symmetric, what its forces do is not.
  BOOST_TEST(!model.inclusions.reduced().free().is_symmetric());
}

using Rubbed = boost::mpl::list<MoreauJean<EigenEngine>, EventDriven<EigenEngine>>;

BOOST_AUTO_TEST_CASE_TEMPLATE(friction_on_one_end_of_a_link_brakes_both, Method, Rubbed) {
  DenseSystem system = empty_system(2);
  system.M.diagonal() << 2, 3;
  const Constrained model(description_of(system, row({1, -1})),
                          {inclusion("brake", friction(-1.5, 1.5), on(1))});
  NonsmoothState state = model.start(Vector::Zero(3), vector_of({0.6, 0.6, 0}));
  verified_run(model.with_step<Method>(1e-3), state, 1.);
  const AssembledMotion lifted = model.inclusions.lift(state, state.r);
  // v = 0.6 - 0.3 t; the link pulls the first mass with 2 * 0.3.
  for (const Index i : {0, 1}) {
    BOOST_TEST(lifted.rate[i] == 0.3, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(lifted.displacement[i] == 0.45, boost::test_tools::tolerance(1e-3));
  }
  BOOST_TEST(lifted.displacement[2] == 0.6, boost::test_tools::tolerance(1e-9));
  verified_run(model.with_step<Method>(1e-3), state, 3.);
  const AssembledMotion at_rest = model.inclusions.lift(state, state.r);
  BOOST_TEST(std::abs(at_rest.rate[0]) < 1e-12);
  BOOST_TEST(at_rest.displacement[1] == 0.6, boost::test_tools::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(dummy_derivatives_change_no_impact_and_no_friction, Method, Rubbed) {
  DenseSystem system = empty_system(2);
  system.M.diagonal() << 2, 3;
  const auto given = [](double value) {
    Vector both = Vector::Zero(4);
    both.head(2).setConstant(value);
    return both;
  };
  for (const Index dof : {0, 1})
    BOOST_TEST_CONTEXT("on DoF " << dof) {
      const SystemDescription<EigenEngine> description =
          with_dummy_derivatives(description_of(system, row({1, -1})), {0, {dof}}).description;
      const Constrained stopped(description, {inclusion("stop", contact(0., 0.5), on(dof))});
      BOOST_TEST(stopped.outcome.directions[0].W == 1. / 5, boost::test_tools::tolerance(1e-14));
      NonsmoothState state = stopped.start(given(1), given(-2));
      verified_run(stopped.with_step<Method>(1e-3), state, 1.);
      const AssembledMotion rebound = stopped.inclusions.lift(state, state.r);
      BOOST_TEST(rebound.displacement[0] == 0.5, boost::test_tools::tolerance(1e-2));
      BOOST_TEST(rebound.displacement[0] == rebound.displacement[1]);

      const Constrained rubbed(description, {inclusion("brake", friction(-1.5, 1.5), on(dof))});
      state = rubbed.start(given(0), given(0.6));
      verified_run(rubbed.with_step<Method>(1e-3), state, 3.);
      const AssembledMotion at_rest = rubbed.inclusions.lift(state, state.r);
      BOOST_TEST(at_rest.displacement[0] == 0.6, boost::test_tools::tolerance(1e-3));
      BOOST_TEST(at_rest.displacement[0] == at_rest.displacement[1]);
    }
}

BOOST_AUTO_TEST_CASE(no_inclusions_and_contacts_on_what_is_held_are_no_faults) {
  const Constrained none(description_of(two_masses(), row({1, -1})), {});
  NonsmoothState state = none.start(vector_of({0.1, 0.1, 0}), Vector::Zero(3));
  verified_run(none.with_step<MoreauJean<EigenEngine>>(1e-3), state, 0.1);
  BOOST_TEST(none.inclusions.lift(state, state.r).displacement[0] == 0.1 * std::cos(4 * 0.1),
             boost::test_tools::tolerance(1e-4));
  const Constrained held(description_of(two_masses(), row({0, 1})),
                         {inclusion("stop", contact(-0.5), on(1))});
  BOOST_TEST(held.outcome.directions[0].decided_by.empty());
}

BOOST_AUTO_TEST_CASE(a_contact_sees_what_a_link_prescribes) {
  DenseSystem system = empty_system(2);
  system.K(1, 1) = 4;
  system.M.diagonal() << 1, 2;
  const Constrained model(description_of(system, row({1, -1}), wave()),
                          {inclusion("stop", contact(-0.2), on(0))});
  const NonsmoothState state = model.start(Vector::Zero(3), vector_of({2, 0, 0}));
  BOOST_TEST(model.inclusions.prescribed(0.3)[0] + model.inclusions.H().components(displacement_states(
                                                       model.inclusions.reduced(), state.y))(0, 0) ==
                 model.inclusions.gaps({0.3, state.y}, Vector::Zero(1))[0],
             boost::test_tools::tolerance(1e-13));
  const AssembledMotion lifted = model.inclusions.lift({0.3, state.y}, Vector::Zero(1));
  BOOST_TEST(model.inclusions.gaps({0.3, state.y}, Vector::Zero(1))[0] == lifted.displacement[0] + 0.2,
             boost::test_tools::tolerance(1e-13));
  BOOST_TEST(model.inclusions.has_moving_supports());
}

// A skate glides along x at unit speed, its heading theta on a spring: y' = theta. Friction that resists y
// acts on no motion that the blade allows: the heading swings as if there were none.
BOOST_AUTO_TEST_CASE(forces_across_a_blade_do_not_turn_a_skate) {
  DenseSystem system = empty_system(2);
  system.M.diagonal() << 2, 0.5;
  system.K(1, 1) = 8;
  const Constrained model(description_of(system, row({0, -1}), {}, row({1, 0})),
                          {inclusion("across", friction(-1., 1.), on(0))});
  NonsmoothState state = model.start(Vector::Zero(3), vector_of({0, 1, 0}));
  model.with_step<MoreauJean<EigenEngine>>(1e-3).run(state, 0.5, {});
  const AssembledMotion lifted = model.inclusions.lift(state, state.r);
  BOOST_TEST(lifted.displacement[1] == std::sin(4 * 0.5) / 4, boost::test_tools::tolerance(1e-4));
  BOOST_TEST(lifted.rate[0] == lifted.displacement[1], boost::test_tools::tolerance(1e-13));
  BOOST_TEST(lifted.displacement[0] == (1 - std::cos(4 * 0.5)) / 16, boost::test_tools::tolerance(1e-2));
}

BOOST_AUTO_TEST_SUITE_END()
