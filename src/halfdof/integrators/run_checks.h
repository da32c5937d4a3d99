// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/reduced_system.h>

#include <string>
#include <vector>

/// Every integrator checks the times of a run, its initial state, and the state after each step with these
/// functions. The checks of states are collective.
namespace halfdof::internal {

/// Returns a time as text, such as "0.125 s".
std::string seconds(double time);

/// Checks the end time of a run. @throws InvalidInput unless it is finite and not before `from`
void check_end_time(const std::string& integrator, double from, double end_time);
/// Checks output times. @throws InvalidInput unless they are finite, ascending and not before `from`
void check_output_times(const std::string& integrator, double from, const std::vector<double>& output_times);
/// Checks a step length. @throws InvalidInput unless it is positive and finite
void check_time_step(const std::string& integrator, double time_step);

/// Checks the number of entries of a state. @throws InvalidInput unless it is the number of states
template <class Engine>
void check_size(const std::string& integrator, const ReducedSystem<Engine>& reduced, const State& state);

/// Checks the time and the values of a state. @throws InvalidInput if a number is not finite, or the state is
/// larger than any finite-element quantity can be
template <class Engine>
void check_finite(const std::string& integrator, const ReducedSystem<Engine>& reduced, const State& state);

/// Returns whether all values of a state are finite, and not larger than any finite-element quantity can be.
template <class Engine>
bool is_finite_and_bounded(const ReducedSystem<Engine>& reduced, const State& state);

/// Throws the error for a step that ends at a state without is_finite_and_bounded().
/// @param from time at which the step begins [s] @param to the state at the end of the step
/// @param advice last sentence of the message
/// @throws BlowUp always
template <class Engine>
[[noreturn]] void throw_blow_up(const std::string& integrator, const ReducedSystem<Engine>& reduced,
                                double from, const State& to, const std::string& advice);

/// Returns whether the kinds of DoFs are checked during the run (NewtonOptions::monitor_kinds). The result is
/// false for systems without a StateForce.
template <class Engine>
bool monitors_kinds(const ReducedSystem<Engine>& reduced);

}  // namespace halfdof::internal
