// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/event_driven/support_motion.h>

#include <boost/test/unit_test.hpp>

#include "event_driven_runs.h"

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

/// Dumont, Goeleven, Rochdi (2001), example 5.3, with the data of their first table: a wheel q_1, a vehicle
/// q_2 and a mass q_7 on a column whose joints have no mass. Its road has kinks at 0.2 and 0.3 s.
NonsmoothModel<> vehicle_of_dumont_et_al() {
  DenseSystem system = empty_system(7);
  system.M.diagonal() << 35., 1460., 0., 0., 0., 0., 25.;
  connect(system.K, 0, 1, 9.5e6);
  connect(system.K, 1, 2, 2e6);
  connect(system.K, 2, 4, 1.5e6);
  connect(system.K, 4, 6, 1e6);
  connect(system.C, 0, 1, 21700.);
  connect(system.C, 1, 3, 20000.);
  connect(system.C, 3, 5, 15000.);
  connect(system.C, 5, 6, 10000.);
  const auto road = ScalarFunction::expression("t > 0.2 && t < 0.3 ? max(0, 0.05*sin(10*pi*t)) : 0");
  return NonsmoothModel<>(system, {inclusion("wheel", contact(road, 1.), on(0))}, [](double) {
    return Vector(vector_of({-35 * 9.81, -1460 * 9.81, 0., 0., 0., 0., -25 * 9.81}));
  });
}
NonsmoothState at_rest_on_the_road(const NonsmoothModel<>& vehicle) {
  const double q_2 = -1485 * 9.81 / 9.5e6, q_3 = q_2 - 25 * 9.81 / 2e6, q_5 = q_3 - 25 * 9.81 / 1.5e6,
               q_7 = q_5 - 25 * 9.81 / 1e6;
  return vehicle.start(vector_of({0., q_2, q_3, 0., q_5, 0., q_7}), Vector::Zero(7));
}

