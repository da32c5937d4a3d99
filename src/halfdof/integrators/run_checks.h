// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <string>
#include <vector>

/// Checks that every integrator makes of the times of a run, of its initial state, and of the state after
/// each step. The checks of states are collective.
namespace halfdof::internal {

/// Returns a time as text, such as "0.125 s".
std::string seconds(double time);

/// Checks the end time of a run. @throws InvalidInput unless it is finite and not before `from`
void check_end_time(const std::string& integrator, double from, double end_time);
/// Checks output times. @throws InvalidInput unless they are finite, ascending and not before `from`
void check_output_times(const std::string& integrator, double from, const std::vector<double>& output_times);
/// Checks a step length. @throws InvalidInput unless it is positive and finite
void check_time_step(const std::string& integrator, double time_step);

/// Checks the size of a state. @throws InvalidInput if it is wrong
template <class Engine>
void check_size(const std::string& integrator, const ReducedSystem<Engine>& reduced, const State& state);

/// Checks the values of a state. @throws InvalidInput if they are not finite, or larger than any
/// finite-element quantity can be
template <class Engine>
void check_finite(const std::string& integrator, const ReducedSystem<Engine>& reduced, const State& state);

/// Returns whether the state after a step is finite, and no larger than any finite-element quantity can be.
template <class Engine>
bool is_sound(const ReducedSystem<Engine>& reduced, const State& state);

/// Reports a state that is not sound.
/// @param from time at which the step began [s] @param to the state at its end
/// @param advice last sentence of the message
/// @throws BlowUp always
template <class Engine>
[[noreturn]] void refuse_step(const std::string& integrator, const ReducedSystem<Engine>& reduced,
                              double from, const State& to, const std::string& advice);

/// Returns whether the kinds of DoFs are checked during the run (NewtonOptions::monitor_kinds); always false
/// without a StateForce.
template <class Engine>
bool monitors_kinds(const ReducedSystem<Engine>& reduced);

}  // namespace halfdof::internal
