// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/controlled_step.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/verification/energy.h>

#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"
#include <functional>
#include <memory>
#include <string>

/// Energies of algebraic DoFs whose loads jump, against the path that a slow load goes.

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

using Nonsmooth = NonsmoothIntegrator<EigenEngine>;

/// @param check gets the name of a method, its last state, and the energies
void with_every_method(
    const NonsmoothModel<>& model, const ScalarFunction& load, const NonsmoothState& start,
    const std::function<void(const std::string&, const NonsmoothState&, const Energies&)>& check) {
  EventDrivenOptions options;
  options.functions = {load};
  NonsmoothEuler<EigenEngine> euler(model.inclusions, model.outcome, 0.01);
  MoreauJean<EigenEngine> jean(model.inclusions, model.outcome, 0.01);
  NonsmoothAlpha<EigenEngine> alpha(model.inclusions, model.outcome, 0.01);
  EventDriven<EigenEngine> driven(model.inclusions, model.outcome, options);
  for (Nonsmooth* integrator : std::initializer_list<Nonsmooth*>{&euler, &jean, &alpha, &driven}) {
    NonsmoothState state = start;
    EnergyBalance<EigenEngine> balance(model.inclusions.reduced());
    integrator->run(state, 1., std::ref(balance));
    check(integrator->name(), state, balance.energies());
    BOOST_TEST(std::abs(balance.defect()) < 1e-9, integrator->name());
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(jumps_of_loads)

BOOST_AUTO_TEST_CASE(a_play_slips_with_its_threshold_and_the_load_does_the_rest) {
  // k = 8, threshold 1: q = (3 - 1) / 8, then (-2 + 1) / 8.
  const auto load = ScalarFunction::expression("t < 0.205 ? 0.5 : t < 0.605 ? 3 : -2");
  DenseSystem system = empty_system(1);
  system.K(0, 0) = 8;
  const NonsmoothModel<> model(system, {inclusion("play", friction(-1., 1.), on(0))},
                               [load](double t) { return one(load(t)); });
  with_every_method(
      model, load, model.at_rest(), [](const auto& name, const auto& state, const auto& energies) {
        BOOST_TEST(std::abs(state.dissipated - 0.625) < 1e-9, name << ": " << state.dissipated);
        BOOST_TEST(std::abs(energies.reactions + 0.625) < 1e-9, name << ": " << energies.reactions);
        BOOST_TEST(std::abs(energies.work - (0.625 + 0.0625)) < 1e-9, name << ": " << energies.work);
      });
}

BOOST_AUTO_TEST_CASE(a_play_on_a_moving_support_takes_the_work_of_the_support) {
  // The support goes to 1, the spring of 8 keeps the play slipping from 1/8 on.
  const ScalarFunction load = 0.;
  DenseSystem system = empty_system(1);
  system.K(0, 0) = 8;
  const NonsmoothModel<> model(
      system, {inclusion("play", friction(-1., 1., ScalarFunction::expression("t")), on(0))});
  with_every_method(
      model, load, model.at_rest(), [](const auto& name, const auto& state, const auto& energies) {
        BOOST_TEST(std::abs(state.dissipated - 0.875) < 0.01, name << ": " << state.dissipated);
        BOOST_TEST(std::abs(energies.reactions - 0.0625) < 0.01, name << ": " << energies.reactions);
        BOOST_TEST(std::abs(energies.work) < 0.01, name << ": " << energies.work);
      });
}

BOOST_AUTO_TEST_CASE(a_threshold_that_falls_lets_a_constant_load_work) {
  // k = 8: a load of 0.9 that friction holds until its threshold falls to 0.2, q = 0.7 / 8.
  const ScalarFunction load = 0.;
  const auto threshold = ScalarFunction::expression("t < 0.505 ? 1 : 0.2"),
             lower = ScalarFunction::expression("t < 0.505 ? -1 : -0.2");
  DenseSystem system = empty_system(1);
  system.K(0, 0) = 8;
  const NonsmoothModel<> model(system, {inclusion("play", friction(lower, threshold), on(0))},
                               [](double) { return one(0.9); });
  with_every_method(
      model, load, model.at_rest(), [](const auto& name, const auto& state, const auto& energies) {
        BOOST_TEST(std::abs(energies.work - 0.9 * 0.0875) < 1e-9, name << ": " << energies.work);
        BOOST_TEST(std::abs(state.dissipated - 0.048125) < 1e-9, name << ": " << state.dissipated);
      });
}

BOOST_AUTO_TEST_CASE(controlled_steps_follow_a_play_without_mass_to_their_tolerance) {
  // The threshold falls while the load rises: the play slips from 1/k to 4.5/k with 5/3 ... 1/2.
  const auto load = ScalarFunction::table({0., 0.3, 0.5, 1.}, {0., 2., 2., 5.}),
             upper = ScalarFunction::table({0., 0.3, 0.5, 1.}, {1., 1., 2., 0.5}),
             lower = ScalarFunction::table({0., 0.3, 0.5, 1.}, {-1., -1., -2., -0.5});
  DenseSystem system = empty_system(1);
  system.K(0, 0) = 1;
  const NonsmoothModel<> model(system, {inclusion("play", friction(lower, upper), on(0))},
                               [load](double t) { return one(load(t)); });
  for (const double tolerance : {1e-3, 1e-5}) {
    ControlledStepOptions options{tolerance, 1., {load}};
    ControlledStep<EigenEngine> controlled(
        model.inclusions, model.outcome,
        [](const auto& inclusions, const auto& outcome, double step) {
          return std::make_unique<MoreauJean<EigenEngine>>(inclusions, outcome, step);
        },
        options);
    NonsmoothState state = model.at_rest();
    controlled.run(state, 1.);
    BOOST_TEST(std::abs(model.displacement(state)[0] - 4.5) < 10 * tolerance);
    BOOST_TEST(std::abs(state.dissipated - (1 + 3.5 * (5. / 3 + 0.5) / 2)) < 10 * tolerance);
  }
}

BOOST_AUTO_TEST_CASE(controlled_steps_pass_a_jump_at_any_time) {
  for (const double begin : {0., 1e3, 1e6}) {
    const std::string t = "(t - " + std::to_string(begin) + ")";
    const auto load = ScalarFunction::expression(t + " < 0.205 ? 0.5 : " + t + " < 0.605 ? 3 : -2");
    DenseSystem system = empty_system(1);
    system.K(0, 0) = 8;
    const NonsmoothModel<> model(system, {inclusion("play", friction(-1., 1.), on(0))},
                                 [load](double t) { return one(load(t)); });
    ControlledStep<EigenEngine> controlled(model.inclusions, model.outcome,
                                           [](const auto& inclusions, const auto& outcome, double step) {
                                             return std::make_unique<MoreauJean<EigenEngine>>(inclusions,
                                                                                              outcome, step);
                                           },
                                           {1e-4, 1., {load}});
    NonsmoothState state = model.at_rest();
    state.time = begin;
    controlled.run(state, begin + 1.);
    BOOST_TEST(std::abs(model.displacement(state)[0] + 0.125) < 1e-9);
    BOOST_TEST(std::abs(state.dissipated - 0.625) < 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(a_contact_that_a_load_opens_does_no_work) {
  // k = 8: pressed on the wall at zero by 4, then held away from it by 4.
  const auto load = ScalarFunction::expression("t < 0.505 ? -4 : 4");
  DenseSystem system = empty_system(1);
  system.K(0, 0) = 8;
  const NonsmoothModel<> model(system, {inclusion("wall", contact(0.), on(0))},
                               [load](double t) { return one(load(t)); });
  with_every_method(model, load, model.at_rest(),
                    [](const auto& name, const auto& state, const auto& energies) {
                      BOOST_TEST(std::abs(state.dissipated) < 1e-12, name << ": " << state.dissipated);
                      BOOST_TEST(std::abs(energies.reactions) < 1e-9, name << ": " << energies.reactions);
                      BOOST_TEST(std::abs(energies.work - 1.) < 1e-9, name << ": " << energies.work);
                    });
}

BOOST_AUTO_TEST_CASE(an_impact_that_implicit_steps_stop_takes_the_kinetic_energy) {
  // A unit mass flies with speed 1 against a wall, without restitution.
  const NonsmoothModel<> model = one_dof(1., 0., 0., contact(0., 0.));
  with_every_method(model, 0., model.start(one(0.505), one(-1.)),
                    [](const auto& name, const auto& state, const auto& energies) {
                      BOOST_TEST(std::abs(state.dissipated - 0.5) < 1e-9, name << ": " << state.dissipated);
                      BOOST_TEST(std::abs(energies.reactions + 0.5) < 1e-9,
                                 name << ": " << energies.reactions);
                      BOOST_TEST(std::abs(energies.kinetic) < 1e-9, name << ": " << energies.kinetic);
                    });
}

BOOST_AUTO_TEST_CASE(a_support_that_jumps_does_the_work_of_the_spring_and_of_the_slip) {
  // k = 8, threshold 1: the support goes to 1 within a step, the play sticks up to 1/8.
  const ScalarFunction load = 0.;
  DenseSystem system = empty_system(1);
  system.K(0, 0) = 8;
  const NonsmoothModel<> model(
      system,
      {inclusion("play", friction(-1., 1., ScalarFunction::table({0., 0.501, 0.502, 1.}, {0., 0., 1., 1.})),
                 on(0))});
  with_every_method(
      model, load, model.at_rest(), [](const auto& name, const auto& state, const auto& energies) {
        BOOST_TEST(std::abs(energies.reactions - 0.0625) < 1e-9, name << ": " << energies.reactions);
        BOOST_TEST(std::abs(energies.work) < 1e-9, name << ": " << energies.work);
        BOOST_TEST(std::abs(state.dissipated - 0.875) < 1e-9, name << ": " << state.dissipated);
      });
}

BOOST_AUTO_TEST_SUITE_END()
