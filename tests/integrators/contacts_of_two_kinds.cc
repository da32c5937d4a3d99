// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"
#include <cmath>
#include <memory>

/// Contacts with friction whose gap and whose tangents DoFs of different kinds decide: a block on a bed of
/// springs, whose accuracy is the step's, 1e-3 of a motion of size one.

using namespace halfdof;
using namespace halfdof::test;

namespace {

constexpr double mass = 2, weight = 10, mu = 0.3;

using Methods =
    boost::mpl::list<NonsmoothEuler<EigenEngine>, MoreauJean<EigenEngine>, NonsmoothAlpha<EigenEngine>>;

/// DoFs 0 ... n_tangents - 1 slide, the last one is pressed down.
NonsmoothModel<> block(Index n_tangents, double damping, const ScalarFunction& pull) {
  DenseSystem system = empty_system(n_tangents + 1);
  std::vector<Direction> directions = {on(n_tangents)};
  for (Index i = 0; i < n_tangents; ++i) {
    system.M(i, i) = mass;
    directions.push_back(on(i));
  }
  system.C(n_tangents, n_tangents) = damping;
  system.K(n_tangents, n_tangents) = 50;
  return NonsmoothModel<>(
      system, {Inclusion{"bed", std::make_shared<const CoulombFriction>(n_tangents, mu), directions}},
      [n_tangents, pull](double t) {
        Vector f = Vector::Zero(n_tangents + 1);
        f[0] = pull(t);
        f[n_tangents] = -weight;
        return f;
      });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(contacts_of_two_kinds)

BOOST_AUTO_TEST_CASE_TEMPLATE(a_block_begins_to_slide, Method, Methods) {
  for (const double damping : {0., 0.4}) {
    const NonsmoothModel<> model = block(1, damping, [](double t) { return 5 * t; });
    NonsmoothState state = model.at_rest();
    BOOST_TEST(state.r[0] == weight, boost::test_tools::tolerance(1e-12));
    BOOST_TEST((state.contacts[0] == ContactState::stick));
    verified_run(with_step<Method>(model, 1e-3), state, 0.6 - 1e-9);
    BOOST_TEST(model.displacement(state).norm() < 1e-12);
    verified_run(with_step<Method>(model, 1e-3), state, 1.2);
    BOOST_TEST(state.r[1] == -mu * weight, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(std::abs(model.displacement(state)[0] - 5 / (6 * mass) * std::pow(0.6, 3)) < 1e-3);
    BOOST_TEST(std::abs(model.displacement(state)[1]) < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_block_slides_until_it_stops, Method, Methods) {
  const double deceleration = mu * weight / mass;
  for (const Index n_tangents : {1, 2}) {
    const NonsmoothModel<> model = block(n_tangents, 0., 0.);
    const Vector along = n_tangents == 1 ? vector_of({1., 0.}) : vector_of({0.6, -0.8, 0.});
    NonsmoothState state = model.start(Vector::Zero(n_tangents + 1), 2 * along);
    BOOST_TEST(state.r[0] == weight, boost::test_tools::tolerance(1e-12));
    BOOST_TEST((state.r.tail(n_tangents) + mu * weight * along.head(n_tangents)).norm() < 1e-9);
    verified_run(with_step<Method>(model, 1e-3), state, 2.);
    BOOST_TEST((model.displacement(state) - 0.5 * 4 / deceleration * along).norm() < 3e-3);
    BOOST_TEST((state.contacts[0] == ContactState::stick));
    BOOST_TEST(state.r.tail(n_tangents).norm() < 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(a_sliding_block_on_dampers_is_pushed_where_its_gap_is_closed) {
  const NonsmoothModel<> model = block(1, 0.4, 0.);
  const NonsmoothState closed = model.start(vector_of({0., 0.}), vector_of({2., 0.})),
                       open = model.start(vector_of({0., 0.1}), vector_of({2., 0.}));
  BOOST_TEST(closed.r[0] == weight, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(closed.r[1] == -mu * weight, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(open.r.norm() == 0.);
  BOOST_TEST((open.contacts[0] == ContactState::open));
}

BOOST_AUTO_TEST_CASE(a_mass_above_a_massless_carriage_is_not_pushed_before_it_touches) {
  // DoF 0 falls and has the mass; DoF 1 slides without.
  DenseSystem system = empty_system(2);
  system.M(0, 0) = mass;
  system.K(1, 1) = 50;
  const NonsmoothModel<> model(
      system, {Inclusion{"floor", std::make_shared<const CoulombFriction>(1, mu, 0., 0.), {on(0), on(1)}}},
      [](double) {
        return vector_of({-weight, 1.});
      });
  const auto started = [&](double height, double speed) {
    return model.start(vector_of({height, 0.02}), vector_of({speed, 0.}));
  };
  BOOST_TEST(started(1., 0.).r.norm() == 0.);
  BOOST_TEST(started(0., 1.).r.norm() == 0.);
  BOOST_TEST(started(0., -1.).r.norm() == 0.);
  BOOST_TEST(started(0., 0.).r[0] == weight, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(friction_without_mass_below_a_mass_dissipates_by_its_mean_rate, Method,
                              Methods) {
  // The normal stops DoF 0, the tangent is on DoF 1, whose rate jumps where the load turns.
  DenseSystem system = empty_system(2);
  system.M(0, 0) = mass;
  system.K.diagonal() << 4., 50.;
  const NonsmoothModel<> model(
      system, {Inclusion{"floor", std::make_shared<const CoulombFriction>(1, mu, 0., 0.), {on(0), on(1)}}},
      [](double t) {
        return vector_of({-weight - 2 * t, 9 * (0.5 - std::abs(std::fmod(t, 1.) - 0.5))});
      });
  NonsmoothState state = model.at_rest();
  verified_run(with_step<Method>(model, 1e-3), state, 2.);
  BOOST_TEST(state.dissipated > 0.);
}

BOOST_AUTO_TEST_CASE(friction_works_on_the_slip_where_its_support_has_a_kink_within_a_step) {
  // The normal meets a mass that rests, the tangent a damper that a table drags along and back.
  for (const double damping : {0., 1.}) {
    DenseSystem system = empty_system(2);
    system.M.diagonal() << 1 - damping, 2;
    system.C(0, 0) = damping;
    system.K(0, 0) = 4;
    const auto law = std::make_shared<const CoulombFriction>(
        0.5, 0., std::vector<ScalarFunction>{ScalarFunction::table({0, 0.3333, 1}, {0, 0.4, -0.2})}, 0.);
    const NonsmoothModel<> model(system, {Inclusion{"foot", law, {on(1), on(0)}}}, [](double) {
      return vector_of({0., -3.});
    });
    for (const double step : {4e-3, 1e-3}) {
      NonsmoothState state = model.at_rest();
      verified_run(MoreauJean<EigenEngine>(model.inclusions, model.outcome, step), state, 1.);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
