// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>

#include <boost/math/quadrature/gauss.hpp>

#include "event_driven_runs.h"
#include "fine_motion.h"
#include "nonlinear_inclusions.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

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
