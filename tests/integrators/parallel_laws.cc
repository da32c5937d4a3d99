// SPDX-License-Identifier: LGPL-2.1-or-later
// A contact and friction on one mass, whose reactions are not determined alone while both hold it.
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>

#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Events = EventDriven<EigenEngine>;
using Friction = std::shared_ptr<const Law>;

/// A mass of 1 under -10 cos(t), above a floor at -0.1.
NonsmoothModel<> over_a_floor(Friction friction, double restitution) {
  DenseSystem system = empty_system(1);
  system.M(0, 0) = 1;
  return NonsmoothModel<>(
      system, {inclusion("wall", contact(-0.1, restitution), on(0)), inclusion("pad", friction, on(0))},
      [](double t) { return one(-10 * std::cos(t)); });
}

/// Where friction of a constant threshold holds the mass on the floor beside the contact, until the load has
/// reached the static threshold.
double place_after(double time, double at_rest, double kinetic) {
  const double leaves = std::acos(-at_rest / 10), later = time - leaves;
  return -0.1 + 10 * (std::cos(time) - std::cos(leaves)) + 10 * std::sin(leaves) * later -
         kinetic * later * later / 2;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(parallel_laws)

BOOST_AUTO_TEST_CASE(friction_beside_a_contact_keeps_its_threshold_and_holds_the_mass_longer) {
  for (const double at_rest : {1., 5.})
    for (const double restitution : {0., 0.5}) {
      const double kinetic = at_rest / 2;
      const std::pair<Friction, double> frictions[] = {
          {std::make_shared<const StVenantElement>(at_rest), at_rest},
          {std::make_shared<const StaticKineticFriction>(at_rest, kinetic), kinetic}};
      for (const auto& [friction, sliding] : frictions) {
        BOOST_TEST_CONTEXT(friction->name() << ", " << at_rest << ", restitution " << restitution) {
          const NonsmoothModel<> model = over_a_floor(friction, restitution);
          NonsmoothState state = model.at_rest();
          verified_run(Events(model.inclusions, model.outcome), state, 2.5, [&](const auto& now) {
            BOOST_TEST(std::abs(now.state().r[1]) <= at_rest * (1 + 1e-9));
            BOOST_TEST(now.state().r[0] >= -1e-9);
          });
          BOOST_TEST(std::abs(model.displacement(state)[0] - place_after(2.5, at_rest, sliding)) < 1e-8);
        }
      }
    }
}

template <class Method>
double place_by(const NonsmoothModel<>& model, double step) {
  NonsmoothState state = model.at_rest();
  verified_run(with_step<Method>(model, step), state, 1.2);
  return model.displacement(state)[0];
}

BOOST_AUTO_TEST_CASE(a_contact_that_must_open_by_rounding_finds_reactions_beside_friction) {
  // The gap and the last rebound ask for a rate of nearly nothing, where friction would rest: its reaction
  // has to go to the opposite bound.
  for (const double at_rest : {0.5, 1., 5.})
    for (const double restitution : {0., 0.5}) {
      const Friction frictions[] = {
          std::make_shared<const StVenantElement>(at_rest),
          std::make_shared<const WeakeningFriction>(FrictionCurve::exponential(at_rest, at_rest / 2, 0.1))};
      for (const Friction& friction : frictions)
        BOOST_TEST_CONTEXT(friction->name() << ", " << at_rest << ", restitution " << restitution) {
          const NonsmoothModel<> model = over_a_floor(friction, restitution);
          for (const double step : {1e-3, 3e-4}) {
            BOOST_TEST(std::abs(place_by<MoreauJean<EigenEngine>>(model, step) + 0.1) < 2 * step);
            BOOST_TEST(std::abs(place_by<NonsmoothAlpha<EigenEngine>>(model, step) + 0.1) < 2 * step);
            if (restitution == 0)
              BOOST_TEST(std::abs(place_by<NonsmoothEuler<EigenEngine>>(model, step) + 0.1) < 1e-9);
          }
        }
    }
}

BOOST_AUTO_TEST_CASE(an_impact_is_no_error_of_the_friction_that_turns_with_it) {
  const NonsmoothModel<> model = over_a_floor(std::make_shared<const StVenantElement>(1.), 0.5);
  MoreauJean<EigenEngine> method(model.inclusions, model.outcome, 1e-3);
  Verification<EigenEngine> verification(method);
  NonsmoothState state = model.at_rest();
  method.run(state, 1.2, std::ref(verification));
  BOOST_TEST(verification.report().step_error.value < 0.01);
}

BOOST_AUTO_TEST_CASE(a_mass_that_friction_holds_at_its_obstacle_is_inside_by_rounding_alone) {
  DenseSystem system = empty_system(1);
  system.M(0, 0) = 1;
  system.K(0, 0) = 10;
  const auto friction = std::make_shared<const StaticKineticFriction>(5.5, 2.);
  const NonsmoothModel<> model(system,
                               {inclusion("wall", contact(0., 0.), on(0)), inclusion("pad", friction, on(0))},
                               [](double t) { return one(5 * std::sin(3 * t)); });
  NonsmoothState state = model.at_rest();
  verified_run(MoreauJean<EigenEngine>(model.inclusions, model.outcome, 1e-3), state, 3.);
  BOOST_TEST(std::abs(model.displacement(state)[0]) < 1e-15);
}

BOOST_AUTO_TEST_CASE(contacts_that_share_a_load_from_nothing_on_never_pull) {
  // Three feet hold a body without mass; the load and its moment begin at zero.
  DenseSystem system = empty_system(2);
  system.C.diagonal() << 0.5, 0.5;
  system.K.diagonal() << 2., 1.;
  std::vector<Inclusion> feet;
  for (const double x : {-1., 0., 1.})
    feet.push_back(inclusion("foot at " + std::to_string(x), contact(), Direction({{0, 1.}, {1, x}})));
  for (const double moment : {-2., -0.5, 0.5, 2.}) {
    const ScalarFunction down = ScalarFunction::table({0, 0.5, 4}, {0, -2, -1}),
                         turning = ScalarFunction::table({0, 2, 4}, {0, moment, 1.5 * moment});
    const NonsmoothModel<> model(system, feet, [=](double t) { return vector_of({down(t), turning(t)}); });
    NonsmoothState state = model.at_rest();
    verified_run(Events(model.inclusions, model.outcome), state, 4.,
                 [](const auto& now) { BOOST_TEST(now.state().r.minCoeff() >= -1e-12); });
  }
}

namespace {

/// Where a mass of 1 is under the load `rate t`, which friction holds up to a threshold, and brakes with a
/// smaller one from then on.
double place_under_growing_load(double rate, double at_rest, double sliding, double time) {
  const double begin = at_rest / rate;
  const auto position = [&](double t) { return rate * t * t * t / 6 - sliding * t * t / 2; };
  const double speed = rate * begin * begin / 2 - sliding * begin;
  return position(time) - position(begin) - speed * (time - begin);
}

/// By how much each method misses a place after some time [m], relative to the step of those that have one.
void check_place(const NonsmoothModel<>& model, double time, double place) {
  NonsmoothState state = model.at_rest();
  verified_run(Events(model.inclusions, model.outcome), state, time);
  // Friction gives way up to 1e-9 of its range before its bound.
  BOOST_TEST(std::abs(model.displacement(state)[0] - place) < 2e-8);
  const auto miss = [&](auto method, double step) {
    NonsmoothState stepped = model.at_rest();
    method.run(stepped, time);
    BOOST_TEST(std::abs(model.displacement(stepped)[0] - place) < 5 * step);
  };
  for (const double step : {1e-2, 1e-3}) {
    miss(with_step<MoreauJean<EigenEngine>>(model, step), step);
    miss(with_step<NonsmoothEuler<EigenEngine>>(model, step), step);
    miss(with_step<NonsmoothAlpha<EigenEngine>>(model, step), step);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(frictions_that_hold_one_mass_give_way_when_all_of_them_have_to) {
  // Neither a threshold that drops nor the order of the inclusions makes one of them give way before.
  DenseSystem system = empty_system(1);
  system.M(0, 0) = 1;
  for (const double dry : {0.5, 2., 7.})
    for (const double at_rest : {1.5, 4.})
      for (const double weight : {1., -2.})
        for (const bool is_first : {true, false}) {
          const double kinetic = at_rest / 3, rate = 5;
          std::vector<Inclusion> pads = {
              inclusion("dry", std::make_shared<const StVenantElement>(dry), on(0)),
              inclusion("static", std::make_shared<const StaticKineticFriction>(at_rest, kinetic),
                        on(0, weight))};
          if (is_first) std::swap(pads[0], pads[1]);
          const NonsmoothModel<> model(system, pads, [=](double t) { return one(rate * t); });
          const double scale = std::abs(weight), holds = dry + scale * at_rest;
          BOOST_TEST_CONTEXT(dry << ", " << at_rest << ", " << weight)
          check_place(model, holds / rate + 0.5,
                      place_under_growing_load(rate, holds, dry + scale * kinetic, holds / rate + 0.5));
        }
}

BOOST_AUTO_TEST_CASE(frictions_of_which_one_holds_to_one_side_alone_give_way_together) {
  DenseSystem system = empty_system(1);
  system.M(0, 0) = 1;
  const double rate = 5, holds = 3;
  for (const double sign : {1., -1.}) {
    const NonsmoothModel<> model(
        system,
        {inclusion("both sides", std::make_shared<const StVenantElement>(2.), on(0)),
         inclusion("one side", friction(sign > 0 ? -1. : 0., sign > 0 ? 0. : 1.), on(0))},
        [=](double t) { return one(sign * rate * t); });
    check_place(model, 1.2, sign * place_under_growing_load(rate, holds, holds, 1.2));
  }
}

BOOST_AUTO_TEST_CASE(friction_that_comes_to_rest_is_held_by_its_static_threshold) {
  DenseSystem system = empty_system(1);
  system.M(0, 0) = 1;
  for (const double load : {0.7, 1., 1.4, 2., 3.}) {
    const double at_rest = 1.5, kinetic = 0.5, braking = load + kinetic;
    const NonsmoothModel<> model(
        system, {inclusion("pad", std::make_shared<const StaticKineticFriction>(at_rest, kinetic), on(0))},
        [=](double) { return one(load); });
    for (const double speed : {0.9, 1., 1.1}) {
      const double stops = speed / braking, later = std::max(0., 1.5 - stops),
                   place = -speed * stops / 2 + (load > at_rest ? (load - kinetic) * later * later / 2 : 0.);
      const auto check = [&](auto method, double bound) {
        NonsmoothState state = model.start(Vector::Zero(1), one(-speed));
        method.run(state, 1.5);
        BOOST_TEST(std::abs(model.displacement(state)[0] - place) < bound);
      };
      BOOST_TEST_CONTEXT("load " << load << ", speed " << speed) {
        check(Events(model.inclusions, model.outcome), 1e-9);
        for (const double step : {1.1e-2, 1e-2, 1e-3, 0.9e-3, 0.7e-3}) {
          check(with_step<MoreauJean<EigenEngine>>(model, step), 8 * step);
          check(with_step<NonsmoothEuler<EigenEngine>>(model, step), 8 * step);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(reactions_that_laws_share_stay_in_their_sets_behind_kinks_of_supports) {
  DenseSystem system = empty_system(1);
  system.C(0, 0) = 2;
  system.K(0, 0) = 4;
  const ScalarFunction load =
      ScalarFunction::table({0, 0.375, 0.75, 1.25, 1.5, 9}, {0, 6.75, 5.875, -0.5, -1.875, -1.875});
  const auto support = [](std::vector<double> times, std::vector<double> values) {
    return ScalarFunction::table(times, values);
  };
  const NonsmoothModel<> model(
      system,
      {inclusion("stop", contact(support({0, 1.125, 2.625}, {-0.5, -0.375, -0.125})), on(0, 2)),
       inclusion("pad",
                 std::make_shared<const StVenantElement>(
                     0.5, support({0, 0.375, 2.125, 2.625}, {0, -0.25, 0.25, -0.125})),
                 on(0, 2)),
       inclusion("belt",
                 friction(-2., 0.5, support({0, 0.875, 1, 1.875, 2.5}, {0, -0.375, -0.25, -0.375, -0.25})),
                 on(0))},
      [=](double t) { return one(load(t)); });
  NonsmoothState state = model.at_rest();
  verified_run(Events(model.inclusions, model.outcome), state, 3.,
               [](const auto& now) { BOOST_TEST(std::abs(now.state().r[1]) <= 0.5 * (1 + 1e-12)); });
}

BOOST_AUTO_TEST_CASE(dry_friction_beside_a_tangent_of_coulomb_friction_shares_its_load) {
  // The normal reaction of 2 is determined, so that the motion is.
  DenseSystem system = empty_system(2);
  system.M.diagonal() << 1, 1;
  const double mu = 0.5, dry = 1.5, rate = 3, holds = 2 * mu + dry;
  const NonsmoothModel<> model(
      system,
      {Inclusion{"floor", std::make_shared<const CoulombFriction>(1, mu, 0., 0.), {on(1), on(0)}},
       inclusion("pad", std::make_shared<const StVenantElement>(dry), on(0))},
      [=](double t) {
        return vector_of({rate * t, -2.});
      });
  check_place(model, 1.5, place_under_growing_load(rate, holds, holds, 1.5));
  const std::vector<std::string>& notes = model.outcome.notes;
  BOOST_TEST(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("The motion depends only on these combinations") != std::string::npos;
  }));
}

BOOST_AUTO_TEST_CASE(frictions_of_opposite_directions_stop_a_mass_together) {
  // Released with the rate 1 from a spring of 1, the mass stops at sqrt(1.0625) - 0.25, where both hold it.
  DenseSystem system = empty_system(1);
  system.M(0, 0) = system.K(0, 0) = 1;
  const NonsmoothModel<> model(
      system, {inclusion("static", std::make_shared<const StaticKineticFriction>(0.5, 0.), on(0, 2)),
               inclusion("dry", std::make_shared<const StVenantElement>(0.25), on(0, -1))});
  const double place = std::sqrt(1.0625) - 0.25;
  const auto check = [&](auto method, double bound) {
    NonsmoothState state = model.start(Vector::Zero(1), one(1));
    method.run(state, 3.);
    BOOST_TEST(std::abs(model.displacement(state)[0] - place) < bound);
  };
  check(Events(model.inclusions, model.outcome), 1e-9);
  for (const double step : {1. / 512, 1. / 1777, 1. / 4096, 1. / 8192}) {
    check(with_step<MoreauJean<EigenEngine>>(model, step), 2 * step);
    check(with_step<NonsmoothEuler<EigenEngine>>(model, step), 2 * step);
    check(with_step<NonsmoothAlpha<EigenEngine>>(model, step), 2 * step);
  }
}

BOOST_AUTO_TEST_SUITE_END()
