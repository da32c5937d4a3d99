// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>

#include <boost/test/unit_test.hpp>

#include "inclusions/local_problems.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

Vector solve(const Law& law, const LocalMatrix& W, const Vector& b, const Vector& guess) {
  Vector r = guess;
  law.solve_local(law.parameters(0., ContactState::open), W, b, r);
  return r;
}

ContactState state(const Law& law, const Vector& w, const Vector& r) {
  return law.state(law.parameters(0., ContactState::open), w, r, 1e-12);
}

/// The slip with w_n = 0 and the least |component of w_t across the reaction|, by looking at very many
/// directions.
Vector slip_by_search(const Eigen::Matrix3d& W, const Eigen::Vector3d& b, double mu) {
  Eigen::Vector3d best = Eigen::Vector3d::Zero();
  double least = 1e300;
  for (int k = 0; k < 200000; ++k) {
    const double x = 2 * 3.14159265358979323846 * k / 200000;
    const Eigen::Vector3d direction(1, mu * std::cos(x), mu * std::sin(x));
    const double d = W.row(0).dot(direction);
    if (d <= 0) continue;
    const Eigen::Vector3d r = -b[0] / d * direction, w = W * r + b;
    const double across = std::abs(-std::sin(x) * w[1] + std::cos(x) * w[2]);
    if (w[1] * r[1] + w[2] * r[2] <= 0 && across < least) {
      least = across;
      best = r;
    }
  }
  return best;
}

