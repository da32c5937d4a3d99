// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bowing.h"

#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/memory/modal_memory.h>
#include <halfdof/memory/sampled_memory.h>

#include <cmath>
#include <memory>

using namespace halfdof;

namespace bowing {

namespace {

std::shared_ptr<const Law> friction() {
  return std::make_shared<WeakeningFriction>(
      FrictionCurve::exponential(at_rest, kinetic, falls_over),
      ScalarFunction([](double t) { return bow_speed * t; }, [](double) { return bow_speed; }));
}

/// Collects the motion of the contact point, in a fixed frame, and the friction force.
class Recorder {
 public:
  void add(double time, double g, double w, double r) {
    rows_.push_back({time, g + bow_speed * time, w + bow_speed, r});
  }
  Track track() const {
    const auto n = static_cast<Eigen::Index>(rows_.size());
    Track all{Vector(n), Vector(n), Vector(n), Vector(n)};
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto& row = rows_[static_cast<std::size_t>(i)];
      all.time[i] = row[0];
      all.displacement[i] = row[1];
      all.rate[i] = row[2];
      all.force[i] = row[3];
    }
    return all;
  }

 private:
  std::vector<std::array<double, 4>> rows_;
};

Track track_of(MemoryIntegrator& method, const Vector& start, double end) {
  MemoryState state = method.start(0, start);
  Recorder recorder;
  method.run(state, end,
             [&](const MemoryState& now) { recorder.add(now.time, now.g[0], now.w[0], now.r[0]); });
  return recorder.track();
}

/// Returns the initial state (x_1, x_1', 0, ...), in which only mode 1 moves.
Vector start_of(const ClassicalModes& modes) {
  Vector x = Vector::Zero(2 * modes.frequency.size());
  x[0] = first_displacement / modes.at_contacts(0, 0);
  x[1] = first_rate / modes.at_contacts(0, 0);
  return x;
}

}  // namespace

NamedLaw bow() {
  return {friction(), "bow"};
}

Track by_modes(const ClassicalModes& modes, double step, double end) {
  ModalMemory method(contact_modes(modes), {bow()}, step);
  return track_of(method, start_of(modes), end);
}

std::vector<Onset> onsets(const ClassicalModes& modes, double step, double end) {
  ModalMemory method(contact_modes(modes), {bow()}, step);
  MemoryState state = method.start(0, start_of(modes));
  std::vector<Onset> found;
  ContactState before = state.contacts[0];
  method.run(state, end, [&](const MemoryState& now) {
    if (now.contacts[0] == ContactState::stick && before != ContactState::stick)
      found.push_back({now.time, at_rest - (before == ContactState::slip_back ? 1 : -1) * now.r[0]});
    before = now.contacts[0];
  });
  return found;
}

Track by_closed_kernel(const StringKernel& string, double step, double end) {
  SampledMemory method(sampled_kernel(string, step, end), {bow()});
  return track_of(method, (Vector(2) << first_displacement, first_rate).finished(), end);
}

Track by_full_model(const ClassicalModes& modes, double step, double end) {
  const auto n = static_cast<Index>(modes.frequency.size());
  const auto diagonal = [n](const Vector& entries) {
    Eigen::SparseMatrix<double> A(n, n);
    for (Index k = 0; k < n; ++k)
      A.insert(k, k) = entries[k];
    return EigenMatrix(A);
  };
  const Vector& omega = modes.frequency;
  const AssembledSystem<EigenEngine> assembled = assembled_system<EigenEngine>(
      diagonal(Vector::Ones(n)), diagonal(2 * modes.damping_ratio.cwiseProduct(omega)),
      diagonal(omega.cwiseAbs2()));
  std::vector<WeightedDoF> weights;
  Vector q = Vector::Zero(n), v = q;
  for (Index k = 0; k < n; ++k)
    if (modes.at_contacts(0, k) != 0) weights.push_back({k, modes.at_contacts(0, k)});
  q[0] = first_displacement / modes.at_contacts(0, 0);
  v[0] = first_rate / modes.at_contacts(0, 0);

  const Inclusions<EigenEngine> inclusions(reduce(assembled),
                                           {inclusion("bow", friction(), Direction(weights))});
  const InclusionOutcome outcome = classify_inclusions(inclusions);
  NonsmoothState state = nonsmooth_start(inclusions, outcome, q, v);
  Recorder recorder;
  MoreauJean<EigenEngine>(inclusions, outcome, step).run(state, end, [&](const auto& now) {
    recorder.add(now.time(), now.state().g[0], now.state().w[0], now.state().r[0]);
  });
  return recorder.track();
}

}  // namespace bowing
