// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>

#include <boost/test/unit_test.hpp>

#include "event_driven_runs.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

constexpr double pi = 3.14159265358979323846;

ScalarFunction formula(const std::string& text) {
  return ScalarFunction::expression(text);
}

/// The load is a formula, which the integrator knows, times a vector.
struct FormulaLoad {
  ScalarFunction factor;
  Vector vector;

  TimeFunction value() const {
    return [*this](double t) -> Vector { return factor(t) * vector; };
  }
  EventDrivenOptions options() const {
    EventDrivenOptions options;
    options.functions = {factor};
    return options;
  }
};

/// A slider on a spring, with friction 1, that a stop h(t) = 0.2 sin(pi t) pushes.
NonsmoothModel<> slider_with_moving_stop(double m) {
  DenseSystem system = empty_system(1);
  system.M(0, 0) = m;
  system.K(0, 0) = 10;
  return {system,
          {inclusion("friction", friction(-1., 1.), on(0)),
           inclusion("stop", contact(formula("0.2*sin(pi*t)")), on(0))}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(functions_of_time)

// The stop pushes the slider to 0.2; on the way back the spring, 10 q, overcomes friction as far as 0.1, at
// 5/6 s.
BOOST_AUTO_TEST_CASE(friction_holds_a_massless_slider_where_a_reversing_stop_leaves_it) {
  const NonsmoothModel<> model = slider_with_moving_stop(0.);
  NonsmoothState state = model.at_rest();
  const Trajectory trajectory = run(model, state, 2.);
  BOOST_TEST(std::abs(model.displacement(state)[0] - 0.1) < 1e-11);
  // What the stop does within 1e-11 of its way is no contradiction to friction that sticks.
  BOOST_TEST(std::abs(state.dissipated - 0.3) < 1e-8);
  BOOST_TEST(std::abs(trajectory.events.back().begin - 5. / 6) < 1e-8);
}

// The same with a mass. Reference: implicit Euler with 250000 and 500000 steps, extrapolated.
BOOST_AUTO_TEST_CASE(a_mass_follows_a_stop_that_reverses) {
  const NonsmoothModel<> model = slider_with_moving_stop(0.01);
  NonsmoothState state = model.at_rest();
  run(model, state, 2.);
  BOOST_TEST(std::abs(model.displacement(state)[0] - 0.0828213992) < 1e-8);
}

BOOST_AUTO_TEST_CASE(walls_without_a_gap_between_them_take_the_load_in_turn) {
  DenseSystem system = empty_system(1);
  system.K(0, 0) = 5;
  const FormulaLoad load{formula("3*sin(5*t)"), one(1.)};
  const NonsmoothModel<> model(
      system, {inclusion("left", contact(), on(0)), inclusion("right", contact(), on(0, -1.))}, load.value());
  NonsmoothState state = model.at_rest();
  double error = 0;
  Events(model.inclusions, model.outcome, load.options())
      .run(state, 3., [&](const NonsmoothObservation<EigenEngine>& now) {
        const double f = 3 * std::sin(5 * now.time());
        error = std::max({error, std::abs(now.reactions()[0][0] - std::max(0., -f)),
                          std::abs(now.reactions()[1][0] - std::max(0., f)),
                          std::abs(now.lift().displacement[0])});
      });
  BOOST_TEST(error < 1e-10);
}

// The threshold falls to 0.1 for less than a tenth of a second, and lets the load of 2 move the spring to
// 1.9.
BOOST_AUTO_TEST_CASE(a_threshold_that_dips_shortly_is_not_stepped_over) {
  for (const double width : {0.05, 1e-3, 1e-5}) {
    const std::string text = "3-2.9*exp(-((t-5.13)/" + std::to_string(width) + ")^2)";
    const NonsmoothModel<> model =
        one_dof(0., 0., 1., friction(formula("-(" + text + ")"), formula(text)), 2.);
    NonsmoothState state = model.at_rest();
    // Between the nodes of a step, reactions follow a threshold that dips in 10 us to 4e-8 of the largest one
    // only.
    if (width > 1e-2)
      run(model, state, 10.);
    else
      Events(model.inclusions, model.outcome).run(state, 10.);
    // Thresholds are interpolated to 1e-10 of their terms, and their rates to less.
    BOOST_TEST(std::abs(model.displacement(state)[0] - 1.9) < 1e-7);
  }
}

BOOST_AUTO_TEST_CASE(a_short_pulse_of_the_load_is_not_stepped_over) {
  const FormulaLoad load{formula("2*exp(-((t-5.13)/0.001)^2)"), one(1.)};
  DenseSystem system = empty_system(1);
  system.K(0, 0) = 1;
  const NonsmoothModel<> model(system, {inclusion("friction", friction(-1., 1.), on(0))}, load.value());
  NonsmoothState state = model.at_rest();
  Events(model.inclusions, model.outcome, load.options()).run(state, 10.);
  BOOST_TEST(std::abs(model.displacement(state)[0] - 1.) < 1e-8);
}

BOOST_AUTO_TEST_CASE(kinks_and_jumps_of_formulas_end_steps_without_being_announced) {
  for (const char* text : {"t >= 1/3 ? 2 : 0", "max(0, 3*abs(t - 1/3) - 1)", "2*(rint(t) > 0)"}) {
    const FormulaLoad load{formula(text), one(1.)};
    DenseSystem system = empty_system(1);
    system.C(0, 0) = 1;
    const NonsmoothModel<> model(system, {inclusion("friction", friction(-0.5, 0.5), on(0))}, load.value());
    NonsmoothState state = model.at_rest();
    run(model, state, 2., load.options());
    // q' = max(0, f - 1/2) by the midpoint rule.
    const int n = 1000000;
    double q = 0;
    for (int i = 0; i < n; ++i)
      q += 2. / n * std::max(0., load.factor((i + 0.5) * 2. / n) - 0.5);
    BOOST_TEST(std::abs(model.displacement(state)[0] - q) < 4e-6);  // a cell of the rule at a jump
  }
}

// Stick-slip on a belt: both phases in closed form.
BOOST_AUTO_TEST_CASE(a_block_on_a_belt_sticks_and_slips_at_the_exact_times) {
  const double m = 1.3, k = 50, v = 0.11, holds = 4, slides = 2.5, omega = std::sqrt(k / m);
  const NonsmoothModel<> model =
      one_dof(m, 0., k, std::make_shared<const StaticKineticFriction>(holds, slides, formula("0.11*t")));
  NonsmoothState state = model.start(one(0.), one(v));
  const Trajectory trajectory = run(model, state, 20.);
  const double reach = (holds - slides) / k, slip = (pi + 2 * std::atan2(v / omega, reach)) / omega,
               stick = 2 * reach / v;
  std::vector<Change> expected;
  for (double t = holds / k / v; t < 20; t += slip + stick) {
    expected.push_back({t, ContactState::slip_back});
    if (t + slip < 20) expected.push_back({t + slip, ContactState::stick});
  }
  check_changes(trajectory, expected, 1e-9);
}

// Three masses, one on a support that shakes. Held by an acceleration, the system once was balanced by
// rounding.
BOOST_AUTO_TEST_CASE(friction_on_a_shaken_support_does_not_stall) {
  DenseSystem system = empty_system(3);
  system.M.diagonal() << 1.03, 1.20, 1.13;
  system.K << 29.17, -4.25, 11.74, -4.25, 78.23, 25.32, 11.74, 25.32, 60.21;
  const FormulaLoad load{formula("sin(2.57*t)"), vector_of({-17.79, 7.88, -3.84})};
  const NonsmoothModel<> model(
      system, {inclusion("friction", friction(-2.5, 2.5, formula("0.084*sin(8.54*t)")), on(0))},
      load.value());
  NonsmoothState state = model.at_rest();
  const Trajectory trajectory = run(model, state, 4., load.options());
  BOOST_TEST(trajectory.points.size() < 200);
  // Implicit Euler is of first order.
  const auto by_euler = [&](double h) {
    NonsmoothState slow = model.at_rest();
    NonsmoothEuler<EigenEngine>(model.inclusions, model.outcome, h).run(slow, 4.);
    return model.displacement(slow);
  };
  const Vector extrapolated = 2 * by_euler(1e-4) - by_euler(2e-4);
  BOOST_TEST((model.displacement(state) - extrapolated).norm() < 1e-3 * extrapolated.norm());
}

// Two stops move, a threshold goes up and down, and three of five DoFs have no mass: the second derivatives
// of what moves decide, and differences of them over short steps are rounding.
BOOST_AUTO_TEST_CASE(stops_and_a_threshold_that_move_by_formulas_do_not_stall) {
  DenseSystem system = empty_system(5);
  system.M(0, 0) = 0.61601;
  system.M(0, 4) = system.M(4, 0) = -0.25288;
  system.M(4, 4) = 1.16028;
  system.K << 29.166, -15.193, -14.356, 8.8623, 3.1304,  //
      -15.193, 51.148, 10.791, -23.812, 68.561,          //
      -14.356, 10.791, 131.33, 46.452, -86.935,          //
      8.8623, -23.812, 46.452, 282.21, -70.926,          //
      3.1304, 68.561, -86.935, -70.926, 270.62;
  const FormulaLoad load{formula("sin(3.3675062*t)"), vector_of({-11.25, 16.582, 4.1076, 3.016, 7.1844})};
  const ScalarFunction threshold = formula("0.75376+0.60928*cos(3.6293830*t)"),
                       first = formula("-0.080967+0.033475*sin(5.6606192*t)"),
                       second = formula("-0.087829+0.049028*sin(5.0776612*t)");
  const NonsmoothModel<> model(system,
                               {inclusion("first", contact(first), on(0, 0.5)),
                                inclusion("rubber", std::make_shared<const StVenantElement>(threshold),
                                          Direction({{4, -1.}, {2, -1.}})),
                                inclusion("second", contact(second), Direction({{3, -1.}, {1, -1.}}))},
                               load.value());
  NonsmoothState state = model.at_rest();
  const Trajectory trajectory = run(model, state, 2., load.options());
  BOOST_TEST(trajectory.points.size() < 400);
  const auto by_euler = [&](double h) {
    NonsmoothState slow = model.at_rest();
    NonsmoothEuler<EigenEngine>(model.inclusions, model.outcome, h).run(slow, 2.);
    return model.displacement(slow);
  };
  const Vector extrapolated = 2 * by_euler(1e-4) - by_euler(2e-4);
  BOOST_TEST((model.displacement(state) - extrapolated).norm() < 2e-3 * extrapolated.norm());
}

// Friction on a massless DoF and on one with a mass of 1e-12: their constraints differ in unit.
BOOST_AUTO_TEST_CASE(microseconds_are_followed_as_seconds_are) {
  const auto final_state = [](double unit, const std::string& time) {
    DenseSystem system = empty_system(2);
    system.M(0, 0) = unit * unit;
    system.K << 200, -80, -80, 120;
    const FormulaLoad load{formula("sin(6*" + time + ")"), vector_of({9., -4.})};
    const NonsmoothModel<> model(
        system, {inclusion("f", friction(-2., 2.), on(1)), inclusion("g", friction(-1., 1.), on(0))},
        load.value());
    NonsmoothState state = model.at_rest();
    run(model, state, 2 * unit, load.options());
    return model.displacement(state);
  };
  const Vector in_seconds = final_state(1., "t");
  for (const int power : {-20, -30, -40, 20, 40}) {
    const Vector scaled = final_state(std::pow(2., power), "(t*2^" + std::to_string(-power) + ")");
    BOOST_TEST((scaled - in_seconds).norm() < 1e-9 * in_seconds.norm(), power);
  }
}

BOOST_AUTO_TEST_SUITE_END()
