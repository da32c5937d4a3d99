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
    throw InvalidInput("The state that " + integrator + " shall advance has " +
                       std::to_string(state.x.size()) + " coordinates, " + std::to_string(state.r.size()) +
                       " reactions and " + std::to_string(state.contacts.size()) +
                       " contact states, but the integrator has " + std::to_string(n_coordinates) + ", " +
                       std::to_string(n_contacts) + " and " + std::to_string(n_laws) +
                       ". Give a state that start() of this integrator has returned.");
}

}  // namespace halfdof::internal

namespace halfdof {

using namespace internal;

namespace {

/// Relative rounding of an end time that is a multiple of the step.
constexpr double rounding_of_end = 1e-9;

}  // namespace

double MemoryIntegrator::next_time(const MemoryState& state, double limit) const {
  const double end = state.grid.origin + static_cast<double>(state.grid.n_steps + 1) * time_step();
  if (end <= limit) return end;
  throw InvalidInput("This integrator has steps of one length, " + seconds(time_step()) +
                     ", so that its next step cannot end at " + seconds(limit) + ". Give a limit from " +
                     seconds(end) + " on, or a kernel with other samples.");
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
