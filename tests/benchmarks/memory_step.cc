// SPDX-License-Identifier: LGPL-2.1-or-later
// What a step with memory costs beside one of the full model, whether it stays so, and a fast convolution
// beside the sum it stands for. Usage: benchmark_memory_step [cells along an edge of the cube] [modes] [steps
// of the full model]
#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/memory/modal_memory.h>
#include <halfdof/memory/online_convolution.h>
#include <halfdof/memory/structure_modes.h>

#include "elastic_block.h"
#include "report.h"
#include "timing.h"

using namespace halfdof;
using namespace halfdof::internal;
using benchmark::ElasticBlock;
using benchmark::quartile;
using benchmark::seconds;

namespace {

/// Rates of the contacts, one row a step, and what a step took.
struct Run {
  MultiVector w;
  double seconds_a_step;
};

Run run_full(const Inclusions<EigenEngine>& contacts, const Vector& q, double h, int n_steps) {
  const InclusionOutcome outcome = classify_inclusions(contacts);
  NonsmoothState state = nonsmooth_start(contacts, outcome, q, Vector::Zero(q.size()));
  MoreauJean<EigenEngine> integrator(contacts, outcome, h);
  MultiVector w(n_steps, contacts.n_directions());
  std::vector<double> times;
  for (int k = 0; k < n_steps; ++k) {
    times.push_back(seconds([&] { integrator.step(state); }));
    w.row(k) = state.w.transpose();
  }
  return {w, quartile(times)};
}

/// @param times [s], of each hundred of steps, one after the other
Run run_memory(ModalMemory& integrator, const Vector& x, int n_steps, std::vector<double>& times) {
  constexpr int together = 100;  // a step is shorter than what a clock resolves
  MemoryState state = integrator.start(0, x);
  MultiVector w(n_steps, state.w.size());
  for (int k = 0; k < n_steps; k += together)
    times.push_back(seconds([&] {
                      for (int i = k; i < std::min(n_steps, k + together); ++i) {
                        integrator.step(state);
                        w.row(i) = state.w.transpose();
                      }
                    }) /
                    together);
  return {w, quartile(times)};
}

void steps(int n_cells, Index n_modes, int n_full_steps, benchmark::Report& report) {
  const ElasticBlock block(n_cells);
  const ReducedSystem<EigenEngine> reduced = reduce(block.assemble());
  std::vector<Inclusion> pads;
  for (const Index dof : block.pads())
    pads.push_back(inclusion("pad on DoF " + std::to_string(dof), std::make_shared<DryFriction>(-1e-3, 1e-3),
                             Direction({{dof, 1.}})));
  const Inclusions<EigenEngine> contacts(reduced, pads);
  ClassicalStructureOptions options;
  options.n_modes = n_modes;
  ClassicalStructure found;
  const double once = seconds([&] { found = classical_structure(contacts, options); });
  std::cout << found.modes.frequency.size() << " modes, found once in " << once << " s\n";

  const double h = 0.02;
  const Vector q = 0.1 / found.shapes.col(0).cwiseAbs().maxCoeff() * found.shapes.col(0);
  std::vector<NamedLaw> laws;
  for (const Inclusion& pad : contacts.acting())
    laws.push_back({pad.law, pad.name});
  ModalMemory integrator(contact_modes(found.modes), laws, h);
  const int n_steps = 1000000;
  std::vector<double> times;
  const Run by_memory = run_memory(integrator, found.modal_state(q, Vector::Zero(q.size())), n_steps, times);
  const Run full = run_full(contacts, q, h, n_full_steps);
  const double differ =
      (by_memory.w.topRows(n_full_steps) - full.w).cwiseAbs().maxCoeff() / full.w.cwiseAbs().maxCoeff();
  const std::string model = "3D, " + std::to_string(q.size()) + " DoFs, 2 contacts";
  const double goal = q.size() > 90000 ? 1e4 : 1e3;  // of 1e5 DoFs, and of fewer
  report.add({"a step with memory", model, "Moreau-Jean, all DoFs", by_memory.seconds_a_step,
              full.seconds_a_step, goal, differ, 1e-2});
  const auto tenth = static_cast<std::ptrdiff_t>(times.size() / 10);
  report.add({"a step with memory, the last 1e5 of 1e6", model, "the first 1e5",
              quartile({times.end() - tenth, times.end()}), quartile({times.begin(), times.begin() + tenth}),
              0.9});
}

void convolution(Index n, benchmark::Report& report) {
  std::vector<MultiVector> kernel;
  for (Index k = 0; k < n; ++k)
    kernel.push_back(MultiVector::Constant(1, 1, 1. / (1. + k)));
  double fast = 0, naive = 0, sum = 0, total = 0;
  OnlineConvolution online(kernel);
  ConvolutionHistory past = online.start();
  std::vector<double> inputs;
  fast = seconds([&] {
    for (Index k = 0; k < n; ++k) {
      const double next = online.next(past)[0];
      sum += next;
      total += std::abs(next);
      online.push(Vector::Constant(1, 1. + k % 7), past);
    }
  });
  Vector weights(n), history(n);
  for (Index k = 0; k < n; ++k)
    weights[n - 1 - k] = kernel[static_cast<std::size_t>(k)](0, 0);
  naive = seconds([&] {
    for (Index k = 0; k < n; ++k) {
      if (k > 0) sum -= weights.segment(n - 1 - k, k).dot(history.head(k));
      history[k] = 1. + k % 7;
    }
  });
  report.add({"sampled memory", std::to_string(n) + " steps", "sums over all steps", fast, naive, 1.,
              std::abs(sum) / total});
}

}  // namespace

int main(int n_arguments, char** arguments) {
  const auto argument = [=](int i, int otherwise) {
    return n_arguments > i ? std::atoi(arguments[i]) : otherwise;
  };
  benchmark::Report report;
  steps(argument(1, 20), argument(2, 60), argument(3, 300), report);
  for (const Index length : {10000, 100000})
    convolution(length, report);
}
