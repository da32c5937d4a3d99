// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/verification/verification.h>

#include <boost/test/unit_test.hpp>

#include "chains.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Euler = NonsmoothEuler<EigenEngine>;
using Jean = MoreauJean<EigenEngine>;
using Alpha = NonsmoothAlpha<EigenEngine>;
using Events = EventDriven<EigenEngine>;

template <class Method>
Trajectory trajectory_of(const NonsmoothModel<>& model, NonsmoothState state, double step, double end) {
  Trajectory trajectory;
  Method(model.inclusions, model.outcome, step).run(state, end, std::ref(trajectory));
  return trajectory;
}

template <class Method>
VerificationReport verified(const NonsmoothModel<>& model, const NonsmoothState& state, double step,
                            double end) {
  return verify(model.inclusions, model.outcome, trajectory_of<Method>(model, state, step, end),
                {Method(model.inclusions, model.outcome, step).end_weight()});
}

double of(const VerificationReport& report, Check check) {
  return report[check].value;
}

/// A mass that falls on a floor, tied to another on dry friction by a spring and a dashpot.
NonsmoothModel<> falling_pair(double e) {
  DenseSystem system = empty_system(3);
  system.M(0, 0) = 1;
  system.M(1, 1) = 2;
  connect(system.K, 0, 1, 30.);
  connect(system.K, 1, 2, 15.);
  system.K(0, 0) += 10;
  system.K(2, 2) += 5;
  system.C(1, 1) = 0.1;
  return NonsmoothModel<>(
      system,
      {inclusion("floor", contact(-0.2, e), on(1)), inclusion("pad", friction(-0.3, 0.2), on(0)),
       inclusion("joint", friction(-0.4, 0.4), on(2))},
      [](double t) {
        return Vector(vector_of({std::sin(5 * t), -9., 0.}));
      });
}

NonsmoothState falling(const NonsmoothModel<>& model) {
  const Vector q = Vector::Zero(3);
  return model.start(q, vector_of({0.3, -1., 0.}));
}

/// A mass, a viscous and an algebraic DoF that are driven, an unsymmetric stiffness; friction that swells on
/// some of them.
NonsmoothModel<> rubbing(const std::vector<GlobalIndex>& dofs) {
  DenseSystem system = empty_system(3);
  system.M(0, 0) = 1;
  system.C(1, 1) = 0.5;
  system.K.diagonal() << 3., 2., 4.;
  connect(system.K, 0, 1, 5.);
  connect(system.K, 1, 2, 2.);
  system.K(0, 2) += 0.7;
  std::vector<Inclusion> pads;
  for (const GlobalIndex dof : dofs)
    pads.push_back(inclusion(
        "pad " + std::to_string(dof),
        friction(ScalarFunction::expression("-1-0.5*sin(9*t)"), ScalarFunction::expression("1+0.5*sin(9*t)")),
        on(dof)));
  return NonsmoothModel<>(system, pads, [](double t) { return vector_of({9 * std::sin(4 * t), 0., 5 * t}); });
}

/// Steps of a length, or options.
template <class Method, class Steps>
void expect_kept(const NonsmoothModel<>& model, NonsmoothState state, const Steps& steps) {
  Method method(model.inclusions, model.outcome, steps);
  verified_run(method, state, 2.);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verification)

BOOST_AUTO_TEST_CASE(implicit_euler_obeys_every_law_to_rounding) {
  for (const ChainCase& chosen : chain_cases()) {
    BOOST_TEST_CONTEXT(chosen.name) {
      const NonsmoothModel<> model = chain_of(chosen).model(chosen.inertia, chosen.end);
      const VerificationReport report = verified<Euler>(model, model.at_rest(), 5e-3, 5.);
      BOOST_TEST(report.n_points == 1001u);
      for (const Check check : {Check::balance, Check::reaction, Check::law, Check::variational})
        BOOST_TEST(of(report, check) < 1e-9, name_of(check) << " " << of(report, check));
      BOOST_TEST(of(report, Check::kinematics) < 1e-9);
      // Implicit Euler dissipates what it cannot follow.
      BOOST_TEST(of(report, Check::energy) < 0.05);
    }
  }
}

