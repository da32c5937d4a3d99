// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/event_driven/contact_transition.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>

#include <boost/test/unit_test.hpp>

#include "chains.h"
#include "event_driven_runs.h"

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(event_driven)

// References are exact piecewise solutions (30 digits, events by bisection) to 1e-10.

BOOST_AUTO_TEST_CASE(the_free_absorber_of_dumont_et_al_turns_and_sticks_at_the_exact_times) {
  const StickSlipAbsorber free{1., 100., 25., 6., 4., 0., 0., 1., 1.};
  const NonsmoothModel<> model = free.model();
  NonsmoothState state = model.start(vector_of({0.4, 0., 2.}), Vector::Zero(3));
  const Trajectory trajectory = run(model, state, 10.);
  check_changes(trajectory,
                {{0.729223887778623, ContactState::slip_forward},
                 {1.458447775557246, ContactState::slip_back},
                 {2.187671663335869, ContactState::slip_forward},
                 {2.916895551114492, ContactState::stick}},
                1e-9);
  BOOST_TEST(std::abs(model.displacement(state)[2] + 0.533124355972298) < 1e-9);
  BOOST_TEST(stick_slip_error<Events>(free, free_stick_slip(), 2., 0.) < 1e-9);
}

BOOST_AUTO_TEST_CASE(the_driven_absorber_of_dumont_et_al_sticks_at_the_exact_times) {
  const StickSlipAbsorber driven{25., 2.5e5, 1e5, 2500., 2000., 50., 31.41592653589793, 29.43, 22.075};
  const NonsmoothModel<> model = driven.model();
  NonsmoothState state = model.at_rest();
  check_changes(run(model, state, 1.),
                {{0.0588987518165109, ContactState::slip_forward}, {0.0603010363670814, ContactState::stick},
                 {0.102401589856269, ContactState::slip_back},     {0.177058559529725, ContactState::stick},
                 {0.197635341393926, ContactState::slip_forward},  {0.276374592813836, ContactState::stick},
                 {0.296692470734568, ContactState::slip_back},     {0.37622686485288, ContactState::stick},
                 {0.396520375241544, ContactState::slip_forward},  {0.476199582695166, ContactState::stick},
                 {0.496489540325106, ContactState::slip_back},     {0.576194684828028, ContactState::stick},
                 {0.596484034669131, ContactState::slip_forward},  {0.67619380999719, ContactState::stick},
                 {0.696483052233513, ContactState::slip_back},     {0.776193653881713, ContactState::stick},
                 {0.796482876946132, ContactState::slip_forward},  {0.876193626027089, ContactState::stick},
                 {0.896482845671763, ContactState::slip_back},     {0.976193621057321, ContactState::stick},
                 {0.996482840091882, ContactState::slip_forward}},
                1e-8);
  BOOST_TEST(stick_slip_error<Events>(driven, driven_stick_slip(), 0., 0.) < 1e-7);
}

BOOST_AUTO_TEST_CASE(a_ball_bounces_at_the_exact_times_and_comes_to_rest) {
  const double m = 2., e = 0.7, g = 9.81, h_0 = 1.;
  const NonsmoothModel<> model = one_dof(m, 0., 0., contact(0., e), -m * g);
  NonsmoothState state = model.start(one(h_0), one(0.));
  EventDrivenOptions options;
  options.shortest_flight = 1e-7;
  const Trajectory trajectory = run(model, state, 5., options);
  const double first = std::sqrt(2 * h_0 / g), first_speed = std::sqrt(2 * g * h_0);
  double time = first, speed = first_speed;
  for (const ContactEvent& event : trajectory.events) {
    BOOST_TEST(std::abs(event.begin - time) < 1e-10);
    BOOST_TEST(std::abs(event.w_before[0] + speed) < 1e-9);
    // The last rebound would take less than the cutoff.
    const bool is_last = 2 * e * speed / g < options.shortest_flight;
    BOOST_TEST(std::abs(event.w_after[0] - (is_last ? 0. : e * speed)) < 1e-9);
    BOOST_TEST(std::abs(event.impulse[0] - m * (event.w_after[0] - event.w_before[0])) < 1e-10);
    BOOST_TEST((event.after == (is_last ? ContactState::closed : ContactState::open)));
    speed *= e;
    time += 2 * speed / g;
  }
  const auto n_bounces = static_cast<std::size_t>(
      std::ceil(std::log(options.shortest_flight * g / (2 * first_speed)) / std::log(e)));
  BOOST_TEST(trajectory.events.size() == n_bounces);
  BOOST_TEST(std::abs(trajectory.events.back().begin - first * (1 + e) / (1 - e)) <
             options.shortest_flight / (1 - e));
  BOOST_TEST(std::abs(state.r[0] - m * g) < 1e-10);
  BOOST_TEST(state.y.norm() < 1e-9);
  BOOST_TEST(std::abs(state.dissipated - m * g * h_0) < 1e-9);
  // The impulse of all reactions has stopped the weight.
  BOOST_TEST(std::abs(state.impulse[0] - 5 * m * g) < 1e-8);
}

