// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/verification/verification.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/ranks/dense_parts.h>
#include <halfdof/memory/contact_step.h>
#include <halfdof/memory/modal_memory.h>
#include <halfdof/memory/modal_propagator.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

/// A saved state belongs to the present modes if the relative difference to the state that the modes
/// reconstruct from the saved modal coordinates does not exceed this value.
constexpr double same_state_tolerance = 1e-10;

/// Steps count as equally long if their lengths differ by less than this fraction, which allows for rounding
/// of times.
constexpr double same_step_tolerance = 1e-9;

std::vector<NamedLaw> laws_of(const std::vector<Inclusion>& inclusions) {
  std::vector<NamedLaw> laws;
  for (const Inclusion& inclusion : inclusions)
    laws.push_back({inclusion.law, inclusion.name});
  return laws;
}

}  // namespace

template <class Engine>
MemoryMethod<Engine>::MemoryMethod(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                   StructureModes structure, double time_step,
                                   std::vector<ScalarFunction> loads)
    : NonsmoothIntegrator<Engine>(inclusions, outcome),
      structure_(std::move(structure)),
      integrator_(structure_.modes, laws_of(inclusions.acting()), time_step, std::move(loads)) {}

template <class Engine>
int MemoryMethod<Engine>::dense_output_degree() const {
  return NonsmoothIntegrator<Engine>::no_polynomial;
}

template <class Engine>
std::vector<Check> MemoryMethod<Engine>::kept_exactly() const {
  std::vector<Check> kept = {Check::impulse, Check::kinematics};
  if (std::isinf(structure_.slowest_omitted)) kept.push_back(Check::balance);
  const std::vector<Inclusion>& acting = this->inclusions().acting();
  if (std::all_of(acting.begin(), acting.end(), [](const Inclusion& i) { return i.law->is_autonomous(); }))
    kept.push_back(Check::reaction);
  return kept;
}

template <class Engine>
NonsmoothState MemoryMethod<Engine>::reduced_state(const MemoryState& at) const {
  NonsmoothState state;
  state.time = at.time;
  state.y = structure_.lift(at.x, at.r, integrator_.loads_at(at.time));
  state.r = at.r;
  state.w = integrator_.contacts_->rates_of_laws(at);
  state.g = at.g;
  state.impulse = at.impulse;
  state.contacts = at.contacts;
  state.dissipated = at.dissipated;
  state.dissipated_by = at.dissipated_by;
  state.grid = at.grid;
  state.carried =
      stacked({at.x, at.u_a, at.u_b, at.w, at.mean_w, MultiVector::Constant(1, 1, at.has_same_contacts)});
  return state;
}

template <class Engine>
MemoryState MemoryMethod<Engine>::memory_state_from_storage(const NonsmoothState& from) const {
  const Eigen::Index n = structure_.modes.n_coordinates(), m = structure_.modes.n_contacts();
  MemoryState state;
  state.time = from.time;
  state.r = from.r;
  state.g = from.g;
  state.impulse = from.impulse;
  state.contacts = from.contacts;
  state.dissipated = from.dissipated;
  state.dissipated_by = from.dissipated_by;
  state.grid = from.grid;
  state.x = from.carried.head(n);
  state.u_a = from.carried.segment(n, m);
  state.u_b = from.carried.segment(n + m, m);
  state.w = from.carried.segment(n + 2 * m, m);
  state.mean_w = from.carried.segment(n + 3 * m, m);
  state.has_same_contacts = from.carried[n + 4 * m] != 0;
  return state;
}

template <class Engine>
std::optional<MemoryState> MemoryMethod<Engine>::stored(const NonsmoothState& from) const {
  if (from.carried.size() != structure_.modes.n_coordinates() + 4 * structure_.modes.n_contacts() + 1)
    return std::nullopt;
  MemoryState state = memory_state_from_storage(from);
  const Vector reconstructed = structure_.lift(state.x, from.r, integrator_.loads_at(from.time));
  if ((reconstructed - from.y).norm() > same_state_tolerance * from.y.norm()) return std::nullopt;
  return state;
}

template <class Engine>
double MemoryMethod<Engine>::omitted_part(const NonsmoothState& from) const {
  const Vector moved =
      structure_.lift(Vector::Zero(structure_.Q.cols()), from.r, integrator_.loads_at(from.time));
  return std::min(structure_.omitted_part(from.y), structure_.omitted_part(from.y - moved));
}

template <class Engine>
MemoryState MemoryMethod<Engine>::memory_state(const NonsmoothState& from) const {
  MemoryState state = integrator_.start(
      from.time, structure_.restrict(from.y, from.r, integrator_.loads_at(from.time)), from.r);
  state.contacts = from.contacts;
  state.impulse = from.impulse;
  state.dissipated = from.dissipated;
  state.dissipated_by = from.dissipated_by;
  return state;
}

template <class Engine>
MemoryState MemoryMethod<Engine>::memory_state_of(const NonsmoothState& from) const {
  const std::optional<MemoryState> same = stored(from);
  return same ? *same : memory_state(from);
}

template <class Engine>
NonsmoothState MemoryMethod<Engine>::advance(const NonsmoothState& from, double limit,
                                             std::vector<ContactEvent>& events) {
  const MemoryState begin = memory_state_of(from);
  MemoryState state = begin;
  integrator_.step(state, limit);
  const std::vector<ContactEvent> here = integrator_.events(begin, state);
  events.insert(events.end(), here.begin(), here.end());
  return reduced_state(state);
}

template <class Engine>
const ModalPropagator& MemoryMethod<Engine>::propagator_over(double part, double step) const {
  const double regular = integrator_.time_step();
  if (std::abs(step - regular) > same_step_tolerance * regular) propagators_.clear();
  const double length = part * (std::abs(step - regular) > same_step_tolerance * regular ? step : regular);
  const auto found = propagators_.find(length);
  if (found != propagators_.end()) return *found->second;
  const auto propagator = std::make_shared<const ModalPropagator>(structure_.modes, length);
  return *propagators_.emplace(length, propagator).first->second;
}

template <class Engine>
NonsmoothState MemoryMethod<Engine>::interpolate_step(const NonsmoothState& begin, const NonsmoothState& end,
                                                      double theta) const {
  const MemoryState from = memory_state_of(begin), to = memory_state_from_storage(end);
  const MemoryState at =
      theta > 0 ? integrator_.motion_within_step(from, to, theta, propagator_over(theta, to.time - from.time))
                : integrator_.motion_at_begin(from, to);
  NonsmoothState state = reduced_state(at);
  state.w = at.w;
  return state;
}

template class MemoryMethod<InstantiatedEngine>;

}  // namespace halfdof
