// SPDX-License-Identifier: LGPL-2.1-or-later
#include "runs.h"

#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>
#include <utility>

using namespace halfdof;

namespace {

constexpr double end_time = 1.5;  // [s]
constexpr Index n_windows = 300;  // time windows of 5 ms, over which contact forces are averaged

/// Returns the initial state: the bar is undeformed above the floor and falls with the speed v_0.
NonsmoothState initial_state(const Bar& bar, const Model& model) {
  const auto n = static_cast<Index>(model.inclusions.reduced().assembled().n_dofs());
  return nonsmooth_start(model.inclusions, model.outcome, Vector::Zero(n), Vector::Constant(n, -bar.speed));
}

/// Returns x^T A x / 2.
double half_square(const EigenMatrix& A, const Vector& x) {
  Vector product = Vector::Zero(x.size());
  A.add_product(1., x, product);
  return x.dot(product) / 2;
}

double mean_velocity(const EigenMatrix& M, const Vector& v) {
  Vector momentum = Vector::Zero(v.size()), mass = momentum;
  M.add_product(1., v, momentum);
  M.add_product(1., Vector::Ones(v.size()), mass);
  return momentum.sum() / mass.sum();
}

Run run(const Bar& bar, const Model& model, NonsmoothIntegrator<EigenEngine>& integrator) {
  const auto& assembled = model.inclusions.reduced().assembled();
  Run run;
  run.method = integrator.name();
  run.time = Vector::LinSpaced(n_windows + 1, 0., end_time);
  run.force = run.tip = run.energy = Vector::Zero(n_windows + 1);
  Index i = 0;
  double impulse = 0;
  NonsmoothState state = initial_state(bar, model);
  const std::clock_t begin = std::clock();
  integrator.run(state, {run.time.begin(), run.time.end()}, [&](const auto& now) {
    const AssembledMotion& motion = now.lift();
    run.tip[i] = motion.displacement[0];
    run.energy[i] = half_square(assembled.M(), motion.rate) + half_square(assembled.K(), motion.displacement);
    run.rebound = mean_velocity(assembled.M(), motion.rate);
    if (i > 0) run.force[i] = (now.state().impulse[0] - impulse) / (run.time[i] - run.time[i - 1]);
    impulse = now.state().impulse[0];
    ++i;
  });
  run.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return run;
}

/// Runs an integrator with the given step size and further options.
template <template <class> class Method, class... Options>
Run with_step(const Bar& bar, const Model& model, double step, const Options&... options) {
  Method<EigenEngine> integrator(model.inclusions, model.outcome, step, options...);
  Run result = run(bar, model, integrator);
  result.step = step;
  return result;
}

Run event_driven(const Bar& bar, const Model& model) {
  EventDriven<EigenEngine> integrator(model.inclusions, model.outcome);
  return run(bar, model, integrator);
}

}  // namespace

Model::Model(const Bar& bar, const SystemDescription<EigenEngine>& description,
             std::optional<double> restitution)
    : inclusions(reduce(AssembledSystem<EigenEngine>(description)),
                 {inclusion("floor", std::make_shared<UnilateralContact>(-bar.height, restitution),
                            Direction({{0, 1.}}))}),
      outcome(classify_inclusions(inclusions)) {}

double Run::force_error(const Bar& bar) const {
  double error = 0, size = 0;
  for (Index i = 1; i < time.size(); ++i) {
    const double exact = (bar.impulse(time[i]) - bar.impulse(time[i - 1])) / (time[i] - time[i - 1]);
    error += (force[i] - exact) * (force[i] - exact);
    size += exact * exact;
  }
  return std::sqrt(error / size);
}

double Run::tip_error(const Bar& bar) const {
  double error = 0;
  for (Index i = 0; i < time.size(); ++i)
    error = std::max(error, std::abs(tip[i] - bar.tip(time[i])));
  return error;
}

double Run::energy_drift(const Bar& bar) const {
  return (energy.array() / bar.energy() - 1).abs().maxCoeff();
}

double Run::energy_change(const Bar& bar) const {
  return energy[energy.size() - 1] / bar.energy() - 1;
}

std::vector<Run> run_all(const Bar& bar, Index n_elements, ElementMass mass) {
  const SystemDescription<EigenEngine> description = assemble(bar, n_elements, mass);
  // The step size is a third of the time that a wave needs to cross an element.
  const double step = bar.length / n_elements / bar.wave_speed() / 3;
  std::vector<Run> runs;
  const auto add = [&](const std::string& of_mass, const std::string& suffix, Run run) {
    run.mass = of_mass;
    run.method += suffix;
    runs.push_back(std::move(run));
  };

  const Model plastic(bar, description, 0.), elastic(bar, description, 1.), whole(bar, description);
  add("standard", "", with_step<NonsmoothEuler>(bar, whole, step));
  add("standard", ", e = 0", with_step<MoreauJean>(bar, plastic, step));
  add("standard", ", e = 1", with_step<MoreauJean>(bar, elastic, step));
  add("standard", ", e = 0", with_step<NonsmoothAlpha>(bar, plastic, step));
  add("standard", ", e = 0", event_driven(bar, plastic));
  add("standard", ", e = 0", with_step<YosidaPenalty>(bar, plastic, step / 5, 4 * step * step));

  const Model massless(bar, with_massless_contact(description, {0}));
  add("massless", "", with_step<NonsmoothEuler>(bar, massless, step));
  add("massless", "", with_step<MoreauJean>(bar, massless, step));
  add("massless", "", with_step<NonsmoothAlpha>(bar, massless, step));
  add("massless", "", event_driven(bar, massless));
  add("massless", "", with_step<SetValuedEuler>(bar, massless, step / 200));
  add("massless", "", with_step<SetValuedRungeKutta>(bar, massless, step));
  return runs;
}