BOOST_AUTO_TEST_CASE(an_elastic_ball_never_rests) {
  const NonsmoothModel<> model = one_dof(1., 0., 0., contact(0., 1.), -1.);
  NonsmoothState state = model.start(one(0.5), one(0.));
  const Trajectory trajectory = run(model, state, 100.);
  BOOST_TEST(trajectory.events.size() == 50u);
  for (std::size_t k = 0; k < trajectory.events.size(); ++k)
    BOOST_TEST(std::abs(trajectory.events[k].begin - (1. + 2. * static_cast<double>(k))) < 1e-9);
}

BOOST_AUTO_TEST_CASE(elastic_bounces_that_a_damper_slows_end_by_the_cutoff_alone) {
  // In flight v' = -g - c v from the speed u on: it lands after T with -v = g T - u. The speeds fall like
  // 1/n, 1/u_{n+1} - 1/u_n -> 2 c/(3 g), and the sum of the flights has no limit.
  const double g = 1, c = 0.75, u_0 = 1;
  const auto flight = [&](double u) {
    double T = 2 * u / g;
    for (int i = 0; i < 50; ++i) {
      const double fallen = std::exp(-c * T);
      T -= (-(u + g / c) * std::expm1(-c * T) - g * T) / ((u * c + g) * fallen - g);
    }
    return T;
  };
  const NonsmoothModel<> model = one_dof(1., c, 0., contact(0., 1.), -g);
  std::vector<std::size_t> n_bounces;
  for (const double shortest : {0.05, 0.025}) {
    EventDrivenOptions options;
    options.shortest_flight = shortest;
    NonsmoothState state = model.start(one(0.), one(u_0));
    const std::vector<ContactEvent> impacts = impacts_of(run(model, state, 40., options).events);
    double time = 0, u = u_0, rise = 0;
    for (std::size_t n = 0; n < impacts.size(); ++n) {
      const double T = flight(u), before = u;
      time += T;
      u = g * T - u;
      rise = 1 / u - 1 / before;
      const bool is_last = 2 * u < (g + c * u) * shortest;
      BOOST_TEST(impacts[n].begin == time, boost::test_tools::tolerance(1e-8));
      BOOST_TEST(-impacts[n].w_before[0] == u, boost::test_tools::tolerance(1e-6));
      BOOST_TEST((impacts[n].after == (is_last ? ContactState::closed : ContactState::open)));
      BOOST_TEST(is_last == (n + 1 == impacts.size()));
    }
    BOOST_TEST(rise == 2 * c / (3 * g), boost::test_tools::tolerance(shortest));
    BOOST_TEST((state.contacts[0] == ContactState::closed));
    BOOST_TEST(state.r[0] == g, boost::test_tools::tolerance(1e-12));
    n_bounces.push_back(impacts.size());
  }
  // Half the cutoff takes twice the bounces. With e < 1 it would take a fixed number more.
  BOOST_TEST(static_cast<double>(n_bounces[1]) == 2. * static_cast<double>(n_bounces[0]),
             boost::test_tools::tolerance(0.05));
}

