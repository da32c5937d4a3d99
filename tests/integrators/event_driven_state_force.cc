// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>

#include <boost/math/quadrature/gauss.hpp>

#include "event_driven_runs.h"
#include "nonlinear_inclusions.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

const double pi = std::acos(-1.);

/// The zero of a function that is negative at `low` and positive at `high`, or the other way round.
template <class Function>
double zero_between(double low, double high, const Function& f) {
  const bool is_rising = f(high) > 0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    ((f(middle) < 0) == is_rising ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// An independent reference: the classical Runge-Kutta method with small steps.
struct FineMotion {
  std::function<Vector(double, const Vector&)> rate;
  double step;

  Vector after(double t, const Vector& y, double h) const {
    const Vector k_1 = rate(t, y), k_2 = rate(t + h / 2, y + h / 2 * k_1),
                 k_3 = rate(t + h / 2, y + h / 2 * k_2), k_4 = rate(t + h, y + h * k_3);
    return y + h / 6 * (k_1 + 2 * k_2 + 2 * k_3 + k_4);
  }

  /// Moves a point to the instant at which something becomes negative, or to the end.
  /// @return whether it did
  bool follow(State& point, double end, const std::function<double(double, const Vector&)>& lasts) const {
    while (point.time < end) {
      const double h = std::min(step, end - point.time);
      const auto at = [&](double part) { return after(point.time, point.y, part); };
      const Vector next = at(h);
      if (lasts(point.time + h, next) < 0) {
        const double part =
            zero_between(0., h, [&](double x) { return lasts(point.time + x, at(x)) < 0 ? -1. : 1.; });
        point = {point.time + part, at(part)};
        return true;
      }
      point = {h < step ? end : point.time + h, next};
    }
    return false;
  }
};

/// A mass (1 + a q^2) m on a hardening spring that falls on an obstacle.
struct HardeningFall {
  double m = 2, m_a = 0, k = 3, k_3 = 50, g = 9.81, h = 0.1, e = 0.7;

  NonlinearModel model() const {
    return NonlinearModel(assemble(one_mass(m, 0, k), {{{0, -1, k_3, 0.}}, inertias()},
                                   [weight = m * g](double) { return one(-weight); }),
                          {inclusion("floor", contact(h, e), on(0))});
  }
  std::vector<VariableInertia> inertias() const {
    return m_a == 0 ? std::vector<VariableInertia>{} : std::vector<VariableInertia>{{0, m_a}};
  }
  double mass(double q) const { return m + m_a * q * q; }
  /// (V(high) - V(q)) / (high - q) of the potential V = m g q + k q^2/2 + k_3 q^4/4.
  double mean_force(double high, double q) const {
    return m * g + k * (high + q) / 2 + k_3 * (high + q) * (high * high + q * q) / 4;
  }
  double energy_at_the_floor(double high) const { return (high - h) * mean_force(high, h); }
  double speed(double high) const { return std::sqrt(2 * energy_at_the_floor(high) / mass(h)); }
  /// Of a fall from rest: int dq/v with q = high - u^2.
  double time(double high) const {
    return boost::math::quadrature::gauss<double, 60>::integrate(
        [&](double u) {
          const double q = high - u * u;
          return 2 * std::sqrt(mass(q) / (2 * mean_force(high, q)));
        },
        0., std::sqrt(high - h));
  }
  double next_height(double high) const {
    return zero_between(h, high,
                        [&](double q) { return energy_at_the_floor(q) - e * e * energy_at_the_floor(high); });
  }

  void check(const std::vector<ContactEvent>& impacts, double high, double end) const {
    std::size_t n = 0;
    for (double at = time(high); at < end; at += 2 * time(high)) {
      BOOST_REQUIRE(n < impacts.size());
      const ContactEvent& impact = impacts[n++];
      BOOST_TEST(std::abs(impact.begin - at) < 1e-9 * at);
      BOOST_TEST(std::abs(impact.w_before[0] + speed(high)) < 1e-8);
      BOOST_TEST(std::abs(impact.w_after[0] - e * speed(high)) < 1e-8);
      BOOST_TEST(std::abs(impact.impulse[0] - mass(h) * (1 + e) * speed(high)) < 1e-8);
      high = next_height(high);
    }
    BOOST_TEST(n == impacts.size());
    BOOST_TEST(n > 3);
  }
};

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

BOOST_AUTO_TEST_SUITE(event_driven_state_force)

BOOST_AUTO_TEST_CASE(a_mass_on_a_hardening_spring_falls_and_bounces_at_the_times_of_the_energy_integral) {
  const HardeningFall fall;
  const NonlinearModel model = fall.model();
  NonsmoothState state = model.start(one(0.9), one(0.));
  fall.check(impacts_of(run(model, state, 1.7).events), 0.9, 1.7);
}

BOOST_AUTO_TEST_CASE(impulses_act_on_the_mass_of_their_very_state) {
  HardeningFall fall;
  fall.m_a = 9;
  fall.h = 0.5;
  const NonlinearModel model = fall.model();
  NonsmoothState state = model.start(one(0.9), one(0.));
  Trajectory trajectory;
  Events(model.inclusions, model.outcome).run(state, 1.7, std::ref(trajectory));
  fall.check(impacts_of(trajectory.events), 0.9, 1.7);
}

BOOST_AUTO_TEST_CASE(a_bounce_on_a_hardening_spring_ends_at_rest) {
  const HardeningFall fall;
  const NonlinearModel model = fall.model();
  NonsmoothState state = model.start(one(0.9), one(0.));
  run(model, state, 3.);
  BOOST_TEST((state.contacts[0] == ContactState::closed));
  BOOST_TEST(std::abs(state.y[0] - fall.h) < 1e-10);
  BOOST_TEST(std::abs(state.r[0] - fall.mean_force(fall.h, fall.h)) < 1e-9);
}

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

BOOST_AUTO_TEST_CASE(a_load_that_jumps_moves_a_massless_node_along_its_hardening_spring) {
  // Far beyond where the tangents of before would serve: k q + k_3 q^3 = f - s.
  const double k = 0.1, k_3 = 1000, s = 1, f = 50;
  const NonlinearModel model(
      assemble(one_mass(0, 0, k), {{{0, -1, k_3, 0.}}, {}}, [=](double t) { return one(t < 0.5 ? 0. : f); }),
      {inclusion("slot", friction(-s, s), on(0))});
  NonsmoothState state = model.start(one(0.), one(0.));
  EventDrivenOptions options;
  options.breakpoints = {0.5};
  Events(model.inclusions, model.outcome, options).run(state, 1.);
  const double q = zero_between(0., 5., [=](double x) { return k * x + k_3 * x * x * x - f + s; });
  BOOST_TEST(std::abs(state.r[0] + s) < 1e-10);
  BOOST_TEST(std::abs(model.displacement(state)[0] - q) < 1e-9 * q);
}

/// Steps of Moreau-Jean converge to an event-driven run to t = 3 with friction, contact and impacts, if any.
void check_against_moreau_jean(const HardeningMount& mount, double floor, bool strikes) {
  const NonlinearModel model(
      mount.assembled(),
      {inclusion("pad", friction(-0.5, 0.5), on(0)), inclusion("slot", friction(-0.3, 0.3), on(1)),
       inclusion("stop", contact(0.02), on(2)), inclusion("floor", contact(floor, 0.5), on(0))});
  const NonsmoothState start = model.start(vector_of({0.5, 0.1, 0.3}), vector_of({-0.7, 0., 0.}));
  NonsmoothState state = start;
  Trajectory trajectory;
  Events(model.inclusions, model.outcome).run(state, 3., std::ref(trajectory));
  BOOST_TEST_MESSAGE(trajectory.points.size() << " points, " << trajectory.events.size() << " events");
  BOOST_TEST(trajectory.events.size() > 8);
  BOOST_TEST(impacts_of(trajectory.events).empty() != strikes);
  const auto error = [&](double step) {
    NonsmoothState other = start;
    MoreauJean<EigenEngine>(model.inclusions, model.outcome, step).run(other, 3.);
    return (other.y - state.y).cwiseAbs().maxCoeff();
  };
  const double coarse = error(2e-3), fine = error(5e-4);
  BOOST_TEST_MESSAGE("differences " << coarse << ", " << fine);
  BOOST_TEST(fine < 3e-3);
  BOOST_TEST(fine < 0.4 * coarse);
}

BOOST_AUTO_TEST_CASE(small_steps_of_moreau_and_jean_lead_to_the_same_motion) {
  check_against_moreau_jean(HardeningMount(), -5., false);
}

BOOST_AUTO_TEST_CASE(small_steps_of_moreau_and_jean_lead_to_the_same_impacts) {
  HardeningMount mount;
  mount.parts.inertias.clear();
  check_against_moreau_jean(mount, -0.35, true);
}

BOOST_AUTO_TEST_CASE(equations_hold_at_every_point) {
  const HardeningMount mount;
  const NonlinearModel model(mount.assembled(), {inclusion("pad", friction(-0.5, 0.5), on(0)),
                                                 inclusion("slot", friction(-0.3, 0.3), on(1))});
  NonsmoothState state = model.start(vector_of({0.5, 0.1, 0.}), vector_of({-0.7, 0., 0.}));
  double largest = 0;
  Events(model.inclusions, model.outcome).run(state, 2., [&](const auto& now) {
    Vector left = mount.residual(now.time(), now.lift());
    left[0] -= now.state().r[0];
    left[1] -= now.state().r[1];
    largest = std::max(largest, left.cwiseAbs().maxCoeff());
    // What sticks has no acceleration, and no rate.
    if (now.state().contacts[0] == ContactState::stick)
      BOOST_TEST(std::abs(now.lift().acceleration[0]) < 1e-7);
    if (now.state().contacts[1] == ContactState::stick) BOOST_TEST(std::abs(now.lift().rate[1]) < 1e-7);
  });
  BOOST_TEST(largest < 1e-8);
}

BOOST_AUTO_TEST_CASE(tangents_that_are_missing_cost_steps_alone) {
  const HardeningFall fall;
  DenseSystem system = one_mass(fall.m, 0, fall.k);
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.load = [&](double) { return one(-fall.m * fall.g); };
  description.state_force.force = [&](double, const AssembledMotion& now) {
    return one(fall.k_3 * std::pow(now.displacement[0], 3));
  };
  description.state_force.tangents = [](double, const AssembledMotion&) { return Tangents<EigenEngine>{}; };
  const NonlinearModel model(AssembledSystem<EigenEngine>(std::move(description)),
                             {inclusion("floor", contact(fall.h, fall.e), on(0))});
  NonsmoothState state = model.start(one(0.9), one(0.));
  fall.check(impacts_of(run(model, state, 1.7).events), 0.9, 1.7);
}

BOOST_AUTO_TEST_CASE(a_linear_force_of_the_state_is_as_good_as_a_stiffness) {
  DenseSystem system = empty_system(3);
  system.M(0, 0) = 1;
  system.M(2, 2) = 0.5;
  system.C(1, 1) = 0.3;
  connect(system.K, 0, 1, 4.);
  connect(system.C, 1, 2, 0.2);
  system.K(0, 0) += 1;
  MultiVector spring = MultiVector::Zero(3, 3);
  connect(spring, 0, 2, 7.);
  spring(2, 2) += 2;
  DenseSystem all = system;
  all.K += spring;
  const auto load = [](double t) { return vector_of({3 * std::sin(2 * t), 0., std::cos(t)}); };
  const std::vector<Inclusion> inclusions = {inclusion("pad", friction(-0.6, 0.6), on(0)),
                                             inclusion("slot", friction(-0.2, 0.2), on(1)),
                                             inclusion("stop", contact(-0.1, 0.4), on(2))};
  const NonsmoothModel<> linear(all, inclusions, load);
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  description.load = load;
  description.state_force.force = [spring](double, const AssembledMotion& now) {
    return Vector(spring * now.displacement);
  };
  description.state_force.tangents = [spring](double, const AssembledMotion&) {
    return Tangents<EigenEngine>{{}, {}, matrix_of<EigenEngine>(spring)};
  };
  const NonlinearModel by_force(AssembledSystem<EigenEngine>(std::move(description)), inclusions);

  const Vector q = vector_of({0.4, 0.1, 0.5}), v = vector_of({0., 0., -1.});
  NonsmoothState state = linear.start(q, v), other = by_force.start(q, v);
  const Trajectory expected = run(linear, state, 5.), found = run(by_force, other, 5.);
  BOOST_TEST(found.points.size() == expected.points.size());
  BOOST_REQUIRE(found.events.size() == expected.events.size());
  BOOST_TEST(impacts_of(found.events).size() > 1);
  for (std::size_t k = 0; k < found.events.size(); ++k) {
    BOOST_TEST(std::abs(found.events[k].begin - expected.events[k].begin) < 1e-10);
    BOOST_TEST((found.events[k].after == expected.events[k].after));
  }
  BOOST_TEST((state.y - other.y).cwiseAbs().maxCoeff() < 1e-10);
  BOOST_TEST((state.r - other.r).cwiseAbs().maxCoeff() < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_change_of_kind_names_the_dof_and_leaves_the_state) {
  // What DoF 1 carries falls off where it comes to q = 1.
  DenseSystem system = empty_system(2);
  system.M(0, 0) = 1;
  system.C(1, 1) = 0.1;
  connect(system.K, 0, 1, 2.);
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(system.M);
  description.damping = matrix_of<EigenEngine>(system.C);
  description.stiffness = matrix_of<EigenEngine>(system.K);
  const auto carried = [](const AssembledMotion& now) { return now.displacement[1] < 1 ? 0.7 : 0.; };
  StateForce<EigenEngine>& p = description.state_force;
  p.force = [=](double, const AssembledMotion& now) {
    return vector_of({0., carried(now) * now.acceleration[1]});
  };
  p.tangents = [=](double, const AssembledMotion& now) {
    MultiVector M = MultiVector::Zero(2, 2);
    M(1, 1) = carried(now);
    return Tangents<EigenEngine>{matrix_of<EigenEngine>(M), {}, {}};
  };
  MultiVector pattern = MultiVector::Zero(2, 2);
  pattern(1, 1) = 1;
  p.pattern.mass = matrix_of<EigenEngine>(pattern);
  const NonlinearModel model(AssembledSystem<EigenEngine>(std::move(description)),
                             {inclusion("pad", friction(-0.1, 0.1), on(0))});
  NonsmoothState state = model.start(Vector::Zero(2), vector_of({1., 1.}));
  Events method(model.inclusions, model.outcome);
  bool is_said = false;
  try {
    method.run(state, 10.);
  } catch (const KindChange& error) {
    is_said = true;
    BOOST_TEST(std::string(error.what()).find("DoF 1") != std::string::npos);
    BOOST_TEST(error.dof() == 1);
    BOOST_TEST(std::abs(error.time() - state.time) < 1e-8);
  }
  BOOST_TEST(is_said);
  BOOST_TEST(std::abs(model.displacement(state)[1] - 1) < 1e-8);
}

BOOST_AUTO_TEST_CASE(friction_that_stops_a_damper_of_no_linear_part_ends_the_run) {
  // The tangent damping of DoF 1 is 6 |w|, and w comes to rest.
  DenseSystem system = empty_system(2);
  system.M(0, 0) = 1;
  system.K(0, 0) = 5;
  connect(system.K, 0, 1, 8.);
  const AssembledMotion moving{Vector::Zero(2), vector_of({4., 1.}), Vector::Zero(2)};
  const NonlinearModel model(
      ReducedSystem<EigenEngine>(assemble(system, {{{1, -1, 0., 3.}}, {}}), 0., moving),
      {inclusion("slot", friction(-1.5, 1.5), on(1))});
  NonsmoothState state = model.start(vector_of({1., 0.}), vector_of({4., 1.}));
  Events method(model.inclusions, model.outcome);
  BOOST_CHECK_THROW(method.run(state, 10.), Error);
  // Which of the stops the steps do not pass depends on rounding; up to there the motion is right.
  BOOST_TEST(std::abs(std::abs(8 * (state.y[0] - state.y[1])) - 1.5) < 0.01);
  const FineMotion motion{
      [](double, const Vector& y) {
        const double force = 8 * (y[0] - y[1]), driving = std::max(std::abs(force) - 1.5, 0.);
        return vector_of({y[2], std::copysign(std::sqrt(driving / 3), force), -5 * y[0] - force});
      },
      1e-5};
  State expected{0., vector_of({1., 0., 4.})};
  motion.follow(expected, state.time, [](double, const Vector&) { return 1.; });
  BOOST_TEST((expected.y.head(2) - state.y.head(2)).norm() < 1e-6);
}

BOOST_AUTO_TEST_CASE(a_force_that_jumps_with_the_state_is_refused_where_no_step_is_short_enough) {
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(one(1));
  description.stiffness = matrix_of<EigenEngine>(one(1));
  StateForce<EigenEngine>& p = description.state_force;
  p.force = [](double, const AssembledMotion& now) { return one(now.rate[0] > 0 ? 2. : -2.); };
  p.tangents = [](double, const AssembledMotion&) { return Tangents<EigenEngine>{}; };
  const NonlinearModel model(AssembledSystem<EigenEngine>(std::move(description)),
                             {inclusion("floor", contact(-5.), on(0))});
  NonsmoothState state = model.start(one(0.), one(3.));
  Events method(model.inclusions, model.outcome);
  BOOST_CHECK_THROW(method.run(state, 10.), NoConvergence);
  // q'' = -q - 2 until q' = 0: q = 2 (cos t - 1) + 3 sin t.
  BOOST_TEST(std::abs(state.time - std::atan(1.5)) < 1e-8);
  BOOST_TEST(std::abs(state.y[0] - (std::sqrt(13.) - 2)) < 1e-8);
}

BOOST_AUTO_TEST_CASE(a_ball_on_a_cubic_spring_alone_rebounds_whatever_its_tangent_at_rest) {
  // m = 1, k_3 = 1e4, weight 9.81, from q = 1 at rest: the tangent vanishes where the ball strikes, at q = 0.
  DenseSystem system = empty_system(1);
  system.M(0, 0) = 1;
  const NonlinearModel model(assemble(system, {{{0, -1, 1e4, 0.}}, {}}, [](double) { return one(-9.81); }),
                             {inclusion("floor", contact(0., 1.), on(0))});
  NonsmoothState state = model.start(one(1.), one(0.));
  const Trajectory trajectory = run(model, state, 0.5);
  const double speed = std::sqrt(2 * (9.81 + 1e4 / 4));
  const std::vector<ContactEvent> impacts = impacts_of(trajectory.events);
  BOOST_TEST(impacts.size() > 5u);
  for (const ContactEvent& impact : impacts) {
    BOOST_TEST(impact.w_before[0] == -speed, boost::test_tools::tolerance(1e-8));
    BOOST_TEST(impact.w_after[0] == speed, boost::test_tools::tolerance(1e-8));
  }
}

BOOST_AUTO_TEST_CASE(a_saved_state_goes_on_to_the_tolerance) {
  const HardeningMount mount;
  const NonlinearModel model(mount.assembled(), {inclusion("pad", friction(-0.5, 0.5), on(0))});
  NonsmoothState state = model.start(vector_of({0.5, 0.1, 0.}), vector_of({-0.7, 0., 0.})), saved = state;
  Events whole(model.inclusions, model.outcome), first(model.inclusions, model.outcome),
      second(model.inclusions, model.outcome);
  whole.run(state, 2.);
  first.run(saved, 0.7);
  second.run(saved, 2.);
  BOOST_TEST((saved.y - state.y).cwiseAbs().maxCoeff() < 1e-8);
}

BOOST_AUTO_TEST_SUITE_END()
