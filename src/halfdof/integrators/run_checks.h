#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <string>

/// What every integrator checks of the states that it is handed and that it reaches. Collective.
namespace halfdof {

/// @throws InvalidInput if the state has the wrong size
template <class Engine>
void check_size(const std::string& integrator, const ReducedSystem<Engine>& reduced, const State& state);

/// @throws InvalidInput if the state is not finite, or larger than any finite-element quantity can be
template <class Engine>
void check_finite(const std::string& integrator, const ReducedSystem<Engine>& reduced, const State& state);

/// Whether the state that a step has reached is finite, and no larger than any finite-element quantity can
/// be.
template <class Engine>
bool is_sound(const ReducedSystem<Engine>& reduced, const State& state);

/// Refuses one that is not, reached by a step from the time `from`; `advice` is the last sentence. @throws
/// BlowUp
template <class Engine>
[[noreturn]] void refuse_step(const std::string& integrator, const ReducedSystem<Engine>& reduced,
                              double from, const State& to, const std::string& advice);

/// Whether the kinds of a system with a StateForce are looked at, NewtonOptions::monitor_kinds.
template <class Engine>
bool monitors_kinds(const ReducedSystem<Engine>& reduced);

}  // namespace halfdof
