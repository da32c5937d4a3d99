// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/memory/memory_integrator.h>
#include <halfdof/memory/state_checks.h>

#include <algorithm>
#include <cmath>

namespace halfdof::internal {

void check_sizes(const std::string& integrator, const MemoryState& state, Index n_coordinates,
                 Index n_contacts, std::size_t n_laws) {
  bool fits = state.x.size() == n_coordinates && state.contacts.size() == n_laws;
  for (const Vector* entry : {&state.r, &state.w, &state.g, &state.u_a, &state.u_b})
    fits = fits && entry->size() == n_contacts;
  if (!fits)
    throw InvalidInput("The state at the beginning of a step of " + integrator + " has " +
                       std::to_string(state.x.size()) + " coordinates, " + std::to_string(state.r.size()) +
                       " reactions and " + std::to_string(state.contacts.size()) +
                       " contact states, but this integrator has " + std::to_string(n_coordinates) +
                       " coordinates, " + std::to_string(n_contacts) + " reactions and " +
                       std::to_string(n_laws) +
                       " contact states. Give a state that start() of this integrator has returned.");
}

}  // namespace halfdof::internal

namespace halfdof {

using namespace internal;

namespace {

/// An end time counts as a multiple of the step if its distance from the multiple is at most this fraction of
/// a step.
constexpr double rounding_of_end = 1e-9;

}  // namespace

double MemoryIntegrator::next_time(const MemoryState& state, double limit) const {
  const double end = state.grid.origin + static_cast<double>(state.grid.n_steps + 1) * time_step();
  if (end <= limit) return end;
  throw InvalidInput("All steps of this integrator with memory have the length " + seconds(time_step()) +
                     ", so that the next step cannot end at " + seconds(limit) + ". Let the step end at " +
                     seconds(end) + " or later, or give a kernel with other samples.");
}

void MemoryIntegrator::run(MemoryState& state, double end_time, const MemoryObserver& observer) {
  check_end_time("memory", state.time, end_time);
  double last = end_time;
  if (has_fixed_steps()) {
    const double n = std::ceil((end_time - state.grid.origin) / time_step() - rounding_of_end);
    last = std::max(state.time, state.grid.origin + n * time_step());
  }
  if (observer) observer(state);
  while (state.time < last) {
    step(state, last);
    if (observer) observer(state);
  }
}

}  // namespace halfdof
