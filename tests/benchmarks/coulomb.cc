// SPDX-License-Identifier: LGPL-2.1-or-later
// Steps of an elastic slab on a rough floor, with Coulomb friction in space at all nodes that touch it: the
// nonsmooth problem of each step, w = W r + b, beside the nonsmooth Gauss-Seidel solver of Siconos, both from
// the reactions of the step before; and whole steps of ours beside that solver alone. Waves are resolved by
// the steps (h^2 k/m = 1) or not (100). Usage: benchmark_coulomb [nodes along x] [along y] [layers] [steps]

#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <Eigen/SparseCholesky>

#include "peer.h"
#include "report.h"
#include "slab.h"
#include "timing.h"
#include <fstream>

using namespace halfdof;
using namespace halfdof::internal;
using benchmark::seconds;
using benchmark::Slab;

namespace {

struct Matrices {
  Eigen::SparseMatrix<double> M, C, K;
};

Matrices matrices(const Slab& slab) {
  const Index n = slab.n_dofs();
  std::vector<Eigen::Triplet<double>> of_M, of_K;
  for (Index i = 3 * slab.n_contacts(); i < n; ++i)
    of_M.emplace_back(i, i, Slab::mass);
  slab.add_stiffness([&](Index i, Index j, double value) { of_K.emplace_back(i, j, value); });
  Matrices all{Eigen::SparseMatrix<double>(n, n), {}, Eigen::SparseMatrix<double>(n, n)};
  all.M.setFromTriplets(of_M.begin(), of_M.end());
  all.K.setFromTriplets(of_K.begin(), of_K.end());
  all.C = Slab::damping_time * all.K;
  return all;
}

AssembledSystem<EigenEngine> assemble(const Slab& slab, const Matrices& of) {
  SystemDescription<EigenEngine> description;
  description.mass = EigenMatrix(of.M);
  description.damping = EigenMatrix(of.C);
  description.stiffness = EigenMatrix(of.K);
  description.load = [slab](double time) {
    Vector f(slab.n_dofs());
    for (int node = 0; node < slab.n_nodes(); ++node)
      f.segment<3>(3 * node) = slab.load(node, time);
    return f;
  };
  return AssembledSystem<EigenEngine>(std::move(description));
}

/// Normal, then along the floor.
constexpr std::array<int, 3> directions = {2, 0, 1};

std::vector<Inclusion> contacts(const Slab& slab) {
  std::vector<Inclusion> all;
  for (int i = 0; i < slab.n_contacts(); ++i) {
    Inclusion contact{"contact " + std::to_string(i),
                      std::make_shared<CoulombFriction>(2, Slab::friction, slab.floor(i)),
                      {}};
    for (const int along : directions)
      contact.directions.push_back(Direction({{3 * i + along, 1.}}));
    all.push_back(std::move(contact));
  }
  return all;
}

/// H^T P_h^-1 H of implicit Euler, from the assembled matrices.
MultiVector delassus(const Slab& slab, const Matrices& of, double h) {
  const Eigen::SparseMatrix<double> P = of.M / (h * h) + of.C / h + of.K;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(P);
  const Index m = 3 * slab.n_contacts(), batch = 60;
  const auto dof = [](Index column) {
    return column / 3 * 3 + directions[static_cast<std::size_t>(column % 3)];
  };
  MultiVector W(m, m);
  for (Index first = 0; first < m; first += batch) {
    const Index n = std::min(batch, m - first);
    MultiVector H = MultiVector::Zero(slab.n_dofs(), n);
    for (Index k = 0; k < n; ++k)
      H(dof(first + k), k) = 1;
    const MultiVector x = factors.solve(H);
    for (Index row = 0; row < m; ++row)
      W.block(row, first, 1, n) = x.row(dof(row));
  }
  return 0.5 * (W + W.transpose());
}

/// What the steps of one run pose: w are the gaps at their ends, and slips within them.
struct Problems {
  std::vector<NamedLaw> laws;
  MultiVector W;
  std::vector<Vector> b, w;
  double seconds = 0;  ///< of a whole step, without the first
};

Problems run(const Slab& slab, double h, int n_steps) {
  const Matrices all = matrices(slab);
  Problems problems;
  problems.W = delassus(slab, all, h);
  const Inclusions<EigenEngine> inclusions(reduce(assemble(slab, all)), contacts(slab));
  const InclusionOutcome outcome = classify_inclusions(inclusions);
  const Vector at_rest = Vector::Zero(slab.n_dofs());
  NonsmoothState state = nonsmooth_start(inclusions, outcome, at_rest, at_rest);
  NonsmoothEuler<EigenEngine> integrator(inclusions, outcome, h);
  for (int k = 0; k < n_steps; ++k) {
    const double time = seconds([&] { integrator.step(state); });
    if (k > 0) problems.seconds += time / (n_steps - 1);
    Vector w = h * state.w;
    for (int i = 0; i < slab.n_contacts(); ++i)
      w[3 * i] = state.g[3 * i];
    problems.b.push_back(w - problems.W * state.r);
    problems.w.push_back(w);
  }
  const auto are = [&](ContactState what) {
    return std::to_string(std::count(state.contacts.begin(), state.contacts.end(), what));
  };
  std::cout << "h^2 k/m = " << h * h * Slab::spring / Slab::mass << ", after " << n_steps
            << " steps: " << are(ContactState::open) << " open, " << are(ContactState::stick) << " stick, "
            << are(ContactState::slip) << " slip" << std::endl;
  for (const Inclusion& each : inclusions.acting())
    problems.laws.push_back({each.law, each.name});
  return problems;
}

struct Solved {
  double seconds;  ///< a step
  Vector w;        ///< of the last
};

Solved solve(const Problems& problems) {
  OneStepSolver solver(OneStepProblem(problems.laws, problems.W));
  LawsAtTime laws = solver.problem().laws_at(0.);
  Vector r = Vector::Zero(problems.W.rows()), w = r;
  Index n_iterations = 0;
  const double time = seconds([&] {
    for (const Vector& b : problems.b)
      n_iterations += solver.solve(laws, b, r, w).n_iterations;
  });
  const auto n_steps = static_cast<double>(problems.b.size());
  std::cout << "iterations of a step: " << static_cast<double>(n_iterations) / n_steps << std::endl;
  return {time / n_steps, w};
}

/// W and all b, as the peer reads them.
void write(const Problems& problems, const std::filesystem::path& file) {
  std::ofstream out(file, std::ios::binary);
  const auto add = [&out](const auto& values) {
    out.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(static_cast<std::size_t>(values.size()) * sizeof(double)));
  };
  add(problems.W);
  for (const Vector& b : problems.b)
    add(b);
  if (!out) throw Error("The problems of the steps could not be written to " + file.string() + '.');
}

