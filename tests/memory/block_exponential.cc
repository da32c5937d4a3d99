// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/memory/block_exponential.h>

#include <boost/test/unit_test.hpp>

#include "systems.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

MultiVector pair(double omega, double D) {
  return (MultiVector(2, 2) << 0, 1, -omega * omega, -2 * D * omega).finished();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(block_exponentials)

BOOST_AUTO_TEST_CASE(one_eigenvalue_has_the_exponential_and_its_integrals) {
  for (const double lambda : {-1e4, -3., -1e-9, 0., 0.5})
    for (const double t : {0., 1e-6, 0.3, 20.}) {
      const BlockExponential found = block_exponential(MultiVector::Constant(1, 1, lambda), t);
      const double x = lambda * t;
      const double first = std::abs(x) < 1e-5 ? t * (1 + x / 2 + x * x / 6) : std::expm1(x) / lambda;
      const double second = std::abs(x) < 1e-3 ? t * t * (1. / 2 + x / 6 + x * x / 24) : (first - t) / lambda;
      BOOST_TEST(std::abs(found.E(0, 0) - std::exp(x)) <= 1e-13 * std::exp(x) * (1 + std::abs(x)));
      BOOST_TEST(std::abs(found.F_1(0, 0) - first) <= 1e-12 * std::abs(first));
      BOOST_TEST(std::abs(found.F_2(0, 0) - second) <= 1e-9 * std::abs(second) + 1e-300);
    }
}

BOOST_AUTO_TEST_CASE(damped_oscillators_swing_creep_and_are_critical) {
  for (const double D : {0., 0.1, 1 - 1e-9, 1., 1 + 1e-9, 2., 1e3})
    for (const double omega : {0.1, 3., 1e3}) {
      const double t = 1.7;
      const MultiVector E = block_exponential(pair(omega, D), t).E;
      // The motion after a unit velocity.
      const double decay = std::exp(-D * omega * t), w = omega * std::sqrt(std::abs(1 - D * D));
      double expected = t * decay;
      if (D < 1) expected = decay * std::sin(w * t) / w;
      if (D > 1) expected = (std::exp(-(D * omega - w) * t) - std::exp(-(D * omega + w) * t)) / (2 * w);
      BOOST_TEST(std::abs(E(0, 1) - expected) <= 1e-10 / omega, D << ' ' << omega);
    }
}

BOOST_AUTO_TEST_CASE(rigid_bodies_fly_on) {
  const BlockExponential found = block_exponential(pair(0, 0), 3.);
  BOOST_TEST((found.E - (MultiVector(2, 2) << 1, 3, 0, 1).finished()).norm() < 1e-15);
  BOOST_TEST((found.F_1 - (MultiVector(2, 2) << 3, 4.5, 0, 3).finished()).norm() < 1e-14);
  BOOST_TEST((found.F_2 - (MultiVector(2, 2) << 4.5, 4.5, 0, 4.5).finished()).norm() < 1e-14);
}

BOOST_AUTO_TEST_CASE(larger_blocks_obey_their_differential_equations) {
  RandomNumbers random(3);
  for (const Index n : {3, 5}) {
    const MultiVector J = random.matrix(n, n), I = MultiVector::Identity(n, n);
    const double t = 2.3;
    const BlockExponential found = block_exponential(J, t), half = block_exponential(J, t / 2);
    BOOST_TEST((J * found.F_1 - found.E + I).norm() < 1e-12 * found.E.norm());
    BOOST_TEST((J * found.F_2 - found.F_1 + t * I).norm() < 1e-12 * found.E.norm());
    BOOST_TEST((found.E - half.E * half.E).norm() < 1e-12 * found.E.norm());
    BOOST_TEST((found.E * J - J * found.E).norm() < 1e-12 * found.E.norm());
  }
}

BOOST_AUTO_TEST_SUITE_END()
