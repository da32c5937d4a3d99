// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/smooth/explicit_methods.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/integrators/verification/energy.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include "exact_solution.h"
#include "random_systems.h"
#include <cmath>

namespace {

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

/// The same system on one process and spread over all.
struct TwoEngines {
  TwoEngines(const DenseSystem& system, const HarmonicLoad& load, Layout layout)
      : dofs(partition(system.size(), layout)), whole(reduce_with_load<EigenEngine>(system, load)) {
    SystemDescription<TrilinosEngine> description;
    description.mass = with_stored_zeros(system.M, dofs);
    description.damping = with_stored_zeros(system.C, dofs);
    description.stiffness = with_stored_zeros(system.K, dofs);
    description.load = [=, dofs = dofs](double time) -> Vector { return local(load(time), dofs); };
    spread.emplace(AssembledSystem<TrilinosEngine>(std::move(description)));
  }

  /// From random displacements and rates at time 0.5.
  template <class Method, class MethodOfOne>
  void check_run(Method&& method, MethodOfOne&& method_of_one) {
    const Index n = static_cast<Index>(dofs.n_global());
    RandomNumbers random(3);
    const Vector q = random.matrix(n, 1), v = random.matrix(n, 1);
    State state{0.5, spread->restrict(local(q, dofs), local(v, dofs))};
    State state_of_one{0.5, whole.restrict(q, v)};
    std::vector<AssembledMotion> expected;
    const std::vector<double> times = {0.5, 0.93, 1.5, 2.03};
    method_of_one.run(state_of_one, times, [&](const auto& now) { expected.push_back(now.lift()); });
    std::size_t k = 0;
    method.run(state, times, [&](const auto& now) {
      // Other orders of elimination and summation: rounding of a hundred steps.
      BOOST_TEST(error_of(now.lift().displacement, expected[k].displacement, dofs) < 1e-11);
      BOOST_TEST(error_of(now.lift().rate, expected[k].rate, dofs) < 1e-11);
      ++k;
    });
    BOOST_TEST(k == times.size());
  }

  Partition dofs;
  ReducedSystem<EigenEngine> whole;
  std::optional<ReducedSystem<TrilinosEngine>> spread;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(integrators)

BOOST_AUTO_TEST_CASE(spread_runs_give_the_numbers_of_one_process) {
  for (const DenseSystem& system : {zener_oscillator(), three_kinds(), random_symmetric(6, 4, 4, 7)})
    for (const Layout layout : all_layouts) {
      TwoEngines engines(system, HarmonicLoad::random(system.size(), 3., 5), layout);
      const auto& spread = *engines.spread;
      const auto& whole = engines.whole;
      const double h = 0.02;
      engines.check_run(GeneralizedAlpha(spread, h), GeneralizedAlpha(whole, h));
      engines.check_run(GeneralizedAlpha(spread, h, {1.}), GeneralizedAlpha(whole, h, {1.}));
      engines.check_run(Trapezoidal(spread, h), Trapezoidal(whole, h));
      engines.check_run(ImplicitEuler(spread, h), ImplicitEuler(whole, h));
      engines.check_run(RadauIIA5(spread, h), RadauIIA5(whole, h));
      engines.check_run(ExplicitRungeKutta(spread, h / 4), ExplicitRungeKutta(whole, h / 4));
    }
}

BOOST_AUTO_TEST_CASE(the_spread_energy_balance_holds_to_rounding) {
  for (const Layout layout : all_layouts) {
    const DenseSystem system = random_symmetric(5, 4, 3, 44);
    TwoEngines engines(system, HarmonicLoad::random(system.size(), 3., 43), layout);
    State state{0., Vector::Ones(engines.spread->n_local_states())};
    EnergyBalance balance(*engines.spread);
    Trapezoidal(*engines.spread, 0.05).run(state, 5., std::ref(balance));
    const double scale = balance.energies().dissipated + std::abs(balance.energies().work);
    BOOST_TEST(balance.energies().dissipated > 0.);
    BOOST_TEST(std::abs(balance.defect()) < 1e-12 * scale);
  }
}

BOOST_AUTO_TEST_CASE(a_blow_up_names_the_same_dof_on_every_process) {
  for (const Layout layout : all_layouts) {
    const Index n = 6;
    DenseSystem system{MultiVector::Zero(n, n), MultiVector::Identity(n, n), MultiVector::Identity(n, n)};
    system.K(4, 4) = 1e6;
    TwoEngines engines(system, HarmonicLoad::none(n), layout);
    State state{0., Vector::Ones(engines.spread->n_local_states())};
    ExplicitRungeKutta integrator(*engines.spread, 0.01);
    BOOST_CHECK_EXCEPTION(integrator.run(state, 10.), BlowUp, [](const BlowUp& error) {
      return error.dof() == 4 && std::string(error.what()).find("DoF 4") != std::string::npos;
    });
    BOOST_TEST(largest_stable_step(*engines.spread) == 2.78529356340528e-6,
               boost::test_tools::tolerance(1e-3));
  }
}

BOOST_AUTO_TEST_CASE(the_adaptive_integrator_of_one_process_refuses_several) {
  TwoEngines engines(zener_oscillator(), HarmonicLoad::none(4), Layout::consecutive);
  if (engines.dofs.communicator().size() > 1)
    BOOST_CHECK_THROW(DormandPrince<TrilinosEngine> integrator(*engines.spread), NotAvailable);
  else
    BOOST_CHECK_NO_THROW(DormandPrince<TrilinosEngine> integrator(*engines.spread));
}

BOOST_AUTO_TEST_SUITE_END()