Eigen::Vector3d three(double a, double b, double c) {
  return Eigen::Vector3d(a, b, c);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(coulomb)

BOOST_AUTO_TEST_CASE(a_uncoupled_contact_in_space_follows_the_textbook) {
  const CoulombFriction law(2, 0.5);
  const LocalMatrix W = LocalMatrix::Identity(3, 3);
  const Vector zero = Vector::Zero(3);
  BOOST_TEST((solve(law, W, three(1, 5, 5), zero) == zero));
  BOOST_TEST((solve(law, W, three(-10, 3, 4), zero) - three(10, -3, -4)).norm() < 1e-13);
  // |b_t| = 10, mu r_n = 5.
  BOOST_TEST((solve(law, W, three(-10, 6, 8), zero) - three(10, -3, -4)).norm() < 1e-13);
  BOOST_TEST((state(law, three(1, 5, 5), zero) == ContactState::open));
  BOOST_TEST((state(law, zero, three(10, -3, 2)) == ContactState::stick));
  BOOST_TEST((state(law, three(0, 3, 4), three(10, -3, -4)) == ContactState::slip));
}

BOOST_AUTO_TEST_CASE(a_contact_in_the_plane_slips_both_ways) {
  const CoulombFriction law(1, 0.5);
  LocalMatrix W(2, 2);
  W << 2, 0.5, 0.5, 1;
  const Vector zero = Vector::Zero(2);
  // r_t = -r_n/2: d = 2 - 0.25, r_n = 7/1.75 = 4.
  const Vector forward = solve(law, W, Eigen::Vector2d(-7, 5), zero);
  BOOST_TEST((forward - Eigen::Vector2d(4, -2)).norm() < 1e-14);
  BOOST_TEST((state(law, W * forward + Eigen::Vector2d(-7, 5), forward) == ContactState::slip_forward));
  // r_t = r_n/2: d = 2.25, r_n = 4.
  const Vector back = solve(law, W, Eigen::Vector2d(-9, -8), zero);
  BOOST_TEST((back - Eigen::Vector2d(4, 2)).norm() < 1e-14);
  BOOST_TEST((state(law, W * back + Eigen::Vector2d(-9, -8), back) == ContactState::slip_back));
  BOOST_TEST((solve(law, W, Eigen::Vector2d(1, -8), zero) == zero));
}

BOOST_AUTO_TEST_CASE(without_friction_only_the_normal_reaction_is_left) {
  RandomNumbers random(3);
  const CoulombFriction law(2, 0.);
  for (int sample = 0; sample < 100; ++sample) {
    const LocalMatrix W = positive_definite(random, 3, 100.);
    const Vector b = random_vector(random, 3);
    const Vector r = solve(law, W, b, Vector::Zero(3));
    BOOST_TEST((r - Vector(std::max(0., -b[0] / W(0, 0)) * Eigen::Vector3d::UnitX())).norm() <
               1e-13 * (1 + r.norm()));
  }
}

BOOST_AUTO_TEST_CASE(random_contacts_obey_the_law_to_rounding_whatever_the_guess) {
  // Stiff blocks, unsymmetric ones, friction from slight to extreme. Reactions are unique only for small mu.
  RandomNumbers random(11);
  int n_slips = 0;
  for (const double condition : {1., 10., 1e4, 1e8}) {
    for (const double mu : {0.1, 0.7, 3.}) {
      for (const Index n_tangents : {1, 2}) {
        const CoulombFriction law(n_tangents, mu);
        const auto parameters = law.parameters(0., ContactState::open);
        for (int sample = 0; sample < 300; ++sample) {
          const Index d = 1 + n_tangents;
          const LocalMatrix W =
              sample % 2 ? unsymmetric(random, d, condition) : positive_definite(random, d, condition);
          const Vector b = random_vector(random, d);
          const Vector r = solve(law, W, b, random_vector(random, d));
          // Rounding of the solve for sticking: the condition number of W.
          BOOST_TEST(relative_residual(law, parameters, W, b, r) < 1e-14 + 1e-15 * condition);
          n_slips += r[0] > 0 && std::abs(r.tail(n_tangents).norm() - mu * r[0]) < 1e-9 * r[0];
        }
      }
    }
  }
  BOOST_TEST(n_slips > 1000);
}

BOOST_AUTO_TEST_CASE(slip_in_space_agrees_with_a_search_over_all_directions) {
  RandomNumbers random(17);
  const double mu = 0.4;
  const CoulombFriction law(2, mu);
  int n_slips = 0;
  while (n_slips < 20) {
    const LocalMatrix W = positive_definite(random, 3, 5.);
    Vector b = 3 * random_vector(random, 3);
    b[0] = -std::abs(b[0]);
    const Vector r = solve(law, W, b, Vector::Zero(3));
    if (r.tail(2).norm() < 0.999999 * mu * r[0]) continue;
    ++n_slips;
    // The grid has steps of 3e-5.
    BOOST_TEST((r - slip_by_search(W, b, mu)).norm() < 2e-4 * r.norm());
  }
}

BOOST_AUTO_TEST_CASE(a_good_guess_and_none_give_the_same_reaction) {
  RandomNumbers random(23);
  const CoulombFriction law(2, 0.3);
  for (int sample = 0; sample < 200; ++sample) {
    const LocalMatrix W = positive_definite(random, 3, 10.);
    const Vector b = random_vector(random, 3) - 2 * Eigen::Vector3d::UnitX();
    const Vector cold = solve(law, W, b, Vector::Zero(3));
    const Vector near = cold + 0.01 * random_vector(random, 3);
    BOOST_TEST((solve(law, W, b, near) - cold).norm() < 1e-12 * cold.norm());
  }
}

BOOST_AUTO_TEST_CASE(the_cone_is_projected_onto_at_the_nearest_point) {
  RandomNumbers random(29);
  const CoulombFriction law(2, 0.6);
  const auto parameters = law.parameters(0., ContactState::open);
  for (int sample = 0; sample < 300; ++sample) {
    const Vector z = random_vector(random, 3);
    LocalVector p = z;
    law.project(parameters, p, p);
    BOOST_TEST(p.tail(2).norm() <= 0.6 * p[0] + 1e-15);
    // (q - p).(z - p) <= 0 for every q of the cone.
    for (int test = 0; test < 30; ++test) {
      Vector q = random_vector(random, 3);
      q[0] = q.tail(2).norm() / 0.6 + std::abs(q[0]);
      BOOST_TEST((q - p).dot(z - p) <= 1e-14);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_derivative_of_the_resolvent_agrees_with_differences) {
  RandomNumbers random(31);
  for (const Index n_tangents : {1, 2}) {
    const CoulombFriction law(n_tangents, 0.6);
    const auto parameters = law.parameters(0., ContactState::open);
    for (int sample = 0; sample < 100; ++sample) {
      const Vector z = random_vector(random, 1 + n_tangents);
      const MultiVector exact = law.resolvent_derivative(parameters, 1., z);
      const MultiVector numerical = law.Law::resolvent_derivative(parameters, 1., z);
      BOOST_TEST((exact - numerical).norm() < 1e-7);  // differences lose half of the digits
    }
  }
}

BOOST_AUTO_TEST_CASE(supports_move_along_all_directions) {
  const CoulombFriction law(0.3, 0.5, {ScalarFunction::expression("2*t"), 1.}, 0.8);
  BOOST_TEST(law.dimension() == 3);
  BOOST_TEST(law.support(0)(1.) == 0.5);
  BOOST_TEST(law.support(1)(1.) == 2.);
  BOOST_TEST(law.support(2)(1.) == 1.);
  BOOST_TEST(*law.restitution() == 0.8);
  BOOST_TEST((law.level(0) == LawLevel::gap));
  BOOST_TEST((law.level(2) == LawLevel::rate));
}

BOOST_AUTO_TEST_SUITE_END()