void compare(const Slab& slab, double h, int n_steps, benchmark::Report& report) {
  const Problems problems = run(slab, h, n_steps);
  const Solved ours = solve(problems);
  const auto siconos = benchmark::Peer::find("siconos_coulomb");
  if (!siconos) return;
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "halfdof-coulomb.bin";
  write(problems, file);
  // Its tolerance is that of the norm, ours of each entry.
  const benchmark::PeerResult theirs =
      siconos->run({file.string(), std::to_string(slab.n_contacts()), std::to_string(n_steps),
                    std::to_string(Slab::friction), "1e-10"});
  std::filesystem::remove(file);
  const auto w = Eigen::Map<const Vector>(theirs.results.data(), ours.w.size());
  const auto differ = [&](const Vector& other) { return (other - w).norm() / w.norm(); };
  const std::string model = std::to_string(slab.n_contacts()) + " contacts, " +
                            std::to_string(slab.n_dofs()) + " DoFs" +
                            (h * h * Slab::spring / Slab::mass > 10 ? ", stiff" : "");
  report.add({"Coulomb friction in space, the problem of a step", model, "Siconos, NSGS", ours.seconds,
              theirs.seconds, 1., differ(ours.w)});
  report.add({"Coulomb friction in space, a whole step", model, "Siconos, NSGS alone", problems.seconds,
              theirs.seconds, 0., differ(problems.w.back())});
}

}  // namespace

int main(int n_arguments, char** arguments) {
  const auto argument = [&](int k, int otherwise) {
    return n_arguments > k ? std::atoi(arguments[k]) : otherwise;
  };
  const Slab slab{argument(1, 40), argument(2, 25), argument(3, 3)};
  benchmark::Report report;
  for (const double h : {0.01, 0.1})
    compare(slab, h, argument(4, 20), report);
}