BOOST_AUTO_TEST_CASE(a_mass_on_a_belt_sticks_and_slips_in_turn) {
  // Belt at speed v, friction a_s at rest and a_k in motion: sticks until k q = a_s, slips from there on
  // q = a_k/k + (a_s - a_k)/k cos(omega t) + v/omega sin(omega t) until its speed is v again.
  const double m = 2., k = 50., a_s = 5., a_k = 3., v = 0.3, omega = 5.;
  const NonsmoothModel<> model = one_dof(
      m, 0., k, std::make_shared<const StaticKineticFriction>(a_s, a_k, ScalarFunction::expression("0.3*t")));
  NonsmoothState state = model.start(one(0.), one(v));
  const double slip = (2 * std::acos(-1.) - 2 * std::atan2((a_s - a_k) / k * omega, v)) / omega;
  const double stick = 2 * (a_s - a_k) / (k * v);
  std::vector<Change> changes;
  double time = a_s / k / v;
  for (int i = 0; i < 4; ++i) {
    changes.push_back({time, ContactState::slip_back});
    changes.push_back({time + slip, ContactState::stick});
    time += slip + stick;
  }
  check_changes(run(model, state, time - 0.5 * stick), changes, 1e-8);
  BOOST_TEST((state.contacts[0] == ContactState::stick));
  BOOST_TEST(std::abs(state.y[1] - v) < 1e-9);
}

BOOST_AUTO_TEST_CASE(all_seven_chains_of_bastien_and_lamarque_are_met) {
  for (const ChainCase& chosen : chain_cases()) {
    BOOST_TEST_CONTEXT(chosen.name) {
      const ChainErrors errors = chain_errors<Events>(chosen, 0.);
      // The tolerance 1e-10 of each step, up to 40 steps, displacements up to 2.
      BOOST_TEST(errors.displacement < 1e-8);
      BOOST_TEST(errors.reaction < 1e-8);
      BOOST_TEST(errors.dissipated < 1e-8);
    }
  }
}

BOOST_AUTO_TEST_CASE(plays_move_as_far_as_loads_that_jump_ask_for) {
  // A massless node on a spring: r follows k q - f between its bounds, and stays where the load has left it.
  const NonsmoothModel<> model(
      [] {
        DenseSystem system = empty_system(2);
        system.K(0, 0) = 10;
        system.M(1, 1) = 1;
        return system;
      }(),
      {inclusion("pad", friction(-2., 1.), on(0))},
      [](double t) {
        return Vector(vector_of({t < 0.35 ? 0. : t < 0.75 ? 5. : 1.5, 0.}));
      });
  NonsmoothState state = model.at_rest();
  const Trajectory trajectory = run(model, state, 1.);
  for (const NonsmoothState& point : trajectory.points) {
    if (point.time > 0.36 && point.time < 0.74) {
      BOOST_TEST(std::abs(point.g[0] - 0.3) < 1e-9);
      BOOST_TEST(std::abs(point.dissipated - 2 * 0.3) < 1e-9);
    }
    if (point.time > 0.76) {
      BOOST_TEST(std::abs(point.dissipated - (2 * 0.3 + 1 * 0.05)) < 1e-9);
      BOOST_TEST(std::abs(point.g[0] - 0.25) < 1e-9);
      BOOST_TEST(std::abs(point.r[0] - 1.) < 1e-9);
    }
  }
}

