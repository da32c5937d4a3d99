// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/linearized_state_force.h>

#include <cmath>
#include <sstream>
#include <utility>

namespace halfdof::internal {

namespace {

/// Largest acceptable norm of a state. No finite-element quantity in any system of units is as large as this
/// bound, and a larger state would soon overflow.
constexpr double largest_norm = 1e100;

/// The quantity and the local free DoF that belong to an entry of the state.
struct StateEntry {
  const char* quantity;
  Index local_free;
};

StateEntry state_entry(const Classification& classification, Index entry) {
  const auto& inertial = classification.inertial().local();
  const auto& viscous = classification.viscous().local();
  const Index n_I = classification.inertial().n_local(), n_C = classification.viscous().n_local();
  if (entry < n_I) return {"displacement", inertial[static_cast<std::size_t>(entry)]};
  if (entry < n_I + n_C) return {"displacement", viscous[static_cast<std::size_t>(entry - n_I)]};
  return {"velocity", inertial[static_cast<std::size_t>(entry - n_I - n_C)]};
}

bool is_acceptable(const Vector& y) {
  return y.squaredNorm() <= largest_norm * largest_norm;  // The result is false for NaN.
}

Index index_of_worst_entry(const Vector& y) {
  Index worst = 0;
  for (Index i = 0; i < static_cast<Index>(y.size()); ++i) {
    if (!std::isfinite(y[i])) return i;
    if (std::abs(y[i]) > std::abs(y[worst])) worst = i;
  }
  return worst;
}

/// Returns the DoF and the text of the first process whose text is not empty. Each process sends its DoF and
/// text in the form "17:the velocity of DoF 17 (node 6, x) is nan".
std::pair<GlobalIndex, std::string> first_report(const Communicator& communicator, GlobalIndex dof,
                                                 const std::string& text) {
  const std::string bytes = text.empty() ? "" : std::to_string(dof) + ":" + text;
  for (const std::string& report : communicator.gather(bytes))
    if (!report.empty()) {
      const std::size_t colon = report.find(':');
      return {std::stoll(report.substr(0, colon)), report.substr(colon + 1)};
    }
  return {-1, "nothing"};
}

template <class Engine>
std::pair<GlobalIndex, std::string> describe_worst_entry(const ReducedSystem<Engine>& reduced,
                                                         const Vector& y) {
  GlobalIndex dof = -1;
  std::ostringstream text;
  if (!is_acceptable(y)) {
    const Index worst = index_of_worst_entry(y);
    const StateEntry entry = state_entry(reduced.classification(), worst);
    dof = reduced.free().assembled_index(entry.local_free);
    text << "the " << entry.quantity << " of " << reduced.free().describe(entry.local_free) << " is "
         << y[worst];
  }
  return first_report(reduced.communicator(), dof, text.str());
}

}  // namespace

template <class Engine>
void check_size(const std::string& integrator, const ReducedSystem<Engine>& reduced, const State& state) {
  if (reduced.communicator().any(state.y.size() != reduced.n_local_states()))
    throw InvalidInput(
        "The state passed to " + integrator + " has " + std::to_string(state.y.size()) +
        " entries on this process, but the reduced system has " + std::to_string(reduced.n_local_states()) +
        " states. Compute the state with consistent_state() or restrict() of the same system.");
}

template <class Engine>
void check_finite(const std::string& integrator, const ReducedSystem<Engine>& reduced, const State& state) {
  if (reduced.communicator().any(!std::isfinite(state.time) || !is_acceptable(state.y)))
    throw InvalidInput("The state passed to " + integrator + " at " + seconds(state.time) +
                       " is not finite: " + describe_worst_entry(reduced, state.y).second +
                       ". Correct the initial values.");
}

template <class Engine>
bool is_finite_and_bounded(const ReducedSystem<Engine>& reduced, const State& state) {
  return !reduced.communicator().any(!is_acceptable(state.y));
}

template <class Engine>
void throw_blow_up(const std::string& integrator, const ReducedSystem<Engine>& reduced, double from,
                   const State& to, const std::string& advice) {
  const auto [dof, what] = describe_worst_entry(reduced, to.y);
  throw BlowUp("The " + integrator + " step from " + seconds(from) + " to " + seconds(to.time) +
                   " blew up: " + what + ". " + advice,
               to.time, dof);
}

template <class Engine>
bool monitors_kinds(const ReducedSystem<Engine>& reduced) {
  return reduced.depends_on_state() && reduced.linearized_state_force()->options.newton.monitor_kinds;
}

template bool monitors_kinds(const ReducedSystem<InstantiatedEngine>&);
template void check_size(const std::string&, const ReducedSystem<InstantiatedEngine>&, const State&);
template void check_finite(const std::string&, const ReducedSystem<InstantiatedEngine>&, const State&);
template bool is_finite_and_bounded(const ReducedSystem<InstantiatedEngine>&, const State&);
template void throw_blow_up(const std::string&, const ReducedSystem<InstantiatedEngine>&, double,
                            const State&, const std::string&);

}  // namespace halfdof::internal