BOOST_AUTO_TEST_CASE(implicit_euler_closes_contacts_without_penetration) {
  const NonsmoothModel<> model = falling_pair(0.);
  const VerificationReport report = verified<Euler>(model, falling(model), 1e-3, 2.);
  BOOST_TEST(of(report, Check::gap) < 1e-12);
  BOOST_TEST(of(report, Check::complementarity) < 1e-12);
  BOOST_TEST(of(report, Check::law) < 1e-9);
  BOOST_TEST(of(report, Check::balance) < 1e-12);
}

BOOST_AUTO_TEST_CASE(moreau_jean_balances_momentum_and_energy_to_rounding) {
  const NonsmoothModel<> model = falling_pair(0.6);
  const VerificationReport report = verified<Jean>(model, falling(model), 1e-3, 2.);
  for (const Check check : {Check::balance, Check::reaction, Check::impact, Check::dissipated, Check::energy})
    BOOST_TEST(of(report, check) < 1e-11, name_of(check) << " " << of(report, check));
  BOOST_TEST(of(report, Check::law) < 1e-9);
  BOOST_TEST(of(report, Check::variational) < 1e-9);
  BOOST_TEST(of(report, Check::kinematics) < 1e-9);
  // Contacts close within a step: h times the speed.
  BOOST_TEST(of(report, Check::gap) < 0.02);
  const VerificationReport finer = verified<Jean>(model, falling(model), 1e-4, 2.);
  BOOST_TEST(of(finer, Check::gap) < 0.5 * of(report, Check::gap));
}

BOOST_AUTO_TEST_CASE(generalized_alpha_balances_up_to_its_order) {
  const NonsmoothModel<> model = falling_pair(0.6);
  const VerificationReport coarse = verified<Alpha>(model, falling(model), 2e-3, 1.),
                           fine = verified<Alpha>(model, falling(model), 1e-3, 1.);
  BOOST_TEST(of(fine, Check::balance) < 1e-3);
  BOOST_TEST(of(fine, Check::balance) < 0.7 * of(coarse, Check::balance));
  for (const Check check :
       {Check::reaction, Check::impact, Check::law, Check::variational, Check::kinematics})
    BOOST_TEST(of(fine, check) < 1e-9, name_of(check) << " " << of(fine, check));
  BOOST_TEST(of(fine, Check::energy) < 0.05);
}

BOOST_AUTO_TEST_CASE(contacts_that_never_open_are_not_blamed_for_rounding) {
  const NonsmoothModel<> model = one_dof(3., 0., 0., contact(), -10.);
  const VerificationReport report = verified<Euler>(model, model.start(one(0.), one(0.)), 1e-3, 0.5);
  BOOST_TEST(of(report, Check::gap) < 1e-12);
  BOOST_TEST(of(report, Check::complementarity) < 1e-12);
}

BOOST_AUTO_TEST_CASE(friction_that_breaks_loose_within_a_step_obeys_its_law) {
  const NonsmoothModel<> model(
      [] {
        DenseSystem system = empty_system(1);
        system.M(0, 0) = 2;
        return system;
      }(),
      {inclusion("pad", std::make_shared<const StaticKineticFriction>(3., 1.), on(0))},
      [](double t) { return Vector(Vector::Constant(1, 2 * t)); });
  const NonsmoothState start = model.start(one(0.), one(0.));
  BOOST_TEST(of(verified<Jean>(model, start, 1e-2, 3.), Check::law) < 1e-12);
  Trajectory trajectory;
  NonsmoothState state = start;
  EventDriven<EigenEngine>(model.inclusions, model.outcome).run(state, 3., std::ref(trajectory));
  BOOST_TEST((state.contacts[0] == ContactState::slip_forward));
  BOOST_TEST(of(verify(model.inclusions, model.outcome, trajectory), Check::law) < 1e-9);
}