BOOST_AUTO_TEST_CASE(half_dofs_of_all_kinds_agree_with_small_steps) {
  // Viscous friction, a massless contact, a play, a wall for a mass: all at once, under a load that swings.
  DenseSystem system = empty_system(5);
  system.M(0, 0) = 1;
  system.M(1, 1) = 2;
  connect(system.K, 0, 1, 40.);
  system.K(0, 0) += 10;
  connect(system.K, 1, 2, 20.);
  connect(system.C, 1, 3, 3.);
  system.K(3, 3) += 4;
  connect(system.K, 0, 4, 30.);
  const NonsmoothModel<> model(
      system,
      {inclusion("wall", contact(-0.3, 0.), on(0)), inclusion("stop", contact(-0.2), on(2)),
       inclusion("pad", friction(-0.4, 0.4), on(3)), inclusion("joint", friction(-1., 1.), on(4))},
      [](double t) {
        return Vector(vector_of({0., 8. * std::sin(3 * t), 0., 0., 0.}));
      });
  const Vector q = vector_of({0.1, 0.2, 0.2, 0., 0.1});
  NonsmoothState exact = model.start(q, Vector::Zero(5)), stepped = exact;
  const Trajectory trajectory = run(model, exact, 3.);
  BOOST_TEST(trajectory.events.size() > 10u);
  const auto error = [&](double step) {
    NonsmoothState end = stepped;
    verified_run(NonsmoothEuler<EigenEngine>(model.inclusions, model.outcome, step), end, 3.);
    return (end.y - exact.y).cwiseAbs().maxCoeff();
  };
  const double coarse = error(1e-3), fine = error(2.5e-4);
  BOOST_TEST(coarse < 2e-2);
  BOOST_TEST(fine < 0.35 * coarse);
  for (const NonsmoothState& point : trajectory.points) {
    BOOST_TEST(point.g[0] > -1e-9);
    BOOST_TEST(point.g[1] > -1e-9);
    BOOST_TEST(point.r[0] > -1e-9);
    BOOST_TEST(std::abs(point.r[2]) < 0.4 + 1e-9);
    BOOST_TEST(std::abs(point.r[3]) < 1 + 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(energy_balances_between_and_across_events) {
  DenseSystem system = empty_system(2);
  system.M(0, 0) = 1;
  system.M(1, 1) = 2;
  connect(system.K, 0, 1, 30.);
  system.K(0, 0) += 10;
  const NonsmoothModel<> model(
      system, {inclusion("wall", contact(-0.1, 0.4), on(1)), inclusion("pad", friction(-0.3, 0.2), on(0))});
  NonsmoothState state = model.start(vector_of({0.3, 0.5}), vector_of({0., -2.}));
  const double initial = energy_of(system, model.inclusions.lift(state, state.r));
  verified_run(Events(model.inclusions, model.outcome), state, 6., [&](const auto& now) {
    BOOST_TEST(std::abs(energy_of(system, now.lift()) + now.dissipated() - initial) < 1e-8 * initial);
  });
  BOOST_TEST(state.dissipated > 0.3 * initial);
}

BOOST_AUTO_TEST_CASE(open_contacts_keep_their_rates_when_something_else_happens) {
  // A mass on its way to a wall, while another one comes to rest on friction.
  DenseSystem system = empty_system(2);
  system.M.setIdentity();
  const NonsmoothModel<> model(
      system, {inclusion("wall", contact(0., 0.5), on(0)), inclusion("pad", friction(-2., 2.), on(1))});
  NonsmoothState state = model.start(vector_of({3., 0.}), vector_of({-1., 1.}));
  const Trajectory trajectory = run(model, state, 1.);
  for (const NonsmoothState& point : trajectory.points)
    BOOST_TEST(std::abs(point.w[0] + 1) < 1e-12);
  BOOST_TEST((state.contacts[1] == ContactState::stick));
}

BOOST_AUTO_TEST_CASE(simultaneous_impacts_are_met_together) {
  // A rigid bar that lands on two supports at once, under its weight.
  DenseSystem system = empty_system(2);
  system.M << 2., 1., 1., 2.;
  const NonsmoothModel<> model(
      system, {inclusion("left", contact(0., 0.), on(0)), inclusion("right", contact(0., 0.), on(1))},
      [](double) {
        return Vector(vector_of({-3., -3.}));
      });
  NonsmoothState state = model.start(vector_of({0.5, 0.5}), Vector::Zero(2));
  const Trajectory trajectory = run(model, state, 3.);
  BOOST_REQUIRE(trajectory.events.size() == 2u);
  for (const ContactEvent& event : trajectory.events) {
    BOOST_TEST(std::abs(event.begin - 1) < 1e-10);
    BOOST_TEST(std::abs(event.impulse[0] - 3.) < 1e-9);
    BOOST_TEST((event.after == ContactState::closed));
  }
  BOOST_TEST((state.r - vector_of({3., 3.})).norm() < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_contact_opens_when_the_floor_falls_away_faster) {
  // The floor moves as sin(5 t)/4: a weight g = 1 stays on it while its acceleration exceeds -1, until
  // sin(5 t) = 4/25, then flies.
  const NonsmoothModel<> model =
      one_dof(1., 0., 0., contact(ScalarFunction::expression("0.25*sin(5*t)"), 0.), -1.);
  NonsmoothState state = model.start(one(0.), one(1.25));
  const Trajectory trajectory = run(model, state, 1.);
  const double off = std::asin(4. / 25) / 5;
  BOOST_REQUIRE(trajectory.events.size() >= 1u);
  const ContactEvent& lift = trajectory.events.back();
  BOOST_TEST(std::abs(lift.begin - off) < 1e-8);
  BOOST_TEST((lift.after == ContactState::open));
  // At 1 s it is still up: a parabola from there.
  const double height = 0.25 * std::sin(5 * off), speed = 1.25 * std::cos(5 * off), fly = 0.5 - off;
  NonsmoothState middle = model.start(one(0.), one(1.25));
  verified_run(Events(model.inclusions, model.outcome), middle, 0.5);
  BOOST_TEST(std::abs(middle.y[0] - (height + speed * fly - 0.5 * fly * fly)) < 1e-8);
}

BOOST_AUTO_TEST_CASE(outputs_between_steps_are_as_good_as_steps) {
  const NonsmoothModel<> model = one_dof(2., 0., 50., friction(-4., 4.));
  NonsmoothState state = model.start(one(0.5), one(0.));
  std::vector<double> times;
  for (int i = 0; i <= 100; ++i)
    times.push_back(0.017 * i);
  verified_run(Events(model.inclusions, model.outcome), state, times, [&](const auto& now) {
    BOOST_TEST(std::abs(now.state().y[0] - swinging(0.5, 2., 50., 4., now.time())) < 1e-9);
  });
}

BOOST_AUTO_TEST_CASE(outputs_within_a_step_know_the_impact_that_began_it) {
  // The floor rises from 0.5 on and hits with 1.5 what weighs 10 and has rested until then; back at 0.6.
  const NonsmoothModel<> model =
      one_dof(1., 0., 0., contact(ScalarFunction::expression("max(0, t - 0.5)"), 0.5), -10.);
  NonsmoothState state = model.start(one(0.), one(0.));
  Events events(model.inclusions, model.outcome);
  events.run(state, 0.5);
  events.run(state, std::vector<double>{0.502, 0.55, 0.59}, [](const auto& now) {
    BOOST_TEST(std::abs(now.state().impulse[0] - 6.5) < 1e-6);
    // (1 - e^2) w^2 m/2
    BOOST_TEST(std::abs(now.dissipated() - 0.375) < 1e-6);
  });
}

BOOST_AUTO_TEST_CASE(contacts_that_nothing_moves_may_touch_to_rounding_whatever_the_unit) {
  // The obstacle jumps to where it touches, and then some.
  const auto run_against = [](double place, double obstacle) {
    DenseSystem system = empty_system(2);
    system.M.setIdentity();
    const auto jumps = [obstacle](double t) { return t < 0.5 ? 0. : obstacle; };
    const NonsmoothModel<> model(
        system, {inclusion("wall", contact(jumps), on(1))}, {}, {1},
        [place](double) { return Vector(one(place)); }, [](double) { return Vector(one(0.)); });
    NonsmoothState state = model.start(vector_of({0., place}), Vector::Zero(2));
    run(model, state, 1.);
  };
  BOOST_CHECK_NO_THROW(run_against(3e5, std::nextafter(3e5, 4e5)));
  BOOST_CHECK_NO_THROW(run_against(3e-10, std::nextafter(3e-10, 4e-10)));
  BOOST_CHECK_THROW(run_against(3e-10, 3.01e-10), InvalidInput);
}

BOOST_AUTO_TEST_CASE(friction_on_what_is_moved_slides_as_the_motion_says) {
  // The motion 1 - cos t turns at pi.
  DenseSystem system = empty_system(2);
  system.M.setIdentity();
  const NonsmoothModel<> model(
      system, {inclusion("pad", std::make_shared<const StaticKineticFriction>(3., 1.), on(1))}, {}, {1},
      [](double t) { return Vector(one(1 - std::cos(t))); },
      [](double t) { return Vector(one(std::sin(t))); });
  NonsmoothState state = model.at_rest();
  const double turn = std::acos(-1.);
  const Trajectory trajectory = run(model, state, 5.);
  check_changes(trajectory, {{turn, ContactState::slip_back}}, 1e-8);
  for (const NonsmoothState& point : trajectory.points)
    if (point.time > 0 && std::abs(point.time - turn) > 1e-6)
      BOOST_TEST(std::abs(point.r[0] - (point.time < turn ? -1 : 1)) < 1e-12);
  BOOST_TEST(std::abs(state.dissipated - (2 + 1 + std::cos(5.))) < 1e-8);
  BOOST_TEST(std::abs(state.impulse[0] - (-turn + 5 - turn)) < 1e-7);

  // Where it leaves rest unnoticed, its threshold is the kinetic one at once.
  const SmoothMotion motion(condense(model.inclusions, model.outcome, 10, "test"), 1e-10, 1e-15);
  Vector r = one(0.);
  std::vector<ContactState> states = {ContactState::stick};
  ContactTransition(motion, 1e-6).recover_immobile_reactions(1., one(0.8), one(0.5), r, states);
  BOOST_TEST(r[0] == -1.);
  BOOST_TEST((states[0] == ContactState::slip_forward));
}

BOOST_AUTO_TEST_CASE(a_saved_state_of_the_event_driven_run_goes_on_bit_for_bit) {
  const StickSlipAbsorber absorber{1., 100., 25., 6., 4., 3., 5., 1., 1.};
  const NonsmoothModel<> model = absorber.model();
  NonsmoothState state = model.start(Vector::Zero(3), vector_of({0., 0., 1.})), saved;
  verified_run(Events(model.inclusions, model.outcome), state, 2., [&](const auto& now) {
    if (now.time() < 1.1) saved = now.state();
  });
  verified_run(Events(model.inclusions, model.outcome), saved, 2.);
  BOOST_TEST((saved.y.array() == state.y.array()).all());
  BOOST_TEST((saved.impulse.array() == state.impulse.array()).all());
}

BOOST_AUTO_TEST_CASE(what_the_method_cannot_do_is_refused) {
  const NonsmoothModel<> ball = one_dof(1., 0., 0., contact(0., 0.5), -1.);
  EventDrivenOptions options;
  options.max_states = 1;
  BOOST_CHECK_THROW(Events(ball.inclusions, ball.outcome, options), NotAvailable);
  options.relative_tolerance = 0;  // checked before the dense matrices are made
  BOOST_CHECK_THROW(Events(ball.inclusions, ball.outcome, options), InvalidInput);
  options = {};
  options.breakpoints = {1., std::nan(""), 0.5};
  BOOST_CHECK_THROW(Events(ball.inclusions, ball.outcome, options), InvalidInput);

  DenseSystem system = empty_system(2);
  system.K = MultiVector::Identity(2, 2);
  const NonsmoothModel<> coulomb(system,
                                 {{"foot", std::make_shared<const CoulombFriction>(1, 0.3), {on(0), on(1)}}});
  BOOST_CHECK_THROW(Events(coulomb.inclusions, coulomb.outcome), NotAvailable);
}

BOOST_AUTO_TEST_SUITE_END()
