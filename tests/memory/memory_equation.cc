// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/memory/memory_equation.h>
#include <halfdof/memory/memory_hypotheses.h>

#include <boost/test/unit_test.hpp>

#include "models.h"
#include <functional>
#include <unsupported/Eigen/MatrixFunctions>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

/// Gauss's rule with eight points on each of n parts of an interval.
MultiVector integral(double from, double to, int n, const std::function<MultiVector(double)>& f) {
  const double nodes[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  const double weights[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  MultiVector sum;
  const double half = (to - from) / n / 2;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 4; ++k)
      for (const double sign : {-1., 1.}) {
        const double at = from + (2 * i + 1) * half + sign * half * nodes[k];
        const MultiVector part = half * weights[k] * f(at);
        sum = sum.size() == 0 ? part : MultiVector(sum + part);
      }
  return sum;
}

MultiVector dense_J(const ContactModes& modes) {
  MultiVector J = MultiVector::Zero(modes.n_coordinates(), modes.n_coordinates());
  Index first = 0;
  for (const MultiVector& block : modes.J) {
    J.block(first, first, block.rows(), block.cols()) = block;
    first += static_cast<Index>(block.rows());
  }
  return J;
}

/// A structure whose reactions are forced, and feed back what its contacts do: r = F y + a cos(omega t) + b
/// sin(omega t), a linear system in (x, cos, sin) that the matrix exponential solves.
class Driven {
 public:
  Driven(const ContactModes& modes, double feedback, unsigned seed) : modes_(modes), J_(dense_J(modes)) {
    RandomNumbers random(seed);
    const Index n = modes.n_coordinates(), m = modes.n_contacts();
    MultiVector V(2 * m, n);
    V << modes.C, modes.C * J_;
    MultiVector V_B = MultiVector::Zero(2 * m, m);
    V_B.bottomRows(m) = modes.C * modes.B;
    const MultiVector F = -feedback * random.matrix(m, 2 * m).cwiseAbs();
    // r = F (V x + V_B r) + forcing
    const MultiVector solve = (MultiVector::Identity(m, m) - F * V_B).inverse();
    R_.resize(m, n + 2);
    R_ << solve * F * V, solve * random.matrix(m, 2);
    S_ = MultiVector::Zero(n + 2, n + 2);
    S_.topRows(n) = modes.B * R_;
    S_.topLeftCorner(n, n) += J_;
    S_(n, n + 1) = -1.9;
    S_(n + 1, n) = 1.9;
    start_ = random.matrix(n + 2, 1);
  }

  Vector x(double t) const { return state(t).head(modes_.n_coordinates()); }
  /// r, r' or r''.
  Vector r(double t, int derivative = 0) const {
    Vector z = state(t);
    for (int i = 0; i < derivative; ++i)
      z = (S_ * z).eval();
    return R_ * z;
  }
  Vector x_rate(double t) const { return (S_ * state(t)).head(modes_.n_coordinates()); }

 private:
  Vector state(double t) const { return MultiVector(S_ * t).exp() * start_; }

  ContactModes modes_;
  MultiVector J_, S_, R_;
  Vector start_;
};

/// Largest residual of (3.8), with the derivative taken to the reactions, and of (3.19).
void check_residuals(const MemoryEquation& equation, const Driven& driven) {
  const double t = 2.1;
  const Vector y = equation.V() * driven.x(t) + equation.V_B() * driven.r(t);
  const Vector y_rate = equation.V() * driven.x_rate(t) + equation.V_B() * driven.r(t, 1);
  const Vector free = equation.A() * y + equation.L_inf() * driven.r(t) + equation.H(t) * driven.x(0);
  // The jump of L^1 at 0 acts on r'(t).
  const Vector at_once = equation.L_1(0) * driven.r(t, 1);
  const Vector by_L_0 =
      integral(0, t, 60, [&](double tau) -> MultiVector { return equation.L_0(tau) * driven.r(t - tau, 1); });
  // A start at which r jumps from zero makes y jump by L^1(0+) r(0) before.
  const Vector of_start = equation.L_0(t) * driven.r(0);
  BOOST_TEST((y_rate - free - at_once - by_L_0 - of_start).norm() < 1e-9);
  const Vector by_L_1 = (equation.L_1(t) - equation.L_1(0)) * driven.r(0, 1) +
                        Vector(integral(0, t, 60, [&](double tau) -> MultiVector {
                          return (equation.L_1(tau) - equation.L_1(0)) * driven.r(t - tau, 2);
                        }));
  BOOST_TEST((y_rate - free - at_once - by_L_1 - of_start).norm() < 1e-9);
  const double y_size = y.norm();
  BOOST_TEST(y_size > 1e-3);
}

void check_identities(const MemoryEquation& equation) {
  const Index n = equation.n_resolved();
  const double scale = 1 + equation.A().norm();
  BOOST_TEST((equation.V() * equation.right_inverse_of_V() - MultiVector::Identity(n, n)).norm() <
             1e-11 * scale);
  BOOST_TEST(invariance_residual(equation) < 1e-12);
  BOOST_TEST(memory_hypotheses(equation.modes()).largest_real_part <= 0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memory_equations)

BOOST_AUTO_TEST_CASE(motion_of_contacts_obeys_the_equation_with_memory) {
  for (const Index m : {1, 2, 3})
    for (const double feedback : {0., 0.4})
      BOOST_TEST_CONTEXT(m << " contacts, feedback " << feedback) {
        const auto seed = static_cast<unsigned>(m);
        const ContactModes modes = contact_modes(random_modes(m, 8, seed));
        const MemoryEquation equation(modes);
        BOOST_TEST(equation.n_resolved() == 2 * m);
        check_identities(equation);
        check_residuals(equation, Driven(modes, feedback, seed + 10));
      }
}

BOOST_AUTO_TEST_CASE(contacts_that_move_at_once_obey_it_with_a_jump) {
  for (const Index m : {1, 2})
    for (const double feedback : {0., 0.2})
      BOOST_TEST_CONTEXT(m << " contacts, feedback " << feedback) {
        ContactModes modes = random_blocks(m, 4);
        modes.W_K.setConstant(0.3);  // moves s, and leaves y as it is
        const MemoryEquation equation(modes);
        check_identities(equation);
        check_residuals(equation, Driven(modes, feedback, 5));
        BOOST_TEST((equation.L_1(0).middleRows(m, m) - modes.W_C()).norm() < 1e-14);
        BOOST_TEST(modes.W_C().norm() > 0.1);
      }
}

BOOST_AUTO_TEST_CASE(rigid_bodies_are_lifted_and_take_the_place_of_the_limit) {
  ClassicalModes given = random_modes(1, 6, 7);
  given.frequency.head(2).setZero();
  given.damping_ratio.head(2).setZero();
  const double n_1 = given.at_contacts.leftCols(2).norm();
  const ContactModes modes = contact_modes(given);
  BOOST_TEST(modes.n_blocks() == 5);  // one of the two is not seen
  const MemoryEquation equation(modes);
  BOOST_TEST(equation.resolved_blocks().size() == 1U);
  BOOST_TEST(equation.A()(1, 0) == 0.);
  BOOST_TEST(std::abs(equation.L_inf()(1, 0) - n_1 * n_1) < 1e-13);
  check_residuals(equation, Driven(modes, 0.3, 8));
  BOOST_CHECK_THROW(MemoryEquation(modes, {modes.n_blocks() - 1}), InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_body_that_creeps_away_has_one_more_resolved_coordinate) {
  // A viscous drift beside two swinging modes: a zero eigenvalue without its partner.
  ContactModes modes = contact_modes(random_modes(1, 2, 3));
  modes.J.insert(modes.J.begin(), MultiVector::Zero(1, 1));
  const auto with_first = [](const MultiVector& below, double first) {
    MultiVector all(below.rows() + 1, below.cols());
    all << MultiVector::Constant(1, below.cols(), first), below;
    return all;
  };
  modes.B = with_first(modes.B, 0.5);
  modes.B_f = with_first(modes.B_f, 0);
  modes.C = with_first(modes.C.transpose(), 0.5).transpose();
  modes.observed.C = MultiVector(0, 5);
  const MemoryEquation equation(modes);
  BOOST_TEST(equation.n_resolved() == 3);
  check_identities(equation);
  check_residuals(equation, Driven(modes, 0.2, 6));
}

BOOST_AUTO_TEST_CASE(kernels_of_classical_modes_have_the_closed_form) {
  // L^1 = G + K_r int int G + C_r int G - tau L^inf.
  const ClassicalModes given = random_modes(1, 5, 2);
  for (const Index resolved : {0, 3}) {
    const MemoryEquation equation(contact_modes(given), {resolved});
    const double w_r = given.frequency[resolved], K_r = w_r * w_r,
                 C_r = 2 * given.damping_ratio[resolved] * w_r;
    BOOST_TEST(std::abs(equation.A()(1, 0) + K_r) < 1e-12 * K_r);
    BOOST_TEST(std::abs(equation.A()(1, 1) + C_r) < 1e-12 * C_r);
    double L_inf = 0;
    for (Index k = 0; k < 5; ++k)
      L_inf += std::pow(given.at_contacts(0, k), 2) * K_r / std::pow(given.frequency[k], 2);
    BOOST_TEST(std::abs(equation.L_inf()(1, 0) - L_inf) < 1e-12 * L_inf);
    BOOST_TEST(equation.L_inf()(0, 0) == 0.);
    BOOST_TEST(equation.L_1(0.7)(0, 0) == 0.);
    const auto G = [&](double t) {
      double sum = 0;
      for (Index k = 0; k < 5; ++k) {
        const double w = given.frequency[k], D = given.damping_ratio[k];
        const Complex root = std::sqrt(Complex(1 - D * D));
        sum += std::pow(given.at_contacts(0, k), 2) *
               (std::exp(-D * w * t) * std::sin(root * w * t) / (root * w)).real();
      }
      return MultiVector::Constant(1, 1, sum);
    };
    const auto once = [&](double t) { return integral(0, t, 20, G); };
    const double tau = 0.9;
    const double expected =
        G(tau)(0, 0) + K_r * integral(0, tau, 20, once)(0, 0) + C_r * once(tau)(0, 0) - tau * L_inf;
    BOOST_TEST(std::abs(equation.L_1(tau)(1, 0) - expected) < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(the_limit_is_the_static_displacement_seen_through_the_lifted_modes) {
  const ClassicalModes given = random_modes(2, 9, 5);
  const MemoryEquation equation(contact_modes(given));
  MultiVector compliance = MultiVector::Zero(2, 2);
  for (Index k = 0; k < 9; ++k)
    compliance +=
        given.at_contacts.col(k) * given.at_contacts.col(k).transpose() / std::pow(given.frequency[k], 2);
  // At rest A y + L^inf r = 0.
  BOOST_TEST((equation.A().bottomLeftCorner(2, 2) * compliance + equation.L_inf().bottomRows(2)).norm() <
             1e-12 * equation.L_inf().norm());
}

BOOST_AUTO_TEST_CASE(a_memory_that_ends_leaves_out_no_more_than_its_bound) {
  const MemoryEquation equation(contact_modes(random_modes(1, 6, 9)));
  for (const double memory : {0.5, 2., 6.}) {
    const double bound = omitted_memory(equation, memory)(1, 0);
    double left = 0;
    const double step = 1e-3;
    for (double tau = memory + step / 2; tau < memory + 60; tau += step)
      left += step * std::abs(equation.L_0(tau)(1, 0));
    BOOST_TEST(left <= bound);
    BOOST_TEST(bound < 50 * left);
  }
  const double length = memory_length(equation, 1e-4);
  BOOST_TEST(omitted_memory(equation, length).maxCoeff() <= 1e-4 * omitted_memory(equation, 0).maxCoeff());
  ClassicalModes undamped = random_modes(1, 4, 9);
  undamped.damping_ratio.setZero();
  BOOST_TEST(std::isinf(memory_length(MemoryEquation(contact_modes(undamped)), 1e-4)));
}

BOOST_AUTO_TEST_CASE(the_integral_of_a_memory_that_decays_tends_to_a_constant_that_is_not_zero) {
  // Of all G_k = e^{-D w t} sin(w_d t) / w_d: int G_k tends to 1/w^2, int int G_k - t/w^2 to -2 D/w^3.
  const ClassicalModes given = random_modes(1, 5, 2);
  for (const Index resolved : {0, 3}) {
    const MemoryEquation equation(contact_modes(given), {resolved});
    const double w_r = given.frequency[resolved], D_r = given.damping_ratio[resolved];
    double limit = 0;
    for (Index k = 0; k < 5; ++k) {
      const double w = given.frequency[k], D = given.damping_ratio[k];
      limit += std::pow(given.at_contacts(0, k) / w, 2) * 2 * w_r * (D_r - D * w_r / w);
    }
    const double end = memory_length(equation, 1e-14);
    for (const double tau : {end, 2 * end})
      BOOST_TEST(equation.L_1(tau)(1, 0) == limit, boost::test_tools::tolerance(1e-10));
    BOOST_TEST(std::abs(equation.L_0(end)(1, 0)) < 1e-10 * std::abs(equation.L_0(0)(1, 0)));
    // The constant is no small part of what L^1 is before.
    BOOST_TEST(std::abs(limit) > 0.1 * std::abs(equation.L_1(0.1)(1, 0)));
  }
}

BOOST_AUTO_TEST_CASE(loads_elsewhere_have_kernels_of_their_own) {
  ClassicalModes given = random_modes(1, 6, 4);
  given.at_loads = RandomNumbers(3).matrix(1, 6);
  const MemoryEquation equation(contact_modes(given));
  const ContactModes modes = contact_modes(given);
  const double tau = 0.8;
  double L = 0;
  for (Index k = 0; k < 6; ++k) {
    const double w = given.frequency[k], D = given.damping_ratio[k], w_1 = given.frequency[0],
                 D_1 = given.damping_ratio[0];
    const MultiVector J = (MultiVector(2, 2) << 0, 1, -w * w, -2 * D * w).finished();
    const MultiVector E = MultiVector(J * tau).exp(),
                      integrals = J.inverse() * (E - MultiVector::Identity(2, 2));
    L += given.at_contacts(0, k) * given.at_loads(0, k) *
         (E(1, 1) + w_1 * w_1 * integrals(0, 1) + 2 * D_1 * w_1 * E(0, 1));
  }
  // int G' = G, and K_r int G + C_r G + G' = L.
  BOOST_TEST(std::abs(equation.L_inf_of_loads()(1, 0) + equation.L_0_of_loads(tau)(1, 0) - L) < 1e-12);
}

BOOST_AUTO_TEST_CASE(wrong_modes_are_refused) {
  ClassicalModes given = random_modes(1, 3, 1);
  given.frequency[1] = -1;
  BOOST_CHECK_THROW(contact_modes(given), InvalidInput);
  given = random_modes(1, 3, 1);
  given.damping_ratio[2] = std::nan("");
  BOOST_CHECK_THROW(contact_modes(given), InvalidInput);
  given = random_modes(1, 3, 1);
  given.at_contacts.resize(1, 2);
  given.at_contacts.setOnes();
  BOOST_CHECK_THROW(contact_modes(given), InvalidInput);
  BOOST_CHECK_THROW(MemoryEquation(contact_modes(random_modes(1, 3, 1)), {7}), InvalidInput);
  // Two contacts that always move alike.
  given = random_modes(2, 5, 1);
  given.at_contacts.row(1) = 2 * given.at_contacts.row(0);
  BOOST_CHECK_THROW(MemoryEquation{contact_modes(given)}, InvalidInput);
  ContactModes growing = contact_modes(random_modes(1, 3, 1));
  growing.J[1](1, 1) = 0.5;
  BOOST_CHECK_THROW(require_bounded(growing), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
