// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/obstacle_jump.h>
#include <halfdof/integrators/verification/verification.h>

#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

using Nonsmooth = NonsmoothIntegrator<EigenEngine>;

/// A mass at rest on a spring, beside a wall.
void with_every_method(const std::string& wall, const std::function<void(Nonsmooth&, NonsmoothState)>& see) {
  const NonsmoothModel<> model = one_dof(1., 0., 1., contact(ScalarFunction::expression(wall), 0.));
  const double h = 0.01;
  std::vector<std::unique_ptr<Nonsmooth>> all;
  all.push_back(std::make_unique<NonsmoothEuler<EigenEngine>>(model.inclusions, model.outcome, h));
  all.push_back(std::make_unique<MoreauJean<EigenEngine>>(model.inclusions, model.outcome, h));
  all.push_back(std::make_unique<NonsmoothAlpha<EigenEngine>>(model.inclusions, model.outcome, h));
  all.push_back(std::make_unique<EventDriven<EigenEngine>>(model.inclusions, model.outcome));
  for (const auto& integrator : all)
    BOOST_TEST_CONTEXT(integrator->name()) {
      see(*integrator, model.start(one(0.), one(0.)));
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(obstacle_jumps)

BOOST_AUTO_TEST_CASE(an_obstacle_that_jumps_into_a_mass_is_refused_by_every_method) {
  for (const std::string wall : {"t < 0.505 ? -1 : 0.5", "t <= 0.5 ? -1 : 1e-3", "t < 0.503 ? 0 : 1"})
    with_every_method(wall, [](Nonsmooth& integrator, NonsmoothState state) {
      BOOST_CHECK_EXCEPTION(integrator.run(state, 1.), InvalidInput, [](const Error& error) {
        return std::string(error.what()).find("jumps by") != std::string::npos;
      });
    });
}

BOOST_AUTO_TEST_CASE(an_obstacle_that_jumps_elsewhere_or_moves_fast_is_none) {
  for (const std::string wall :
       {"t < 0.505 ? -1 : -0.5", "t < 0.505 ? 0 : -1", "min(1, max(-1, 100*(t-0.5)))"})
    with_every_method(wall, [](Nonsmooth& integrator, NonsmoothState state) {
      BOOST_CHECK_NO_THROW(integrator.run(state, 1.));
    });
}

BOOST_AUTO_TEST_CASE(an_obstacle_that_comes_to_rest_does_not_jump_by_its_last_digit) {
  for (const std::string floor : {"1 - exp(-2*t)", "tanh(3*t)", "0.02*sin(20*t)"}) {
    const NonsmoothModel<> model = one_dof(1., 0., 0., contact(ScalarFunction::expression(floor), 0.), -50.);
    NonsmoothState state = model.start(one(0.), one(0.));
    MoreauJean<EigenEngine> jean(model.inclusions, model.outcome, 0.01);
    BOOST_CHECK_NO_THROW(jean.run(state, 25.));
  }
  // A table between equal values rounds.
  const auto plateau = ScalarFunction::table({0., 0.3, 0.4, 1.7}, {0.7, 0.7, 0.7, 0.7});
  const NonsmoothModel<> model = one_dof(1., 0., 0., contact(plateau, 0.), -10.);
  NonsmoothState state = model.start(one(1.), one(0.));
  MoreauJean<EigenEngine> jean(model.inclusions, model.outcome, 1e-3);
  BOOST_CHECK_NO_THROW(jean.run(state, 1.7));
}

BOOST_AUTO_TEST_CASE(what_an_obstacle_leaves_behind_by_a_jump_moves_on) {
  // k = 4 pi^2, pressed on a stop at 1 that is taken away at 0.5 s: q = cos(2 pi (t - 0.5)).
  const double k = std::pow(2 * std::acos(-1.), 2);
  const NonsmoothModel<> model =
      one_dof(1., 0., k, contact(ScalarFunction::expression("t < 0.5 ? 1 : -5"), 0.));
  NonsmoothState state = model.start(one(1.), one(0.));
  EventDriven<EigenEngine>(model.inclusions, model.outcome).run(state, 1.);
  BOOST_TEST(std::abs(model.displacement(state)[0] + 1.) < 1e-8);
  BOOST_TEST((state.contacts[0] == ContactState::open));
}

BOOST_AUTO_TEST_CASE(a_support_that_jumps_drags_its_friction_over_a_mass) {
  const NonsmoothModel<> model =
      one_dof(1., 0., 0., friction(-2., 2., ScalarFunction::expression("t < 0.5 ? 0 : 1")));
  NonsmoothState state = model.start(one(0.), one(0.));
  EventDriven<EigenEngine>(model.inclusions, model.outcome).run(state, 1.);
  BOOST_TEST(state.dissipated == 2., boost::test_tools::tolerance(1e-9));

  NonsmoothState by_means = model.start(one(0.), one(0.));
  with_step<NonsmoothEuler<EigenEngine>>(model, 1e-3).run(by_means, 1.);
  BOOST_TEST(by_means.dissipated == 2., boost::test_tools::tolerance(1e-2));

  const auto is_named = [](const InvalidInput& error) {
    return std::string(error.what()).find("jumps by 1 at 0.5 s") != std::string::npos;
  };
  // A table that goes on with the same value changes by its last digit.
  const auto flat = ScalarFunction::table({0, 4 / 3., 8 / 3., 4}, {0, 0.14, -0.39, -0.39});
  const NonsmoothModel<> rests = one_dof(1., 0., 0., friction(-2., 2., flat));
  for (const double step : {1e-3, 1e-4, 5e-5}) {
    NonsmoothState resting = rests.start(one(0.), one(0.105));
    BOOST_CHECK_NO_THROW(with_step<MoreauJean<EigenEngine>>(rests, step).run(resting, 4.));
  }

  NonsmoothState refused = model.start(one(0.), one(0.));
  BOOST_CHECK_EXCEPTION(with_step<MoreauJean<EigenEngine>>(model, 1e-3).run(refused, 1.), InvalidInput,
                        is_named);
  refused = model.start(one(0.), one(0.));
  BOOST_CHECK_EXCEPTION(with_step<NonsmoothAlpha<EigenEngine>>(model, 1e-3).run(refused, 1.), InvalidInput,
                        is_named);
}

BOOST_AUTO_TEST_CASE(what_rests_on_an_obstacle_falls_where_it_drops_by_a_short_ramp) {
  const auto floor = ScalarFunction::table({0., 1., 1.000001, 3.}, {0., 0., -0.1, -0.1});
  const NonsmoothModel<> model = one_dof(1., 0., 0., contact(floor, 0.5), -10.);
  NonsmoothState state = model.start(one(0.), one(0.));
  EventDriven<EigenEngine>(model.inclusions, model.outcome).run(state, 2.);
  BOOST_TEST(std::abs(model.displacement(state)[0] + 0.1) < 1e-9);
}

BOOST_AUTO_TEST_CASE(friction_that_falls_takes_its_slow_slip_where_a_support_jumps) {
  const auto support = ScalarFunction::expression("t < 0.5 ? 0 : 1");
  const std::vector<std::pair<std::shared_ptr<const Law>, double>> laws = {
      {std::make_shared<const StaticKineticFriction>(3., 1., support), 1.},
      {std::make_shared<const WeakeningFriction>(FrictionCurve::exponential(3., 1., 0.1), support), 3.}};
  for (const auto& [law, dissipated] : laws) {
    const NonsmoothModel<> model = one_dof(1., 0., 0., law);
    EventDriven<EigenEngine> integrator(model.inclusions, model.outcome);
    Verification<EigenEngine> verification(model.inclusions, model.outcome, {integrator.end_weight()});
    NonsmoothState state = model.start(one(0.), one(0.));
    integrator.run(state, 0.6, std::ref(verification));
    BOOST_TEST(state.dissipated == dissipated, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(verification.report()[Check::dissipated].value < 1e-10, law->name());
  }
}

BOOST_AUTO_TEST_CASE(a_belt_that_starts_within_a_step_carries_a_mass_alike_to_both_sides) {
  for (const double part : {0.05, 0.3, 0.5, 0.7, 0.9}) {
    const auto belt = [&](double rate) {
      const double kink = 0.5 + part * 0.01;
      return friction(-1e3, 1e3, ScalarFunction([=](double t) { return rate * std::max(0., t - kink); }));
    };
    const NonsmoothModel<> forward = one_dof(1., 0., 4., belt(1.)), back = one_dof(1., 0., 4., belt(-1.));
    for (const double end : {0.51, 0.52, 0.8}) {
      const auto carried = [&](const NonsmoothModel<>& model, bool by_jean) {
        NonsmoothState state = model.start(one(0.), one(0.));
        if (by_jean)
          MoreauJean<EigenEngine>(model.inclusions, model.outcome, 0.01).run(state, end);
        else
          NonsmoothAlpha<EigenEngine>(model.inclusions, model.outcome, 0.01).run(state, end);
        return state.y;
      };
      for (const bool by_jean : {true, false})
        BOOST_TEST((carried(forward, by_jean) + carried(back, by_jean)).cwiseAbs().maxCoeff() < 1e-12);
      if (end > 0.51) BOOST_TEST(carried(forward, true)[1] == 1., boost::test_tools::tolerance(1e-9));
    }
  }
}

BOOST_AUTO_TEST_CASE(an_obstacle_that_starts_within_a_step_strikes_what_rests_on_it_once) {
  // The floor moves with rate 1 from the kink on: v = 1.5 - 10 (t - kink), wherever the kink lies in a step.
  for (const double step : {0.01, 0.001})
    for (const double part : {0.03, 0.2, 0.33, 0.5, 0.77, 0.98}) {
      const double kink = 0.5 + part * step;
      const NonsmoothModel<> model = one_dof(
          1., 0., 0., contact(ScalarFunction([=](double t) { return std::max(0., t - kink); }), 0.5), -10.);
      MoreauJean<EigenEngine> jean(model.inclusions, model.outcome, step);
      NonsmoothAlpha<EigenEngine> alpha(model.inclusions, model.outcome, step);
      for (Nonsmooth* method : std::initializer_list<Nonsmooth*>{&jean, &alpha}) {
        NonsmoothState state = model.start(one(0.), one(0.));
        method->run(state, 0.55);
        BOOST_TEST(std::abs(state.y[1] - (1.5 - 10 * (0.55 - kink))) < 15 * step,
                   method->name() << ", " << step << ", " << part << ": " << state.y[1]);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_ramp_within_a_step_leaves_no_mass_inside) {
  // The floor rises by 0.5 within a tenth of a step.
  for (const double part : {0.05, 0.3, 0.45, 0.6, 0.77, 0.87}) {
    const double from = 0.5 + part * 0.01;
    const auto floor = ScalarFunction::table({0., from, from + 1e-3, 2.}, {0., 0., 0.5, 0.5});
    const NonsmoothModel<> model = one_dof(1., 0., 0., contact(floor, 0.));
    NonsmoothState state = model.start(one(0.1), one(0.));
    MoreauJean<EigenEngine>(model.inclusions, model.outcome, 0.01).run(state, 1.);
    BOOST_TEST(state.g[0] > 0., part << ": " << state.g[0]);
  }
}

BOOST_AUTO_TEST_CASE(jumps_are_told_from_steep_ramps) {
  const auto jump = find_jump([](double t) { return t + (t < 0.3 ? 0. : 2.); }, 0., 1.);
  BOOST_REQUIRE(jump.has_value());
  BOOST_TEST(jump->time == 0.3, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(jump->size == 2., boost::test_tools::tolerance(1e-12));
  BOOST_TEST(!find_jump([](double t) { return std::tanh(1e6 * (t - 0.3)); }, 0., 1.).has_value());
  BOOST_TEST(!find_jump([](double) { return 3.; }, 0., 1.).has_value());
  // A ramp that begins one digit ahead of the end.
  const double kink = std::nextafter(0.3, 0.);
  BOOST_TEST(!find_jump([=](double t) { return std::max(0., t - kink); }, 0.2, 0.3).has_value());
  BOOST_TEST(!find_jump([=](double t) { return std::max(0., t - kink); }, kink, 0.3).has_value());
}

BOOST_AUTO_TEST_CASE(a_load_may_end_with_the_run) {
  // A play follows a table that says nothing beyond: k q = F - 1 at its peak.
  const auto load = ScalarFunction::table({0., 1., 3.}, {0., 3., 1.5}, BeyondTable::refuse);
  DenseSystem system = empty_system(1);
  system.K(0, 0) = 8;
  const NonsmoothModel<> model(system, {inclusion("play", friction(-1., 1.), on(0))},
                               [load](double t) { return one(load(t)); });
  EventDrivenOptions options;
  options.functions = {load};
  NonsmoothState state = model.at_rest();
  EventDriven<EigenEngine>(model.inclusions, model.outcome, options).run(state, 3.);
  BOOST_TEST(model.displacement(state)[0] == 0.25, boost::test_tools::tolerance(1e-10));
}

BOOST_AUTO_TEST_SUITE_END()
