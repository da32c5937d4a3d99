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

/// @throws BlowUp if the state that a step from the time `from` has reached is not finite, or absurdly large;
/// `advice` is the last sentence
template <class Engine>
void check_step(const std::string& integrator, const ReducedSystem<Engine>& reduced, double from,
                const State& to, const std::string& advice);

/// Whether the kinds of a system with a StateForce are looked at, NewtonOptions::monitor_kinds.
template <class Engine>
bool monitors_kinds(const ReducedSystem<Engine>& reduced);

}  // namespace halfdof
