// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/base/errors.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/verification/verification.h>

#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// The bouncing bar (see BouncingBar) with a consistent mass, its lower end massless.
struct MasslessBar {
  Index n_elements = 40;
  double damper = 0;                    ///< between the lower end and the ground
  std::vector<Index> constrained = {};  ///< held DoFs
  double floor = -5;

  DenseSystem system() const {
    const double length = 10. / n_elements;
    DenseSystem bar = empty_system(n_elements + 1);
    DoFLabels labels;
    labels.dimension = 1;
    for (Index i = 0; i < n_elements; ++i) {
      connect(bar.K, i, i + 1, 900 / length);
      bar.M.block<2, 2>(i, i) += length / 6 * MultiVector{{2., 1.}, {1., 2.}};
    }
    for (Index i = 0; i <= n_elements; ++i)
      labels.point.push_back({i * length, 0., 0.});
    bar.C(0, 0) = damper;
    SystemDescription<EigenEngine> description;
    description.mass = matrix_of<EigenEngine>(bar.M);
    description.stiffness = matrix_of<EigenEngine>(bar.K);
    description.labels = labels;
    description.constrained = constrained;
    bar.M = EigenEngine::to_dense(*with_massless_contact(description, contacts()).mass);
    return bar;
  }
  /// The lower end, and what is held.
  std::vector<GlobalIndex> contacts() const {
    std::vector<GlobalIndex> all = {0};
    all.insert(all.end(), constrained.begin(), constrained.end());
    return all;
  }
  NonsmoothModel<> model(std::optional<double> e = std::nullopt) const {
    std::vector<Inclusion> all = {inclusion("floor", contact(floor, e), on(0))};
    for (const Index i : constrained)
      if (i > 0) all.push_back(inclusion("held " + std::to_string(i), contact(-0.1), on(i)));
    return NonsmoothModel<>(system(), all, {}, constrained);
  }
  NonsmoothState start(const NonsmoothModel<>& model) const {
    Vector rate = Vector::Constant(n_elements + 1, -10.);
    for (const Index i : constrained)
      rate[i] = 0;
    return model.start(Vector::Zero(n_elements + 1), rate);
  }
};

/// Largest change of the energy until the end of the contact and after it, relative to the energy.
template <class Integrator, class... Options>
double energy_drift(const NonsmoothModel<>& model, NonsmoothState state, double step, Options... options) {
  const auto energy = [&](const NonsmoothState& at) {
    return energy_of(model.system, model.inclusions.lift(at, at.r));
  };
  const double before = energy(state);
  double drift = 0;
  verified_run(Integrator(model.inclusions, model.outcome, step, options...), state, 1.5,
               [&](const auto& now) { drift = std::max(drift, std::abs(energy(now.state()) / before - 1)); });
  return drift;
}

