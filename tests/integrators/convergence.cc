// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/smooth/explicit_methods.h>
#include <halfdof/integrators/smooth/implicit_methods.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "exact_solution.h"
#include <cmath>
#include <functional>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Reduced = ReducedSystem<EigenEngine>;
using Make = std::function<std::unique_ptr<Integrator<EigenEngine>>(const Reduced&, double)>;

/// Largest errors over all steps of a run to time 2.
struct Errors {
  double state = 0, algebraic = 0;
};

Errors errors_of(const Make& make, const DenseSystem& system, Index algebraic_dof, int n_steps) {
  const HarmonicLoad load = HarmonicLoad::random(system.size(), 3., 5);
  const Reduced reduced = reduce_with_load<EigenEngine>(system, load);
  State state = random_state(reduced, 1, 0.25);
  const ExactSolution exact(system, load, state);
  Errors errors;
  make(reduced, 2. / n_steps)->run(state, 2.25, [&](const auto& now) {
    const double error = (now.state().y - exact.state(now.time())).cwiseAbs().maxCoeff();
    errors.state = std::max(errors.state, error);
    const double difference =
        now.lift().displacement[algebraic_dof] - exact.displacement(now.time())[algebraic_dof];
    errors.algebraic = std::max(errors.algebraic, std::abs(difference));
  });
  return errors;
}

/// Halving the step twice shows the order: within 0.15, since the next term of the error is still visible.
void check_order(const Make& make, const DenseSystem& system, Index algebraic_dof, int n_steps,
                 double order) {
  const Errors coarse = errors_of(make, system, algebraic_dof, n_steps);
  const Errors fine = errors_of(make, system, algebraic_dof, 2 * n_steps);
  BOOST_TEST(std::log2(coarse.state / fine.state) == order, boost::test_tools::tolerance(0.15 / order));
  BOOST_TEST(std::log2(coarse.algebraic / fine.algebraic) == order,
             boost::test_tools::tolerance(0.15 / order));
  BOOST_TEST(fine.state < 0.1);
}

/// The damped oscillator, and the unsymmetric system with three kinds.
void check_order(const Make& make, int n_steps, double order) {
  check_order(make, zener_oscillator(), 2, n_steps, order);
  check_order(make, three_kinds(), 2, n_steps, order);
}

template <template <class> class Method>
Make maker() {
  return [](const Reduced& reduced, double step) {
    return std::make_unique<Method<EigenEngine>>(reduced, step);
  };
}

Make generalized_alpha(double spectral_radius) {
  return [=](const Reduced& reduced, double step) {
    return std::make_unique<GeneralizedAlpha<EigenEngine>>(reduced, step,
                                                           GeneralizedAlphaOptions{spectral_radius});
  };
}

/// State and input matrix of a system for one step with the load.
struct DenseStep {
  explicit DenseStep(unsigned seed)
      : system(random_unsymmetric(4, 3, 3, seed)),
        load(HarmonicLoad::random(10, 2., seed + 1)),
        reduced(reduce_with_load<EigenEngine>(system, load)),
        begin(random_state(reduced, seed + 2, 0.5)),
        A(dense_state_matrix_of(system)),
        I(MultiVector::Identity(A.rows(), A.cols())) {}

  /// B F(t).
  Vector input(double time) const {
    const DenseElimination e = dense_elimination(system);
    const Vector x = e.D.fullPivLu().solve(load(time));
    Vector result(A.rows());
    result << Vector::Zero(4), x.segment(4, 3), x.head(4);
    return result;
  }

  /// Ten digits short of double precision's sixteen allow for the condition of D and of the step matrix.
  void check(Integrator<EigenEngine>& integrator, const Vector& expected) {
    State state = begin;
    integrator.step(state);
    BOOST_TEST(state.time == begin.time + h);
    BOOST_TEST(relative_error(state.y, expected) < 1e-11);
  }

