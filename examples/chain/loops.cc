// SPDX-License-Identifier: LGPL-2.1-or-later
#include "loops.h"

#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>

#include "recovered.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

using namespace halfdof;

namespace {

using Backbone = std::function<double(double)>;

constexpr double period = 4;
constexpr Index n_steps = 400;  ///< steps per period; a step ends at each turning point

double load_factor(double t) {
  return std::sin(2 * std::acos(-1.) / period * t);
}

/// Returns the branch of a steady loop at `value` between -amplitude and amplitude, by Masing's rule.
double masing(const Backbone& backbone, double amplitude, double value, bool is_rising) {
  const double sign = is_rising ? -1. : 1.;
  return sign * (backbone(amplitude) - 2 * backbone((amplitude - sign * value) / 2));
}

/// Integrates one period, after which the loop is steady, and records the next period.
template <class Read>
void run(const Inclusions<EigenEngine>& inclusions, const InclusionOutcome& outcome, const Read& read,
         Loop& loop) {
  const Vector zero = Vector::Zero(static_cast<Index>(inclusions.reduced().assembled().n_dofs()));
  NonsmoothState state = nonsmooth_start(inclusions, outcome, zero, zero);
  NonsmoothEuler integrator(inclusions, outcome, period / n_steps);
  loop.n_states = outcome.n_states;
  loop.displacement.resize(n_steps + 1);
  loop.force.resize(n_steps + 1);
  for (Index i = 0; i < n_steps; ++i)
    integrator.step(state);
  const double before = state.dissipated;
  Index i = 0;
  integrator.run(state, 2 * period, [&](const auto& now) {
    std::tie(loop.displacement[i], loop.force[i]) = read(now);
    ++i;
  });
  loop.energy = state.dissipated - before;
}

/// Computes the loop of parallel Jenkins elements between node 0, whose motion is prescribed, and the ground.
Loop loop_of_parallel_elements(const std::string& name, const Vector& k, const Vector& alpha,
                               double amplitude) {
  const auto n = static_cast<Index>(k.size());
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<Inclusion> elements;
  for (Index i = 0; i < n; ++i) {
    for (const auto& [row, column, sign] :
         {std::tuple(0, 0, 1), {i + 1, i + 1, 1}, {0, i + 1, -1}, {i + 1, 0, -1}})
      entries.emplace_back(row, column, sign * k[i]);
    elements.push_back(inclusion("element " + std::to_string(i + 1),
                                 std::make_shared<StVenantElement>(alpha[i]), Direction({{i + 1, 1.}})));
  }
  EigenMatrix::Storage K(n + 1, n + 1);
  K.setFromTriplets(entries.begin(), entries.end());

  SystemDescription<EigenEngine> description;
  description.stiffness = EigenMatrix(K);
  description.constrained = {0};
  description.prescribed.value = [amplitude](double t) {
    return Vector::Constant(1, amplitude * load_factor(t));
  };
  const Inclusions inclusions(reduce(AssembledSystem<EigenEngine>(description)), elements);

  Loop loop{name};
  run(
      inclusions, classify_inclusions(inclusions),
      [&](const auto& now) {
        const Vector& q = now.lift().displacement;
        return std::pair(q[0], K.col(0).dot(q));  // K is symmetric
      },
      loop);

  const Backbone backbone = [&](double x) { return (k * x).cwiseMin(alpha).sum(); };
  loop.masing_displacement = loop.displacement;
  loop.masing_force.resize(n_steps + 1);
  for (Index i = 0; i <= n_steps; ++i)
    loop.masing_force[i] =
        masing(backbone, amplitude, loop.displacement[i], 4 * i < n_steps || 4 * i > 3 * n_steps);
  loop.closed_form = 4 * (amplitude * alpha - alpha.cwiseProduct(alpha).cwiseQuotient(k)).cwiseMax(0.).sum();
  return loop;
}

/// Computes the loop of a chain of n elements with a known force at its end.
Loop loop_of_chain(const std::string& name, Index n, double k, double alpha, double amplitude) {
  Chain chain;
  chain.inertia = Inertia::quasistatic;
  chain.end = End::force_known;
  chain.k = Vector::Constant(n + 1, k);
  chain.alpha = Vector::Constant(n, alpha);
  chain.mass = chain.amplitude = chain.frequency = Vector::Zero(n);
  chain.end_amplitude = -amplitude;
  chain.end_frequency = 2 * std::acos(-1.) / period;
  const ChainModel model(chain);

  Loop loop{name};
  run(
      model.inclusions, model.outcome,
      [&](const auto& now) {
        const RecoveredQuantities found = recover(chain, now);
        return std::pair(found.x, -found.F_end);
      },
      loop);

  const Backbone backbone = [&](double P) {
    double x = 0;
    for (Index i = 0; i <= n; ++i)
      x += std::max(P - i * alpha, 0.) / k;
    return x;
  };
  loop.masing_force = loop.force;
  loop.masing_displacement.resize(n_steps + 1);
  for (Index i = 0; i <= n_steps; ++i)
    loop.masing_displacement[i] =
        masing(backbone, amplitude, loop.force[i], 4 * i < n_steps || 4 * i > 3 * n_steps);
  loop.closed_form = 0;
  for (Index i = 0; i <= n; ++i)
    loop.closed_form += 4 * i * alpha * std::max(amplitude - i * alpha, 0.) / k;
  return loop;
}

}  // namespace

double Loop::distance() const {
  return std::max(
      (force - masing_force).cwiseAbs().maxCoeff() / force.cwiseAbs().maxCoeff(),
      (displacement - masing_displacement).cwiseAbs().maxCoeff() / displacement.cwiseAbs().maxCoeff());
}

std::vector<Loop> hysteresis_loops() {
  Vector k(5), alpha(5);
  k << 0.8, 0.6, 0.45, 0.3, 0.2;
  alpha << 0.08, 0.18, 0.27, 0.3, 0.4;
  return {loop_of_parallel_elements("Jenkins element", Vector::Constant(1, 5.), Vector::Constant(1, 1.), 1.2),
          loop_of_parallel_elements("Iwan's model, 5 elements", k, alpha, 1.6),
          loop_of_chain("chain of 8 elements", 8, 2., 0.25, 1.4)};
}
