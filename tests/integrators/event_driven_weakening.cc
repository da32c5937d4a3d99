// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>

#include <boost/test/unit_test.hpp>

#include "event_driven_runs.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

std::shared_ptr<const Law> weakening(FrictionCurve curve, ScalarFunction support = 0.) {
  return std::make_shared<const WeakeningFriction>(std::move(curve), std::move(support));
}

/// f(v) = f_s - d v, down to zero: motion is piecewise that of a linear system.
FrictionCurve falling_line(double f_s, double d) {
  return {[=](double v) { return std::max(f_s - d * v, 0.); },
          [=](double v) { return v < f_s / d ? -d : 0.; }, d};
}

/// The first zero of a function that is negative from the left end on.
template <class Function>
double zero_between(Function function, double left, double right) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (left + right);
    (function(middle) < 0 ? left : right) = middle;
  }
  return 0.5 * (left + right);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(event_driven_weakening)

BOOST_AUTO_TEST_CASE(a_mass_on_a_belt_sticks_and_slips_at_the_exact_times) {
  // It sticks until k q = f_s, and slips by m q'' - d q' + k q = f_s - d v, damped negatively, until q' = v.
  const double m = 2., k = 50., f_s = 5., d = 2., v = 0.3;
  const double delta = d / (2 * m), omega = std::sqrt(k / m - delta * delta), q_0 = (f_s - d * v) / k;
  const double a = f_s / k - q_0, b = (v - delta * a) / omega;
  const auto q = [&](double t) {
    return q_0 + std::exp(delta * t) * (a * std::cos(omega * t) + b * std::sin(omega * t));
  };
  const auto rate = [&](double t) {
    return std::exp(delta * t) *
           ((delta * a + omega * b) * std::cos(omega * t) + (delta * b - omega * a) * std::sin(omega * t));
  };
  const double pi = std::acos(-1.);
  const double slip = zero_between([&](double t) { return rate(t) - v; }, pi / omega, 2 * pi / omega);
  const double stick = (f_s / k - q(slip)) / v;
  const NonsmoothModel<> model =
      one_dof(m, 0., k, weakening(falling_line(f_s, d), ScalarFunction::expression("0.3*t")));
  NonsmoothState state = model.start(one(0.), one(v));
  std::vector<Change> changes;
  double time = f_s / k / v;
  for (int i = 0; i < 4; ++i) {
    changes.push_back({time, ContactState::slip_back});
    changes.push_back({time + slip, ContactState::stick});
    time += slip + stick;
  }
  check_changes(run(model, state, time + 0.5 * slip - slip - stick), {changes.begin(), changes.end() - 1},
                1e-8);
  BOOST_TEST(std::abs(state.y[0] - q(0.5 * slip)) < 1e-8);
  BOOST_TEST(std::abs(state.y[1] - rate(0.5 * slip)) < 1e-8);
  BOOST_TEST(std::abs(state.r[0] - (f_s - d * (v - rate(0.5 * slip)))) < 1e-8);
}

