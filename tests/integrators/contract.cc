// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/smooth/explicit_methods.h>
#include <halfdof/integrators/smooth/implicit_methods.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "exact_solution.h"
#include <cmath>
#include <limits>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Reduced = ReducedSystem<EigenEngine>;

/// The damped oscillator under a harmonic load on all DoFs, with a start and its exact solution.
struct Oscillator {
  DenseSystem system = zener_oscillator();
  HarmonicLoad load = HarmonicLoad::random(4, 3., 5);
  Reduced reduced = reduce_with_load<EigenEngine>(system, load);
  State begin = random_state(reduced, 1);
  ExactSolution exact{system, load, begin};
};

std::vector<std::unique_ptr<Integrator<EigenEngine>>> all_integrators(const Reduced& reduced, double step) {
  std::vector<std::unique_ptr<Integrator<EigenEngine>>> all;
  all.push_back(std::make_unique<GeneralizedAlpha<EigenEngine>>(reduced, step));
  all.push_back(std::make_unique<Trapezoidal<EigenEngine>>(reduced, step));
  all.push_back(std::make_unique<ImplicitEuler<EigenEngine>>(reduced, step));
  all.push_back(std::make_unique<RadauIIA5<EigenEngine>>(reduced, step));
  all.push_back(std::make_unique<ExplicitRungeKutta<EigenEngine>>(reduced, step));
  all.push_back(std::make_unique<DormandPrince<EigenEngine>>(reduced));
  return all;
}

/// Largest error of the dense output over a run to time 2, at ten places of every step.
double dense_output_error(Integrator<EigenEngine>& integrator, const Oscillator& oscillator) {
  State state = oscillator.begin;
  double error = 0, begin = state.time;
  integrator.run(state, 2., [&](const auto& now) {
    for (int k = 0; k <= 10; ++k) {
      const double time = begin + (now.time() - begin) * k / 10;
      error = std::max(error, (now.interpolate(time).y - oscillator.exact.state(time)).cwiseAbs().maxCoeff());
    }
    begin = now.time();
  });
  return error;
}

/// Observed order of the dense output of a method of fixed step.
template <template <class> class Method>
double dense_output_order(double step) {
  const Oscillator oscillator;
  Method<EigenEngine> coarse(oscillator.reduced, step), fine(oscillator.reduced, step / 2);
  return std::log2(dense_output_error(coarse, oscillator) / dense_output_error(fine, oscillator));
}

