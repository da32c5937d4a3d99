// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/dealii/sundials.h>
#include <halfdof/integrators/smooth/implicit_methods.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "exact_solution.h"
#include "nonlinear_models.h"
#include "trilinos/random_systems.h"
#include <cmath>
#include <optional>

namespace {

using namespace halfdof;
using namespace halfdof::test;

/// A system on one process and spread over all, under a harmonic load, with a start and its exact solution.
struct Example {
  explicit Example(const DenseSystem& system, double omega = 3.)
      : load(HarmonicLoad::random(system.size(), omega, 5)),
        dofs(partition(system.size(), Layout::scattered)),
        whole(reduce_with_load<EigenEngine>(system, load)),
        exact(system, load, {0.25, whole.restrict(q, v)}) {
    SystemDescription<TrilinosEngine> description;
    description.mass = with_stored_zeros(system.M, dofs);
    description.damping = with_stored_zeros(system.C, dofs);
    description.stiffness = with_stored_zeros(system.K, dofs);
    description.load = [load = load, dofs = dofs](double time) -> Vector { return local(load(time), dofs); };
    spread.emplace(AssembledSystem<TrilinosEngine>(std::move(description)));
  }

  State start(const ReducedSystem<EigenEngine>& reduced) const { return {0.25, reduced.restrict(q, v)}; }
  State start(const ReducedSystem<TrilinosEngine>& reduced) const {
    return {0.25, reduced.restrict(local(q, dofs), local(v, dofs))};
  }

  /// Largest error of the lifted displacements at the outputs of a run to time 2.
  template <class Integrator, class Reduced>
  double error(const Integrator& integrator, const Reduced& reduced, int expected_outputs) const {
    State state = start(reduced);
    double error = 0;
    int n_outputs = 0;
    const Partition& rows = reduced.assembled().dofs();
    integrator.run(state, 2., [&](const auto& now) {
      const MultiVector expected = exact.displacement(now.time());
      error = std::max(error, error_of(now.lift().displacement, expected, rows));
      ++n_outputs;
    });
    BOOST_TEST(state.time == 2.);
    BOOST_TEST(n_outputs == expected_outputs);
    return error;
  }

