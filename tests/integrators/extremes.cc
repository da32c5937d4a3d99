// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/smooth/explicit_methods.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/integrators/verification/energy.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "exact_solution.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

using Reduced = ReducedSystem<EigenEngine>;

/// Runs from rest at zero or the given state with every implicit method and the explicit one; the error at
/// time 1, of all DoFs, relative to the largest.
void check_all(const DenseSystem& system, const HarmonicLoad& load) {
  const Reduced reduced = reduce_with_load<EigenEngine>(system, load);
  const auto error = [&](Integrator<EigenEngine>&& integrator) {
    State state = random_state(reduced, 3);
    const ExactSolution exact(system, load, state);
    Vector displacement;
    integrator.run(state, 1., [&](const auto& now) { displacement = now.lift().displacement; });
    return relative_error(displacement, exact.displacement(1.));
  };
  // The systems move with rates of about ten: (10 h)^p / p! with the order p.
  BOOST_TEST(error(ImplicitEuler(reduced, 1e-4)) < 1e-2);
  BOOST_TEST(error(Trapezoidal(reduced, 1e-3)) < 1e-3);
  BOOST_TEST(error(GeneralizedAlpha(reduced, 1e-3)) < 1e-3);
  BOOST_TEST(error(RadauIIA5(reduced, 1e-2)) < 1e-7);
  BOOST_TEST(error(ExplicitRungeKutta(reduced, 1e-3)) < 1e-8);
  BOOST_TEST(error(DormandPrince(reduced, {1e-9, 1e-9, 0., 0.})) < 1e-7);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(extremes)

BOOST_AUTO_TEST_CASE(creep_has_no_inertial_dof) {
  check_all(random_symmetric(0, 5, 3, 17), HarmonicLoad::random(8, 4., 18));
}

BOOST_AUTO_TEST_CASE(no_half_dof_at_all) {
  check_all(random_symmetric(5, 0, 0, 19), HarmonicLoad::random(5, 4., 20));
}

BOOST_AUTO_TEST_CASE(no_damping_leaves_no_viscous_dof) {
  DenseSystem system = random_symmetric(4, 0, 3, 23);
  system.C.setZero();
  check_all(system, HarmonicLoad::random(7, 4., 24));
}

BOOST_AUTO_TEST_CASE(statics_follows_the_load) {
  DenseSystem system = random_symmetric(0, 0, 4, 29);
  const HarmonicLoad load = HarmonicLoad::random(4, 4., 30);
  const Reduced reduced = reduce_with_load<EigenEngine>(system, load);
  BOOST_TEST(reduced.n_states() == 0);
  const auto check = [&](Integrator<EigenEngine>&& integrator) {
    State state{0., Vector(0)};
    int n_seen = 0;
    integrator.run(state, 1., [&](const auto& now) {
      const Vector expected = system.K.fullPivLu().solve(load(now.time()));
      BOOST_TEST(relative_error(now.lift().displacement, expected) < 1e-12);  // one solve
      ++n_seen;
    });
    BOOST_TEST(n_seen > 1);
  };
  check(ImplicitEuler(reduced, 0.25));
  check(Trapezoidal(reduced, 0.25));
  check(GeneralizedAlpha(reduced, 0.25));
  check(RadauIIA5(reduced, 0.25));
  check(ExplicitRungeKutta(reduced, 0.25));
  check(DormandPrince(reduced));
}

BOOST_AUTO_TEST_CASE(a_prescribed_motion_shakes_the_rest) {
  // A mass on a spring and a damper to a shaker q_D = sin(omega t), with a massless joint in the spring:
  // m q'' + c (q' - q_D') + k (q - j) = 0, k (j - q) + k_2 (j - q_D) = 0. Steady state by phasors.
  const double m = 1, c = 0.5, k = 30, k_2 = 60, omega = 4;
  SystemDescription<EigenEngine> description;
  MultiVector M = MultiVector::Zero(3, 3), C = M, K = M;
  M(0, 0) = m;
  C << c, 0, -c, 0, 0, 0, -c, 0, c;
  K << k, -k, 0, -k, k + k_2, -k_2, 0, -k_2, k_2;
  description.mass = matrix_of<EigenEngine>(M);
  description.damping = matrix_of<EigenEngine>(C);
  description.stiffness = matrix_of<EigenEngine>(K);
  description.constrained = {2};
  description.prescribed.value = [=](double t) -> Vector { return Vector::Constant(1, std::sin(omega * t)); };
  description.prescribed.rate = [=](double t) -> Vector {
    return Vector::Constant(1, omega * std::cos(omega * t));
  };
  const auto reduced = reduce(AssembledSystem<EigenEngine>(std::move(description)));

  const Complex s(0, omega);
  const double series = k * k_2 / (k + k_2);
  const Complex q = (c * s + series) / (m * s * s + c * s + series);  // times exp(i omega t), imaginary part
  const Complex j = (k * q + k_2) / (k + k_2);
  State state{0., (Vector(2) << q.imag(), (s * q).imag()).finished()};
  double error = 0;
  RadauIIA5(reduced, 0.02).run(state, 3., [&](const auto& now) {
    const Complex phase = std::exp(s * now.time());
    const Vector expected = (Vector(3) << (q * phase).imag(), (j * phase).imag(), phase.imag()).finished();
    error = std::max(error, (now.lift().displacement - expected).cwiseAbs().maxCoeff());
  });
  BOOST_TEST(error < 1e-7);  // (omega h)^6 / 7200 a step
}

BOOST_AUTO_TEST_CASE(the_unsymmetric_system_with_three_kinds_follows_its_exponential) {
  check_all(three_kinds(), HarmonicLoad::none(3));
  check_all(three_kinds(), HarmonicLoad::random(3, 2., 31));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(energy)

BOOST_AUTO_TEST_CASE(a_conservative_system_keeps_its_energy_to_rounding) {
  DenseSystem system = random_symmetric(6, 0, 3, 41);
  system.C.setZero();
  const Reduced reduced = reduce(assemble<EigenEngine>(system));
  const auto check = [&](Integrator<EigenEngine>&& integrator) {
    State state = random_state(reduced, 42);
    EnergyBalance balance(reduced);
    double initial = 0;
    integrator.run(state, 100., [&](const auto& now) {
      balance(now);
      const double total = balance.energies().kinetic + balance.energies().potential;
      if (now.time() == 0) initial = total;
      // Rounding of a thousand steps.
      BOOST_TEST(std::abs(total - initial) < 1e-12 * std::abs(initial));
    });
    BOOST_TEST(balance.energies().kinetic != 0.);
  };
  check(Trapezoidal(reduced, 0.1));
  check(GeneralizedAlpha(reduced, 0.1, {1.}));
}

BOOST_AUTO_TEST_CASE(the_balance_with_dissipation_and_loads_on_all_kinds_holds_to_rounding) {
  const HarmonicLoad load = HarmonicLoad::random(12, 3., 43);
  const Reduced reduced = reduce_with_load<EigenEngine>(random_symmetric(5, 4, 3, 44), load);
  State state = random_state(reduced, 45);
  EnergyBalance balance(reduced);
  Trapezoidal(reduced, 0.05).run(state, 20., std::ref(balance));
  const Energies& energies = balance.energies();
  const double scale = energies.dissipated + std::abs(energies.work);
  BOOST_TEST(energies.dissipated > 0.);
  BOOST_TEST(std::abs(balance.defect()) < 1e-12 * scale);  // rounding of four hundred steps
}

BOOST_AUTO_TEST_CASE(the_defect_of_another_method_shrinks_with_the_square_of_the_step) {
  const HarmonicLoad load = HarmonicLoad::random(4, 3., 46);
  const Reduced reduced = reduce_with_load<EigenEngine>(zener_oscillator(), load);
  const auto defect = [&](double step) {
    State state = random_state(reduced, 47);
    EnergyBalance balance(reduced);
    RadauIIA5(reduced, step).run(state, 2., std::ref(balance));
    return std::abs(balance.defect());
  };
  BOOST_TEST(std::log2(defect(0.02) / defect(0.01)) == 2., boost::test_tools::tolerance(0.1));
}

BOOST_AUTO_TEST_CASE(the_dissipated_energy_of_a_dashpot_is_known) {
  // c q' + k q = 0 from q = 1: all of k / 2 goes.
  const DenseSystem dashpot{MultiVector::Zero(1, 1), MultiVector::Constant(1, 1, 2.),
                            MultiVector::Constant(1, 1, 6.)};
  const Reduced reduced = reduce(assemble<EigenEngine>(dashpot));
  State state{0., Vector::Ones(1)};
  EnergyBalance balance(reduced);
  Trapezoidal(reduced, 1e-3).run(state, 10., std::ref(balance));
  BOOST_TEST(balance.energies().dissipated == 3., boost::test_tools::tolerance(1e-12));
  BOOST_TEST(balance.energies().work == 0.);
}

BOOST_AUTO_TEST_CASE(an_unsymmetric_system_has_no_energy_balance) {
  const Reduced reduced = reduce(assemble<EigenEngine>(three_kinds()));
  BOOST_CHECK_THROW(EnergyBalance<EigenEngine> balance(reduced), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
