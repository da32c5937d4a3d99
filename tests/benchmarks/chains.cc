// SPDX-License-Identifier: LGPL-2.1-or-later
// How a step of a chain with dry friction grows with the chain, with mass at all nodes and with nodes that
// have none: beside growth like n^1.1. Usage: benchmark_chains [nodes of the longer chain]
#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/reduction/reduced_system.h>

#include "friction_chain.h"
#include "report.h"
#include "timing.h"

using namespace halfdof;
using namespace halfdof::internal;
using benchmark::FrictionChain;
using benchmark::NodesOfChain;

namespace {

/// Of a step [s].
double seconds_a_step(const FrictionChain& chain) {
  constexpr int n_steps = 300;
  const Inclusions<EigenEngine> inclusions(reduce(chain.assemble()), chain.frictions());
  const InclusionOutcome outcome = classify_inclusions(inclusions);
  const Vector zero = Vector::Zero(chain.n_nodes);
  NonsmoothState state = nonsmooth_start(inclusions, outcome, zero, zero);
  MoreauJean<EigenEngine> integrator(inclusions, outcome, FrictionChain::time_step);
  std::vector<double> times;
  for (int k = 0; k < n_steps; ++k)
    times.push_back(benchmark::seconds([&] { integrator.step(state); }));
  if (!(state.dissipated > 0))
    throw Error("Nothing slips in a chain of " + std::to_string(chain.n_nodes) + " nodes.");
  return benchmark::quartile(times);
}

void compare(const std::string& nodes, NodesOfChain kind, bool everywhere, int longest,
             benchmark::Report& report) {
  const auto chain = [&](int n) { return FrictionChain{n, everywhere ? n / 2 : 3, kind}; };
  const std::string model = std::to_string(longest) + " nodes" + nodes + ", " +
                            std::to_string(chain(longest).n_frictions) + " with friction";
  const double of_long = seconds_a_step(chain(longest)), of_short = seconds_a_step(chain(longest / 10));
  report.add({"growth of a step, a chain ten times as long", model, "n^1.1", of_long / of_short,
              std::pow(10., 1.1), 1., 0., 0., "times"});
}

}  // namespace

int main(int n_arguments, char** arguments) {
  const int longest = n_arguments > 1 ? std::atoi(arguments[1]) : 2000;
  benchmark::Report report;
  for (const bool everywhere : {false, true}) {
    compare("", NodesOfChain::with_mass, everywhere, longest, report);
    compare(", every second massless", NodesOfChain::every_second_massless, everywhere, longest, report);
  }
}