BOOST_AUTO_TEST_CASE(rates_against_supports_that_move_are_right_in_long_steps) {
  const NonsmoothModel<> model =
      one_dof(1., 0., 0., contact(ScalarFunction::expression("0.25*sin(5*t)"), 0.5), -1.);
  Trajectory trajectory;
  NonsmoothState state = model.start(one(1.), one(0.));
  EventDriven<EigenEngine>(model.inclusions, model.outcome).run(state, 3., std::ref(trajectory));
  // Formulas are differentiated numerically.
  BOOST_TEST(of(verify(model.inclusions, model.outcome, trajectory), Check::kinematics) < 1e-6);
}

BOOST_AUTO_TEST_CASE(whatever_is_wrong_with_a_trajectory_is_found) {
  const NonsmoothModel<> model = falling_pair(0.6);
  const Trajectory right = trajectory_of<Jean>(model, falling(model), 1e-3, 1.);
  const auto report_of = [&](const auto& spoil) {
    Trajectory wrong = right;
    spoil(wrong);
    return verify(model.inclusions, model.outcome, wrong);
  };
  const auto caught = [&](Check check, double limit, const auto& spoil) {
    const VerificationReport report = report_of(spoil);
    BOOST_TEST(of(report, check) > limit, name_of(check) << " " << of(report, check));
    return report;
  };
  const std::size_t middle = right.points.size() / 2;
  VerificationReport report =
      caught(Check::balance, 1e-7, [&](Trajectory& t) { t.points[middle].y[0] += 1e-4; });
  BOOST_TEST(report[Check::balance].where.find("DoF") != std::string::npos);
  caught(Check::balance, 1e-7, [&](Trajectory& t) {
    for (std::size_t i = middle; i < t.points.size(); ++i)
      t.points[i].impulse[0] += 1e-3;
  });
  report = caught(Check::gap, 0.1, [&](Trajectory& t) { t.points[middle].y[1] = -1.; });
  BOOST_TEST(report[Check::gap].where == "inclusion \"floor\"");
  BOOST_TEST(std::abs(report[Check::gap].time - right.points[middle].time) < 1e-12);
  caught(Check::reaction, 0.1, [&](Trajectory& t) { t.points[middle].r[1] = 0.5; });
  caught(Check::reaction, 1e-5, [&](Trajectory& t) { t.points[middle].r[0] = -1.; });
  caught(Check::kinematics, 1e-2, [&](Trajectory& t) { t.points[middle].w[1] += 0.1; });
  caught(Check::law, 1e-2, [&](Trajectory& t) {
    for (NonsmoothState& point : t.points)
      point.r[1] *= -0.5;
  });
  caught(Check::variational, 1e-2, [&](Trajectory& t) {
    for (NonsmoothState& point : t.points)
      point.r[1] *= -0.5;
  });
  caught(Check::impact, 1e-2, [&](Trajectory& t) {
    for (ContactEvent& event : t.events)
      event.w_after *= 0.5;
  });
  caught(Check::dissipated, 1e-4, [&](Trajectory& t) {
    for (std::size_t i = middle; i < t.points.size(); ++i)
      t.points[i].dissipated *= 1.01;
  });
  caught(Check::energy, 1e-4, [&](Trajectory& t) {
    for (std::size_t i = middle; i < t.points.size(); ++i)
      t.points[i].y.tail(2) *= 1.01;
  });
}

BOOST_AUTO_TEST_CASE(friction_that_acted_is_the_friction_that_is_shown) {
  const auto swinging_on = [](double threshold) {
    DenseSystem system = empty_system(1);
    system.M(0, 0) = 2;
    system.K(0, 0) = 3;
    return NonsmoothModel<>(system, {inclusion("pad", friction(-threshold, threshold), on(0))},
                            [](double t) { return one(10 * std::sin(3 * t)); });
  };
  const NonsmoothModel<> acting = swinging_on(6.), shown = swinging_on(3.);
  const Trajectory right = trajectory_of<Jean>(acting, acting.at_rest(), 1e-3, 5.);
  BOOST_TEST(of(verify(acting.inclusions, acting.outcome, right), Check::impulse) < 1e-12);
  Trajectory wrong = right;
  for (NonsmoothState& point : wrong.points)
    point.r[0] = point.w[0] == 0 ? std::clamp(point.r[0], -3., 3.) : std::copysign(3., -point.w[0]);
  const VerificationReport report = verify(shown.inclusions, shown.outcome, wrong);
  // The impulses are twice those that the thresholds allow.
  BOOST_TEST(of(report, Check::reaction) > 0.9);
  BOOST_TEST(of(report, Check::impulse) > 0.9);
  BOOST_TEST(report[Check::impulse].where == "inclusion \"pad\"");
}