BOOST_AUTO_TEST_CASE(every_curve_is_followed_to_the_tolerance) {
  // 2 q'' = load - f(q'), with f = 1 + 2 exp(-v) and load 3: exp(v) = 1 + exp(t); with f = 1 + 2/(1 + v) and
  // load 1: (1 + v)^2 = 9 - 2 t; with f = 1 + 2 exp(-v^2) the load that v = 1 + t asks for.
  struct Motion {
    FrictionCurve curve;
    TimeFunction load;
    double (*rate)(double);
  };
  const auto constant = [](double f) { return [f](double) { return one(f); }; };
  const Motion motions[] = {
      {FrictionCurve::exponential(3., 1., 1.), constant(3.),
       [](double t) { return std::log(1 + std::exp(t)); }},
      {FrictionCurve::hyperbolic(3., 1., 1.), constant(1.),
       [](double t) { return std::sqrt(9 - 2 * t) - 1; }},
      {FrictionCurve::gaussian(3., 1., 1.),
       [](double t) { return one(3 + 2 * std::exp(-(1 + t) * (1 + t))); }, [](double t) { return 1 + t; }}};
  for (const Motion& motion : motions) {
    DenseSystem system = empty_system(1);
    system.M(0, 0) = 2;
    const NonsmoothModel<> model(system, {inclusion("it", weakening(motion.curve), on(0))}, motion.load);
    NonsmoothState state = model.start(one(0.), one(motion.rate(0.)));
    run(model, state, 2.);
    BOOST_TEST(std::abs(state.y[1] - motion.rate(2.)) < 1e-9);
    BOOST_TEST(std::abs(state.r[0] + motion.curve.force(motion.rate(2.))) < 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(steps_that_are_long_beside_the_weakening_are_verified) {
  // v' = -(1 + 1.5 exp(-v / b)) of a free mass: exp(v / b) + 1.5 decays like exp(-t / b).
  constexpr double b = 0.3, v_0 = 2, end = 1;
  DenseSystem system = empty_system(1);
  system.M(0, 0) = 1;
  const NonsmoothModel<> model(system,
                               {inclusion("it", weakening(FrictionCurve::exponential(2.5, 1., b)), on(0))});
  NonsmoothState state = model.start(one(0.), one(v_0));
  run(model, state, end);
  const double v = b * std::log((std::exp(v_0 / b) + 1.5) * std::exp(-end / b) - 1.5);
  BOOST_TEST(state.y[1] == v, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_viscous_degree_of_freedom_slides_by_the_damping_that_friction_leaves) {
  // c q' + k q = f - (f_s - d q'): q relaxes to (f - f_s)/k with (c - d)/k.
  const double c = 3., k = 2., f_s = 1., d = 1., f = 2.5;
  const NonsmoothModel<> model = one_dof(0., c, k, weakening(falling_line(f_s, d)), f);
  NonsmoothState state = model.start(one(0.), one((f - f_s) / (c - d)));
  run(model, state, 1.5);
  const double decay = std::exp(-1.5 * k / (c - d));
  BOOST_TEST(std::abs(state.y[0] - (f - f_s) / k * (1 - decay)) < 1e-10);
  BOOST_TEST(std::abs(state.r[0] + f_s - d * (f - f_s) / (c - d) * decay) < 1e-9);
}

BOOST_AUTO_TEST_CASE(implicit_euler_tends_to_the_same_motion_with_order_one) {
  // Two masses, each on friction that weakens, driven so that both stick and slip either way.
  DenseSystem system = empty_system(2);
  system.M.diagonal() << 1., 2.;
  connect(system.K, 0, 1, 20.);
  system.K(0, 0) += 10;
  connect(system.C, 0, 1, 0.4);
  const NonsmoothModel<> model(
      system,
      {inclusion("left", weakening(FrictionCurve::gaussian(1.5, 0.5, 0.4)), on(0)),
       inclusion("right", weakening(FrictionCurve::exponential(1., 0.6, 0.5)), on(1))},
      [](double t) {
        return vector_of({5 * std::sin(3 * t), 2 * std::cos(5 * t)});
      });
  NonsmoothState state = model.at_rest();
  const Trajectory trajectory = run(model, state, 4.);
  BOOST_TEST(trajectory.events.size() > 8u);
  const auto error = [&](double h) {
    NonsmoothState other = model.at_rest();
    NonsmoothEuler<EigenEngine>(model.inclusions, model.outcome, h).run(other, 4., [](const auto&) {});
    return (other.y - state.y).norm() / state.y.norm();
  };
  const double coarse = error(2e-4), fine = error(1e-4);
  BOOST_TEST(fine < 5e-3);
  BOOST_TEST(std::abs(coarse / fine - 2) < 0.2);
}

BOOST_AUTO_TEST_SUITE_END()
