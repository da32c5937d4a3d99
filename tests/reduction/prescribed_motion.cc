// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/reduction/reduced_system.h>
#include <halfdof/reduction/state_space.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <cmath>
#include <sstream>
#include <string>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

/**
 * A mass on a spring and a damper over a shaken base, with a massless node halfway along a second spring:
 *
 *     base (0) --k, c-- mass (1),   base --k_a-- node (2) --k_b-- mass
 *
 * The bar between base and mass has a consistent mass matrix, so that the base loads through M, C and K. With
 * r = q_1 - q_0 and k_s = k + k_a k_b / (k_a + k_b), exactly,
 *     m_11 r'' + c r' + k_s r = -(m_11 + m_10) q_0''.
 */
struct ShakenMass {
  double m_00 = 2, m_10 = 1, m_11 = 5, c = 3, k = 40, k_a = 10, k_b = 30;
  double amplitude = 0.2, omega = 3;

  double stiffness() const { return k + k_a * k_b / (k_a + k_b); }

  DenseSystem matrices() const {
    DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
    system.M << m_00, m_10, 0, m_10, m_11, 0, 0, 0, 0;
    system.C << c, -c, 0, -c, c, 0, 0, 0, 0;
    system.K << k + k_a, -k, -k_a, -k, k + k_b, -k_b, -k_a, -k_b, k_a + k_b;
    return system;
  }

  SystemDescription<EigenEngine> description() const {
    SystemDescription<EigenEngine> d;
    d.mass = matrix_of<EigenEngine>(matrices().M);
    d.damping = matrix_of<EigenEngine>(matrices().C);
    d.stiffness = matrix_of<EigenEngine>(matrices().K);
    d.constrained = {0};
    return d;
  }

  PrescribedMotion motion() const {
    const auto derivative = [this](int order) -> TimeFunction {
      return [s = *this, order](double t) -> Vector {
        return Vector::Constant(1, (s.base(order) * std::exp(Complex(0, s.omega * t))).real());
      };
    };
    return {derivative(0), derivative(1), derivative(2)};
  }