BOOST_AUTO_TEST_CASE(what_every_method_keeps_is_kept_with_thresholds_that_move) {
  const NonsmoothModel<> all = rubbing({0, 1, 2}), with_rates = rubbing({0, 1});
  expect_kept<Jean>(all, all.at_rest(), 1e-2);
  expect_kept<Alpha>(all, all.at_rest(), 1e-2);
  expect_kept<Euler>(all, all.at_rest(), 1e-2);
  expect_kept<Events>(all, all.at_rest(), EventDrivenOptions());
  expect_kept<SetValuedEuler<EigenEngine>>(with_rates, with_rates.at_rest(), 1e-3);
  expect_kept<SetValuedRungeKutta<EigenEngine>>(with_rates, with_rates.at_rest(), 1e-3);
}

BOOST_AUTO_TEST_CASE(what_every_method_keeps_is_kept_at_impacts) {
  const NonsmoothModel<> elastic = falling_pair(0.6), dead = falling_pair(0.);
  expect_kept<Jean>(elastic, falling(elastic), 1e-3);
  expect_kept<Alpha>(elastic, falling(elastic), 1e-3);
  expect_kept<Euler>(dead, falling(dead), 1e-3);
  const NonsmoothModel<> ball = one_dof(1., 0., 0., contact(0., 0.5), -1.);
  NonsmoothState state = ball.start(one(1.), one(0.));
  YosidaPenalty<EigenEngine> penalty(ball.inclusions, ball.outcome, 1e-3, 1e-3);
  verified_run(penalty, state, 3.);
}

BOOST_AUTO_TEST_CASE(a_mass_that_falls_through_a_wall_is_found) {
  const auto falling_on = [](double wall) { return one_dof(1., 0., 0., contact(wall, 0.5), -1.); };
  const NonsmoothModel<> far = falling_on(-1e9), near = falling_on(0.);
  Trajectory wrong = trajectory_of<Jean>(far, far.start(one(1.), one(0.)), 1e-2, 5.);
  for (NonsmoothState& point : wrong.points)
    point.g = point.y.head(1);
  VerificationReport report = verify(near.inclusions, near.outcome, wrong);
  BOOST_TEST(of(report, Check::law) > 1.);
  BOOST_TEST(of(report, Check::penetration) > 0.5);

  // What passes the obstacle unheeded at an instant that is located, too.
  wrong.events.push_back(
      {1.5, 1.5, 0, one(-1.5), one(-1.5), one(0.), ContactState::open, ContactState::closed});
  report = verify(near.inclusions, near.outcome, wrong);
  BOOST_TEST(of(report, Check::impact) > 0.1);

  const VerificationReport right = verified<Jean>(near, near.start(one(1.), one(0.)), 1e-2, 5.);
  for (const Check check : {Check::law, Check::penetration, Check::impact})
    BOOST_TEST(of(right, check) < 1e-9, name_of(check) << " " << of(right, check));
}

BOOST_AUTO_TEST_CASE(long_steps_are_judged_by_their_dense_output) {
  // A spring of which one verification is told another stiffness.
  const auto pulled = [](double stiffness) { return one_dof(2., 0.3, stiffness, friction(-0.5, 0.5), 1.); };
  const NonsmoothModel<> acting = pulled(50.), told = pulled(50.5);
  Events events(acting.inclusions, acting.outcome);
  Verification<EigenEngine> right(events), wrong(told.inclusions, told.outcome);
  NonsmoothState state = acting.start(one(0.5), one(0.));
  std::size_t n_steps = 0;
  events.run(state, 3., [&](const auto& now) {
    right(now);
    wrong(now);
    ++n_steps;
  });
  BOOST_TEST(n_steps < 100u);
  for (const Check check :
       {Check::balance, Check::impulse, Check::kinematics, Check::dissipated, Check::energy})
    BOOST_TEST(of(right.report(), check) < 1e-9, name_of(check) << " " << of(right.report(), check));
  BOOST_TEST(of(wrong.report(), Check::balance) > 1e-3);
  BOOST_TEST(of(wrong.report(), Check::energy) > 1e-3);
}