/// When 0.05 t sin t exceeds 1.5 first.
double first_above_1_5() {
  double below = 32, above = 33;
  for (int i = 0; i < 60; ++i) {
    const double t = 0.5 * (below + above);
    (0.05 * t * std::sin(t) < 1.5 ? below : above) = t;
  }
  return above;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(event_times)

BOOST_AUTO_TEST_CASE(plays_turn_where_a_step_happens_to_end) {
  // Under 6 sin(2 pi t) a threshold of 2 gives way at sin = 1/3, and once more when the load has fallen by 4.
  const double pi = std::acos(-1.), first = std::asin(1. / 3) / (2 * pi);
  const auto load = [pi](double t) { return Vector::Constant(1, 6 * std::sin(2 * pi * t)); };
  DenseSystem system = empty_system(1);
  system.K(0, 0) = 4;
  const NonsmoothModel<> model(system, {inclusion("play", friction(-2., 2.), on(0))}, load);
  for (const int n_rows : {4, 100, 37}) {
    NonsmoothState state = model.at_rest();
    Events integrator(model.inclusions, model.outcome, {});
    Verification<EigenEngine> verification(integrator);
    Trajectory trajectory;
    for (int row = 1; row <= n_rows; ++row)
      integrator.run(state, static_cast<double>(row) / n_rows, [&](const auto& now) {
        verification(now);
        trajectory(now);
      });
    check_kept(integrator, verification.report());
    check_changes(trajectory,
                  {{first, ContactState::slip_forward},
                   {0.25, ContactState::stick},
                   {0.5 - first, ContactState::slip_back},
                   {0.75, ContactState::stick},
                   {1 - first, ContactState::slip_forward}},
                  1e-9);
  }
}

BOOST_AUTO_TEST_CASE(kinks_of_an_obstacle_are_impacts) {
  // A floor that starts to rise at t = 0.5 with speed 1 hits what rests on it: w- = -1, w+ = e.
  const NonsmoothModel<> model =
      one_dof(1., 0., 0., contact(ScalarFunction::expression("max(0, t - 0.5)"), 0.5), -10.);
  NonsmoothState state = model.start(one(0.), one(0.));
  const Trajectory trajectory = run(model, state, 0.55);
  const std::vector<ContactEvent> impacts = impacts_of(trajectory.events);
  BOOST_REQUIRE(impacts.size() == 1u);
  BOOST_TEST(std::abs(impacts[0].begin - 0.5) < 1e-8);
  BOOST_TEST(std::abs(impacts[0].impulse[0] - 1.5) < 1e-7);
  BOOST_TEST(std::abs(state.y[1] - (1.5 - 0.5)) < 1e-6);
}

BOOST_AUTO_TEST_CASE(a_vehicle_in_static_equilibrium_stands_until_its_road_rises) {
  const NonsmoothModel<> vehicle = vehicle_of_dumont_et_al();
  NonsmoothState state = at_rest_on_the_road(vehicle);
  const double g = 9.81, k_e = 1 / (1 / 2e6 + 1 / 1.5e6 + 1 / 1e6), q_2 = -(1460 + 25) * g / 9.5e6;
  check_changes(run(vehicle, state, 0.19), {}, 0.);
  const Vector q = vehicle.displacement(state);
  const auto rounding = boost::test_tools::tolerance(1e-11);
  BOOST_TEST((state.contacts[0] == ContactState::closed));
  BOOST_TEST(q[0] == 0.);
  BOOST_TEST(q[1] == q_2, rounding);
  BOOST_TEST(q[6] == q_2 - 25 * g / k_e, rounding);
  BOOST_TEST(state.r[0] == (35 + 1460 + 25) * g, rounding);
}

BOOST_AUTO_TEST_CASE(a_wheel_at_rest_is_hit_by_an_unnamed_kink_of_the_road) {
  const NonsmoothModel<> vehicle = vehicle_of_dumont_et_al();
  NonsmoothState state = at_rest_on_the_road(vehicle);
  const Trajectory trajectory = run(vehicle, state, 0.21);
  const std::vector<double> expected = {0.2, 0.201568361401, 0.202605060852, 0.203393322806, 0.204034657677};
  const std::vector<ContactEvent> impacts = impacts_of(trajectory.events);
  BOOST_REQUIRE(impacts.size() > expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k)
    BOOST_TEST(std::abs(impacts[k].begin - expected[k]) < 1e-10);
  BOOST_TEST(std::abs(impacts[0].w_before[0] + 0.5 * std::acos(-1.)) < 1e-8);
  BOOST_TEST(std::abs(impacts[0].w_after[0] - 0.5 * std::acos(-1.)) < 1e-8);
  const Vector q = vehicle.displacement(state);
  BOOST_TEST(std::abs(q[0] - 0.0154578097252) < 1e-9);
  BOOST_TEST(std::abs(q[1] - 0.00113609177214) < 1e-9);
  BOOST_TEST(std::abs(q[6] + 0.000888465178843) < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_kink_at_which_one_run_ends_and_the_next_one_begins_is_an_impact) {
  const NonsmoothModel<> vehicle = vehicle_of_dumont_et_al();
  NonsmoothState state = at_rest_on_the_road(vehicle);
  run(vehicle, state, 0.2);
  BOOST_TEST((state.contacts[0] == ContactState::closed));
  const std::vector<ContactEvent> impacts = impacts_of(run(vehicle, state, 0.202).events);
  BOOST_REQUIRE(impacts.size() == 2u);
  // max(0, sin(2 pi)) rises one digit later.
  BOOST_TEST(impacts[0].begin == 0.2, boost::test_tools::tolerance(4e-16));
  BOOST_TEST(std::abs(impacts[1].begin - 0.201568361401) < 1e-10);
}

BOOST_AUTO_TEST_CASE(an_obstacle_that_moves_off_without_a_kink_hits_nothing) {
  // The floor rises as (1 - cos(20 t))/20 from 0.2 on: a weight g = 10 stays on it until cos(20 t) = -1/2.
  const NonsmoothModel<> model = one_dof(
      1., 0., 0., contact(ScalarFunction::expression("t > 0.2 ? 0.05*(1-cos(20*(t-0.2))) : 0"), 1.), -10.);
  NonsmoothState state = model.start(one(0.), one(0.));
  check_changes(run(model, state, 0.31), {{0.2 + std::acos(-0.5) / 20, ContactState::open}}, 1e-8);
}

BOOST_AUTO_TEST_CASE(kinks_of_prescribed_motions_are_found_to_rounding) {
  const auto kink = [](const std::string& obstacle) {
    // A function in C++ has no known derivatives.
    const ScalarFunction formula = ScalarFunction::expression(obstacle);
    const NonsmoothModel<> model =
        one_dof(1., 0., 0., contact(ScalarFunction([=](double t) { return formula(t); }), 0.));
    return first_kink(condense(model.inclusions, model.outcome, 10, "test"), 0., 1., 1e-6);
  };
  for (const auto& [obstacle, at] :
       {std::pair("max(0, t - 1/3)", 1. / 3), std::pair("abs(sin(2*t) - 0.5)", std::asin(0.5) / 2),
        std::pair("7 + sin(3*t) + 1e-3*abs(t - 0.5)", 0.5), std::pair("max(0, sin(10*pi*t))", 0.1)}) {
    BOOST_TEST_CONTEXT(obstacle) {
      const auto found = kink(obstacle);
      BOOST_REQUIRE(found.has_value());
      BOOST_TEST(found->before < at);
      BOOST_TEST(found->after > at);
      BOOST_TEST(found->after - found->before < 1e-8);
    }
  }
  for (const char* smooth : {"0", "0.3", "3 - 4*t", "sin(50*t)"})
    BOOST_TEST(!kink(smooth).has_value());
}

BOOST_AUTO_TEST_CASE(what_a_load_slowly_overcomes_gives_way_at_the_exact_time) {
  // In 32 s nothing moves.
  const auto pushed = [&](double m, double k, std::shared_ptr<const Law> law, double weight) {
    DenseSystem system = empty_system(1);
    system.M(0, 0) = m;
    system.C(0, 0) = m > 0 ? 0 : 1;
    system.K(0, 0) = k;
    return NonsmoothModel<>(system, {inclusion("it", std::move(law), on(0))},
                            [weight](double t) { return Vector(one(0.05 * t * std::sin(t) - weight)); });
  };
  const auto first_change = [](const NonsmoothModel<>& model) {
    NonsmoothState state = model.at_rest();
    return run(model, state, 40.).events.at(0);
  };
  for (const auto& [m, k] : {std::pair(1., 0.), std::pair(1., 50.), std::pair(0., 0.), std::pair(0., 50.)}) {
    BOOST_TEST_CONTEXT("mass " << m << ", stiffness " << k) {
      const ContactEvent slip = first_change(pushed(m, k, friction(-1.5, 1.5), 0.));
      BOOST_TEST(std::abs(slip.begin - first_above_1_5()) < 1e-9);
      BOOST_TEST((slip.after == ContactState::slip_forward));
    }
  }
  const ContactEvent lift = first_change(pushed(1., 0., contact(0., 0.), 1.5));
  BOOST_TEST(std::abs(lift.begin - first_above_1_5()) < 1e-9);
  BOOST_TEST((lift.after == ContactState::open));
}

BOOST_AUTO_TEST_CASE(thresholds_that_slowly_fall_below_a_load_let_slip_at_the_exact_time) {
  const auto threshold = [](double t) { return 3 - 0.05 * t * std::sin(t); };
  const auto law = friction([threshold](double t) { return -threshold(t); }, threshold);
  const NonsmoothModel<> model = one_dof(1., 0., 0., law, 1.5);
  NonsmoothState state = model.at_rest();
  check_changes(run(model, state, 33.), {{first_above_1_5(), ContactState::slip_forward}}, 1e-9);
}

BOOST_AUTO_TEST_CASE(a_contact_at_rest_on_a_floor_lifts_off_in_a_long_step_at_the_exact_time) {
  // The floor moves as 0.02 t sin(t): it leaves a weight of 1/4 when its acceleration falls below -1/4.
  const auto acceleration = [](double t) { return 0.02 * (2 * std::cos(t) - t * std::sin(t)); };
  double below = 13, above = 14.5;
  for (int i = 0; i < 60; ++i)
    (acceleration(0.5 * (below + above)) > -0.25 ? below : above) = 0.5 * (below + above);
  const NonsmoothModel<> model =
      one_dof(1., 0., 0., contact(ScalarFunction::expression("0.02*t*sin(t)"), 0.), -0.25);
  NonsmoothState state = model.at_rest();
  check_changes(run(model, state, above + 0.1), {{above, ContactState::open}}, 1e-8);
}

BOOST_AUTO_TEST_CASE(a_chain_of_dampers_lifts_its_last_node_off_a_floor_at_once) {
  // The load begins at zero: the last node moves like t^4, and the chain never meets the floor again.
  DenseSystem system = empty_system(3);
  system.C = MultiVector::Identity(3, 3);
  system.K.diagonal() << 2., 1., 2.;
  connect(system.K, 0, 1, 1.);
  connect(system.K, 1, 2, 5.);
  const auto load = [](double t) { return vector_of({2.2 * std::sin(3.1 * t), 0., 0.}); };
  const NonsmoothModel<> on_a_floor(system, {inclusion("floor", contact(0.), on(2))}, load),
      free(system, {inclusion("floor", contact(-1.), on(2))}, load);
  NonsmoothState state = on_a_floor.at_rest(), expected = free.at_rest();
  const Trajectory trajectory = run(on_a_floor, state, 0.6);
  run(free, expected, 0.6);
  check_changes(trajectory, {}, 0.);
  BOOST_TEST((state.contacts.front() == ContactState::open));
  BOOST_TEST((on_a_floor.displacement(state) - free.displacement(expected)).norm() <= 1e-10);
}

BOOST_AUTO_TEST_CASE(noise_of_a_load_that_a_reaction_balances_costs_small_steps_or_stops_the_run) {
  // A dashpot 1 pulls with the rate t of its other end, given to some digits: friction gives way at 1.5 s.
  const auto pulled = [](double noise) {
    DenseSystem system = empty_system(2);
    system.M(0, 0) = 1;
    connect(system.C, 0, 1, 1.);
    return NonsmoothModel<>(
        system, {inclusion("pad", friction(-1.5, 1.5), on(0))}, {}, {1},
        [](double t) { return Vector(one(0.5 * t * t)); },
        [noise](double t) { return Vector(one(t + noise * std::sin(1e12 * t))); });
  };
  const NonsmoothModel<> fair = pulled(1e-9), poor = pulled(1e-3);
  NonsmoothState state = fair.start(Vector::Zero(2), Vector::Zero(2)), other = state;
  const Trajectory trajectory = run(fair, state, 1.6);
  check_changes(trajectory, {{1.5, ContactState::slip_forward}}, 1e-6);
  BOOST_TEST(trajectory.points.size() < 10000u);
  BOOST_CHECK_THROW(run(poor, other, 1.6), NoConvergence);
}

BOOST_AUTO_TEST_CASE(short_ramps_of_a_load_let_a_play_slip_when_they_have_overcome_it) {
  // k = 8, threshold 1: q = (3 - 1) / 8 after the first ramp, (-2 + 1) / 8 after the second.
  DenseSystem system = empty_system(1);
  system.K(0, 0) = 8;
  for (const double end : {1., 1e4, 1e5}) {
    const double a = 0.2 * end, b = 0.6 * end, ramp = 1e-7 * end;
    const ScalarFunction load =
        ScalarFunction::table({0., a, a + ramp, b, b + ramp, end}, {0., 0.5, 3., 3., -2., -2.});
    const NonsmoothModel<> model(system, {inclusion("play", friction(-1., 1.), on(0))},
                                 [load](double t) { return one(load(t)); });
    EventDrivenOptions options;
    options.functions = {load};
    NonsmoothState state = model.at_rest();
    run(model, state, 0.5 * (a + b), options);
    BOOST_TEST(model.displacement(state)[0] == 0.25, boost::test_tools::tolerance(1e-10));
    BOOST_TEST(state.dissipated == 0.25, boost::test_tools::tolerance(1e-8));
    run(model, state, end, options);
    BOOST_TEST(model.displacement(state)[0] == -0.125, boost::test_tools::tolerance(1e-10));
    BOOST_TEST(state.dissipated == 0.625, boost::test_tools::tolerance(1e-8));
  }
}

BOOST_AUTO_TEST_CASE(a_short_ramp_at_the_start_leaves_later_steps_long) {
  // m = 1, k = 100: a load of 5 that is there at once, with friction of 0.5.
  const auto load = ScalarFunction::table({0., 1e-7, 10.}, {0., 5., 5.});
  DenseSystem system = empty_system(1);
  system.M(0, 0) = 1;
  system.K(0, 0) = 100;
  const NonsmoothModel<> model(system, {inclusion("pad", friction(-0.5, 0.5), on(0))},
                               [load](double t) { return one(load(t)); });
  EventDrivenOptions options;
  options.functions = {load};
  NonsmoothState state = model.at_rest();
  const Trajectory trajectory = run(model, state, 10., options);
  BOOST_TEST(trajectory.points.size() < 100u);
  // q swings about (5 -+ 0.5) / 100, and the first swing ends at 0.09.
  BOOST_TEST(state.dissipated > 0.5 * 0.09);
}

BOOST_AUTO_TEST_CASE(fast_structures_run_as_slow_ones_do) {
  // A block on dry friction, time in units of the period: the unit must not matter.
  const auto last = [](double omega) {
    const NonsmoothModel<> model = one_dof(2., 0., 2 * omega * omega, friction(-4., 4.));
    NonsmoothState state = model.start(one(49 / (omega * omega)), one(0.));
    const Trajectory trajectory = run(model, state, 40 / omega);
    std::vector<double> times;
    for (const ContactEvent& event : trajectory.events)
      times.push_back(omega * event.begin);
    return std::pair(times, omega * omega * state.y[0]);
  };
  const auto slow = last(1.), fast = last(3e7);
  BOOST_REQUIRE(slow.first.size() > 5u);
  BOOST_REQUIRE(fast.first.size() == slow.first.size());
  for (std::size_t k = 0; k < slow.first.size(); ++k)
    BOOST_TEST(std::abs(fast.first[k] - slow.first[k]) < 1e-9);
  BOOST_TEST(std::abs(fast.second - slow.second) < 1e-7);
}

BOOST_AUTO_TEST_CASE(short_dips_of_a_table_of_thresholds_let_slip) {
  // 2 - 150 (t - 5) falls below the load 1 for 13 ms, after 5 s in which nothing moves.
  const ScalarFunction upper = ScalarFunction::table({0., 5., 5.01, 5.02, 9.}, {2., 2., 0.5, 2., 2.});
  const ScalarFunction lower = ScalarFunction::table({0., 5., 5.01, 5.02, 9.}, {-2., -2., -0.5, -2., -2.});
  const NonsmoothModel<> model = one_dof(1., 0., 0., friction(lower, upper), 1.);
  NonsmoothState state = model.at_rest();
  const Trajectory trajectory = run(model, state, 9.);
  BOOST_REQUIRE(trajectory.events.size() == 2u);
  BOOST_TEST(std::abs(trajectory.events[0].begin - (5 + 1. / 150)) < 1e-9);
  BOOST_TEST((trajectory.events[0].after == ContactState::slip_forward));
  BOOST_TEST((trajectory.events[1].after == ContactState::stick));
}

BOOST_AUTO_TEST_SUITE_END()
