// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Euler = SetValuedEuler<EigenEngine>;
using RungeKutta = SetValuedRungeKutta<EigenEngine>;
using Yosida = YosidaPenalty<EigenEngine>;
using BothMethods = boost::mpl::list<Euler, RungeKutta>;
using AllMethods = boost::mpl::list<Euler, RungeKutta, Yosida>;

template <class Method>
Method make(const NonsmoothModel<>& model, double step) {
  if constexpr (std::is_same_v<Method, Yosida>)
    return Method(model.inclusions, model.outcome, step, 1.);
  else
    return Method(model.inclusions, model.outcome, step);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(explicit_inclusions)

BOOST_AUTO_TEST_CASE_TEMPLATE(a_sliding_mass_stops_and_stays, Method, BothMethods) {
  const NonsmoothModel<> model = one_dof(2., 0., 0., friction(-3., 3.), 1.);
  // Decelerates by (3 - 1)/2, stops after 3 s and 4.5, then friction holds the load of 1.
  NonsmoothState state = model.start(one(0.), one(3.));
  verified_run(Method(model.inclusions, model.outcome, 1e-3), state, 5.);
  BOOST_TEST(std::abs(state.y[0] - 4.5) < 3e-3);
  BOOST_TEST(std::abs(state.y[1]) < 1e-12);
  BOOST_TEST(std::abs(state.r[0] + 1) < 1e-9);
  BOOST_TEST((state.contacts[0] == ContactState::stick));
  BOOST_TEST(std::abs(state.dissipated - 3 * 4.5) < 2e-2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_explicit_absorber_meets_the_exact_solution_with_order_one, Method,
                              BothMethods) {
  const StickSlipAbsorber free{1., 100., 25., 6., 4., 0., 0., 1., 1.};
  const auto error = [&](double step) { return stick_slip_error<Method>(free, free_stick_slip(), 2., step); };
  const double coarse = error(1e-3);
  BOOST_TEST(coarse < 1e-2);
  BOOST_TEST(error(4e-4) < 0.6 * coarse);
  const StickSlipAbsorber driven{25., 2.5e5, 1e5, 2500., 2000., 50., 31.41592653589793, 29.43, 22.075};
  BOOST_TEST(stick_slip_error<Method>(driven, driven_stick_slip(), 0., 1e-4) < 5e-3);
}

BOOST_AUTO_TEST_CASE(runge_kutta_keeps_fourth_order_where_nothing_changes) {
  // Viscous friction that always slips, a massless contact that always touches, friction that always slides.
  DenseSystem system = empty_system(4);
  system.M(0, 0) = 1;
  system.M(3, 3) = 1;
  connect(system.K, 0, 1, 20.);
  connect(system.C, 0, 2, 3.);
  connect(system.K, 0, 3, 3.);
  system.K(0, 0) += 5;
  system.K(2, 2) = 4;
  const NonsmoothModel<> model(
      system,
      {inclusion("wall", contact(), on(1)), inclusion("pad", friction(-0.2, 0.2), on(2)),
       inclusion("shoe", friction(-0.3, 0.3), on(3))},
      [](double t) {
        return Vector(vector_of({-3. + 0.5 * std::sin(t), -1., 3. + 10. * t, 0.}));
      });
  const auto at = [&](double step) {
    NonsmoothState state = model.start(Vector::Zero(4), vector_of({0., 0., 1., 5.}));
    verified_run(RungeKutta(model.inclusions, model.outcome, step), state, 0.2);
    BOOST_TEST((state.contacts[0] == ContactState::closed));
    BOOST_TEST((state.contacts[1] == ContactState::slip_forward));
    BOOST_TEST((state.contacts[2] == ContactState::slip_forward));
    return state.y;
  };
  const Vector exact = at(1e-4);
  const auto error = [&](double step) { return (at(step) - exact).norm(); };
  BOOST_TEST(std::abs(observed_order(error, 0.02) - 4) < 0.3);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_stage_costs_one_solve_and_a_saved_state_goes_on_bit_for_bit, Method,
                              BothMethods) {
  // Friction on a mass, on a dashpot, and a massless contact. Each solve with D asks for the load.
  DenseSystem system = empty_system(3);
  system.M(0, 0) = 1;
  connect(system.K, 0, 1, 20.);
  connect(system.C, 0, 2, 3.);
  system.K(2, 2) = 4;
  int n_solves = 0;
  const NonsmoothModel<> model(
      system,
      {inclusion("shoe", friction(-0.3, 0.3), on(0)), inclusion("wall", contact(-0.1), on(1)),
       inclusion("pad", friction(-0.2, 0.2), on(2))},
      [&](double t) {
        ++n_solves;
        return Vector(vector_of({std::sin(3 * t), -0.3, 0.5 * std::cos(t)}));
      });
  NonsmoothState state = model.start(Vector::Zero(3), vector_of({1., 0., 0.})), saved;
  Method method(model.inclusions, model.outcome, 0.01);
  const int n_stages = std::is_same_v<Method, Euler> ? 1 : 4;
  method.step(state);
  for (int step = 0; step < 100; ++step) {
    if (step == 50) saved = state;
    n_solves = 0;
    method.step(state);
    BOOST_TEST(n_solves == n_stages);
  }
  Method other(model.inclusions, model.outcome, 0.01);
  for (int step = 50; step < 100; ++step)
    other.step(saved);
  BOOST_TEST((saved.y.array() == state.y.array()).all());
  BOOST_TEST((saved.r.array() == state.r.array()).all());
}

BOOST_AUTO_TEST_CASE(friction_that_masses_decide_holds_beside_dashpots_and_on_belts) {
  // Viscous DoFs that gyrate, C = -C^T: a force on one moves the other, so that the mass alone decides.
  DenseSystem system = empty_system(3);
  system.M(0, 0) = 2;
  system.C(1, 2) = 1.5;
  system.C(2, 1) = -1.5;
  system.K = MultiVector::Identity(3, 3);
  const ScalarFunction belt = ScalarFunction::expression("0.2*sin(3*t)");
  for (const bool is_beside_dashpots : {false, true}) {
    const Direction direction = is_beside_dashpots ? Direction({{0, 1.}, {1, 0.5}}) : on(0);
    const NonsmoothModel<> model(system, {inclusion("shoe", friction(-9., 9., belt), direction)},
                                 [](double t) {
                                   return Vector(vector_of({std::sin(t), 0.1, 0.}));
                                 });
    BOOST_TEST((model.outcome.directions[0].reduced_law() == ReducedLaw::filippov_inclusion));
    NonsmoothState state = model.at_rest();
    Euler euler(model.inclusions, model.outcome, 0.01);
    verified_run(euler, state, 0.3);  // the belt takes it along
    for (int step = 0; step < 100; ++step) {
      euler.step(state);
      // What is met a step ahead is the very step of Euler's method, up to rounding of reactions over h.
      BOOST_TEST(std::abs(state.w[0]) < 1e-11);
      BOOST_TEST((state.contacts[0] == ContactState::stick));
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_massless_damper_on_a_stop_is_met_with_order_one, Method, AllMethods) {
  // 2 q' + 3 q = 4 t - 12 + r, q >= -1, from q = 0: q = a + 4/3 t - a exp(-3/2 t) until it touches, then
  // r = 9 - 4 t until 2.25, then free again.
  const double a = -44. / 9, released = 2.25, end = 3;
  double touch = 0.2;
  for (int k = 0; k < 20; ++k)
    touch -=
        (1 + a + 4. / 3 * touch - a * std::exp(-1.5 * touch)) / (4. / 3 + 1.5 * a * std::exp(-1.5 * touch));
  const auto push = [](double t) { return 9 * t - 2 * t * t; };
  const Vector exact =
      vector_of({a + 4. / 3 * end + (-1 - a - 4. / 3 * released) * std::exp(-1.5 * (end - released)),
                 push(released) - push(touch)});

  DenseSystem system = empty_system(1);
  system.C(0, 0) = 2;
  system.K(0, 0) = 3;
  const NonsmoothModel<> model(system, {inclusion("stop", contact(-1.), on(0))},
                               [](double t) { return Vector(one(4 * t - 12)); });
  BOOST_TEST((model.outcome.directions[0].reduced_law() == ReducedLaw::sweeping_process));
  for (const double step : {0.02, 0.002, 0.0002}) {
    NonsmoothState state = model.at_rest();
    double lowest = 0, error_in_contact = 0;
    verified_run(make<Method>(model, step), state, end, [&](const auto& now) {
      const NonsmoothState& at = now.state();
      lowest = std::min(lowest, at.g[0]);
      if (at.time > touch + 2 * step && at.time < released)
        error_in_contact = std::max(error_in_contact, std::abs(at.r[0] - (9 - 4 * at.time)));
    });
    BOOST_TEST(lowest > -1e-14);
    BOOST_TEST(error_in_contact < 5 * step);
    BOOST_TEST((vector_of({state.y[0], state.impulse[0]}) - exact).norm() < 8 * step);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_mass_behind_a_massless_damped_contact_rebounds_with_order_one, Method,
                              AllMethods) {
  // The node stops at once; then x'' + 4 x' + 40 x = 0 with x' = -v, until 4 x' + 40 x = 0, where
  // tan(6 t) = -3/4 and x' = v exp(-2 t).
  const double v = 5, flight = 0.1, length = (std::acos(-1.) - std::atan(0.75)) / 6, end = 1;
  const double back = v * std::exp(-2 * length);
  const double x = -v / 6 * std::exp(-2 * length) * 0.6 + back * (end - flight - length);
  DenseSystem system = empty_system(2);
  system.M(0, 0) = 1;
  connect(system.C, 0, 1, 4.);
  connect(system.K, 0, 1, 40.);
  const NonsmoothModel<> model(system, {inclusion("stop", contact(), on(1))});
  for (const double step : {2e-3, 2e-4}) {
    NonsmoothState state = model.start(vector_of({0.5, 0.5}), vector_of({-v, 0.}));
    verified_run(make<Method>(model, step), state, end);
    BOOST_TEST(std::abs(model.displacement(state)[0] - x) < 20 * step);
    BOOST_TEST(std::abs(state.impulse[0] - (v + back)) < 20 * step);
    BOOST_TEST((state.contacts[0] == ContactState::open));
  }
}

BOOST_AUTO_TEST_CASE(friction_beside_a_damped_contact_feels_its_reaction) {
  // Two viscous DoFs on a common damper: what the stop pushes back keeps the pad from slipping as it would.
  DenseSystem system = empty_system(2);
  connect(system.C, 0, 1, 2.);
  system.C(0, 0) += 1;
  system.C(1, 1) += 1;
  system.K = MultiVector::Identity(2, 2);
  const NonsmoothModel<> model(
      system, {inclusion("stop", contact(), on(0)), inclusion("pad", friction(-1., 1.), on(1))},
      [](double t) {
        return Vector(vector_of({-9 - std::sin(t), -0.8}));
      });
  // Held at zero, DoF 1 carries its load of 0.8 by friction: 10 on the stop would drag it along otherwise.
  NonsmoothState state = model.at_rest();
  verified_run(RungeKutta(model.inclusions, model.outcome, 1e-3), state, 1.);
  // The reaction lags by a step, of which the pad feels 0.4 sin(t).
  BOOST_TEST(state.y.norm() < 1e-3);
  BOOST_TEST(std::abs(state.r[0] - 9 - std::sin(1.)) < 1e-2);
  BOOST_TEST(std::abs(state.r[1] - 0.8) < 1e-2);
}

BOOST_AUTO_TEST_CASE(reactions_that_are_no_functions_of_the_state_are_refused) {
  DenseSystem system = empty_system(2);
  system.K(0, 0) = 1;
  system.M(1, 1) = 1;
  const NonsmoothModel<> play(system, {inclusion("pad", friction(-1., 1.), on(0))});
  BOOST_CHECK_THROW(Euler(play.inclusions, play.outcome, 0.1), NotAvailable);
  const NonsmoothModel<> ball = one_dof(1., 0., 0., contact(0., 0.5), -1.);
  BOOST_CHECK_THROW(RungeKutta(ball.inclusions, ball.outcome, 0.1), NotAvailable);
  BOOST_CHECK_THROW(Yosida(ball.inclusions, ball.outcome, 0., 1e-4), InvalidInput);
  BOOST_CHECK_THROW(Yosida(ball.inclusions, ball.outcome, 1e-4, 0.), InvalidInput);
}

BOOST_AUTO_TEST_CASE(the_penalty_restitutes_exactly_what_it_should) {
  // In the metric of the mass: two masses that are coupled, the contact on one; nothing else acts.
  for (const double e : {1., 0.8, 0.3, 0.01}) {
    BOOST_TEST_CONTEXT(e) {
      const NonsmoothModel<> model = one_dof(7., 0., 0., contact(0., e));
      const double lambda = 1e-4, epsilon = Yosida::damping(e);
      NonsmoothState state = model.start(one(0.1), one(-2.));
      Trajectory trajectory;
      Yosida(model.inclusions, model.outcome, 0.02 * std::sqrt(lambda), lambda)
          .run(state, 0.2, std::ref(trajectory));
      BOOST_REQUIRE(trajectory.events.size() == 2u);
      const ContactEvent &closing = trajectory.events[0], &event = trajectory.events[1];
      BOOST_TEST((closing.before == ContactState::open && closing.after == ContactState::closed));
      BOOST_TEST(closing.begin == event.begin);
      BOOST_TEST(closing.end == event.begin);
      BOOST_TEST(closing.impulse.isZero(0.));
      BOOST_TEST((event.before == ContactState::closed && event.after == ContactState::open));
      BOOST_TEST(std::abs(event.w_before[0] + 2) < 1e-10);
      BOOST_TEST(std::abs(event.w_after[0] - 2 * e) < 1e-6);
      BOOST_TEST(std::abs(event.begin - 0.05) < 1e-10);
      BOOST_TEST(std::abs(event.end - event.begin -
                          std::acos(-1.) * std::sqrt(lambda / (1 - epsilon * epsilon))) < 1e-6);
      BOOST_TEST(std::abs(event.impulse[0] - 7 * 2 * (1 + e)) < 1e-5);
      BOOST_TEST(std::abs(state.dissipated - 0.5 * 7 * 4 * (1 - e * e)) < 1e-5);
    }
  }
  BOOST_TEST(Yosida::damping(0.) == 1.);
  BOOST_TEST(std::abs(Yosida::damping(1e-300) - 1) < 1e-4);
}

BOOST_AUTO_TEST_CASE(the_penalty_is_that_of_the_mass_metric) {
  // A consistent mass matrix: the contact sees 1/W = 1/(n^T M^-1 n), neither a row nor an entry of M.
  DenseSystem system = empty_system(2);
  system.M << 2., 1., 1., 2.;
  const NonsmoothModel<> model(system, {inclusion("wall", contact(0., 0.5), on(0))});
  NonsmoothState state = model.start(vector_of({0.1, 0.}), vector_of({-1., 0.}));
  Trajectory trajectory;
  verified_run(Yosida(model.inclusions, model.outcome, 1e-4, 1e-4), state, 0.3, std::ref(trajectory));
  const std::vector<ContactEvent> impacts = impacts_of(trajectory.events);
  BOOST_REQUIRE(impacts.size() == 1u);
  BOOST_TEST(std::abs(impacts[0].w_after[0] - 0.5) < 1e-6);
  // dv = M^-1 n p, n^T M^-1 n = 2/3: p = 1.5/(2/3); the other mass moves by -p/3.
  BOOST_TEST(std::abs(impacts[0].impulse[0] - 2.25) < 1e-5);
  BOOST_TEST(std::abs(state.y[3] + 0.75) < 1e-5);
}

BOOST_AUTO_TEST_CASE(without_restitution_the_penalty_does_not_rebound) {
  const NonsmoothModel<> model = one_dof(1., 0., 0., contact(0., 0.), -1.);
  NonsmoothState state = model.start(one(0.1), one(0.));
  Trajectory trajectory;
  verified_run(Yosida(model.inclusions, model.outcome, 1e-4, 1e-5), state, 2., std::ref(trajectory));
  // It lands, and stays.
  BOOST_REQUIRE(trajectory.events.size() == 1u);
  BOOST_TEST((trajectory.events[0].after == ContactState::closed));
  BOOST_TEST(std::abs(trajectory.events[0].end - std::sqrt(0.2)) < 1e-9);
  BOOST_TEST(std::abs(state.y[1]) < 1e-9);
  BOOST_TEST(std::abs(state.y[0] + 1e-5) < 1e-9);  // the weight on the spring: lambda g
  BOOST_TEST(std::abs(state.r[0] - 1) < 1e-8);
}

BOOST_AUTO_TEST_CASE(errors_of_the_penalty_fall_with_the_root_of_lambda) {
  const double e = 0.7, g = 9.81, h_0 = 1.;
  const NonsmoothModel<> model = one_dof(2., 0., 0., contact(0., e), -2 * g);
  // Between its second and its third impact.
  const double t_1 = std::sqrt(2 * h_0 / g), v_1 = std::sqrt(2 * g * h_0), t_2 = t_1 + 2 * e * v_1 / g,
               t = t_2 + 0.2;
  const double exact = e * e * v_1 * 0.2 - 0.5 * g * 0.04;
  const auto error = [&](double lambda) {
    NonsmoothState state = model.start(one(h_0), one(0.));
    verified_run(Yosida(model.inclusions, model.outcome, 0.05 * std::sqrt(lambda), lambda), state, t);
    return std::abs(state.y[0] - exact);
  };
  const double coarse = error(1e-4), fine = error(1e-6);
  BOOST_TEST(std::abs(std::log(coarse / fine) / std::log(100.) - 0.5) < 0.1);
  BOOST_TEST(fine < 20 * std::sqrt(1e-6));
}

BOOST_AUTO_TEST_CASE(a_step_that_does_not_resolve_the_contact_warns) {
  const NonsmoothModel<> model = one_dof(1., 0., 0., contact(0., 0.5), -1.);
  BOOST_TEST(Yosida(model.inclusions, model.outcome, 0.9e-3, 1e-4).warnings().empty());
  BOOST_TEST(Yosida(model.inclusions, model.outcome, 1.1e-3, 1e-4).warnings().size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_saved_state_of_the_penalty_goes_on_bit_for_bit) {
  const NonsmoothModel<> model = one_dof(1., 0., 3., contact(0., 0.5), -1.);
  NonsmoothState state = model.start(one(0.3), one(0.)), saved;
  verified_run(Yosida(model.inclusions, model.outcome, 1e-3, 1e-3), state, 2., [&](const auto& now) {
    if (now.time() < 0.75) saved = now.state();
  });
  verified_run(Yosida(model.inclusions, model.outcome, 1e-3, 1e-3), saved, 2.);
  BOOST_TEST((saved.y.array() == state.y.array()).all());
  BOOST_TEST((saved.carried.array() == state.carried.array()).all());
}

BOOST_AUTO_TEST_SUITE_END()
