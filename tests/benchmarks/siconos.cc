// Steps of a chain with contacts that rebound, beside Siconos: both by the scheme of Moreau and Jean with theta = 1/2,
// the same steps, in turn, the best of three. Usage: benchmark_siconos

#include <halfdof/inclusions/unilateral_contact.h>
#include <halfdof/integrators/moreau_jean.h>
#include <halfdof/integrators/nonsmooth_start.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include "contact_chain.h"
#include "peer.h"
#include "report.h"
#include "timing.h"
#include <limits>

using namespace halfdof;
using benchmark::ContactChain;
using benchmark::seconds;

namespace {

AssembledSystem<EigenEngine> assemble(const ContactChain& chain) {
  const Index n = chain.n_masses;
  std::vector<Eigen::Triplet<double>> of_M, of_C, of_K;
  const auto into = [](std::vector<Eigen::Triplet<double>>& entries) {
    return [&entries](Index i, Index j, double value) { entries.emplace_back(i, j, value); };
  };
  for (Index i = 0; i < n; ++i)
    into(of_M)(i, i, ContactChain::mass);
  chain.add_damping(into(of_C));
  chain.add_stiffness(into(of_K));
  const auto matrix = [n](const std::vector<Eigen::Triplet<double>>& entries) {
    Eigen::SparseMatrix<double> A(n, n);
    A.setFromTriplets(entries.begin(), entries.end());
    return EigenMatrix(A);
  };
  SystemDescription<EigenEngine> description;
  description.mass = matrix(of_M);
  description.damping = matrix(of_C);
  description.stiffness = matrix(of_K);
  description.load = [weight = Vector(Vector::Constant(n, -ContactChain::mass * ContactChain::gravity))](
                         double) { return weight; };
  return AssembledSystem<EigenEngine>(std::move(description));
}

std::vector<Inclusion> contacts(const ContactChain& chain) {
  const auto law = std::make_shared<UnilateralContact>(-ContactChain::gap, ContactChain::restitution);
  std::vector<Inclusion> all;
  for (int i = 0; i < chain.n_contacts; ++i)
    all.push_back(inclusion("contact " + std::to_string(i), law, Direction({{chain.mass_of(i), 1.}})));
  return all;
}

struct Run {
  double seconds;    ///< of a step, without the first
  Vector positions;  ///< at the end
};

Run run(const ContactChain& chain, int n_steps) {
  const Inclusions<EigenEngine> inclusions(reduce(assemble(chain)), contacts(chain));
  const InclusionOutcome outcome = what_becomes(inclusions);
  Vector velocity(chain.n_masses);
  for (int i = 0; i < chain.n_masses; ++i)
    velocity[i] = chain.initial_velocity(i);
  NonsmoothState state = nonsmooth_start(inclusions, outcome, Vector::Zero(chain.n_masses), velocity);
  MoreauJean<EigenEngine> integrator(inclusions, outcome, ContactChain::time_step);
  integrator.step(state);
  const double time = seconds([&] {
    for (int k = 1; k < n_steps; ++k)
      integrator.step(state);
  });
  return {time / (n_steps - 1), inclusions.reduced().q_I(state.y)};
}

void compare(const ContactChain& chain, int n_steps, const benchmark::Peer& siconos,
             benchmark::Report& report) {
  double ours = std::numeric_limits<double>::infinity(), theirs = ours, differ = 0;
  for (int repetition = 0; repetition < 3; ++repetition) {
    const Run own = run(chain, n_steps);
    const benchmark::PeerResult other = siconos.run(
        {std::to_string(chain.n_masses), std::to_string(chain.n_contacts), std::to_string(n_steps)});
    if (static_cast<int>(other.results.size()) != chain.n_masses)
      throw Error("Siconos printed " + std::to_string(other.results.size()) + " positions instead of " +
                  std::to_string(chain.n_masses) + '.');
    const auto positions = Eigen::Map<const Vector>(other.results.data(), own.positions.size());
    ours = std::min(ours, own.seconds);
    theirs = std::min(theirs, other.seconds);
    differ = (own.positions - positions).norm() / positions.norm();
  }
  report.add({"a step with contacts",
              std::to_string(chain.n_masses) + " masses, " + std::to_string(chain.n_contacts) + " contacts",
              "Siconos, Moreau-Jean with Lemke", ours, theirs, 1., differ});
}

}  // namespace

int main() {
  const auto siconos = benchmark::Peer::find("siconos_chain");
  if (!siconos) return EXIT_SUCCESS;
  benchmark::Report report;
  compare({10, 3}, 1000, *siconos, report);
  compare({100, 3}, 1000, *siconos, report);
  compare({1000, 3}, 200, *siconos, report);
  compare({100, 100}, 200, *siconos, report);
}