  HarmonicLoad load;
  Vector q = RandomNumbers(1).matrix(static_cast<Index>(load.constant.size()), 1);
  Vector v = RandomNumbers(2).matrix(static_cast<Index>(load.constant.size()), 1);
  Partition dofs;
  ReducedSystem<EigenEngine> whole;
  ExactSolution exact;
  std::optional<ReducedSystem<TrilinosEngine>> spread;
};

SundialsOptions with_tolerance(double tolerance) {
  SundialsOptions options;
  options.relative_tolerance = options.absolute_tolerance = tolerance;
  options.output_period = 0.3;  // six periods do not fill the run
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sundials)

BOOST_AUTO_TEST_CASE(arkode_and_ida_meet_their_tolerances_on_both_engines) {
  for (const DenseSystem& system : {zener_oscillator(), three_kinds()}) {
    const Example example(system);
    for (const double tolerance : {1e-5, 1e-8}) {
      const SundialsOptions options = with_tolerance(tolerance);
      // Errors of some hundred steps add up, multistep ones (IDA) more than others.
      BOOST_TEST(example.error(SundialsARKode(example.whole, options), example.whole, 7) < 100 * tolerance);
      BOOST_TEST(example.error(SundialsIDA(example.whole, options), example.whole, 7) < 1000 * tolerance);
      BOOST_TEST(example.error(SundialsARKode(*example.spread, options), *example.spread, 7) <
                 100 * tolerance);
      BOOST_TEST(example.error(SundialsIDA(*example.spread, options), *example.spread, 7) < 1000 * tolerance);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_stiff_system_takes_no_longer) {
  DenseSystem system = zener_oscillator();
  system.K(0, 0) += 1e8;  // a relaxation time of 2e-8
  const Example example(system);
  BOOST_TEST(example.error(SundialsARKode(example.whole, with_tolerance(1e-6)), example.whole, 7) < 1e-3);
  BOOST_TEST(example.error(SundialsIDA(example.whole, with_tolerance(1e-6)), example.whole, 7) < 1e-3);
}

/// A stiff chain of masses, clamped at both ends: 200 states, frequencies from 0.03 to 2000.
DenseSystem long_chain() {
  const Index n = 100;
  DenseSystem system{MultiVector::Identity(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
  for (Index i = 0; i < n; ++i) {
    const double k = i < n / 2 ? 1. : 1e6;
    system.K(i, i) += 2 * k;
    if (i + 1 < n) system.K(i, i + 1) = system.K(i + 1, i) = -k;
    system.C(i, i) = 0.1 * k / 1e3;
  }
  return system;
}

BOOST_AUTO_TEST_CASE(factorizations_serve_many_steps_and_precondition_well) {
  const Example example(long_chain());
  const SundialsOptions options = with_tolerance(1e-6);
  State state = example.start(example.whole);
  const SundialsWork arkode = SundialsARKode(example.whole, options).run(state, 2.);
  BOOST_TEST(arkode.n_factorizations > 0);
  BOOST_TEST(2 * arkode.n_factorizations < arkode.n_linear_solves);
  BOOST_TEST(arkode.n_linear_iterations < 15 * arkode.n_linear_solves);

  state = example.start(example.whole);
  const SundialsWork ida = SundialsIDA(example.whole, options).run(state, 2.);
  BOOST_TEST(ida.n_factorizations > 0);
  BOOST_TEST(2 * ida.n_factorizations < ida.n_linear_solves);
}

BOOST_AUTO_TEST_CASE(without_a_period_the_end_alone_is_shown) {
  const Example example(zener_oscillator());
  BOOST_TEST(example.error(SundialsARKode(example.whole), example.whole, 2) < 1e-4);
  BOOST_TEST(example.error(SundialsIDA(example.whole), example.whole, 2) < 1e-3);
}

BOOST_AUTO_TEST_CASE(what_the_load_throws_comes_through) {
  DenseSystem system = zener_oscillator();
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.load = [](double time) -> Vector {
    return Vector::Constant(4, time > 0.72 ? std::nan("") : 1.);
  };
  const auto reduced = reduce(AssembledSystem<EigenEngine>(std::move(description)));
  State state{0., Vector::Zero(5)};
  BOOST_CHECK_THROW(SundialsARKode(reduced).run(state, 2.), InvalidInput);
  BOOST_CHECK_THROW(SundialsIDA(reduced).run(state, 2.), InvalidInput);
  BOOST_TEST(state.time == 0.);
  BOOST_TEST(state.y == Vector::Zero(5), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(tolerances_that_cannot_be_met_end_the_run) {
  const Example example(zener_oscillator());
  SundialsOptions options;
  options.relative_tolerance = 1e-17;
  options.absolute_tolerance = 0;
  State state = example.start(example.whole);
  BOOST_CHECK_THROW(SundialsARKode(example.whole, options).run(state, 2.), NoConvergence);
  BOOST_CHECK_THROW(SundialsIDA(example.whole, options).run(state, 2.), NoConvergence);
  BOOST_TEST(state.time == 0.25);
}

BOOST_AUTO_TEST_CASE(options_and_times_that_make_no_sense_are_refused) {
  const Example example(zener_oscillator());
  SundialsOptions zero, negative, of_order_nine;
  zero.relative_tolerance = zero.absolute_tolerance = 0;
  negative.output_period = -1;
  of_order_nine.maximum_order = 9;
  for (const SundialsOptions& options : {zero, negative, of_order_nine}) {
    BOOST_CHECK_THROW(SundialsARKode(example.whole, options), InvalidInput);
    BOOST_CHECK_THROW(SundialsIDA(example.whole, options), InvalidInput);
  }
  State state = example.start(example.whole);
  BOOST_CHECK_THROW(SundialsARKode(example.whole).run(state, 0.), InvalidInput);
  BOOST_CHECK_THROW(SundialsIDA(example.whole).run(state, std::nan("")), InvalidInput);
  state.y[2] = std::nan("");
  BOOST_CHECK_THROW(SundialsARKode(example.whole).run(state, 1.), InvalidInput);
}

BOOST_AUTO_TEST_CASE(forces_that_depend_on_the_state_are_iterated_for) {
  const HardeningMount mount;
  const ReducedSystem<EigenEngine> reduced(mount.assembled());
  const State begin{0., Eigen::Vector3d(1.5, 0.1, -0.7)};
  State exact = begin;
  RadauIIA5<EigenEngine>(reduced, 1e-3).run(exact, 2.);
  for (const double tolerance : {1e-5, 1e-8}) {
    SundialsOptions options;
    options.relative_tolerance = options.absolute_tolerance = tolerance;
    State by_arkode = begin, by_ida = begin;
    const SundialsWork work = SundialsARKode(reduced, options).run(by_arkode, 2.);
    SundialsIDA(reduced, options).run(by_ida, 2.);
    BOOST_TEST((by_arkode.y - exact.y).cwiseAbs().maxCoeff() < 1000 * tolerance);
    BOOST_TEST((by_ida.y - exact.y).cwiseAbs().maxCoeff() < 1000 * tolerance);
    // The exact preconditioner of the same tangents: hardly more than one iteration each.
    BOOST_TEST(work.n_linear_iterations < 5 * work.n_linear_solves);
  }
}

BOOST_AUTO_TEST_SUITE_END()
