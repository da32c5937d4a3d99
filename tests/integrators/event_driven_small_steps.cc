// SPDX-License-Identifier: LGPL-2.1-or-later
#include "event_driven_runs.h"
#include "fine_motion.h"
#include "nonlinear_inclusions.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// Stick and slip of q'' = a(t, q, q') + r/m with |r| <= s, from rest. @param pull m a
struct FineFriction {
  double m, s;
  std::function<double(double, double)> pull;  ///< of t and q, at rest
  double step;

  std::vector<Change> changes(State& point, double end) const {
    std::vector<Change> found;
    while (point.time < end) {
      const double held = pull(point.time, point.y[0]);
      const bool sticks = std::abs(held) <= s;
      const double sign = held > 0 ? 1. : -1.;
      if (point.time > 0)
        found.push_back({point.time, sticks     ? ContactState::stick
                                     : sign > 0 ? ContactState::slip_forward
                                                : ContactState::slip_back});
      bool goes_on = true;
      if (sticks) {
        point.y[1] = 0;
        const FineMotion motion{[](double, const Vector& y) { return Vector(Vector::Zero(y.size())); }, step};
        goes_on =
            motion.follow(point, end, [&](double t, const Vector& y) { return s - std::abs(pull(t, y[0])); });
        if (goes_on) point.time += 1e-14;
      } else {
        const FineMotion motion{[&](double t, const Vector& y) {
                                  return vector_of({y[1], (pull(t, y[0]) - sign * s) / m});
                                },
                                step};
        goes_on = motion.follow(point, end, [&](double, const Vector& y) { return sign * y[1]; });
      }
      if (!goes_on) break;
    }
    return found;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(event_driven_small_steps)

BOOST_AUTO_TEST_CASE(friction_on_a_driven_cubic_spring_sticks_and_slips_as_in_small_steps) {
  const double m = 1.5, k = 2, k_3 = 40, s = 1.2, f = 6, omega = 3;
  const NonlinearModel model(assemble(one_mass(m, 0, k), {{{0, -1, k_3, 0.}}, {}},
                                      [=](double t) { return one(f * std::sin(omega * t)); }),
                             {inclusion("pad", friction(-s, s), on(0))});
  NonsmoothState state = model.start(one(0.), one(0.));
  const double end = 12;
  const Trajectory trajectory = run(model, state, end);
  State fine{0, vector_of({0., 0.})};
  const FineFriction reference{
      m, s, [=](double t, double q) { return f * std::sin(omega * t) - k * q - k_3 * q * q * q; }, 1e-3};
  const std::vector<Change> expected = reference.changes(fine, end);
  BOOST_TEST_MESSAGE(expected.size() << " changes, " << trajectory.points.size() << " points");
  BOOST_TEST(expected.size() > 6);
  check_changes(trajectory, expected, 1e-8);
  BOOST_TEST((state.y - fine.y).cwiseAbs().maxCoeff() < 1e-8);
}

BOOST_AUTO_TEST_CASE(friction_brings_a_cubic_spring_to_rest_where_small_steps_do) {
  const double m = 2, k_3 = 30, s = 0.8;  // no linear stiffness at all
  const NonlinearModel model(assemble(one_mass(m, 0, 0), {{{0, -1, k_3, 0.}}, {}}),
                             {inclusion("pad", friction(-s, s), on(0))});
  NonsmoothState state = model.start(one(1.), one(0.));
  const Trajectory trajectory = run(model, state, 10.);
  State fine{0, vector_of({1., 0.})};
  const FineFriction reference{m, s, [=](double, double q) { return -k_3 * q * q * q; }, 1e-3};
  const std::vector<Change> expected = reference.changes(fine, 10.);
  BOOST_TEST_MESSAGE(expected.size() << " changes, " << trajectory.points.size() << " points");
  BOOST_REQUIRE(!expected.empty());
  BOOST_TEST((expected.back().state == ContactState::stick));
  check_changes(trajectory, expected, 1e-8);
  BOOST_TEST(std::abs(state.y[0] - fine.y[0]) < 1e-8);
  BOOST_TEST(std::abs(state.r[0] - k_3 * std::pow(fine.y[0], 3)) < 1e-7);
}

BOOST_AUTO_TEST_CASE(contact_of_a_massless_node_on_a_hardening_spring_opens_and_closes_as_in_small_steps) {
  // m q_0'' = -k_1 (q_0 - q_1), and q_1 obeys k_1 (q_1 - q_0) + k q_1 + k_3 q_1^3 = r with 0 <= q_1 - h _|_ r
  // >= 0.
  const double m = 1, k = 2, k_1 = 3, k_3 = 4, h = 0.3, end = 12;
  DenseSystem system = empty_system(2);
  system.M(0, 0) = m;
  system.K << k_1, -k_1, -k_1, k_1 + k;
  const NonlinearModel model(assemble(system, {{{1, -1, k_3, 0.}}, {}}),
                             {inclusion("stop", contact(h), on(1))});
  const auto free_q_1 = [=](double q_0) {
    return zero_between(-5., 5., [=](double q) { return k_1 * (q - q_0) + k * q + k_3 * q * q * q; });
  };
  NonsmoothState state = model.start(vector_of({1.5, free_q_1(1.5)}), Vector::Zero(2));
  const Trajectory trajectory = run(model, state, end);

  const double edge = h + (k * h + k_3 * h * h * h) / k_1;  // of q_0
  State fine{0, vector_of({1.5, 0.})};
  std::vector<Change> expected;
  for (bool open = true;; open = !open) {
    const FineMotion motion{[&](double, const Vector& y) {
                              const double q_1 = open ? free_q_1(y[0]) : h;
                              return vector_of({y[1], -k_1 / m * (y[0] - q_1)});
                            },
                            2e-3};
    if (!motion.follow(fine, end, [&](double, const Vector& y) { return (open ? 1 : -1) * (y[0] - edge); }))
      break;
    expected.push_back({fine.time, open ? ContactState::closed : ContactState::open});
  }
  BOOST_TEST_MESSAGE(expected.size() << " changes, " << trajectory.points.size() << " points");
  BOOST_TEST(expected.size() > 3);
  check_changes(trajectory, expected, 1e-8);
  BOOST_TEST((state.y - fine.y).cwiseAbs().maxCoeff() < 1e-8);
}

BOOST_AUTO_TEST_CASE(friction_at_a_viscous_node_behind_a_quadratic_damper_slips_as_in_small_steps) {
  // m q_0'' = -k_0 q_0 - F, F = k_1 (q_0 - q_1), and c w + d w |w| = F + r, |r| <= s, for w = q_1'.
  const double m = 1, k_0 = 5, k_1 = 8, c = 0.4, d = 3, s = 1.5, end = 8;
  DenseSystem system = empty_system(2);
  system.M(0, 0) = m;
  system.C(1, 1) = c;
  system.K << k_0 + k_1, -k_1, -k_1, k_1;
  const NonlinearModel model(assemble(system, {{{1, -1, 0., d}}, {}}),
                             {inclusion("slot", friction(-s, s), on(1))});
  NonsmoothState state = model.start(vector_of({0., 0.}), vector_of({4., 0.}));
  const Trajectory trajectory = run(model, state, end);

  const auto F = [=](const Vector& y) { return k_1 * (y[0] - y[1]); };
  State fine{0, vector_of({0., 0., 4.})};
  std::vector<Change> expected;
  for (bool sticks = true;; sticks = !sticks) {
    const double sign = F(fine.y) > 0 ? 1. : -1.;
    const FineMotion motion{[&](double, const Vector& y) {
                              const double rest = std::max(sign * F(y) - s, 0.);
                              const double w =
                                  sticks ? 0. : sign * (-c + std::sqrt(c * c + 4 * d * rest)) / (2 * d);
                              return vector_of({y[2], w, (-k_0 * y[0] - F(y)) / m});
                            },
                            1e-3};
    if (!motion.follow(fine, end, [&](double, const Vector& y) {
          return sticks ? s - std::abs(F(y)) : sign * F(y) - s;
        }))
      break;
    const bool forward = F(fine.y) > 0;
    expected.push_back({fine.time, !sticks   ? ContactState::stick
                                   : forward ? ContactState::slip_forward
                                             : ContactState::slip_back});
  }
  BOOST_TEST_MESSAGE(expected.size() << " changes, " << trajectory.points.size() << " points");
  BOOST_TEST(expected.size() > 3);
  check_changes(trajectory, expected, 1e-7);
  BOOST_TEST((state.y - fine.y).cwiseAbs().maxCoeff() < 1e-7);
}

BOOST_AUTO_TEST_CASE(a_play_at_a_massless_node_on_a_hardening_spring_moves_as_in_small_steps) {
  // m q_0'' = -k_0 q_0 - k_1 (q_0 - q_1), and k_1 (q_1 - q_0) + k q_1 + k_3 q_1^3 = r, |r| <= s.
  const double m = 1, k_0 = 4, k_1 = 6, k = 1, k_3 = 10, s = 0.7, end = 6;
  DenseSystem system = empty_system(2);
  system.M(0, 0) = m;
  system.K << k_0 + k_1, -k_1, -k_1, k_1 + k;
  const NonlinearModel model(assemble(system, {{{1, -1, k_3, 0.}}, {}}),
                             {inclusion("slot", friction(-s, s), on(1))});
  NonsmoothState state = model.start(Vector::Zero(2), vector_of({2., 0.}));
  const Trajectory trajectory = run(model, state, end);

  const auto reaction = [=](double q_0, double q_1) {
    return k_1 * (q_1 - q_0) + k * q_1 + k_3 * q_1 * q_1 * q_1;
  };
  State fine{0, vector_of({0., 2.})};
  double q_1 = 0;
  std::vector<Change> expected;
  for (bool sticks = true;; sticks = !sticks) {
    const double sign = fine.y[1] > 0 ? 1. : -1.;
    const auto place = [&](double q_0) {
      if (sticks) return q_1;
      return zero_between(-5., 5., [&](double q) { return reaction(q_0, q) + sign * s; });
    };
    const FineMotion motion{[&](double, const Vector& y) {
                              return vector_of({y[1], (-k_0 * y[0] - k_1 * (y[0] - place(y[0]))) / m});
                            },
                            2e-3};
    if (!motion.follow(fine, end, [&](double, const Vector& y) {
          return sticks ? s - std::abs(reaction(y[0], q_1)) : sign * y[1];
        }))
      break;
    q_1 = place(fine.y[0]);
    const bool forward = fine.y[1] > 0;
    expected.push_back({fine.time, !sticks   ? ContactState::stick
                                   : forward ? ContactState::slip_forward
                                             : ContactState::slip_back});
  }
  BOOST_TEST_MESSAGE(expected.size() << " changes, " << trajectory.points.size() << " points");
  BOOST_TEST(expected.size() > 3);
  check_changes(trajectory, expected, 1e-8);
  BOOST_TEST((state.y - fine.y).cwiseAbs().maxCoeff() < 1e-8);
}

BOOST_AUTO_TEST_SUITE_END()
