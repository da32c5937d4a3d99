// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/integrators/verification/verification.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "exact_solution.h"
#include "random_systems.h"

namespace {

using namespace halfdof;
using namespace halfdof::test;

Inclusion rubbing(const std::string& name, GlobalIndex dof) {
  return inclusion(name, std::make_shared<const DryFriction>(-0.3, 0.2), Direction({{dof, 1.}}));
}

/// A contact with mass.
Inclusion wall(double e) {
  return inclusion("wall", std::make_shared<const UnilateralContact>(-0.05, e), Direction({{3, 1.}}));
}

/// A contact without mass.
Inclusion stop() {
  return inclusion("stop", std::make_shared<const UnilateralContact>(-0.5), Direction({{3, 0.5}, {2, -1.}}));
}

/// Friction on a mass, on a dashpot and on a massless joint, a contact with mass and one without.
std::vector<Inclusion> one_in_each_cell() {
  return {rubbing("mass", 1), rubbing("dashpot", 0), rubbing("joint", 2), wall(0.), stop()};
}

/// The same but for the friction on the joint, which shares it with the contact without mass.
std::vector<Inclusion> each_decided_by_one_kind(double e) {
  return {rubbing("mass", 1), rubbing("dashpot", 0), wall(e), stop()};
}

/// What a method with steps of 0.01 s is made by, on either engine.
template <template <class> class Method>
struct FixedStep {
  template <class Engine>
  static Method<Engine> make(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) {
    return Method<Engine>(inclusions, outcome, 0.01);
  }
};

struct Penalty {
  template <class Engine>
  static YosidaPenalty<Engine> make(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) {
    return YosidaPenalty<Engine>(inclusions, outcome, 0.002, 1e-3);
  }
};

struct Events {
  template <class Engine>
  static EventDriven<Engine> make(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) {
    return EventDriven<Engine>(inclusions, outcome);
  }
};

/// The same model on one process and spread over all.
struct TwoModels {
  DenseSystem system = zener_oscillator();
  HarmonicLoad load = HarmonicLoad::random(4, 3., 5);
  Partition dofs;
  Inclusions<EigenEngine> whole;
  std::optional<Inclusions<TrilinosEngine>> spread;

  TwoModels(Layout layout, const std::vector<Inclusion>& laws)
      : dofs(partition(4, layout)), whole(reduce_with_load<EigenEngine>(system, load), laws) {
    SystemDescription<TrilinosEngine> description;
    description.mass = with_stored_zeros(system.M, dofs);
    description.damping = with_stored_zeros(system.C, dofs);
    description.stiffness = with_stored_zeros(system.K, dofs);
    description.load = [load = load, dofs = dofs](double time) -> Vector { return local(load(time), dofs); };
    spread.emplace(reduce(AssembledSystem<TrilinosEngine>(std::move(description))), laws);
  }

  /// @param method FixedStep, Penalty or Events
  template <class Method>
  void check_run(const Method& /*method*/) const {
    const InclusionOutcome outcome = classify_inclusions(*spread),
                           outcome_of_one = classify_inclusions(whole);
    const NonsmoothStartOptions relaxed{{}, InadmissibleReactions::project, 1e-10};
    const Vector zero = Vector::Zero(4), v = Vector::Constant(4, -0.4);
    NonsmoothState state = nonsmooth_start(*spread, outcome, local(zero, dofs), local(v, dofs), 0., relaxed);
    NonsmoothState of_one = nonsmooth_start(whole, outcome_of_one, zero, v, 0., relaxed);
    auto method = Method::make(*spread, outcome);
    auto method_of_one = Method::make(whole, outcome_of_one);
    Verification<TrilinosEngine> check(method);
    Verification<EigenEngine> check_of_one(method_of_one);
    std::vector<ContactEvent> events, events_of_one;
    // Not a multiple of the step.
    method.run(state, 2.005, [&](const auto& now) {
      check(now);
      events.insert(events.end(), now.events().begin(), now.events().end());
    });
    method_of_one.run(of_one, 2.005, [&](const auto& now) {
      check_of_one(now);
      events_of_one.insert(events_of_one.end(), now.events().begin(), now.events().end());
    });
    // Other orders of elimination and summation: rounding of two hundred steps.
    BOOST_TEST(relative_error(state.r, of_one.r) < 1e-9);
    BOOST_TEST(relative_error(state.g, of_one.g) < 1e-10);
    BOOST_TEST(relative_error(state.w, of_one.w) < 1e-9);
    BOOST_TEST(relative_error(state.impulse, of_one.impulse) < 1e-10);
    BOOST_TEST((state.contacts == of_one.contacts));
    BOOST_TEST(std::abs(state.dissipated / of_one.dissipated - 1) < 1e-10);
    BOOST_TEST(error_of(spread->lift(state, state.r).displacement, whole.lift(of_one, of_one.r).displacement,
                        dofs) < 1e-10);
    BOOST_TEST(events.size() == events_of_one.size());
    // Integrals over a step are taken by the trapezoidal rule, which tells steps of other lengths apart.
    if (std::is_same_v<Method, Events>) return;
    const VerificationReport report = check.report(), expected = check_of_one.report();
    for (std::size_t c = 0; c < n_checks; ++c)
      BOOST_TEST(std::abs(report.violations[c].value - expected.violations[c].value) < 1e-8,
                 name_of(static_cast<Check>(c))
                     << ": " << report.violations[c].value << " and " << expected.violations[c].value);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(distributed_inclusions)

BOOST_AUTO_TEST_CASE(spread_runs_with_inclusions_give_the_numbers_of_one_process) {
  for (const Layout layout : all_layouts) {
    TwoModels(layout, each_decided_by_one_kind(0.6)).check_run(FixedStep<MoreauJean>());
    TwoModels(layout, each_decided_by_one_kind(0.6)).check_run(FixedStep<NonsmoothAlpha>());
    TwoModels(layout, {rubbing("mass", 1), rubbing("joint", 2), wall(0.6)})
        .check_run(FixedStep<MoreauJean>());
    TwoModels(layout, one_in_each_cell()).check_run(FixedStep<NonsmoothEuler>());
  }
}

BOOST_AUTO_TEST_CASE(spread_explicit_runs_give_the_numbers_of_one_process) {
  for (const Layout layout : all_layouts) {
    const TwoModels rubbed(layout, {rubbing("mass", 1), rubbing("dashpot", 0), stop()});
    rubbed.check_run(FixedStep<SetValuedEuler>());
    rubbed.check_run(FixedStep<SetValuedRungeKutta>());
    TwoModels(layout, {rubbing("dashpot", 0), wall(0.6), stop()}).check_run(Penalty());
  }
}

BOOST_AUTO_TEST_CASE(events_are_those_of_the_other_engine_and_stay_on_one_process) {
  const TwoModels models(Layout::scattered, {rubbing("mass", 1), wall(0.6), stop()});
  if (communicator()->size() == 1)
    models.check_run(Events());
  else
    BOOST_CHECK_THROW(Events::make(*models.spread, classify_inclusions(*models.spread)), NotAvailable);
}

BOOST_AUTO_TEST_SUITE_END()
