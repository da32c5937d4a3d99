// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/law.h>

#include <string>

namespace halfdof::internal {

/**
 * Returns the reaction of a law at a known rate or gap w by Law::reaction_at(), after Law::reconsider() has
 * adapted the parameters to the contact state at this w. Friction that slips has the kinetic threshold, even
 * if it stuck before.
 *
 * @param parameters On return the parameters for the contact state at w
 * @param nearest_to if several reactions are admissible, the one that is nearest to this reaction is returned
 * @throws as Law::reaction_at()
 */
LocalVector consistent_reaction(const Law& law, LawParameters& parameters, LocalConstView w,
                                LocalConstView nearest_to);

/// Tolerance for gaps that rounding makes negative, relative to the displacements from which they are
/// computed.
inline constexpr double closing_tolerance = 1e-12;

/// Largest gap of contacts at rest that count as closed, relative to the distance by which their reactions
/// would move them in a step. Without this tolerance a contact that rounding has opened would move freely for
/// a step before it closes.
inline constexpr double resting_gap = 1e-8;

/// Checks the gap of a contact whose reaction moves no DoF and therefore cannot change the gap.
/// @param rounding tolerance for a negative gap @throws InvalidInput if the gap is below -rounding
void check_gap_of_immobile_contact(const std::string& name, double gap, double rounding, double time);

}  // namespace halfdof::internal
