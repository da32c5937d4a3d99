// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/smooth/explicit_methods.h>
#include <halfdof/integrators/smooth/implicit_methods.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "exact_solution.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Reduced = ReducedSystem<EigenEngine>;

/// n viscous DoFs c q' + k q = 0 with the given rates k / c, c = 1.
Reduced relaxation(const Vector& rates) {
  const auto n = rates.size();
  return reduce(assemble<EigenEngine>(
      {MultiVector::Zero(n, n), MultiVector::Identity(n, n), MultiVector(rates.asDiagonal())}));
}

/// One mass with angular frequency omega and damping ratio zeta.
Reduced oscillator(double omega, double zeta) {
  return reduce(
      assemble<EigenEngine>({MultiVector::Identity(1, 1), MultiVector::Constant(1, 1, 2 * zeta * omega),
                             MultiVector::Constant(1, 1, omega * omega)}));
}

/// |y| after n steps from (1, 0, ...).
double size_after(Integrator<EigenEngine>& integrator, Index n_states, int n_steps) {
  State state{0., Vector::Unit(n_states, 0)};
  for (int k = 0; k < n_steps; ++k)
    integrator.step(state);
  return std::abs(state.y[0]);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(stiffness)

BOOST_AUTO_TEST_CASE(generalized_alpha_damps_what_is_infinitely_stiff_by_its_spectral_radius) {
  for (const double rho : {0.2, 0.5, 0.9}) {
    const Reduced viscous = relaxation(Vector::Constant(1, 1e10));
    GeneralizedAlpha of_viscous(viscous, 1., {rho});
    // A double eigenvalue -rho: the sizes are (1 + c n) rho^n, and the ratio of two of them tends to rho as
    // 1/n.
    const double ratio = size_after(of_viscous, 1, 41) / size_after(of_viscous, 1, 40);
    BOOST_TEST(ratio == rho, boost::test_tools::tolerance(0.05));
  }
  const Reduced viscous = relaxation(Vector::Constant(1, 1e10));
  GeneralizedAlpha annihilating(viscous, 1., {0.}), conserving(viscous, 1., {1.});
  BOOST_TEST(size_after(annihilating, 1, 3) < 1e-9);
  BOOST_TEST(size_after(conserving, 1, 100) == 1., boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(generalized_alpha_damps_a_stiff_oscillation_and_keeps_a_resolved_one) {
  const Reduced stiff = oscillator(1e6, 0.), resolved = oscillator(1., 0.);
  GeneralizedAlpha on_stiff(stiff, 0.05, {0.5}), on_resolved(resolved, 0.05, {0.5});
  BOOST_TEST(size_after(on_stiff, 2, 60) < 1e-12);
  BOOST_TEST(size_after(on_resolved, 2, 126) == std::cos(126 * 0.05), boost::test_tools::tolerance(1e-2));
}

BOOST_AUTO_TEST_CASE(l_stable_methods_forget_what_is_stiff_at_once) {
  const Reduced viscous = relaxation(Vector::Constant(1, 1e9));
  ImplicitEuler euler(viscous, 1.);
  RadauIIA5 radau(viscous, 1.);
  BOOST_TEST(size_after(euler, 1, 1) < 2e-9);
  BOOST_TEST(size_after(radau, 1, 1) < 4e-9);  // R(z) tends to -3 / z
}

BOOST_AUTO_TEST_CASE(radau_follows_the_slow_part_of_a_stiff_system) {
  const Reduced viscous = relaxation((Vector(2) << 1e8, 1.).finished());
  State state{0., Vector::Ones(2)};
  RadauIIA5(viscous, 0.1).run(state, 1.);
  BOOST_TEST(std::abs(state.y[0]) < 1e-12);
  BOOST_TEST(state.y[1] == std::exp(-1.), boost::test_tools::tolerance(1e-8));  // h^5 / 7200
}

BOOST_AUTO_TEST_CASE(dense_output_does_not_overshoot_a_stiff_motion_that_rings) {
  const Reduced viscous = relaxation(Vector::Constant(1, 1e8));
  for (const double rho : {0.5, 1.}) {
    State state{0., Vector::Ones(1)};
    GeneralizedAlpha(viscous, 1., {rho}).run(state, 5., [&](const auto& now) {
      if (now.time() > 0) BOOST_TEST(std::abs(now.interpolate(now.time() - 0.4).y[0]) <= 1.);
    });
  }
}

BOOST_AUTO_TEST_CASE(explicit_runge_kutta_reports_a_blow_up_and_keeps_the_last_state) {
  const Reduced viscous = relaxation((Vector(3) << 1., 1e6, 2.).finished());
  ExplicitRungeKutta integrator(viscous, 0.01);
  State state{0., Vector::Ones(3)};
  double largest_seen = 0;
  try {
    integrator.run(state, 10., [&](const auto& now) {
      largest_seen = std::max(largest_seen, now.state().y.cwiseAbs().maxCoeff());
    });
    BOOST_ERROR("the blow-up was not reported");
  } catch (const BlowUp& error) {
    BOOST_TEST(error.dof() == 1);
    BOOST_TEST(error.time() > state.time);
    BOOST_TEST(std::string(error.what()).find("DoF 1") != std::string::npos);
    BOOST_TEST(std::string(error.what()).find("largest_stable_step") != std::string::npos);
  }
  BOOST_TEST(state.y.allFinite());
  BOOST_TEST(state.y.cwiseAbs().maxCoeff() <= 1e100);
  BOOST_TEST(largest_seen <= 1e100);
}

BOOST_AUTO_TEST_CASE(an_unstable_system_blows_up_under_an_implicit_method_too) {
  const Reduced unstable = relaxation(Vector::Constant(1, -3.));
  State state{0., Vector::Ones(1)};
  BOOST_CHECK_EXCEPTION(Trapezoidal(unstable, 0.1).run(state, 1e3), BlowUp, [](const BlowUp& error) {
    return std::string(error.what()).find("unstable") != std::string::npos;
  });
  // exp(3 t) passes 1e100 at t = 76.8.
  BOOST_TEST(state.time == 76.8, boost::test_tools::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(a_step_that_meets_a_growth_rate_is_named) {
  const Reduced unstable = relaxation(Vector::Constant(1, -4.));
  State state{0., Vector::Ones(1)};
  BOOST_CHECK_EXCEPTION(ImplicitEuler(unstable, 0.25).step(state), SingularMatrix, [](const auto& error) {
    return std::string(error.what()).find("implicit Euler") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(the_largest_stable_step_of_relaxation_is_where_the_method_leaves_the_negative_axis) {
  // 1 + z + z^2/2 + z^3/6 + z^4/24 = 1 at z = -2.78529356340528.
  const Reduced viscous = relaxation(Vector::LinSpaced(60, 1., 1e4));
  BOOST_TEST(largest_stable_step(viscous) == 2.78529356340528e-4, boost::test_tools::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(
    the_largest_stable_step_of_an_oscillation_is_where_the_method_leaves_the_imaginary_axis) {
  BOOST_TEST(largest_stable_step(oscillator(250., 0.)) == std::sqrt(8.) / 250,
             boost::test_tools::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(a_step_is_stable_just_below_the_largest_one_and_unstable_above) {
  const Reduced reduced = reduce(assemble<EigenEngine>(zener_oscillator()));
  const double largest = largest_stable_step(reduced);
  ExplicitRungeKutta below(reduced, 0.98 * largest), above(reduced, 1.02 * largest);
  State state{0., Vector::Ones(5)};
  BOOST_CHECK_NO_THROW(below.run(state, 2000 * largest));
  BOOST_TEST(state.y.cwiseAbs().maxCoeff() < 1.);
  State other{0., Vector::Ones(5)};
  BOOST_CHECK_THROW(above.run(other, 1e6 * largest), BlowUp);
  BOOST_CHECK_THROW(require_stable_step(reduced, 1.02 * largest), InvalidInput);
  BOOST_CHECK_NO_THROW(require_stable_step(reduced, 0.98 * largest));
}

BOOST_AUTO_TEST_CASE(no_motion_at_all_admits_every_step) {
  const DenseSystem statics{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Identity(2, 2)};
  BOOST_TEST(std::isinf(largest_stable_step(reduce(assemble<EigenEngine>(statics)))));
}

BOOST_AUTO_TEST_CASE(dormand_prince_meets_its_tolerances) {
  const DenseSystem system = zener_oscillator();
  const HarmonicLoad load = HarmonicLoad::random(4, 3., 5);
  const Reduced reduced = reduce_with_load<EigenEngine>(system, load);
  for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
    State state = random_state(reduced, 1);
    const ExactSolution exact(system, load, state);
    DormandPrince integrator(reduced, {tolerance, tolerance, 0., 0.});
    double error = 0, error_between = 0, begin = 0;
    integrator.run(state, 3., [&](const auto& now) {
      error = std::max(error, (now.state().y - exact.state(now.time())).cwiseAbs().maxCoeff());
      const double between = begin + 0.37 * (now.time() - begin);
      error_between =
          std::max(error_between, (now.interpolate(between).y - exact.state(between)).cwiseAbs().maxCoeff());
      begin = now.time();
    });
    BOOST_TEST(state.time == 3.);
    // Errors of about a hundred steps add up; dense output is one order lower.
    BOOST_TEST(error < 100 * tolerance);
    BOOST_TEST(error_between < 1000 * tolerance);
    BOOST_TEST(integrator.n_accepted() > 10);
  }
}

BOOST_AUTO_TEST_CASE(dormand_prince_takes_short_steps_where_the_system_is_stiff) {
  const Reduced viscous = relaxation((Vector(2) << 1e4, 1.).finished());
  DormandPrince integrator(viscous);
  State state{0., Vector::Ones(2)};
  integrator.run(state, 1.);
  BOOST_TEST(state.y[1] == std::exp(-1.), boost::test_tools::tolerance(1e-5));
  BOOST_TEST(integrator.n_accepted() > 2000);  // stability: h below 3.3 / 1e4
}

BOOST_AUTO_TEST_CASE(dormand_prince_refuses_tolerances_that_make_no_sense) {
  const Reduced viscous = relaxation(Vector::Ones(1));
  BOOST_CHECK_THROW(DormandPrince(viscous, {0., 0., 0., 0.}), InvalidInput);
  BOOST_CHECK_THROW(DormandPrince(viscous, {-1e-6, 1e-9, 0., 0.}), InvalidInput);
  BOOST_CHECK_THROW(DormandPrince(viscous, {1e-6, std::nan(""), 0., 0.}), InvalidInput);
  BOOST_CHECK_THROW(DormandPrince(viscous, {1e-6, 1e-9, -1., 0.}), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
