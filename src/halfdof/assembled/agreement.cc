// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/agreement.h>
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <array>
#include <string>
#include <utility>

namespace halfdof::internal {

namespace {

TimeFunction zeros(Index n) {
  return [n](double) -> Vector { return Vector::Zero(n); };
}

/// Whether a function of the description is present on the processes.
struct Presence {
  bool given_somewhere = false;    ///< whether at least one process gives the function
  bool missing_somewhere = false;  ///< whether a process gives some of the functions, but not this function
};

/// Finds the presence of each function on the processes. Processes without entries are ignored. Collective.
template <std::size_t n>
std::array<Presence, n> presence_of(const std::array<TimeFunction*, n>& functions, bool has_entries,
                                    const Communicator& communicator) {
  bool gives_any = false;
  for (const TimeFunction* function : functions)
    gives_any = gives_any || *function;
  std::array<double, 2 * n> flags{};
  for (std::size_t k = 0; k < n; ++k) {
    flags[k] = has_entries && *functions[k] ? 1. : 0.;
    flags[n + k] = has_entries && gives_any && !*functions[k] ? 1. : 0.;
  }
  communicator.max(flags.data(), static_cast<int>(flags.size()));
  std::array<Presence, n> presences;
  for (std::size_t k = 0; k < n; ++k)
    presences[k] = {flags[k] > 0, flags[n + k] > 0};
  return presences;
}

/// Replaces functions that only this process lacks by zero functions, and removes derivatives that some
/// process does not give.
/// @param n_listed Number of entries of the functions on this process
/// @param names The symbol and the noun for messages, such as "q_D" and "the prescribed motion"
void fill_missing_functions(PrescribedMotion& motion, Index n_listed,
                            const std::pair<std::string, std::string>& names,
                            const Communicator& communicator) {
  const std::array<TimeFunction*, 4> functions = {&motion.value, &motion.rate, &motion.acceleration,
                                                  &motion.jerk};
  const auto presences = presence_of(functions, n_listed > 0, communicator);
  bool some = false, all_of_some = false;
  for (const Presence& presence : presences) {
    some = some || presence.given_somewhere;
    all_of_some = all_of_some || (presence.given_somewhere && !presence.missing_somewhere);
  }
  const bool lacks_value = presences[0].given_somewhere && presences[0].missing_somewhere;
  if (lacks_value || (some && !all_of_some))
    throw InvalidInput(
        "Processes give different parts of " + names.second + ": some processes give " + names.first +
        " without one of its derivatives, and other processes give that derivative without " + names.first +
        ". Give the same functions on all processes that own such degrees of freedom.");
  for (std::size_t k = 0; k < functions.size(); ++k)
    if (!presences[k].given_somewhere || presences[k].missing_somewhere)
      *functions[k] = nullptr;
    else if (!*functions[k])
      *functions[k] = zeros(n_listed);
}

void fill_missing_functions(TimeFunction& load, TimeFunction& load_rate, Index n,
                            const Communicator& communicator) {
  const auto presences = presence_of(std::array<TimeFunction*, 2>{&load, &load_rate}, true, communicator);
  if (presences[0].given_somewhere && !load) load = zeros(n);
  // A load rate without a load is valid: the load is then zero.
  if (!presences[1].given_somewhere || (presences[0].given_somewhere && presences[1].missing_somewhere))
    load_rate = nullptr;
  else if (!load_rate)
    load_rate = zeros(n);
}

/// Checks that matrices and functions are given either on all processes or on none. @throws InvalidInput
/// otherwise
template <class Engine>
void check_parts(const SystemDescription<Engine>& description, const Communicator& communicator) {
  const StateForce<Engine>& p = description.state_force;
  const std::array<std::pair<bool, const char*>, 8> parts = {
      {{description.mass.has_value(), "mass matrix"},
       {description.damping.has_value(), "damping matrix"},
       {static_cast<bool>(p.force), "state force"},
       {static_cast<bool>(p.tangents), "function for the tangents of the state force"},
       {static_cast<bool>(p.time_derivative), "time derivative of the state force"},
       {p.pattern.mass.has_value(), "pattern of the tangent mass"},
       {p.pattern.damping.has_value(), "pattern of the tangent damping"},
       {p.pattern.stiffness.has_value(), "pattern of the tangent stiffness"}}};
  std::array<double, 16> flags{};
  for (std::size_t k = 0; k < parts.size(); ++k) {
    flags[k] = parts[k].first ? 1. : 0.;
    flags[8 + k] = 1. - flags[k];
  }
  communicator.max(flags.data(), static_cast<int>(flags.size()));
  for (std::size_t k = 0; k < parts.size(); ++k)
    if (flags[k] > 0 && flags[8 + k] > 0)
      throw InvalidInput(
          std::string("Some processes give a ") + parts[k].second +
          ", and others do not. All processes must use the " + parts[k].second +
          " together. Give it on every process, also on processes that own none of its degrees of freedom.");
}

}  // namespace

template <class Engine>
SystemDescription<Engine> with_common_functions(SystemDescription<Engine> description) {
  const Partition& dofs = description.stiffness.rows();
  const Communicator& communicator = dofs.communicator();
  if (communicator.size() == 1) return description;
  check_parts(description, communicator);
  fill_missing_functions(description.load, description.load_rate, dofs.n_local(), communicator);
  fill_missing_functions(description.prescribed, static_cast<Index>(description.constrained.size()),
                         {"q_D", "the prescribed motion"}, communicator);
  fill_missing_functions(description.right_sides, static_cast<Index>(description.multipliers.size()),
                         {"b", "the right sides of constraints"}, communicator);
  return description;
}

template SystemDescription<InstantiatedEngine> with_common_functions(SystemDescription<InstantiatedEngine>);

}  // namespace halfdof::internal
