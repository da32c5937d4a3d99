#pragma once

#include <halfdof/inclusions/law.h>

#include <string>

namespace halfdof {

/**
 * The reaction of a law at a known w, as Law::reaction_at(), once the law has had its say about what happens
 * at that w (Law::reconsider()): friction that slips has the kinetic threshold, whatever it did before.
 *
 * @param parameters On return those that hold: the state of the inclusion is told by them.
 * @param wish the reaction to come nearest to, where there are several
 * @throws as Law::reaction_at()
 */
LocalVector settled_reaction(const Law& law, LawParameters& parameters, LocalConstView w,
                             LocalConstView wish);

/// What a gap may be below zero by rounding, relative to the displacements that make it.
inline constexpr double closing_tolerance = 1e-12;

/// Gaps of contacts at rest that count as closed, relative to the way on which their reactions would send
/// them in a step: rounding opens them, and they would fall for a step before they close.
inline constexpr double resting_gap = 1e-8;

/// A contact that nothing can move stays open by itself.
/// @param rounding what its gap may be below zero @throws InvalidInput if it is further
void check_held_gap(const std::string& name, double gap, double rounding, double time);

}  // namespace halfdof
