// SPDX-License-Identifier: LGPL-2.1-or-later
// Obstacles, supports and loads that go somewhere else within a time that is short beside everything else:
// who leaves, slips or is struck is decided at the beginning of the ramp.
#include <halfdof/base/number_text.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/event_driven/event_driven.h>

#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

using Events = EventDriven<EigenEngine>;

const double lengths[] = {1e-3, 1e-4, 5e-5, 1e-5, 1e-6, 1e-7, 1e-9};

/// The formula (t - 1)/length.
std::string local_time(double length) {
  return "(t - 1)/" + number_text(length);
}

/// A formula that rises from 0 to 1 within some time from t = 1 on.
std::string ramp(double length) {
  return "min(1, max(0, " + local_time(length) + "))";
}

/// From 0 to a height within some time from t = 1 on, by a table and by a formula.
std::vector<ScalarFunction> ramps(double height, double length) {
  return {ScalarFunction::table({0., 1., 1. + length, 3.}, {0., 0., height, height}),
          ScalarFunction::expression(number_text(height) + "*" + ramp(length))};
}

NonsmoothState after(const NonsmoothModel<>& model, double end) {
  NonsmoothState state = model.at_rest();
  verified_run(Events(model.inclusions, model.outcome), state, end);
  return state;
}

double place(const NonsmoothModel<>& model, const NonsmoothState& state) {
  return model.displacement(state)[0];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(short_ramps)

BOOST_AUTO_TEST_CASE(a_floor_that_drops_leaves_the_weight_behind) {
  // It falls freely from t = 1 on, by 0.05 in 0.1 s, meets the floor after 0.14 s and bounces to rest there.
  for (const double length : lengths)
    for (const ScalarFunction& floor : ramps(-0.1, length))
      BOOST_TEST_CONTEXT(length << " s, " << floor.description()) {
        const NonsmoothModel<> model = one_dof(1., 0., 0., contact(floor, 0.5), -10.);
        BOOST_TEST(std::abs(place(model, after(model, 1.1)) + 0.05) < 1e-9);
        const NonsmoothState state = after(model, 2.);
        BOOST_TEST(std::abs(place(model, state) + 0.1) < 1e-9);
        BOOST_TEST(std::abs(state.r[0] - 10) < 1e-6);
      }
}

BOOST_AUTO_TEST_CASE(a_floor_that_rises_strikes_the_weight) {
  // With 0.1 m/s and e = 1/2: 0.15 m/s upwards.
  for (const double length : lengths)
    for (const ScalarFunction& floor : ramps(0.1 * length, length))
      BOOST_TEST_CONTEXT(length << " s, " << floor.description()) {
        const NonsmoothModel<> model = one_dof(1., 0., 0., contact(floor, 0.5), -10.);
        BOOST_TEST(std::abs(place(model, after(model, 1.01)) - 0.001) < 1e-7);
      }
}

BOOST_AUTO_TEST_CASE(a_belt_that_jerks_slips_under_a_mass) {
  // Friction of 1 acts on a mass of 1 for as long as the ramp, and then as long the other way.
  for (const double length : lengths)
    for (const ScalarFunction& belt : ramps(0.1, length))
      BOOST_TEST_CONTEXT(length << " s, " << belt.description()) {
        const NonsmoothModel<> model = one_dof(1., 0., 1., friction(-1., 1., belt));
        BOOST_TEST(std::abs(place(model, after(model, 2.)) / (length * length) - 1) < 1e-3);
      }
}

BOOST_AUTO_TEST_CASE(a_belt_that_jerks_under_a_damper_moves_it_by_the_threshold) {
  for (const double length : lengths)
    for (const ScalarFunction& belt : ramps(0.1, length))
      BOOST_TEST_CONTEXT(length << " s, " << belt.description()) {
        const NonsmoothModel<> model = one_dof(0., 1., 1., friction(-1., 1., belt));
        BOOST_TEST(std::abs(place(model, after(model, 2.)) / length - 1) < 2 * length + 1e-6);
      }
}

BOOST_AUTO_TEST_CASE(a_load_that_rises_at_once_lifts_a_weight_once_it_balances_it) {
  for (const double length : lengths)
    for (const double mass : {1., 0.}) {
      const std::string load = "20*" + ramp(length) + " - 10";
      BOOST_TEST_CONTEXT(length << " s, mass " << mass) {
        DenseSystem system = empty_system(1);
        system.M(0, 0) = mass;
        system.C(0, 0) = 1 - mass;
        const ScalarFunction formula = ScalarFunction::expression(load);
        const NonsmoothModel<> model(system,
                                     {inclusion("it", mass > 0 ? contact(0., 0.) : contact(0.), on(0))},
                                     [formula](double t) { return Vector(one(formula(t))); });
        NonsmoothState state = model.at_rest();
        EventDrivenOptions options;
        options.functions = {formula};
        verified_run(Events(model.inclusions, model.outcome, options), state, 1.5);
        const double q = place(model, state);
        BOOST_TEST(std::abs(q / (mass > 0 ? 1.25 : 5.) - 1) < 4 * length);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_joint_without_mass_that_holds_is_verified) {
  // Nothing moves: all works are rounding.
  for (const double length : {0.1, 1e-3, 1e-4})
    BOOST_TEST_CONTEXT(length << " s") {
      DenseSystem system = empty_system(1);
      system.K(0, 0) = 2.816177980489785;
      const ScalarFunction load =
          ScalarFunction::expression("0.1989401757396673 - 0.5851589373622028*" + ramp(length));
      const NonsmoothModel<> model(system, {inclusion("it", friction(-1.62, 1.62), on(0))},
                                   [load](double t) { return Vector(one(load(t))); });
      NonsmoothState state = model.at_rest();
      EventDrivenOptions options;
      options.functions = {load};
      verified_run(Events(model.inclusions, model.outcome, options), state, 2.);
      BOOST_TEST(std::abs(place(model, state)) < 1e-15);
      BOOST_TEST(std::abs(state.r[0] - 0.5851589373622028 + 0.1989401757396673) < 1e-12);
    }
}

BOOST_AUTO_TEST_CASE(what_drops_with_a_prescribed_degree_of_freedom_leaves_the_weight_behind) {
  // The floor is a degree of freedom, of whose motion no derivatives are known, and its kinks only where they
  // are given.
  for (const auto& [length, is_given] : {std::pair(1e-3, true),
                                         {1e-4, true},
                                         {1e-6, true},
                                         {1e-7, true},
                                         {1e-9, true},
                                         {1e-3, false},
                                         {1e-5, false},
                                         {1e-6, false},
                                         {1e-7, false},
                                         {1e-8, false}}) {
    BOOST_TEST_CONTEXT(length << " s, kinks given: " << is_given) {
      const ScalarFunction floor = ramps(-0.1, length).front();
      DenseSystem system = empty_system(2);
      system.M.setIdentity();
      const NonsmoothModel<> model(
          system, {inclusion("it", contact(0., 0.5), Direction({{0, 1.}, {1, -1.}}))},
          [](double) {
            return Vector(vector_of({-10., 0.}));
          },
          {1}, [floor](double t) { return Vector(one(floor(t))); },
          [floor](double t) { return Vector(one(floor.derivative(t))); });
      EventDrivenOptions options;
      if (is_given) options.functions = {floor};
      NonsmoothState state = model.at_rest();
      Events integrator(model.inclusions, model.outcome, options);
      if (is_given)
        verified_run(integrator, state, 1.1);
      else
        integrator.run(state, 1.1);
      BOOST_TEST(std::abs(place(model, state) + 0.05) < 1e-8);
    }
  }
}

BOOST_AUTO_TEST_CASE(smooth_steps_far_from_their_middle_are_passed_at_once) {
  for (const double length : {1e-3, 1e-5, 1e-6}) {
    const std::string x = local_time(length);
    for (const std::string& step : {"(1 + tanh(" + x + "))/2", "1/(1 + exp(-2*" + x + "))"})
      BOOST_TEST_CONTEXT(step) {
        const NonsmoothModel<> model =
            one_dof(1., 0., 0., contact(ScalarFunction::expression("-0.1*" + step), 0.5), -10.);
        NonsmoothState state = model.at_rest();
        std::size_t n_before = 0;
        Events(model.inclusions, model.outcome).run(state, 1.1, [&](const auto& now) {
          if (now.time() < 0.99) ++n_before;
        });
        BOOST_TEST(n_before < (step[0] == '(' ? 40u : 3000u));
        BOOST_TEST(std::abs(place(model, state) + 0.05) < 20 * length);
      }
  }
}

BOOST_AUTO_TEST_CASE(a_smooth_obstacle_that_stops_is_left_for_ever) {
  // It strikes where it has gone the way q_0 = u A, with the rate s' = 2 A u (1 - u)/T; the mass leaves with
  // (1 + e) s', faster than the obstacle ever is.
  const double A = 0.2, e = 0.8;
  for (const double T : {1e-3, 1e-5, 1e-6, 1e-7, 1e-8})
    for (const double q_0 : {0.04, 0.08})
      BOOST_TEST_CONTEXT(T << " s, " << q_0) {
        const double u = q_0 / A, rate = (1 + e) * 2 * A * u * (1 - u) / T,
                     strikes = 1 + T * std::atanh(2 * u - 1);
        const NonsmoothModel<> model = one_dof(
            1., 0., 0., contact(ScalarFunction::expression("0.2*(1 + tanh(" + local_time(T) + "))/2"), e));
        NonsmoothState state = model.start(one(q_0), one(0.));
        verified_run(Events(model.inclusions, model.outcome), state, 2.);
        BOOST_TEST(place(model, state) == q_0 + rate * (2 - strikes), boost::test_tools::tolerance(1e-6));
      }
}

BOOST_AUTO_TEST_CASE(steps_behind_a_ramp_at_the_start_are_as_long_as_before_one) {
  for (const double length : {1e-3, 1e-6, 1e-9}) {
    const ScalarFunction floor = ScalarFunction::table({0., length, 3.}, {0., -0.2, -0.2});
    const NonsmoothModel<> model = one_dof(1., 0., 0., contact(floor, 0.), -2.);
    NonsmoothState state = model.at_rest();
    std::size_t n = 0;
    Events(model.inclusions, model.outcome).run(state, 2., [&](const auto&) { ++n; });
    BOOST_TEST(n < 100u, length);
    BOOST_TEST(std::abs(place(model, state) + 0.2) < 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(frictions_at_their_bounds_share_a_degree_of_freedom) {
  // Neither has a slope there: a step of the solver has no equations left. One law with both thresholds is as
  // good.
  const auto weakening = [](double at_rest, double kinetic) -> std::shared_ptr<const Law> {
    return std::make_shared<const WeakeningFriction>(FrictionCurve::exponential(at_rest, kinetic, 0.5));
  };
  DenseSystem system = empty_system(1);
  system.M(0, 0) = 1;
  system.K(0, 0) = 30;
  const ScalarFunction load = ScalarFunction::expression("5*max(0, min(1, (t - 0.5)/0.5))");
  const auto end = [&](const std::vector<Inclusion>& frictions) {
    const NonsmoothModel<> model(system, frictions, [load](double t) { return Vector(one(load(t))); });
    NonsmoothState state = model.at_rest();
    EventDrivenOptions options;
    options.functions = {load};
    verified_run(Events(model.inclusions, model.outcome, options), state, 2.);
    return place(model, state);
  };
  const double both =
      end({inclusion("one", weakening(0.94, 0.67), on(0)), inclusion("other", friction(-2., 2.), on(0))});
  BOOST_TEST(both == end({inclusion("sum", weakening(2.94, 2.67), on(0))}),
             boost::test_tools::tolerance(1e-8));
}

BOOST_AUTO_TEST_SUITE_END()
