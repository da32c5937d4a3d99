// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>

#include <boost/test/unit_test.hpp>

#include "nonsmooth_models.h"
#include <memory>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Integrator = NonsmoothIntegrator<EigenEngine>;

std::vector<std::unique_ptr<Integrator>> all_methods(const NonsmoothModel<>& model, double step) {
  const auto& [system, inclusions, outcome] = model;
  std::vector<std::unique_ptr<Integrator>> all;
  all.push_back(std::make_unique<NonsmoothEuler<EigenEngine>>(inclusions, outcome, step));
  all.push_back(std::make_unique<MoreauJean<EigenEngine>>(inclusions, outcome, step));
  all.push_back(std::make_unique<NonsmoothAlpha<EigenEngine>>(inclusions, outcome, step));
  all.push_back(std::make_unique<EventDriven<EigenEngine>>(inclusions, outcome));
  all.push_back(std::make_unique<SetValuedRungeKutta<EigenEngine>>(inclusions, outcome, step));
  all.push_back(std::make_unique<YosidaPenalty<EigenEngine>>(inclusions, outcome, step, 1e-4));
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(changes_of_method)

BOOST_AUTO_TEST_CASE(no_method_reads_what_another_has_remembered) {
  for (const Index m : {Index(1), Index(2)}) {
    // Pads of one mass or two, on springs.
    DenseSystem system = empty_system(m);
    std::vector<Inclusion> pads;
    for (Index i = 0; i < m; ++i) {
      system.M(i, i) = 1;
      system.K(i, i) = 4;
      pads.push_back(
          inclusion("pad " + std::to_string(i), friction(-0.1, 0.1), on(static_cast<GlobalIndex>(i))));
    }
    const NonsmoothModel<> model(system, pads);
    for (const auto& first : all_methods(model, 1e-3))
      for (const auto& second : all_methods(model, 1e-3)) {
        if (first->name() == second->name()) continue;
        BOOST_TEST_CONTEXT(first->name() << ", then " << second->name() << ", " << m << " pads") {
          NonsmoothState state = model.start(Vector::Constant(m, 1.), Vector::Zero(m));
          verified_run(*first, state, 0.1);
          BOOST_TEST(state.method == first->name());
          NonsmoothState forgetful = state;
          forgetful.carried.resize(0);
          verified_run(*second, state, 0.2);
          verified_run(*second, forgetful, 0.2);
          BOOST_TEST(state.method == second->name());
          BOOST_TEST((state.y.array() == forgetful.y.array()).all());
          BOOST_TEST((state.r.array() == forgetful.r.array()).all());
        }
      }
  }
}

BOOST_AUTO_TEST_SUITE_END()