bool mentions(const std::exception& error, const char* text) {
  return std::string(error.what()).find(text) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(contract)

BOOST_AUTO_TEST_CASE(the_end_time_is_hit_exactly_also_off_the_grid) {
  const Oscillator oscillator;
  for (const auto& integrator : all_integrators(oscillator.reduced, 0.01)) {
    State state = oscillator.begin;
    integrator->run(state, 0.1234567);
    BOOST_TEST(state.time == 0.1234567);
    // The shortened last step is as good as the others: the implicit Euler method is the worst, by (omega
    // h)^2 / 2 a step with omega about 10.
    BOOST_TEST(relative_error(state.y, oscillator.exact.state(state.time)) < 0.1);
    integrator->run(state, 0.3);
    BOOST_TEST(state.time == 0.3);
    BOOST_TEST(relative_error(state.y, oscillator.exact.state(state.time)) < 0.2);
  }
}

BOOST_AUTO_TEST_CASE(a_shortened_step_keeps_the_order) {
  const Oscillator oscillator;
  State state = oscillator.begin;
  RadauIIA5(oscillator.reduced, 0.03).run(state, 1.);
  BOOST_TEST(relative_error(state.y, oscillator.exact.state(1.)) <
             1e-6);  // (omega h)^6 / 7200 a step, omega about 10
}

BOOST_AUTO_TEST_CASE(an_end_time_on_the_grid_takes_no_extra_step) {
  const Oscillator oscillator;
  Trapezoidal integrator(oscillator.reduced, 0.1);
  State state = oscillator.begin;
  std::vector<double> times;
  integrator.run(state, 1., [&](const auto& now) { times.push_back(now.time()); });
  BOOST_TEST(times.size() == 11u);  // 0.1 * 3 is not 0.3, and ten times 0.1 is 0.9999...
  BOOST_TEST(times.back() == 1.);
  // Far from zero the end time is known to its rounding alone.
  State late{1e6, oscillator.begin.y};
  int n_seen = 0;
  integrator.run(late, 1e6 + 1.7, [&](const auto&) { ++n_seen; });
  BOOST_TEST(n_seen == 18);
}

BOOST_AUTO_TEST_CASE(the_observer_sees_the_initial_point_and_every_step) {
  const Oscillator oscillator;
  for (const auto& integrator : all_integrators(oscillator.reduced, 0.25)) {
    State state = oscillator.begin;
    std::vector<double> times;
    Vector last;
    integrator->run(state, 1., [&](const Observation<EigenEngine>& now) {
      times.push_back(now.time());
      last = now.state().y;
    });
    BOOST_TEST(times.front() == 0.);
    BOOST_TEST(times.back() == 1.);
    BOOST_TEST(times.size() >= 5u);
    BOOST_TEST((last == state.y));
  }
}

BOOST_AUTO_TEST_CASE(a_run_of_no_length_shows_the_initial_point) {
  const Oscillator oscillator;
  for (const auto& integrator : all_integrators(oscillator.reduced, 0.25)) {
    State state = oscillator.begin;
    int n_seen = 0;
    integrator->run(state, 0., [&](const auto& now) {
      ++n_seen;
      BOOST_TEST((now.interpolate(0.).y == oscillator.begin.y));
    });
    BOOST_TEST(n_seen == 1);
    BOOST_TEST((state.y == oscillator.begin.y));
  }
}

BOOST_AUTO_TEST_CASE(lifted_displacements_hold_states_and_algebraic_dofs) {
  const Oscillator oscillator;
  State state = oscillator.begin;
  double error = 0;
  RadauIIA5(oscillator.reduced, 0.01).run(state, 0.4, [&](const auto& now) {
    const AssembledMotion& lifted = now.lift();
    BOOST_TEST(&lifted == &now.lift());
    BOOST_TEST(lifted.rate[1] == now.state().y[3]);
    const Vector exact = oscillator.exact.displacement(now.time());
    error = std::max(error, relative_error(lifted.displacement, exact));
  });
  BOOST_TEST(error < 1e-8);  // (omega h)^6 / 7200 a step, omega about 10
}

BOOST_AUTO_TEST_CASE(output_times_take_the_same_steps) {
  const Oscillator oscillator;
  for (const auto& integrator : all_integrators(oscillator.reduced, 0.01)) {
    State by_steps = oscillator.begin, by_outputs = oscillator.begin;
    integrator->run(by_steps, 0.725);
    std::vector<double> seen;
    const std::vector<double> times = {0., 0.013, 0.2, 0.2, 0.725};
    integrator->run(by_outputs, times, [&](const auto& now) {
      seen.push_back(now.time());
      BOOST_TEST(now.state().time == now.time());
      const Vector exact = oscillator.exact.displacement(now.time());
      BOOST_TEST(relative_error(now.lift().displacement, exact) < 0.2);  // of implicit Euler
    });
    BOOST_TEST(seen == times, boost::test_tools::per_element());
    BOOST_TEST((by_steps.y == by_outputs.y));
    BOOST_TEST(by_outputs.time == 0.725);
  }
}

BOOST_AUTO_TEST_CASE(dense_output_has_the_order_of_its_polynomial) {
  const auto within = boost::test_tools::tolerance(0.1);
  BOOST_TEST(dense_output_order<ImplicitEuler>(0.005) == 1., within);
  BOOST_TEST(dense_output_order<Trapezoidal>(0.02) == 2., within);
  BOOST_TEST(dense_output_order<GeneralizedAlpha>(0.02) == 2., within);
  BOOST_TEST(dense_output_order<RadauIIA5>(0.1) == 4., within);
  BOOST_TEST(dense_output_order<ExplicitRungeKutta>(0.02) == 4., within);
}

BOOST_AUTO_TEST_CASE(dense_output_ends_with_the_step_and_is_refused_outside) {
  const Oscillator oscillator;
  for (const auto& integrator : all_integrators(oscillator.reduced, 0.05)) {
    BOOST_CHECK_THROW(integrator->interpolate(0.), InvalidInput);  // no step yet
    State state = oscillator.begin;
    integrator->run(state, 0.5);
    BOOST_TEST((integrator->interpolate(0.5).y == state.y));
    const double before = std::nextafter(0.5, 0.);
    BOOST_TEST(relative_error(integrator->interpolate(before).y, state.y) < 1e-12);
    BOOST_CHECK_THROW(integrator->interpolate(0.51), InvalidInput);
    BOOST_CHECK_THROW(integrator->interpolate(0.1), InvalidInput);
    BOOST_CHECK_THROW(integrator->interpolate(std::nan("")), InvalidInput);
  }
}

BOOST_AUTO_TEST_CASE(a_changed_state_starts_afresh) {
  const Oscillator oscillator;
  auto used = all_integrators(oscillator.reduced, 0.05), fresh = all_integrators(oscillator.reduced, 0.05);
  for (std::size_t k = 0; k < used.size(); ++k) {
    State state = oscillator.begin;
    used[k]->run(state, 0.2);
    state.y *= -0.5;  // an impact
    State copy = state;
    used[k]->run(state, 0.4);
    fresh[k]->run(copy, 0.4);
    BOOST_TEST((state.y == copy.y));
  }
}

BOOST_AUTO_TEST_CASE(single_steps_make_the_same_run) {
  const Oscillator oscillator;
  auto by_run = all_integrators(oscillator.reduced, 0.125),
       by_step = all_integrators(oscillator.reduced, 0.125);
  for (std::size_t k = 0; k + 1 < by_run.size(); ++k) {  // those of fixed step
    State run = oscillator.begin, step = oscillator.begin;
    by_run[k]->run(run, 0.5);
    for (int i = 0; i < 4; ++i)
      by_step[k]->step(step);
    BOOST_TEST(step.time == 0.5);
    BOOST_TEST((run.y == step.y));
  }
}

BOOST_AUTO_TEST_CASE(steps_and_times_that_make_no_sense_are_refused) {
  const Oscillator oscillator;
  for (const double step : {0., -0.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
    BOOST_CHECK_THROW(GeneralizedAlpha(oscillator.reduced, step), InvalidInput);
    BOOST_CHECK_THROW(Trapezoidal(oscillator.reduced, step), InvalidInput);
    BOOST_CHECK_THROW(ImplicitEuler(oscillator.reduced, step), InvalidInput);
    BOOST_CHECK_THROW(RadauIIA5(oscillator.reduced, step), InvalidInput);
    BOOST_CHECK_THROW(ExplicitRungeKutta(oscillator.reduced, step), InvalidInput);
  }
  for (const double radius : {-0.1, 1.1, std::nan("")})
    BOOST_CHECK_THROW(GeneralizedAlpha(oscillator.reduced, 0.1, {radius}), InvalidInput);

  for (const auto& integrator : all_integrators(oscillator.reduced, 0.1)) {
    State state{1., oscillator.begin.y};
    for (const double end : {0.9, std::nan(""), std::numeric_limits<double>::infinity()})
      BOOST_CHECK_THROW(integrator->run(state, end), InvalidInput);
    for (const std::vector<double>& times : {std::vector<double>{0.5}, {1.2, 1.1}, {std::nan("")}})
      BOOST_CHECK_THROW(integrator->run(state, times, {}), InvalidInput);
    BOOST_TEST(state.time == 1.);
    State too_short{0., Vector::Zero(4)};
    BOOST_CHECK_THROW(integrator->step(too_short), InvalidInput);
    State not_finite = oscillator.begin;
    not_finite.y[4] = std::nan("");
    BOOST_CHECK_EXCEPTION(integrator->step(not_finite), InvalidInput,
                          [](const auto& error) { return mentions(error, "velocity of DoF 3"); });
  }
}

BOOST_AUTO_TEST_CASE(a_step_lost_in_the_rounding_of_the_time_is_refused) {
  const Oscillator oscillator;
  State state{1e10, oscillator.begin.y};
  Trapezoidal integrator(oscillator.reduced, 1e-8);
  BOOST_CHECK_THROW(integrator.step(state), InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_load_that_turns_nan_stops_the_run_at_the_last_good_step) {
  SystemDescription<EigenEngine> description;
  description.stiffness = matrix_of<EigenEngine>(zener_oscillator().K);
  description.mass = matrix_of<EigenEngine>(zener_oscillator().M);
  description.damping = matrix_of<EigenEngine>(zener_oscillator().C);
  description.load = [](double time) -> Vector {
    return Vector::Constant(4, time > 0.72 ? std::nan("") : 1.);
  };
  const auto reduced = reduce(AssembledSystem<EigenEngine>(std::move(description)));
  for (const auto& integrator : all_integrators(reduced, 0.1)) {
    State state{0., Vector::Zero(5)};
    BOOST_CHECK_THROW(integrator->run(state, 1.), InvalidInput);
    BOOST_TEST(state.time > 0.5);
    BOOST_TEST(state.time < 0.73);
    BOOST_TEST(state.y.allFinite());
  }
}

BOOST_AUTO_TEST_SUITE_END()