  DenseSystem system;
  HarmonicLoad load;
  Reduced reduced;
  State begin;
  MultiVector A, I;
  double h = 0.125;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(convergence)

BOOST_AUTO_TEST_CASE(implicit_euler_is_of_order_one) {
  check_order(maker<ImplicitEuler>(), 800, 1);
}

BOOST_AUTO_TEST_CASE(trapezoidal_rule_is_of_order_two) {
  check_order(maker<Trapezoidal>(), 80, 2);
}

BOOST_AUTO_TEST_CASE(generalized_alpha_is_of_order_two_for_every_spectral_radius) {
  for (const double spectral_radius : {0., 0.5, 0.8, 1.})
    check_order(generalized_alpha(spectral_radius), 160, 2);
}

BOOST_AUTO_TEST_CASE(radau_iia_is_of_order_five) {
  check_order(maker<RadauIIA5>(), 32, 5);
}

BOOST_AUTO_TEST_CASE(explicit_runge_kutta_is_of_order_four) {
  check_order(maker<ExplicitRungeKutta>(), 60, 4);
}

BOOST_AUTO_TEST_CASE(a_step_of_the_implicit_euler_method_is_its_formula) {
  DenseStep step(11);
  ImplicitEuler integrator(step.reduced, step.h);
  const Vector rhs = step.begin.y + step.h * step.input(step.begin.time + step.h);
  step.check(integrator, (step.I - step.h * step.A).fullPivLu().solve(rhs));
}

BOOST_AUTO_TEST_CASE(a_step_of_the_trapezoidal_rule_is_its_formula) {
  DenseStep step(21);
  Trapezoidal integrator(step.reduced, step.h);
  const double half = step.h / 2;
  const Vector inputs = step.input(step.begin.time) + step.input(step.begin.time + step.h);
  const Vector rhs = step.begin.y + half * (step.A * step.begin.y + inputs);
  step.check(integrator, (step.I - half * step.A).fullPivLu().solve(rhs));
}

BOOST_AUTO_TEST_CASE(generalized_alpha_with_spectral_radius_one_is_the_midpoint_rule) {
  DenseStep step(31);
  GeneralizedAlpha integrator(step.reduced, step.h, {1.});
  const double half = step.h / 2;
  const Vector rhs =
      step.begin.y + half * (step.A * step.begin.y) + step.h * step.input(step.begin.time + half);
  step.check(integrator, (step.I - half * step.A).fullPivLu().solve(rhs));
}

BOOST_AUTO_TEST_CASE(two_steps_of_generalized_alpha_solve_its_printed_equations) {
  // Unknown (y_1, y_1'), from Jansen, Whiting, Hulbert, as they stand.
  DenseStep step(41);
  const double rho = 0.3, h = step.h;
  const double alpha_m = 0.5 * (3 - rho) / (1 + rho), alpha_f = 1 / (1 + rho),
               gamma = 0.5 + alpha_m - alpha_f;
  const Index n = static_cast<Index>(step.A.rows());
  MultiVector equations(2 * n, 2 * n);
  equations << -alpha_f * step.A, alpha_m * step.I, step.I, -gamma * h * step.I;

  GeneralizedAlpha integrator(step.reduced, h, {rho});
  State state = step.begin;
  Vector y = state.y, rate = step.A * y + step.input(state.time);
  for (int k = 0; k < 2; ++k) {
    Vector rhs(2 * n);
    rhs << (1 - alpha_f) * step.A * y + step.input(state.time + alpha_f * h) - (1 - alpha_m) * rate,
        y + (1 - gamma) * h * rate;
    const Vector both = equations.fullPivLu().solve(rhs);
    y = both.head(n);
    rate = both.tail(n);
    integrator.step(state);
    BOOST_TEST(relative_error(state.y, y) < 1e-11);  // see DenseStep::check
  }
}

BOOST_AUTO_TEST_CASE(a_step_of_radau_iia_is_its_collocation_system) {
  DenseStep step(51);
  RadauIIA5 integrator(step.reduced, step.h);
  const double s = std::sqrt(6.);
  const Eigen::Vector3d c((4 - s) / 10, (4 + s) / 10, 1);
  // The coefficients from collocation itself: sum_j a_ij c_j^(k-1) = c_i^k / k.
  Eigen::Matrix3d powers, integrals;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) {
      powers(i, k) = std::pow(c[i], k);
      integrals(i, k) = std::pow(c[i], k + 1) / (k + 1);
    }
  const Eigen::Matrix3d a = integrals * powers.inverse();

  const Index n = static_cast<Index>(step.A.rows());
  MultiVector equations(3 * n, 3 * n);
  Vector rhs = Vector::Zero(3 * n);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      equations.block(i * n, j * n, n, n) = (i == j ? 1. : 0.) * step.I - step.h * a(i, j) * step.A;
      rhs.segment(i * n, n) +=
          step.h * a(i, j) * (step.A * step.begin.y + step.input(step.begin.time + c[j] * step.h));
    }
  step.check(integrator, step.begin.y + equations.fullPivLu().solve(rhs).tail(n));
}

BOOST_AUTO_TEST_CASE(a_step_of_explicit_runge_kutta_is_its_taylor_polynomial_without_load) {
  const DenseSystem system = random_unsymmetric(4, 3, 3, 61);
  const Reduced reduced = reduce(assemble<EigenEngine>(system));
  State state = random_state(reduced, 62);
  const MultiVector hA = 0.125 * dense_state_matrix_of(system);
  Vector expected = state.y, term = state.y;
  for (int k = 1; k <= 4; ++k) {
    term = hA * term / k;
    expected += term;
  }
  ExplicitRungeKutta(reduced, 0.125).step(state);
  BOOST_TEST(relative_error(state.y, expected) < 1e-11);
}

BOOST_AUTO_TEST_SUITE_END()
