#include <halfdof/inclusions/dry_friction.h>
#include <halfdof/inclusions/unilateral_contact.h>
#include <halfdof/integrators/moreau_jean.h>
#include <halfdof/integrators/nonsmooth_alpha.h>
#include <halfdof/integrators/nonsmooth_euler.h>
#include <halfdof/integrators/nonsmooth_start.h>
#include <halfdof/integrators/verification.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "integrators/exact_solution.h"
#include "random_systems.h"

namespace {

using namespace halfdof;
using namespace halfdof::test;

/// Friction on a mass, on a dashpot and on a massless joint, a contact with mass and one without.
std::vector<Inclusion> one_in_each_cell(double e) {
  const auto friction = std::make_shared<const DryFriction>(-0.3, 0.2);
  return {
      inclusion("mass", friction, Direction({{1, 1.}})), inclusion("dashpot", friction, Direction({{0, 1.}})),
      inclusion("joint", friction, Direction({{2, 1.}})),
      inclusion("wall", std::make_shared<const UnilateralContact>(-0.05, e), Direction({{3, 1.}})),
      inclusion("stop", std::make_shared<const UnilateralContact>(-0.5), Direction({{3, 0.5}, {2, -1.}}))};
}

/// The same model on one process and spread over all.
struct TwoModels {
  DenseSystem system = zener_oscillator();
  HarmonicLoad load = HarmonicLoad::random(4, 3., 5);
  Partition dofs;
  Inclusions<EigenEngine> whole;
  std::optional<Inclusions<TrilinosEngine>> spread;

  TwoModels(Layout layout, double e)
      : dofs(partition(4, layout)), whole(reduce_with_load<EigenEngine>(system, load), one_in_each_cell(e)) {
    SystemDescription<TrilinosEngine> description;
    description.mass = with_stored_zeros(system.M, dofs);
    description.damping = with_stored_zeros(system.C, dofs);
    description.stiffness = with_stored_zeros(system.K, dofs);
    description.load = [load = load, dofs = dofs](double time) -> Vector { return local(load(time), dofs); };
    spread.emplace(reduce(AssembledSystem<TrilinosEngine>(std::move(description))), one_in_each_cell(e));
  }

  template <template <class> class Method>
  void check_run() const {
    const InclusionOutcome outcome = what_becomes(*spread), outcome_of_one = what_becomes(whole);
    const NonsmoothStartOptions relaxed{{}, OutsideSet::project, 1e-10};
    const Vector zero = Vector::Zero(4), v = Vector::Constant(4, -0.4);
    NonsmoothState state = nonsmooth_start(*spread, outcome, local(zero, dofs), local(v, dofs), 0., relaxed);
    NonsmoothState of_one = nonsmooth_start(whole, outcome_of_one, zero, v, 0., relaxed);
    Method<TrilinosEngine> method(*spread, outcome, 0.01);
    Method<EigenEngine> method_of_one(whole, outcome_of_one, 0.01);
    Verification<TrilinosEngine> check(*spread, outcome, {method.end_weight()});
    Verification<EigenEngine> check_of_one(whole, outcome_of_one, {method.end_weight()});
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
    TwoModels(layout, 0.6).check_run<MoreauJean>();
    TwoModels(layout, 0.6).check_run<NonsmoothAlpha>();
    TwoModels(layout, 0.).check_run<NonsmoothEuler>();
  }
}

BOOST_AUTO_TEST_SUITE_END()
