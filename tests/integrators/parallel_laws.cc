// A contact and friction on one mass, whose reactions are not determined alone while both hold it.
#include <halfdof/inclusions/st_venant.h>
#include <halfdof/inclusions/static_kinetic_friction.h>
#include <halfdof/inclusions/weakening_friction.h>
#include <halfdof/integrators/event_driven.h>
#include <halfdof/integrators/moreau_jean.h>
#include <halfdof/integrators/nonsmooth_alpha.h>
#include <halfdof/integrators/nonsmooth_euler.h>

#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"
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

BOOST_AUTO_TEST_SUITE_END()