BOOST_AUTO_TEST_CASE(rebounds_may_end_at_rest_only_where_they_would_come_back_at_once) {
  const NonsmoothModel<> model = one_dof(1., 0., 0., contact(0., 0.5), -1.);
  EventDrivenOptions options;
  options.shortest_flight = 0.1;
  Events events(model.inclusions, model.outcome, options);
  Verification<EigenEngine> of_cutoff(events), without(model.inclusions, model.outcome, {0.5, 0.01});
  NonsmoothState state = model.start(one(1.), one(0.));
  events.run(state, 5., [&](const auto& now) {
    of_cutoff(now);
    without(now);
  });
  BOOST_TEST((state.contacts[0] == ContactState::closed));
  BOOST_TEST(of(of_cutoff.report(), Check::impact) < 1e-9);
  // The fourth rebound with e = 1/2 is missing, half of an eighth of the fastest.
  BOOST_TEST(std::abs(of(without.report(), Check::impact) - 0.5 / 8) < 1e-6);
}

BOOST_AUTO_TEST_CASE(errors_of_a_step_fall_with_its_order) {
  const NonsmoothModel<> model = one_dof(1., 0., 100., friction(-0.1, 0.1), 0.);
  const NonsmoothState start = model.start(one(0.2), one(0.));
  const auto error = [&](const VerificationReport& report) { return report.step_error.value; };
  // Of one step (omega h)^3 / 12 and (omega h)^2 / 2, of the largest rate.
  for (const double h : {1e-2, 1e-3}) {
    const double x = 10 * h, jean = error(verified<Jean>(model, start, h, 0.5)),
                 euler = error(verified<Euler>(model, start, h, 0.5));
    BOOST_TEST(jean < 1.2 * std::pow(x, 3) / 12 + 0.11 * h, jean);
    BOOST_TEST(jean > 0.5 * std::pow(x, 3) / 12, jean);
    BOOST_TEST(euler < 0.6 * x * x + 0.11 * h, euler);
    BOOST_TEST(euler > 0.3 * x * x, euler);
  }
}

BOOST_AUTO_TEST_CASE(what_happens_between_two_steps_is_found) {
  const auto pulse = [](double height) {
    return ScalarFunction([height](double t) { return height * std::exp(-std::pow((t - 0.55) / 0.01, 2)); });
  };
  // A load that is told after the run, a threshold that dips, and an obstacle that rises between two steps.
  DenseSystem system = empty_system(1);
  system.M(0, 0) = system.K(0, 0) = 1;
  const auto loaded = [&](double height) {
    const ScalarFunction of_time = pulse(height);
    return NonsmoothModel<>(system, {inclusion("pad", friction(-0.01, 0.01), on(0))},
                            [of_time](double t) { return one(of_time(t)); });
  };
  const NonsmoothModel<> quiet = loaded(0.), hit = loaded(100.);
  const Trajectory trajectory = trajectory_of<Jean>(quiet, quiet.start(one(0.5), one(0.)), 0.1, 2.);
  BOOST_TEST(verify(quiet.inclusions, quiet.outcome, trajectory).step_error.value < 0.01);
  BOOST_TEST(verify(hit.inclusions, hit.outcome, trajectory).step_error.value > 0.5);

  const ScalarFunction dip = pulse(0.9);
  const NonsmoothModel<> dipping = one_dof(
      0., 0., 1.,
      std::make_shared<const StVenantElement>(ScalarFunction([dip](double t) { return 1 - dip(t); })), 0.5);
  BOOST_TEST(verified<Euler>(dipping, dipping.at_rest(), 0.1, 2.).step_error.value > 0.5);
  const NonsmoothModel<> rising = one_dof(1., 0., 0., contact(pulse(1.), 0.5), 0.);
  BOOST_TEST(verified<Jean>(rising, rising.start(one(0.5), one(0.)), 0.1, 2.).step_error.value > 0.5);
}