/// Implicit, explicit and event-driven methods. The explicit step resolves the end's 0.14 ms where it is
/// damped.
std::vector<std::shared_ptr<NonsmoothIntegrator<EigenEngine>>> all_methods(const NonsmoothModel<>& model) {
  const auto& inclusions = model.inclusions;
  const InclusionOutcome& outcome = model.outcome;
  return {std::make_shared<EventDriven<EigenEngine>>(inclusions, outcome),
          std::make_shared<MoreauJean<EigenEngine>>(inclusions, outcome, 1e-3),
          std::make_shared<NonsmoothAlpha<EigenEngine>>(inclusions, outcome, 1e-3),
          std::make_shared<NonsmoothEuler<EigenEngine>>(inclusions, outcome, 1e-4),
          std::make_shared<SetValuedRungeKutta<EigenEngine>>(inclusions, outcome, 1e-4)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(massless_contact_layer)

BOOST_AUTO_TEST_CASE(contact_on_it_is_a_lipschitz_law) {
  const NonsmoothModel<> model = MasslessBar().model();
  const DirectionOutcome& floor = model.outcome.directions.front();
  BOOST_TEST((floor.reduced_law() == ReducedLaw::lipschitz_contact));
  BOOST_TEST(floor.reduced_laws.size() == 1u);
  BOOST_TEST(floor.W == 10. / 40 / 900, boost::test_tools::tolerance(1e-12));
  BOOST_TEST((model.outcome.statement.result == WellPosedness::unique));
  BOOST_TEST(model.outcome.n_states == 80);
}

BOOST_AUTO_TEST_CASE(restitution_has_no_meaning_on_it) {
  BOOST_CHECK_THROW(MasslessBar().model(0.5), InvalidInput);
}

BOOST_AUTO_TEST_CASE(energy_is_conserved_without_impacts_by_implicit_and_explicit_methods) {
  const MasslessBar bar;
  const NonsmoothModel<> model = bar.model();
  const double step = 1e-3;
  // Second order where the contact opens and closes, and the touch is a kink of the force: O(h^2) each.
  BOOST_TEST((energy_drift<MoreauJean<EigenEngine>>(model, bar.start(model), step)) < 2e-3);
  BOOST_TEST((energy_drift<NonsmoothAlpha<EigenEngine>>(model, bar.start(model), step,
                                                        NonsmoothAlphaOptions{1.})) < 2e-3);
  BOOST_TEST((energy_drift<SetValuedRungeKutta<EigenEngine>>(model, bar.start(model), step)) < 1e-4);
}

BOOST_AUTO_TEST_CASE(no_velocity_jumps_and_the_laws_hold) {
  const MasslessBar bar;
  const NonsmoothModel<> model = bar.model();
  NonsmoothState state = bar.start(model);
  MoreauJean<EigenEngine> integrator(model.inclusions, model.outcome, 1e-3);
  Verification<EigenEngine> check(integrator);
  verified_run(integrator, state, 1.5, [&](const auto& now) {
    check(now);
    for (const ContactEvent& event : now.events())
      BOOST_TEST(event.impulse.isZero(0));
  });
  const VerificationReport report = check.report();
  for (const Check kind : {Check::balance, Check::gap, Check::reaction, Check::law, Check::complementarity})
    BOOST_TEST(report[kind].value < 1e-9, name_of(kind));
  // All of the momentum 100 comes back.
  BOOST_TEST(state.impulse[0] == 200., boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(the_instants_of_contact_are_those_of_the_elastic_bar) {
  const MasslessBar bar;
  const NonsmoothModel<> model = bar.model();
  NonsmoothState state = bar.start(model);
  std::vector<ContactEvent> events;
  verified_run(EventDriven<EigenEngine>(model.inclusions, model.outcome), state, 1.5, [&](const auto& now) {
    events.insert(events.end(), now.events().begin(), now.events().end());
  });
  BOOST_TEST_REQUIRE(events.size() >= 2u);
  BOOST_TEST(events.front().begin == 0.5, boost::test_tools::tolerance(1e-9));
  // Two travels of the wave, up to an element.
  BOOST_TEST(std::abs(events.back().begin - 0.5 - 2. / 3) < 10. / 40 / 30);
  for (const ContactEvent& event : events)
    BOOST_TEST(event.impulse.isZero(0));
}

BOOST_AUTO_TEST_CASE(with_a_damper_on_the_boundary_it_is_of_first_order) {
  MasslessBar bar;
  bar.damper = 0.5;
  const NonsmoothModel<> model = bar.model();
  BOOST_TEST((model.outcome.directions.front().reduced_law() == ReducedLaw::sweeping_process));
  BOOST_TEST(model.outcome.n_states == 81);
  // Waves of a bar with the impedance z = 30: its end slows from 10 to 10/(1 + d/z), less by v = 0.164, and
  // touches after 5 m at t_1 = 0.508. The floor pushes with 10 z; from 2/3, when the wave is back that the
  // damper sent, with (10 - 2 v) z; until t_1 + 2/3.
  const double z = 30, v = 10 - 10 / (1 + bar.damper / z), t_1 = 5 / (10 - v);
  for (const auto& method : all_methods(model)) {
    BOOST_TEST_CONTEXT(method->name()) {
      NonsmoothState state = bar.start(model);
      double lowest = 0;
      verified_run(*method, state, 1.5,
                   [&](const auto& now) { lowest = std::min(lowest, now.state().g[0]); });
      BOOST_TEST(lowest > -1e-9);
      BOOST_TEST(state.impulse[0] == 10 * z * (2. / 3 - t_1) + (10 - 2 * v) * z * t_1,
                 boost::test_tools::tolerance(0.01));
      BOOST_TEST((state.contacts[0] == ContactState::open));
    }
  }
}

BOOST_AUTO_TEST_CASE(constraints_elsewhere_and_on_the_contact_are_allowed) {
  // Held at its upper end, which is one of the contact nodes: no mass is taken there, and its contact stays
  // open. The lower end strikes a floor that is nearer than the bar stretches, with or without a damper.
  MasslessBar bar;
  bar.constrained = {bar.n_elements};
  bar.floor = -1;
  for (const double damper : {0., 0.5}) {
    bar.damper = damper;
    const NonsmoothModel<> model = bar.model();
    BOOST_TEST((model.outcome.directions[0].reduced_law() ==
                (damper > 0 ? ReducedLaw::sweeping_process : ReducedLaw::lipschitz_contact)));
    BOOST_TEST((model.outcome.directions[1].reduced_law() == ReducedLaw::prescribed_gap));
    Vector impulse, displacement;
    for (const auto& method : all_methods(model)) {
      BOOST_TEST_CONTEXT(method->name() << ", damper " << damper) {
        NonsmoothState state = bar.start(model);
        verified_run(*method, state, 0.5);
        BOOST_TEST(state.g.minCoeff() > -1e-9);
        BOOST_TEST(state.r[1] == 0.);
        BOOST_TEST((state.contacts[1] == ContactState::open));
        if (impulse.size() == 0) {  // event-driven
          impulse = state.impulse;
          displacement = model.displacement(state);
          BOOST_TEST(impulse[0] > 50);
        }
        // Implicit Euler dissipates; the others err by the square of their step, times that of the
        // frequency.
        const double allowed = method->name() == "implicit Euler" ? 0.02 : 0.003;
        BOOST_TEST((state.impulse - impulse).norm() < allowed * impulse.norm());
        BOOST_TEST((model.displacement(state) - displacement).norm() < allowed * displacement.norm());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_contact_node_that_is_held_keeps_its_mass_and_its_gap) {
  MasslessBar bar;
  bar.constrained = {0};
  const NonsmoothModel<> model = bar.model();
  BOOST_TEST((model.outcome.directions.front().reduced_law() == ReducedLaw::prescribed_gap));
  for (const auto& method : all_methods(model)) {
    BOOST_TEST_CONTEXT(method->name()) {
      NonsmoothState state = bar.start(model);
      verified_run(*method, state, 0.2);
      BOOST_TEST(state.r[0] == 0.);
      BOOST_TEST(state.g[0] == 5.);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
