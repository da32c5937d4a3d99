// What a step with memory costs beside one of the full model, and a fast convolution beside the sum it stands for.
#include <halfdof/inclusions/dry_friction.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/moreau_jean.h>
#include <halfdof/integrators/nonsmooth_start.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/memory/classical_structure.h>
#include <halfdof/memory/memory_integrator.h>
#include <halfdof/memory/online_convolution.h>

#include "timing.h"
#include <cstdlib>
#include <iostream>
#include <memory>

using namespace halfdof;
using benchmark::quartile;
using benchmark::seconds;

namespace {

/// A membrane of n x n masses on springs, held at its edge, and damped a little.
AssembledSystem<EigenEngine> membrane(int n) {
  std::vector<Eigen::Triplet<double>> of_M, of_C, of_K;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int at = i * n + j;
      of_M.emplace_back(at, at, 1.);
      const auto spring = [&](int other, double value) {
        of_K.emplace_back(at, other, value);
        of_C.emplace_back(at, other, 1e-2 * value);
      };
      spring(at, 4);
      if (i > 0) spring(at - n, -1);
      if (i + 1 < n) spring(at + n, -1);
      if (j > 0) spring(at - 1, -1);
      if (j + 1 < n) spring(at + 1, -1);
    }
  const auto matrix = [n](const std::vector<Eigen::Triplet<double>>& entries) {
    Eigen::SparseMatrix<double> A(n * n, n * n);
    A.setFromTriplets(entries.begin(), entries.end());
    return EigenMatrix(A);
  };
  return assembled_system<EigenEngine>(matrix(of_M), matrix(of_C), matrix(of_K));
}

void steps(int n, Index n_modes) {
  std::vector<Inclusion> pads;
  for (const int k : {1, 2, 3, 4})
    pads.push_back(inclusion("pad " + std::to_string(k), std::make_shared<DryFriction>(-1., 1.),
                             Direction({{n * (k * n / 5) + k * n / 6, 1.}})));
  const ReducedSystem<EigenEngine> reduced = reduce(membrane(n));
  const Inclusions<EigenEngine> contacts(reduced, pads);
  ClassicalStructureOptions options;
  options.n_modes = n_modes;
  ClassicalStructure found;
  const double once = seconds([&] { found = classical_structure(contacts, options); });

  const double h = 0.05;
  const InclusionOutcome outcome = what_becomes(contacts);
  const Vector q = 100 * found.shapes.col(0), v = Vector::Zero(q.size());
  NonsmoothState full = nonsmooth_start(contacts, outcome, q, v);
  MoreauJean<EigenEngine> whole(contacts, outcome, h);
  std::vector<NamedLaw> laws;
  for (const Inclusion& pad : contacts.acting())
    laws.push_back({pad.law, pad.name});
  MemoryIntegrator memory(contact_modes(found.modes), laws, h);
  MemoryState state = memory.start(0, found.coordinates(q, v));
  whole.step(full);
  memory.step(state);
  std::vector<double> of_full, of_memory;
  for (int k = 0; k < 60; ++k) {
    of_full.push_back(seconds([&] { whole.step(full); }));
    of_memory.push_back(seconds([&] {
                          for (int i = 0; i < 100; ++i)
                            memory.step(state);
                        }) /
                        100);
  }
  std::cout << n * n << " DoFs, 4 pads, " << found.modes.frequency.size() << " modes found once in " << once
            << " s: a step takes " << 1e6 * quartile(of_full) << " us of Moreau-Jean, "
            << 1e6 * quartile(of_memory) << " us with memory, ratio "
            << quartile(of_full) / quartile(of_memory) << '\n';
}

void convolution(Index n) {
  std::vector<MultiVector> kernel;
  for (Index k = 0; k < n; ++k)
    kernel.push_back(MultiVector::Constant(1, 1, 1. / (1. + k)));
  double fast = 0, naive = 0, sum = 0;
  OnlineConvolution online(kernel);
  std::vector<double> inputs;
  fast = seconds([&] {
    for (Index k = 0; k < n; ++k) {
      sum += online.next()[0];
      online.push(Vector::Constant(1, 1. + k % 7));
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
  std::cout << n << " steps of a sampled memory: " << fast << " s by transforms, " << naive
            << " s by sums, ratio " << naive / fast << "; results differ by " << sum << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 150;
  steps(n, 200);
  for (const Index length : {10000, 100000})
    convolution(length);
}