BOOST_AUTO_TEST_CASE(observations_of_steps_know_what_happened_within) {
  const NonsmoothModel<> free = one_dof(1., 0., 4., contact(-9., 1.));
  Events events(free.inclusions, free.outcome);
  NonsmoothState state = free.start(one(1.), one(0.));
  double begin = 0;
  events.run(state, 1., [&](const NonsmoothObservation<EigenEngine>& now) {
    if (now.time() == 0) {
      BOOST_CHECK_THROW(now.interpolate(0.), NotAvailable);
      return;
    }
    const double middle = 0.5 * (begin + now.time());
    BOOST_TEST(std::abs(now.interpolate(middle).y[0] - std::cos(2 * middle)) < 1e-9);
    BOOST_CHECK_THROW(now.interpolate(begin - 0.1), InvalidInput);
    BOOST_CHECK_THROW(now.interpolate(now.time() + 0.1), InvalidInput);
    begin = now.time();
  });
}

BOOST_AUTO_TEST_CASE(what_is_not_a_number_stays_in_the_report) {
  const NonsmoothModel<> model = falling_pair(0.6);
  Trajectory wrong = trajectory_of<Jean>(model, falling(model), 1e-2, 1.);
  const std::size_t middle = wrong.points.size() / 2;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  wrong.points[middle].w[0] = nan;  // of the first inclusion: larger numbers of the others follow
  wrong.points[middle].w[1] += 1.;
  wrong.points[middle].impulse[1] = nan;
  wrong.points[middle].dissipated = nan;
  const VerificationReport report = verify(model.inclusions, model.outcome, wrong);
  wrong.points[middle].y.setConstant(nan);
  const VerificationReport of_gaps = verify(model.inclusions, model.outcome, wrong);
  for (const Check check : {Check::gap, Check::penetration})
    BOOST_TEST(std::isnan(of(of_gaps, check)), name_of(check) << " " << of(of_gaps, check));
  for (const Check check : {Check::kinematics, Check::energy, Check::dissipated})
    BOOST_TEST(std::isnan(of(report, check)), name_of(check) << " " << of(report, check));
}

BOOST_AUTO_TEST_CASE(impulses_without_rates_are_no_violation) {
  const NonsmoothModel<> model = one_dof(1., 0., 0., contact(0., 0.5), -1.);
  Trajectory trajectory;
  trajectory.points.push_back(model.start(one(0.), one(0.)));
  trajectory.events.push_back(
      {0., 0., 0, one(0.), one(0.), one(1.), ContactState::open, ContactState::closed});
  BOOST_TEST(of(verify(model.inclusions, model.outcome, trajectory), Check::impact) == 0.);
  trajectory.events.front().impulse[0] = -1.;
  BOOST_TEST(of(verify(model.inclusions, model.outcome, trajectory), Check::impact) == 1.);
}

BOOST_AUTO_TEST_CASE(energy_of_unsymmetric_matrices_is_said_to_be_unchecked) {
  DenseSystem system = empty_system(2);
  system.M(0, 0) = system.M(1, 1) = 1;
  connect(system.K, 0, 1, 3.);
  const auto table_of = [&] {
    const NonsmoothModel<> model(system, {inclusion("pad", friction(-0.1, 0.1), on(0))});
    std::ostringstream out;
    out << verified<Jean>(model, model.start(vector_of({0.3, 0.5}), Vector::Zero(2)), 1e-2, 1.);
    return out.str();
  };
  // Rounding of the assembly is no lack of symmetry.
  system.K(0, 1) *= 1 + 1e-13;
  BOOST_TEST(table_of().find("not checked") == std::string::npos);
  system.K(0, 1) *= 1.5;
  BOOST_TEST(table_of().find("not checked") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_report_is_a_table_that_names_what_is_worst) {
  const NonsmoothModel<> model = falling_pair(0.6);
  std::ostringstream out;
  out << verified<Jean>(model, falling(model), 1e-2, 1.);
  BOOST_TEST(out.str().find("balance of momentum") != std::string::npos);
  BOOST_TEST(out.str().find("inclusion \"floor\"") != std::string::npos);
  BOOST_TEST(out.str().find("energy") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