  /// Complex amplitudes of the steady state and of its derivatives.
  Complex base(int order) const { return std::pow(Complex(0, omega), order) * amplitude; }
  Complex mass(int order) const {
    const Complex relative = (m_11 + m_10) * omega * omega * amplitude /
                             (stiffness() - m_11 * omega * omega + Complex(0, c * omega));
    return std::pow(Complex(0, omega), order) * (amplitude + relative);
  }
  double at(Complex value, double t) const { return (value * std::exp(Complex(0, omega * t))).real(); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(prescribed_motion)

BOOST_AUTO_TEST_CASE(a_shaken_base_drives_the_steady_state_of_the_relative_equation) {
  const ShakenMass shaken;
  auto description = shaken.description();
  description.prescribed = shaken.motion();
  const auto reduced = reduce(AssembledSystem<EigenEngine>(description));
  for (const double t : {0., 0.3, 0.9, 1.7}) {
    const State state{t,
                      (Vector(2) << shaken.at(shaken.mass(0), t), shaken.at(shaken.mass(1), t)).finished()};
    const Vector derivative = reduced.apply(state);
    const double largest = std::abs(shaken.mass(2));
    BOOST_TEST(std::abs(derivative[1] - shaken.at(shaken.mass(2), t)) <= 1e-13 * largest);

    // The massless node divides the second spring; the base carries all inertia forces.
    const AssembledMotion lifted = reduced.lift(state);
    const double base = shaken.at(shaken.base(0), t), mass = state.y[0];
    BOOST_TEST(lifted.displacement[0] == base);
    BOOST_TEST(std::abs(lifted.displacement[2] -
                        (shaken.k_a * base + shaken.k_b * mass) / (shaken.k_a + shaken.k_b)) <= 1e-14);
    const double inertia = (shaken.m_11 + shaken.m_10) * shaken.at(shaken.mass(2), t) +
                           (shaken.m_00 + shaken.m_10) * shaken.at(shaken.base(2), t);
    const OutputMap<EigenEngine> reaction(reduced, {{OutputQuantity::reaction, 0}});
    BOOST_TEST(std::abs(reaction.evaluate(state)[0] - inertia) <= 1e-12 * largest * shaken.m_11);
  }
}

BOOST_AUTO_TEST_CASE(the_rate_of_an_algebraic_dof_follows_the_base_where_no_third_derivative_is_needed) {
  ShakenMass shaken;
  shaken.m_10 = 0;
  auto description = shaken.description();
  description.prescribed = shaken.motion();
  const auto reduced = reduce(AssembledSystem<EigenEngine>(description));
  const double t = 0.8;
  const State state{t, (Vector(2) << shaken.at(shaken.mass(0), t), shaken.at(shaken.mass(1), t)).finished()};
  const double expected =
      (shaken.k_a * shaken.at(shaken.base(1), t) + shaken.k_b * state.y[1]) / (shaken.k_a + shaken.k_b);
  BOOST_TEST(std::abs(reduced.algebraic_rates(state)[0] - expected) <= 1e-14);
  const OutputMap<EigenEngine> rate(reduced, {{OutputQuantity::rate, 2}});
  BOOST_TEST(std::abs(rate.evaluate(state)[0] - expected) <= 1e-14);
}

BOOST_AUTO_TEST_CASE(the_report_names_the_derivatives_that_the_couplings_need) {
  const auto needed = [](const ShakenMass& shaken) {
    return FreeSystem<EigenEngine>(AssembledSystem<EigenEngine>(shaken.description())).needed_prescribed();
  };
  const auto check = [&](const ShakenMass& shaken, const std::vector<std::string>& expected) {
    BOOST_TEST(needed(shaken) == expected, boost::test_tools::per_element());
  };
  ShakenMass lumped;
  lumped.m_10 = 0;
  ShakenMass elastic = lumped;
  elastic.c = 0;
  check(ShakenMass(), {"q_D", "q_D'", "q_D''"});
  check(lumped, {"q_D", "q_D'"});
  check(elastic, {"q_D"});
}

BOOST_AUTO_TEST_CASE(a_needed_derivative_that_is_missing_is_refused_by_name) {
  const ShakenMass shaken;
  const auto refuses = [&](PrescribedMotion motion, const std::string& name) {
    auto description = shaken.description();
    description.prescribed = std::move(motion);
    BOOST_CHECK_EXCEPTION(
        reduce(AssembledSystem<EigenEngine>(description)), InvalidInput,
        [&](const InvalidInput& e) { return std::string(e.what()).find(name) != std::string::npos; });
  };
  const PrescribedMotion all = shaken.motion();
  refuses({nullptr, all.rate, all.acceleration}, "q_D(t)");
  refuses({all.value, nullptr, all.acceleration}, "q_D'(t)");
  refuses({all.value, all.rate, nullptr}, "q_D''(t)");
}

BOOST_AUTO_TEST_CASE(values_belong_to_constrained_dofs_in_the_order_in_which_they_were_listed) {
  // Two bases at 0 and 2, the mass between them: k_0 = 1, k_2 = 10.
  DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  system.M(1, 1) = 1;
  system.K << 1, -1, 0, -1, 11, -10, 0, -10, 10;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.constrained = {2, 0};
  description.prescribed.value = [](double) { return Vector(Vector::LinSpaced(2, 5., 7.)); };
  const auto reduced = reduce(AssembledSystem<EigenEngine>(description));
  const State rest{0, Vector::Zero(2)};
  BOOST_TEST(reduced.apply(rest)[1] == 10 * 5 + 1 * 7);
  BOOST_TEST((reduced.lift(rest).displacement == (Vector(3) << 7, 0, 5).finished()));
}

BOOST_AUTO_TEST_CASE(motion_of_the_wrong_size_or_not_finite_is_refused) {
  const ShakenMass shaken;
  for (const Vector& wrong : {Vector(Vector::Zero(2)), Vector(Vector::Constant(1, std::nan("")))}) {
    auto description = shaken.description();
    description.prescribed = shaken.motion();
    description.prescribed.rate = [wrong](double) { return wrong; };
    const auto reduced = reduce(AssembledSystem<EigenEngine>(description));
    BOOST_CHECK_EXCEPTION(reduced.apply({0, Vector::Zero(2)}), InvalidInput, [](const InvalidInput& e) {
      return std::string(e.what()).find("q_D'") != std::string::npos;
    });
  }
}

BOOST_AUTO_TEST_CASE(
    the_third_derivative_too_belongs_to_constrained_dofs_in_the_order_in_which_they_were_listed) {
  // DoF 1 is algebraic with q_1 = -(m_0 q_0'' + m_2 q_2''), unsymmetric M: q_1' = -(m_0 q_0''' + m_2 q_2''').
  DenseSystem system{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Identity(3, 3)};
  system.M(1, 0) = 2;
  system.M(1, 2) = 7;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.constrained = {2, 0};
  description.prescribed.acceleration = [](double) { return Vector(Vector::LinSpaced(2, 3., 5.)); };
  description.prescribed.jerk = [](double) { return Vector(Vector::LinSpaced(2, 11., 13.)); };
  const State state{0, Vector(0)};
  const auto reduced = reduce(AssembledSystem<EigenEngine>(description));
  BOOST_TEST(reduced.lift(state).displacement[1] == -(7 * 3 + 2 * 5));
  BOOST_TEST(reduced.algebraic_rates(state)[0] == -(7 * 11 + 2 * 13));

  description.prescribed.jerk = [](double) { return Vector(Vector::Ones(1)); };
  const auto wrong = reduce(AssembledSystem<EigenEngine>(description));
  BOOST_CHECK_EXCEPTION(wrong.algebraic_rates(state), InvalidInput, [](const InvalidInput& e) {
    return std::string(e.what()).find("q_D'''") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(motion_known_by_its_rate_alone_is_not_said_to_rest) {
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
  system.M(1, 1) = 2;
  system.C << 3, -3, -3, 3;
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.constrained = {0};
  const auto summary = [&] {
    std::ostringstream out;
    reduce(AssembledSystem<EigenEngine>(description)).print_summary(out);
    return out.str();
  };
  BOOST_TEST(summary().find("through q_D'; no motion is prescribed") != std::string::npos);
  description.prescribed.rate = [](double) { return Vector(Vector::Ones(1)); };
  BOOST_TEST(summary().find("through q_D'.") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
