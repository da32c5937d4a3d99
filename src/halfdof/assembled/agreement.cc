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

/// Which processes give a function.
struct Givers {
  bool some = false;     ///< whether at least one process gives it
  bool lacking = false;  ///< whether at least one process gives other functions, but not this one
};

/// Finds for each function which processes give it; processes without entries are ignored. Collective.
template <std::size_t n>
std::array<Givers, n> givers_of(const std::array<TimeFunction*, n>& functions, bool has_entries,
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
  std::array<Givers, n> givers;
  for (std::size_t k = 0; k < n; ++k)
    givers[k] = {flags[k] > 0, flags[n + k] > 0};
  return givers;
}

/// @param n_listed Number of entries of the functions on this process
/// @param names "q_D", "the prescribed motion"
void agree(PrescribedMotion& motion, Index n_listed, const std::pair<std::string, std::string>& names,
           const Communicator& communicator) {
  const std::array<TimeFunction*, 4> functions = {&motion.value, &motion.rate, &motion.acceleration,
                                                  &motion.jerk};
  const auto givers = givers_of(functions, n_listed > 0, communicator);
  bool some = false, all_of_some = false;
  for (const Givers& giver : givers) {
    some = some || giver.some;
    all_of_some = all_of_some || (giver.some && !giver.lacking);
  }
  const bool lacks_value = givers[0].some && givers[0].lacking;
  if (lacks_value || (some && !all_of_some))
    throw InvalidInput("Processes give different parts of " + names.second + ": some give " + names.first +
                       " without one of its derivatives, others that derivative without " + names.first +
                       ". Give the same functions on all processes that own such degrees of freedom.");
  for (std::size_t k = 0; k < functions.size(); ++k)
    if (!givers[k].some || givers[k].lacking)
      *functions[k] = nullptr;
    else if (!*functions[k])
      *functions[k] = zeros(n_listed);
}

void agree(TimeFunction& load, TimeFunction& load_rate, Index n, const Communicator& communicator) {
  const auto givers = givers_of(std::array<TimeFunction*, 2>{&load, &load_rate}, true, communicator);
  if (givers[0].some && !load) load = zeros(n);
  // If no process gives a load, the rate may still be given.
  if (!givers[1].some || (givers[0].some && givers[1].lacking))
    load_rate = nullptr;
  else if (!load_rate)
    load_rate = zeros(n);
}

/// @throws InvalidInput unless all processes give the same parts of the description
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
      throw InvalidInput(std::string("Some processes give a ") + parts[k].second +
                         ", and others do not. All processes work on it together: give it on all of them, "
                         "also on those that own none of its degrees of freedom.");
}

}  // namespace

template <class Engine>
SystemDescription<Engine> agreed(SystemDescription<Engine> description) {
  const Partition& dofs = description.stiffness.rows();
  const Communicator& communicator = dofs.communicator();
  if (communicator.size() == 1) return description;
  check_parts(description, communicator);
  agree(description.load, description.load_rate, dofs.n_local(), communicator);
  agree(description.prescribed, static_cast<Index>(description.constrained.size()),
        {"q_D", "the prescribed motion"}, communicator);
  agree(description.right_sides, static_cast<Index>(description.multipliers.size()),
        {"b", "the right sides of constraints"}, communicator);
  return description;
}

template SystemDescription<InstantiatedEngine> agreed(SystemDescription<InstantiatedEngine>);

}  // namespace halfdof::internal
