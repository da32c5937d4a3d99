// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>
#include <halfdof/integrators/smooth/implicit_methods.h>

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include "chains.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Jean = MoreauJean<EigenEngine>;
using Alpha = NonsmoothAlpha<EigenEngine>;
using BothMethods = boost::mpl::list<Jean, Alpha>;

/// A mass on a spring, whose other end is on a dashpot.
struct SpringAndDashpot {
  SpringAndDashpot() {
    dense.M(0, 0) = 1;
    dense.C(1, 1) = 2;
    connect(dense.K, 0, 1, 7.);
  }
  DenseSystem dense = empty_system(2);
};

/// A ball of mass 2 dropped from height 1 with e = 0.7.
NonsmoothModel<> ball(double e, double weight = -2 * 9.81) {
  return one_dof(2., 0., 0., contact(0., e), weight);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(velocity_level_schemes)

BOOST_AUTO_TEST_CASE_TEMPLATE(a_ball_bounces_at_the_exact_times, Method, BothMethods) {
  const double e = 0.7, g = 9.81, h_0 = 1.;
  const NonsmoothModel<> model = ball(e);
  const auto error = [&](double step) {
    Trajectory trajectory;
    NonsmoothState state = model.start(one(h_0), one(0.));
    verified_run(Method(model.inclusions, model.outcome, step), state, 2.2, std::ref(trajectory));
    double time = std::sqrt(2 * h_0 / g), worst = 0, speed = std::sqrt(2 * g * h_0);
    const std::vector<ContactEvent> impacts = impacts_of(trajectory.events);
    BOOST_TEST(impacts.size() >= 5u);
    for (std::size_t k = 0; k < 5 && k < impacts.size(); ++k) {
      const ContactEvent& event = impacts[k];
      worst = std::max(worst, std::abs(0.5 * (event.begin + event.end) - time));
      BOOST_TEST(std::abs(event.w_before[0] + speed) < 100 * step);
      BOOST_TEST(std::abs(event.w_after[0] + e * event.w_before[0]) < 1e-12 * speed);
      // The impulse has the weight of the step in it.
      BOOST_TEST(std::abs(event.impulse[0] - 2. * (event.w_after[0] - event.w_before[0]) - 2 * g * step) <
                 1e-10);
      speed *= e;
      time += 2 * speed / g;
    }
    return worst;
  };
  // Each impact is late by less than a step, and with it all that follow.
  BOOST_TEST(error(1e-3) < 1e-2);
  BOOST_TEST(error(1e-4) < 1e-3);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_ball_comes_to_rest_on_its_weight, Method, BothMethods) {
  const NonsmoothModel<> model = ball(0.5);
  NonsmoothState state = model.start(one(0.1), one(0.));
  verified_run(Method(model.inclusions, model.outcome, 1e-3), state, 2.);
  BOOST_TEST(std::abs(state.y[1]) < 1e-12);
  BOOST_TEST(std::abs(state.y[0]) < 2e-3);
  BOOST_TEST(std::abs(state.r[0] - 2 * 9.81) < 1e-9);
  BOOST_TEST((state.contacts[0] == ContactState::closed));
}

BOOST_AUTO_TEST_CASE(elastic_impacts_keep_the_speed_to_the_last_digit) {
  const NonsmoothModel<> model = ball(1., 0.);
  NonsmoothState state = model.start(one(1.), one(-3.));
  verified_run(Jean(model.inclusions, model.outcome, 0.01), state, 1.);
  BOOST_TEST(std::abs(state.y[1] - 3.) < 1e-14);
  BOOST_TEST(std::abs(state.dissipated) < 1e-12);
}

BOOST_AUTO_TEST_CASE(energy_balances_to_rounding_for_theta_one_half) {
  // Stick-slip and impacts: what is missing of T + U is what the laws took.
  DenseSystem system = empty_system(2);
  system.M(0, 0) = 1;
  system.M(1, 1) = 2;
  connect(system.K, 0, 1, 30.);
  system.K(0, 0) += 10;
  const NonsmoothModel<> model(
      system, {inclusion("wall", contact(-0.1, 0.4), on(1)), inclusion("pad", friction(-0.3, 0.2), on(0))});
  NonsmoothState state = model.start(vector_of({0.3, 0.5}), vector_of({0., -2.}));
  const double initial = energy_of(system, model.inclusions.lift(state, state.r));
  std::size_t n_impacts = 0;
  verified_run(Jean(model.inclusions, model.outcome, 1e-2), state, 3., [&](const auto& now) {
    BOOST_TEST(std::abs(energy_of(system, now.lift()) + now.dissipated() - initial) < 1e-12 * initial);
    n_impacts += impacts_of(now.events()).size();
  });
  BOOST_TEST(n_impacts >= 2u);
  BOOST_TEST(state.dissipated > 0.1 * initial);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_swinging_mass_on_dry_friction_converges, Method, BothMethods) {
  const NonsmoothModel<> model = one_dof(2., 0., 50., friction(-4., 4.));
  const auto error = [&](double step) {
    NonsmoothState state = model.start(one(0.5), one(0.));
    verified_run(Method(model.inclusions, model.outcome, step), state, 1.7);
    return std::abs(state.y[0] - swinging(0.5, 2., 50., 4., 1.7));
  };
  BOOST_TEST(error(1e-3) < 2e-3);
  BOOST_TEST(error(1e-4) < 2e-4);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(all_seven_chains_of_bastien_and_lamarque_converge, Method, BothMethods) {
  for (const ChainCase& chosen : chain_cases()) {
    BOOST_TEST_CONTEXT(chosen.name) {
      // A reversal within a step counts from its end on: errors fall with the step, but not evenly.
      const ChainErrors coarse = chain_errors<Method>(chosen, 2e-3),
                        fine = chain_errors<Method>(chosen, 5e-4);
      BOOST_TEST(coarse.displacement < 1e-3);
      BOOST_TEST(coarse.reaction < 1e-3);
      BOOST_TEST(coarse.dissipated < 1e-2);
      BOOST_TEST(fine.displacement < 2e-4);
      BOOST_TEST(fine.reaction < 4e-5);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_absorber_of_dumont_et_al_meets_the_exact_solution, Method, BothMethods) {
  const StickSlipAbsorber free{1., 100., 25., 6., 4., 0., 0., 1., 1.};
  BOOST_TEST(stick_slip_error<Method>(free, free_stick_slip(), 2., 1e-3) < 1e-3);
  BOOST_TEST(stick_slip_error<Method>(free, free_stick_slip(), 2., 2e-4) < 2e-4);
  const StickSlipAbsorber driven{25., 2.5e5, 1e5, 2500., 2000., 50., 31.41592653589793, 29.43, 22.075};
  BOOST_TEST(stick_slip_error<Method>(driven, driven_stick_slip(), 0., 5e-5) < 5e-4);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(half_dofs_alone_keep_second_order, Method, BothMethods) {
  // Viscous friction that always slips, and a massless contact that always touches: smooth.
  DenseSystem system = empty_system(3);
  system.M(0, 0) = 1;
  connect(system.K, 0, 1, 20.);
  connect(system.C, 0, 2, 3.);
  system.K(0, 0) += 5;
  system.K(2, 2) = 4;
  const auto at = [&](double step) {
    const NonsmoothModel<> model(
        system, {inclusion("wall", contact(), on(1)), inclusion("pad", friction(-0.2, 0.2), on(2))},
        [](double t) {
          return Vector(vector_of({-3. + 0.5 * std::sin(t), -1., 10. * t}));
        });
    NonsmoothState state = model.start(Vector::Zero(3), vector_of({0., 0., 1.}));
    verified_run(Method(model.inclusions, model.outcome, step), state, 0.4);
    BOOST_TEST((state.contacts[0] == ContactState::closed));
    BOOST_TEST((state.contacts[1] == ContactState::slip_forward));
    Vector all(4);
    all << state.y, state.r[0];
    return all;
  };
  const Vector exact = at(5e-5);
  const auto error = [&](double step) { return (at(step) - exact).norm(); };
  BOOST_TEST(std::abs(observed_order(error, 0.005) - 2) < 0.15);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(velocities_of_algebraic_dofs_do_not_alternate, Method, BothMethods) {
  // A massless joint with a play, whose load jumps: afterwards its rate follows the mass smoothly.
  DenseSystem system = empty_system(2);
  system.M(0, 0) = 1;
  connect(system.K, 0, 1, 20.);
  system.K(0, 0) += 5;
  system.K(1, 1) += 2;
  const NonsmoothModel<> model(system, {inclusion("pad", friction(-0.2, 0.2), on(1))}, [](double t) {
    return Vector(vector_of({0., t < 0.1 ? 0. : 4.}));
  });
  NonsmoothState state = model.at_rest();
  Method integrator(model.inclusions, model.outcome, 1e-3);
  verified_run(integrator, state, 0.15);
  Vector last = state.w;
  verified_run(integrator, state, 0.25, [&](const auto& now) {
    if (now.time() > 0.1505) BOOST_TEST(std::abs(now.state().w[0] - last[0]) < 0.05);
    last = now.state().w;
    // The joint is where equilibrium puts it.
    const Vector q = now.lift().displacement;
    BOOST_TEST(std::abs(now.state().g[0] - q[1]) < 1e-13);
  });
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_sweeping_process_has_a_steady_reaction, Method, BothMethods) {
  const NonsmoothModel<> model =
      one_dof(0., 2., 0., contact(ScalarFunction::expression("t - 0.505")), -1. / 1024);
  NonsmoothState state = model.start(one(0.), one(0.));
  verified_run(Method(model.inclusions, model.outcome, 0.01), state, 2., [&](const auto& now) {
    if (now.time() > 0.535) BOOST_TEST(std::abs(now.state().r[0] - 2. - 1. / 1024) < 1e-10);
  });
  BOOST_TEST(std::abs(state.g[0]) < 1e-13);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_bar_with_a_massless_end_bounces_without_impact_and_keeps_its_energy, Method,
                              BothMethods) {
  const BouncingBar bar{60, true};
  const NonsmoothModel<> model = bar.model(std::nullopt);
  BOOST_TEST((model.outcome.directions[0].reduced_law() == ReducedLaw::lipschitz_contact));
  NonsmoothState state = bar.start(model);
  const double initial = energy_of(model.system, model.inclusions.lift(state, state.r));
  double lifts = 0, lands = 0, force = 0, drift = 0;
  std::size_t n_force = 0;
  verified_run(Method(model.inclusions, model.outcome, 1e-3), state, 1.6, [&](const auto& now) {
    BOOST_TEST(impacts_of(now.events()).empty());
    if (now.state().r[0] > 0 && lands == 0) lands = now.time();
    if (now.state().r[0] > 30) lifts = now.time();
    if (now.time() > 0.6 && now.time() < 1.05) {
      force += now.state().r[0];
      ++n_force;
    }
    drift = std::max(drift, std::abs(energy_of(model.system, now.lift()) / initial - 1));
  });
  BOOST_TEST(std::abs(lands - 0.5) < 2e-3);
  BOOST_TEST(std::abs(lifts - 0.5 - 2. / 3) < 0.03);
  BOOST_TEST(std::abs(force / static_cast<double>(n_force) / 300 - 1) < 0.01);
  BOOST_TEST(drift < (std::is_same_v<Method, Jean> ? 2e-3 : 2e-2));
  // Its centre moves up as it came down, but for the vibrations that the mesh leaves behind the wave.
  const Vector momentum = model.system.M * model.inclusions.lift(state, state.r).rate;
  BOOST_TEST(std::abs(momentum.sum() / 10 - 10) < 0.2);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_bar_with_mass_everywhere_bounces_by_impacts, Method, BothMethods) {
  const BouncingBar bar{60, false};
  const NonsmoothModel<> model = bar.model(0.);
  NonsmoothState state = bar.start(model);
  double impulse = 0, last = 0;
  std::size_t n_events = 0;
  verified_run(Method(model.inclusions, model.outcome, 1e-3), state, 1.6, [&](const auto& now) {
    impulse += (now.time() - last) * now.state().r[0];
    last = now.time();
    n_events += impacts_of(now.events()).size();
  });
  BOOST_TEST(n_events >= 1u);
  const Vector momentum = model.system.M * model.inclusions.lift(state, state.r).rate;
  BOOST_TEST(std::abs(momentum.sum() / 10 - 10) < 0.3);
  BOOST_TEST(std::abs(impulse - momentum.sum() - 100) < 1e-8);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_saved_state_goes_on_bit_for_bit, Method, BothMethods) {
  const StickSlipAbsorber absorber{1., 100., 25., 6., 4., 3., 5., 1., 1.};
  const NonsmoothModel<> model = absorber.model();
  NonsmoothState state = model.start(Vector::Zero(3), vector_of({0., 0., 1.})), saved;
  verified_run(Method(model.inclusions, model.outcome, 0.0077), state, 2., [&](const auto& now) {
    if (now.time() < 1.1) saved = now.state();
  });
  verified_run(Method(model.inclusions, model.outcome, 0.0077), saved, 2.);
  BOOST_TEST((saved.y.array() == state.y.array()).all());
  BOOST_TEST((saved.w.array() == state.w.array()).all());
  BOOST_TEST((saved.carried.array() == state.carried.array()).all());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(whatever_inclusions_change_is_an_event, Method, BothMethods) {
  // A massless contact that closes and opens, and a mass that sticks and slips.
  DenseSystem system = empty_system(3);
  system.M(0, 0) = system.M(2, 2) = 1;
  connect(system.K, 0, 1, 20.);
  system.K(0, 0) += 5;
  const NonsmoothModel<> model(
      system, {inclusion("wall", contact(-0.05), on(1)), inclusion("pad", friction(-1., 1.), on(2))},
      [](double t) {
        return Vector(vector_of({0., 0., 2 * std::sin(2 * t)}));
      });
  Trajectory trajectory;
  NonsmoothState state = model.start(Vector::Zero(3), vector_of({-1., 0., 0.}));
  std::vector<ContactState> contacts = state.contacts;
  verified_run(Method(model.inclusions, model.outcome, 1e-2), state, 4., std::ref(trajectory));
  std::vector<std::size_t> n_events(2, 0);
  for (const ContactEvent& event : trajectory.events) {
    BOOST_TEST((event.before == contacts[event.inclusion]));
    BOOST_TEST((event.after != event.before));
    BOOST_TEST(event.impulse.isZero(0.));
    contacts[event.inclusion] = event.after;
    ++n_events[event.inclusion];
  }
  BOOST_TEST((contacts == state.contacts));
  BOOST_TEST(n_events[0] >= 2u);
  BOOST_TEST(n_events[1] >= 3u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(without_inclusions_both_are_of_second_order, Method, BothMethods) {
  const SpringAndDashpot system;
  const NonsmoothModel<> model(system.dense, {}, [](double t) {
    return Vector(vector_of({std::sin(2 * t), 1.}));
  });
  const auto at = [&](double step) {
    NonsmoothState state = model.at_rest();
    verified_run(Method(model.inclusions, model.outcome, step), state, 1.);
    return state.y;
  };
  const Vector exact = at(1e-4);
  const auto error = [&](double step) { return (at(step) - exact).norm(); };
  BOOST_TEST(std::abs(observed_order(error, 0.02) - 2) < 0.1);
}

BOOST_AUTO_TEST_CASE(the_smooth_part_is_that_of_the_generalized_alpha_method) {
  // That one takes the load at the stage, this one the mean of both ends: the same where loads are straight
  // lines.
  const SpringAndDashpot system;
  const NonsmoothModel<> model(system.dense, {}, [](double t) { return Vector(vector_of({3 * t - 1, 1.})); });
  for (const double rho : {0., 0.6, 1.}) {
    NonsmoothState state = model.at_rest();
    State smooth{state.time, state.y};
    verified_run(Alpha(model.inclusions, model.outcome, 0.01, {rho}), state, 1.);
    GeneralizedAlpha<EigenEngine>(model.inclusions.reduced(), 0.01, {rho}).run(smooth, 1.);
    // Rounding of 100 steps.
    BOOST_TEST((state.y - smooth.y).norm() < 1e-13 * smooth.y.norm());
  }
}

BOOST_AUTO_TEST_CASE(reactions_on_masses_that_move_half_dofs_at_once_are_left_to_stages_at_the_end) {
  // 0.5 q_0'' + q_1 = r_1: friction on the mass moves the massless DoF, in full and not by a mean of the
  // step.
  DenseSystem system = empty_system(2);
  system.M << 1, 0, 0.5, 0;
  system.K(1, 1) = 1;
  const auto load = [](double t) { return Vector(Eigen::Vector2d(2 * std::sin(3 * t), -0.1)); };
  const NonsmoothModel<> model(
      system, {inclusion("pad", friction(-1., 1.), on(0)), inclusion("stop", contact(), on(1))}, load);
  const auto names_both = [](const NotAvailable& error) {
    const std::string message = error.what();
    return message.find("\"pad\"") != std::string::npos && message.find("\"stop\"") != std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(Jean(model.inclusions, model.outcome, 0.01), NotAvailable, names_both);
  BOOST_CHECK_EXCEPTION(Alpha(model.inclusions, model.outcome, 0.01), NotAvailable, names_both);

  NonsmoothState state = model.at_rest();
  verified_run(Jean(model.inclusions, model.outcome, 0.01, {1.}), state, 2.);
  // Without friction there is nothing to alternate.
  const NonsmoothModel<> smooth(system, {inclusion("stop", contact(), on(1))}, load);
  state = smooth.at_rest();
  verified_run(Jean(smooth.inclusions, smooth.outcome, 0.01), state, 2.);
}

BOOST_AUTO_TEST_CASE(so_are_reactions_on_masses_that_change_rates_of_viscous_dofs_at_once) {
  DenseSystem system = empty_system(2);
  system.M << 1, 0, 0.5, 0;
  system.C(1, 1) = 1;
  const NonsmoothModel<> model(
      system, {inclusion("pad", friction(-1., 1.), on(0)), inclusion("drag", friction(-1., 1.), on(1))});
  BOOST_CHECK_THROW(Jean(model.inclusions, model.outcome, 0.01), NotAvailable);
  // Damping of masses in those rows is a mean of the step as everything else.
  system.M(1, 0) = 0;
  system.C(1, 0) = 0.5;
  const NonsmoothModel<> damped(
      system, {inclusion("pad", friction(-1., 1.), on(0)), inclusion("drag", friction(-1., 1.), on(1))});
  BOOST_CHECK_NO_THROW(Jean(damped.inclusions, damped.outcome, 0.01));
}

BOOST_AUTO_TEST_CASE(symmetric_models_with_constraints_are_never_taken_for_such) {
  // A multiplier ties three massless nodes to a mass: w^T a = 0.3 b, with friction along w.
  RandomNumbers random(5);
  for (int sample = 0; sample < 30; ++sample) {
    DenseSystem system = empty_system(5);
    system.M(0, 0) = 1;
    const MultiVector R = random.matrix(3, 3), w = random.matrix(3, 1);
    system.K.block(1, 1, 3, 3) = R * R.transpose() + 0.5 * MultiVector::Identity(3, 3);
    system.K.block(1, 4, 3, 1) = w;
    system.K.block(4, 1, 1, 3) = w.transpose();
    system.K(0, 4) = system.K(4, 0) = -0.3;
    const Direction along({{1, w(0, 0)}, {2, w(1, 0)}, {3, w(2, 0)}});
    const NonsmoothModel<> model(system, {inclusion("pad", friction(-1., 1.), along)});
    BOOST_TEST((model.outcome.directions[0].reduced_law() == ReducedLaw::filippov_inclusion));
    BOOST_CHECK_NO_THROW(Jean(model.inclusions, model.outcome, 0.01));
  }
}

BOOST_AUTO_TEST_CASE(options_out_of_range_are_refused) {
  const NonsmoothModel<> model = ball(0.5);
  BOOST_CHECK_THROW(Jean(model.inclusions, model.outcome, 0.), InvalidInput);
  BOOST_CHECK_THROW(Jean(model.inclusions, model.outcome, 1., {0.4}), InvalidInput);
  BOOST_CHECK_THROW(Alpha(model.inclusions, model.outcome, 1., {1.1}), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
