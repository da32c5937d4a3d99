// SPDX-License-Identifier: LGPL-2.1-or-later
#include "small_masses.h"

#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <memory>
#include <string>
#include <vector>

using namespace halfdof;

namespace {

SystemDescription<EigenEngine> description_of(const Fibre& fibre, const MultiVector& M) {
  const auto sparse = [](const MultiVector& dense) { return EigenMatrix(dense.sparseView(0, 0)); };
  SystemDescription<EigenEngine> description;
  description.mass = sparse(M);
  description.damping = sparse(fibre.C());
  description.stiffness = sparse(fibre.K());
  description.load = [fibre](double t) { return Vector(fibre.L() * fibre.activation(t)); };
  description.labels.component_names = fibre.names();
  for (Index i = 0; i < fibre.n_dofs(); ++i)
    description.labels.component.push_back(i);
  return description;
}

/// Returns the times at which a twitch begins or ends.
std::vector<double> kinks(const Fibre& fibre, double end) {
  std::vector<double> times;
  for (int i = 0; i < fibre.n_sarcomeres; ++i)
    for (double begin = fibre.delay * (i + 1); begin < end; begin += fibre.period)
      times.insert(times.end(), {begin, begin + fibre.duration});
  return times;
}

}  // namespace

FibreMotion with_small_masses(const Fibre& fibre, double mass, double end, int n_shown) {
  const Index n = fibre.n_dofs();
  MultiVector M = fibre.M();
  M.diagonal().head(n - 1).setConstant(mass);
  const Inclusions<EigenEngine> inclusions(
      reduce(AssembledSystem<EigenEngine>(description_of(fibre, M))),
      {inclusion("slide", std::make_shared<DryFriction>(-fibre.a, fibre.a),
                 Direction({{fibre.slide(), 1.}}))});
  const InclusionOutcome outcome = classify_inclusions(inclusions);
  NonsmoothState state = nonsmooth_start(inclusions, outcome, Vector::Zero(n), Vector::Zero(n));

  std::vector<double> times;
  for (int i = 0; i <= n_shown; ++i)
    times.push_back(end * i / n_shown);
  FibreMotion motion{
      Vector(n_shown + 1), MultiVector(n_shown + 1, n), MultiVector(n_shown + 1, n), Vector(n_shown + 1), {}};
  EventDrivenOptions options;
  options.breakpoints = kinks(fibre, end);
  Index row = 0;
  EventDriven<EigenEngine>(inclusions, outcome, options).run(state, times, [&](const auto& now) {
    motion.time[row] = now.time();
    motion.q.row(row) = now.lift().displacement;
    motion.v.row(row) = now.lift().rate;
    motion.r[row] = now.reactions()[0][0];
    motion.contact.push_back(now.contacts()[0]);
    ++row;
  });
  return motion;
}

std::string refusal_by_null_columns(const Fibre& fibre) {
  ReductionOptions options;
  options.method = ReductionMethod::null_columns;
  try {
    reduce(AssembledSystem<EigenEngine>(description_of(fibre, fibre.M())), options);
  } catch (const SingularElimination& error) {
    return error.what();
  }
  return "";
}
