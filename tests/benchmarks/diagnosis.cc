// SPDX-License-Identifier: LGPL-2.1-or-later
// What the diagnosis of a large model costs, beside one factorization of P = lambda^2 M + lambda C + K of the
// same model without its fault. Usage: benchmark_diagnosis [nodes along one edge] [layers] [fault]
//
// A grid of springs, one layer or several; the nodes of its lower half have mass, those of the upper half
// have none (potentials, say). At one node the model is wrong.

#include <halfdof/diagnosis/diagnosis.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include "report.h"
#include "timing.h"
#include "triplets.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

using benchmark::matrix_of;
using benchmark::Triplets;

struct Grid {
  Index n, n_layers;
  Triplets mass, stiffness;

  Index size() const { return n * n * n_layers; }
  Index node(Index x, Index y, Index layer) const { return (y * n_layers + layer) * n + x; }
  Index wrong_node() const { return node(n / 3, 3 * n / 4, n_layers / 2); }

  void spring(Index a, Index b) {
    for (const auto& [i, j, k] : {std::tuple(a, a, 1.), {b, b, 1.}, {a, b, -1.}, {b, a, -1.}})
      stiffness.emplace_back(i, j, k);
  }
};

Grid grid(Index n, Index n_layers) {
  Grid model{n, n_layers, {}, {}};
  for (Index y = 0; y < n; ++y)
    for (Index layer = 0; layer < n_layers; ++layer)
      for (Index x = 0; x < n; ++x) {
        const Index here = model.node(x, y, layer);
        if (y < n / 2) model.mass.emplace_back(here, here, 1.);
        if (x > 0) model.spring(model.node(x - 1, y, layer), here);
        if (layer > 0) model.spring(model.node(x, y, layer - 1), here);
        if (y > 0) model.spring(model.node(x, y - 1, layer), here);
        if (y == 0) model.stiffness.emplace_back(here, here, 1.);
      }
  return model;
}

/// Takes all entries in some rows or columns out.
template <class Which>
void remove(Triplets& entries, const Which& which) {
  entries.erase(std::remove_if(entries.begin(), entries.end(), which), entries.end());
}

void make_wrong(Grid& model, const std::string& fault) {
  const Index node = model.wrong_node(), other = node + 1;
  const auto is_here = [=](Index i) { return i == node || i == other; };
  if (fault == "unconnected")
    remove(model.stiffness, [=](const auto& entry) { return entry.row() == node || entry.col() == node; });
  if (fault == "empty equation")
    remove(model.stiffness, [=](const auto& entry) { return entry.row() == node; });
  if (fault == "floating pair") {
    remove(model.stiffness, [=](const auto& entry) { return is_here(entry.row()) || is_here(entry.col()); });
    model.spring(node, other);
  }
  if (fault == "same equation twice") {
    remove(model.stiffness, [=](const auto& entry) { return entry.row() == other; });
    Triplets copies;
    for (const auto& entry : model.stiffness)
      if (entry.row() == node) copies.emplace_back(other, entry.col(), 2 * entry.value());
    model.stiffness.insert(model.stiffness.end(), copies.begin(), copies.end());
  }
}

AssembledSystem<EigenEngine> assembled(const Grid& model) {
  const Index size = model.size();
  return assembled_system<EigenEngine>(matrix_of(model.mass, size), matrix_of({}, size),
                                       matrix_of(model.stiffness, size));
}

/// Whether the fault was found where it is.
bool is_right(const Diagnosis& found, const Grid& model, const std::string& fault) {
  if (fault == "none") return found.is_regular;
  const auto names_node = [&](const SingularPart& problem) {
    return std::count(problem.dofs.begin(), problem.dofs.end(), model.wrong_node()) > 0;
  };
  return !found.is_regular && std::any_of(found.problems.begin(), found.problems.end(), names_node);
}

struct Factorized {
  std::string how;
  double seconds;
};

void compare(const Grid& healthy, const std::string& fault, const Factorized& P, benchmark::Report& report) {
  Grid model = healthy;
  make_wrong(model, fault);
  const auto system = assembled(model);
  Diagnosis found;
  const double time = benchmark::seconds([&] { found = diagnose(system); });
  std::printf("%s: %s", fault.c_str(), found.is_regular ? "regular" : "singular");
  for (const SingularPart& problem : found.problems) {
    std::printf("; %s:", problem.block.c_str());
    for (const GlobalIndex dof : problem.dofs)
      std::printf(" %lld", static_cast<long long>(dof));
    std::printf(" (%s)", problem.cause.c_str());
  }
  std::printf("\n");
  std::fflush(stdout);
  report.add({"diagnosis", std::to_string(model.size()) + " DoFs, fault: " + fault, P.how, time, P.seconds,
              0., is_right(found, model, fault) ? 0. : 1.});
}

}  // namespace

int main(int n_arguments, char** arguments) {
  const Index n = n_arguments > 1 ? std::atoi(arguments[1]) : 1000;
  const Grid healthy = grid(n, n_arguments > 2 ? std::atoi(arguments[2]) : 1);
  const EigenMatrix P = EigenEngine::sum(0.5, matrix_of(healthy.mass, healthy.size()), 1.,
                                         matrix_of(healthy.stiffness, healthy.size()));
  FactorizationOptions lu;
  lu.solver = Solver::umfpack;
  const Factorized symmetric{"P by Cholesky", benchmark::seconds([&] { EigenEngine::factorize(P); })},
      unsymmetric{"P by LU", benchmark::seconds([&] { EigenEngine::factorize(P, lu); })};
  std::printf("wrong at DoF %d\n", healthy.wrong_node());
  benchmark::Report report;
  const std::vector<std::string> all = {"none", "unconnected", "floating pair", "empty equation",
                                        "same equation twice"};
  for (const std::string& fault : all)
    if (n_arguments < 4 || fault == arguments[3])
      compare(healthy, fault, fault.find("equation") == std::string::npos ? symmetric : unsymmetric, report);
  return EXIT_SUCCESS;
}
