// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>
#include <halfdof/integrators/verification/verification.h>

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"
#include <functional>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Jean = MoreauJean<EigenEngine>;
using Alpha = NonsmoothAlpha<EigenEngine>;
using Euler = SetValuedEuler<EigenEngine>;
using RungeKutta = SetValuedRungeKutta<EigenEngine>;
using VelocityLevel = boost::mpl::list<Jean, Alpha>;

std::shared_ptr<const Law> sticky(double at_rest, double kinetic, ScalarFunction support = 0.) {
  return std::make_shared<const StaticKineticFriction>(at_rest, kinetic, std::move(support));
}

/// Contact with friction in the plane, or in space, on the first DoFs.
NonsmoothModel<> sole(const DenseSystem& system, double mu, const Vector& load) {
  const auto n = static_cast<Index>(system.M.rows());
  std::vector<Direction> directions;
  for (Index k = 0; k < n; ++k)
    directions.push_back(on(k));
  return NonsmoothModel<>(system,
                          {{"sole", std::make_shared<CoulombFriction>(n - 1, mu, 0., 0.), directions}},
                          [load](double) { return load; });
}

DenseSystem masses(const MultiVector& M) {
  DenseSystem system = empty_system(static_cast<Index>(M.rows()));
  system.M = M;
  return system;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(laws_in_time)

BOOST_AUTO_TEST_CASE(friction_that_slides_at_the_start_has_its_kinetic_threshold) {
  const NonsmoothModel<> model = one_dof(1., 0., 0., sticky(3., 1.));
  for (const double sign : {1., -1.}) {
    const NonsmoothState state = model.start(one(0.), one(2 * sign));
    BOOST_TEST(state.r[0] == -sign);
    BOOST_TEST((state.contacts[0] == (sign > 0 ? ContactState::slip_forward : ContactState::slip_back)));
  }
  // Torn loose at rest, too; what holds is left alone.
  BOOST_TEST(one_dof(1., 0., 0., sticky(3., 1.), 4.).at_rest().r[0] == -1.);
  BOOST_TEST(std::abs(one_dof(1., 0., 0., sticky(3., 1.), 2.).at_rest().r[0] + 2.) < 1e-14);
}

using HeldMethods = boost::mpl::list<Jean, Alpha, Euler, RungeKutta>;
BOOST_AUTO_TEST_CASE_TEMPLATE(friction_on_a_held_dof_slips_by_its_kinetic_threshold_at_once, Method,
                              HeldMethods) {
  // Drawn along from 0.1 s on, beside a mass.
  const auto drawn = [](double t) { return Vector(one(t < 0.1 ? 0. : t - 0.1)); };
  const auto speed = [](double t) { return Vector(one(t < 0.1 ? 0. : 1.)); };
  const NonsmoothModel<> model(masses(MultiVector::Identity(2, 2)), {inclusion("pad", sticky(3., 1.), on(0))},
                               {}, {0}, drawn, speed);
  NonsmoothState state = model.at_rest();
  std::size_t n_slipping = 0;
  verified_run(Method(model.inclusions, model.outcome, 0.01), state, 0.2, [&](const auto& now) {
    if (now.time() < 0.095) BOOST_TEST(now.state().r[0] == 0.);
    if (now.time() < 0.105) return;
    BOOST_TEST(now.state().r[0] == -1.);
    ++n_slipping;
  });
  BOOST_TEST(n_slipping >= 9u);
}

BOOST_AUTO_TEST_CASE(friction_on_what_leaves_rest_smoothly_has_its_reaction_from_there) {
  // Displacements so near their rest at the beginning that rounding hides it.
  struct Leaving {
    double from;
    std::function<double(double)> motion;
  };
  for (const Leaving& leaving :
       {Leaving{0., [](double t) { return 1 + std::pow(t, 6); }},
        Leaving{1., [](double t) { return 5 + (t < 1 ? 0. : std::pow(t - 1, 3)); }}}) {
    DenseSystem system = empty_system(2);
    system.M.setIdentity();
    system.K(0, 0) = 30;
    const NonsmoothModel<> model(
        system, {inclusion("pad", friction(-1., 2.), on(1))}, {}, {1},
        [=](double t) { return Vector(one(leaving.motion(t))); }, [](double) { return Vector(one(0.)); });
    NonsmoothState state = model.start(vector_of({1., leaving.motion(0.)}), Vector::Zero(2));
    Trajectory trajectory;
    EventDriven<EigenEngine>(model.inclusions, model.outcome).run(state, 2., std::ref(trajectory));
    // What moves by less than rounding has any reaction: for a millisecond at most.
    BOOST_TEST(std::abs(state.impulse[0] + 2. - leaving.from) < 1e-3);
    BOOST_TEST(trajectory.events.size() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_mass_at_the_speed_of_its_belt_sticks_whatever_rounding_says) {
  // The belt starts at 0.3 with no acceleration: friction holds the load of 4 up to 5.
  const auto belt = ScalarFunction::expression("0.3*t + 0.1*sin(7*t) - 0.7*t");
  const NonsmoothModel<> model = one_dof(1., 0., 0., sticky(5., 3., belt), 4.);
  const double speed = belt.derivative(0.);
  for (const double v : {speed, std::nextafter(speed, 1.), std::nextafter(speed, 0.)}) {
    NonsmoothState state = model.start(one(0.), one(v));
    BOOST_TEST(std::abs(state.r[0] + 4) < 1e-6);
    BOOST_TEST((state.contacts[0] == ContactState::stick));
    verified_run(Jean(model.inclusions, model.outcome, 1e-3), state, 0.01);
    BOOST_TEST((state.contacts[0] == ContactState::stick));
    BOOST_TEST(std::abs(state.r[0] + 4 + 4.9 * std::sin(7 * 0.0095)) < 1e-4);
  }
}

BOOST_AUTO_TEST_CASE(starts_of_microseconds_are_as_those_of_seconds) {
  // A mass of 1e-6 on a belt that shakes with 1e6 rad/s: r = m h''.
  const ScalarFunction shaken([](double t) { return 1e-6 * std::sin(1e6 * t + 1); },
                              [](double t) { return std::cos(1e6 * t + 1); });
  const NonsmoothState carried =
      one_dof(1e-6, 0., 0., friction(-9., 9., shaken)).start(one(0.), one(std::cos(1.)));
  BOOST_TEST(std::abs(carried.r[0] + std::sin(1.)) < 1e-6);
  // Torn loose by 1e9 of acceleration: still at rest, with all of the friction there.
  const auto weakening = std::make_shared<const WeakeningFriction>(FrictionCurve::exponential(1., 0.5, 1e-3));
  BOOST_TEST(std::abs(one_dof(1e-9, 0., 0., weakening, 2.).at_rest().r[0] + 1) < 1e-5);
}

BOOST_AUTO_TEST_CASE(a_contact_that_slides_at_the_start_pushes_and_brakes) {
  const MultiVector two = 2 * MultiVector::Identity(2, 2);
  const NonsmoothModel<> plane = sole(masses(two), 0.3, vector_of({-20., 1.}));
  const NonsmoothState sliding = plane.start(Vector::Zero(2), vector_of({0., 2.}));
  BOOST_TEST((sliding.r - vector_of({20., -6.})).norm() < 1e-11);
  BOOST_TEST((sliding.contacts[0] == ContactState::slip_forward));
  const NonsmoothModel<> space =
      sole(masses(2 * MultiVector::Identity(3, 3)), 0.3, vector_of({-20., 1., 0.}));
  BOOST_TEST((space.start(Vector::Zero(3), vector_of({0., 3., 4.})).r - vector_of({20., -3.6, -4.8})).norm() <
             1e-11);
  // About to hit, or leaving: no reaction.
  BOOST_TEST(plane.start(Vector::Zero(2), vector_of({-1., 2.})).r.isZero(0.));
  BOOST_TEST(plane.start(Vector::Zero(2), vector_of({1., 2.})).r.isZero(0.));
  // Masses that are coupled without symmetry: M_nt a_t = f_n + r_n, M_tt a_t = f_t - mu r_n.
  MultiVector M(2, 2);
  M << 2, 0.5, -0.3, 1;
  const double normal = (0.5 * 3 + 20) / (1 + 0.3 * 0.5);
  const NonsmoothModel<> coupled = sole(masses(M), 0.3, vector_of({-20., 3.}));
  BOOST_TEST((coupled.start(Vector::Zero(2), vector_of({0., 2.})).r - normal * vector_of({1., -0.3})).norm() <
             1e-11);
}

BOOST_AUTO_TEST_CASE(explicit_methods_keep_their_order_where_friction_falls_with_the_rate) {
  // v' = -exp(-v): exp(v) = exp(v_0) - t.
  const NonsmoothModel<> model =
      one_dof(1., 0., 0., std::make_shared<const WeakeningFriction>(FrictionCurve::exponential(1., 0., 1.)));
  const auto error_of = [&](auto method) {
    return [&model, method](double step) {
      NonsmoothState state = model.start(one(0.), one(1.));
      verified_run(method(step), state, 1.);
      return std::abs(state.y[1] - std::log(std::exp(1.) - 1));
    };
  };
  const auto euler = error_of([&](double step) { return Euler(model.inclusions, model.outcome, step); });
  const auto runge_kutta =
      error_of([&](double step) { return RungeKutta(model.inclusions, model.outcome, step); });
  BOOST_TEST(std::abs(observed_order(euler, 0.01) - 1) < 0.05);
  BOOST_TEST(std::abs(observed_order(runge_kutta, 0.1) - 4) < 0.3);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(thresholds_that_change_with_time_keep_second_order, Method, VelocityLevel) {
  // v' = -(1/2 + t).
  const NonsmoothModel<> model =
      one_dof(1., 0., 0., friction([](double t) { return -0.5 - t; }, [](double t) { return 0.5 + t; }));
  const auto error = [&](double step) {
    NonsmoothState state = model.start(one(0.), one(3.));
    Method method(model.inclusions, model.outcome, step);
    Verification<EigenEngine> check(model.inclusions, model.outcome, {method.end_weight()});
    verified_run(method, state, 1., std::ref(check));
    for (const Check kept : {Check::reaction, Check::law, Check::variational})
      BOOST_TEST(check.report()[kept].value < 1e-12, name_of(kept));
    return (state.y - vector_of({3 - 1. / 4 - 1. / 6, 2.})).norm();
  };
  BOOST_TEST(std::abs(observed_order(error, 0.02) - 2) < 0.15);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_contact_that_nothing_moves_may_touch_to_rounding, Method, HeldMethods) {
  // Both ends move alike, but for rounding; then one moves into the other.
  for (const double ahead : {0., -1e-6}) {
    const NonsmoothModel<> model(
        masses(MultiVector::Identity(3, 3)), {inclusion("seam", contact(), Direction({{0, 1.}, {1, -1.}}))},
        {}, {0, 1},
        [ahead](double t) {
          return Vector(vector_of({0.3 * (1 + t) + ahead * t, 0.1 * (1 + t) + 0.2 * (1 + t)}));
        },
        [ahead](double) {
          return Vector(vector_of({0.3 + ahead, 0.1 + 0.2}));
        });
    NonsmoothState state = model.at_rest();
    BOOST_TEST(state.g[0] < 0);
    Method method(model.inclusions, model.outcome, 0.1);
    if (ahead == 0)
      BOOST_CHECK_NO_THROW(method.run(state, 1.));
    else
      BOOST_CHECK_EXCEPTION(method.run(state, 1.), InvalidInput, [](const auto& error) {
        return std::string(error.what()).find("\"seam\" cannot move any") != std::string::npos;
      });
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_obstacle_that_strikes_a_closed_contact_is_an_impact, Method, VelocityLevel) {
  const double e = 0.5, step = 0.01;
  const NonsmoothModel<> model =
      one_dof(2., 0., 0., contact(ScalarFunction::table({0., 0.5, 2.}, {0., 0., 1.5}), e), -8.);
  NonsmoothState state = model.at_rest();
  Trajectory trajectory;
  verified_run(Method(model.inclusions, model.outcome, step), state, 0.6, std::ref(trajectory));
  const std::vector<ContactEvent> impacts = impacts_of(trajectory.events);
  BOOST_REQUIRE(impacts.size() == 1u);
  BOOST_TEST(impacts[0].begin == 0.5);
  BOOST_TEST((impacts[0].before == ContactState::closed));
  BOOST_TEST(std::abs(impacts[0].w_before[0] + 1) < 1e-9);
  BOOST_TEST(std::abs(impacts[0].w_after[0] - e) < 1e-9);
  // The weight of the step is in it.
  BOOST_TEST(std::abs(impacts[0].impulse[0] - 2 * (1 + e) - 8 * step) < 1e-9);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_rests_on_an_obstacle_that_moves_smoothly_is_not_struck, Method,
                              VelocityLevel) {
  const NonsmoothModel<> model =
      one_dof(2., 0., 0., contact(ScalarFunction::expression("0.01*sin(3*t)"), 0.5), -8.);
  NonsmoothState state = model.start(one(0.), one(0.03));
  Trajectory trajectory;
  verified_run(Method(model.inclusions, model.outcome, 0.01), state, 2., std::ref(trajectory));
  for (const ContactEvent& event : impacts_of(trajectory.events))
    BOOST_TEST((event.before == ContactState::open));
  BOOST_TEST(state.g[0] < 1e-3);
}

BOOST_AUTO_TEST_CASE(the_momentum_of_generalized_alpha_balances_by_the_means_of_both_ends) {
  // Viscous friction that slips, a massless contact that touches.
  DenseSystem system = empty_system(3);
  system.M(0, 0) = 1;
  connect(system.K, 0, 1, 20.);
  connect(system.C, 0, 2, 3.);
  system.K(0, 0) += 5;
  system.K(2, 2) = 4;
  const NonsmoothModel<> model(
      system, {inclusion("wall", contact(), on(1)), inclusion("pad", friction(-0.2, 0.2), on(2))},
      [](double t) {
        return Vector(vector_of({-3. + 0.5 * std::sin(t), -1., 10. * t}));
      });
  const auto residual = [&](double step, double weight) {
    NonsmoothState state = model.start(Vector::Zero(3), vector_of({0., 0., 1.}));
    Alpha alpha(model.inclusions, model.outcome, step);
    Verification<EigenEngine> check(model.inclusions, model.outcome, {weight});
    verified_run(alpha, state, 0.4, std::ref(check));
    return check.report()[Check::balance].value;
  };
  const double weight = Alpha(model.inclusions, model.outcome, 1.).end_weight();
  const double coarse = residual(2e-3, weight), fine = residual(1e-3, weight);
  BOOST_TEST(fine < 0.1 * residual(1e-3, 1 / 1.8), fine << " of " << residual(1e-3, 1 / 1.8));
  BOOST_TEST(fine < 0.55 * coarse, fine << " of " << coarse);
}

BOOST_AUTO_TEST_SUITE_END()
