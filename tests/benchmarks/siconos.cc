// SPDX-License-Identifier: LGPL-2.1-or-later
// Steps of a chain with contacts that rebound, beside Siconos: both by the scheme of Moreau and Jean with
// theta = 1/2, the same steps, in turn, the best of some; and how the cost of ours grows with the chain, with
// contacts at three masses and at all, beside n^1.1, for waves that steps resolve (h^2 k/m = 0.001) and for
// stiff chains (100). Usage: benchmark_siconos

#include <halfdof/base/number_text.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include "contact_chain.h"
#include "peer.h"
#include "report.h"
#include "timing.h"
#include "triplets.h"
#include <functional>
#include <limits>

using namespace halfdof;
using namespace halfdof::internal;
using benchmark::ContactChain;
using benchmark::seconds;

namespace {

AssembledSystem<EigenEngine> assemble(const ContactChain& chain) {
  const Index n = chain.n_masses;
  benchmark::Triplets of_M, of_C, of_K;
  const auto into = [](benchmark::Triplets& entries) {
    return [&entries](Index i, Index j, double value) { entries.emplace_back(i, j, value); };
  };
  for (Index i = 0; i < n; ++i)
    into(of_M)(i, i, ContactChain::mass);
  chain.add_damping(into(of_C));
  chain.add_stiffness(into(of_K));
  SystemDescription<EigenEngine> description;
  description.mass = benchmark::matrix_of(of_M, n);
  description.damping = benchmark::matrix_of(of_C, n);
  description.stiffness = benchmark::matrix_of(of_K, n);
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
  const InclusionOutcome outcome = classify_inclusions(inclusions);
  Vector velocity(chain.n_masses);
  for (int i = 0; i < chain.n_masses; ++i)
    velocity[i] = chain.initial_velocity(i);
  NonsmoothState state = nonsmooth_start(inclusions, outcome, Vector::Zero(chain.n_masses), velocity);
  MoreauJean<EigenEngine> integrator(inclusions, outcome, chain.time_step);
  integrator.step(state);
  const double time = seconds([&] {
    for (int k = 1; k < n_steps; ++k)
      integrator.step(state);
  });
  return {time / (n_steps - 1), inclusions.reduced().q_I(state.y)};
}

struct Case {
  ContactChain chain;
  int n_steps, n_repetitions;
  double goal;
};

void compare(const Case& of, const benchmark::Peer& siconos, benchmark::Report& report) {
  const ContactChain& chain = of.chain;
  double ours = std::numeric_limits<double>::infinity(), theirs = ours, differ = 0;
  for (int repetition = 0; repetition < of.n_repetitions; ++repetition) {
    const Run own = run(chain, of.n_steps);
    const benchmark::PeerResult other = siconos.run(
        {std::to_string(chain.n_masses), std::to_string(chain.n_contacts), std::to_string(of.n_steps),
         number_text(chain.to_neighbour), number_text(chain.time_step)});
    if (static_cast<int>(other.results.size()) != chain.n_masses)
      throw Error("Siconos printed " + std::to_string(other.results.size()) + " positions instead of " +
                  std::to_string(chain.n_masses) + '.');
    const auto positions = Eigen::Map<const Vector>(other.results.data(), own.positions.size());
    ours = std::min(ours, own.seconds);
    theirs = std::min(theirs, other.seconds);
    differ = (own.positions - positions).norm() / positions.norm();
  }
  report.add({std::string("a step with contacts") + (chain.is_stiff() ? ", stiff" : ""),
              std::to_string(chain.n_masses) + " masses, " + std::to_string(chain.n_contacts) + " contacts",
              "Siconos, Moreau-Jean with Lemke", ours, theirs, of.goal, differ});
}

/// The exponent p of the line through (log n, log t), t = c n^p.
double exponent(const std::vector<double>& sizes, const std::vector<double>& times) {
  const auto logarithms = [](const std::vector<double>& of) {
    return Vector(Eigen::Map<const Vector>(of.data(), static_cast<Index>(of.size())).array().log());
  };
  const Vector x = logarithms(sizes), y = logarithms(times), centred = (x.array() - x.mean()).matrix();
  return centred.dot(y) / centred.squaredNorm();
}

/// @param make The chain of a length
void compare_growth(const std::string& name, const std::vector<int>& lengths,
                    const std::function<ContactChain(int)>& make, benchmark::Report& report) {
  constexpr double most = 1.1;
  std::vector<double> sizes, times;
  std::cout << name << ':';
  for (const int n : lengths) {
    double best = std::numeric_limits<double>::infinity();
    // Long enough for contacts to close.
    for (int repetition = 0; repetition < 2; ++repetition)
      best = std::min(best, run(make(n), 100).seconds);
    sizes.push_back(n);
    times.push_back(best);
    std::cout << "  " << n << " masses " << 1e6 * best << " us" << std::flush;
  }
  std::cout << std::endl;
  report.add(
      {"growth of a step with contacts",
       name + ", " + std::to_string(lengths.front()) + " to " + std::to_string(lengths.back()) + " masses",
       "n^1.1", exponent(sizes, times), most, 1., 0., 0., "exponent"});
}

}  // namespace

int main() {
  const std::vector<int> lengths{100, 300, 1000, 3000};
  std::vector<int> with_longest = lengths;
  with_longest.push_back(10000);
  benchmark::Report report;
  const auto grow = [&](const std::string& name, const std::vector<int>& of, const auto& make) {
    compare_growth(name, of, make, report);
  };
  grow("3 contacts", with_longest, [](int n) { return ContactChain{n, 3}; });
  grow("3 contacts, stiff", with_longest, [](int n) { return ContactChain::stiff(n, 3); });
  grow("contacts at all masses", lengths, [](int n) { return ContactChain{n, n}; });
  grow("contacts at all masses, stiff", lengths, [](int n) { return ContactChain::stiff(n, n); });

  const auto siconos = benchmark::Peer::find("siconos_chain");
  if (!siconos) return EXIT_SUCCESS;
  for (const Case& each :
       {Case{{10, 3}, 1000, 3, 15.}, Case{{100, 3}, 1000, 3, 80.}, Case{{1000, 3}, 200, 2, 1000.},
        Case{{100, 100}, 200, 2, 1000.}, Case{{300, 300}, 60, 1, 1000.},
        Case{ContactChain::stiff(100, 3), 200, 2, 80.}, Case{ContactChain::stiff(100, 100), 50, 1, 1000.}})
    compare(each, *siconos, report);
}
