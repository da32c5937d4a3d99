// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/event_driven/smooth_motion.h>

#include <optional>

namespace halfdof::internal {

/// The instant within a step at which an inclusion leaves its contact state.
struct LocatedEvent {
  double tau;  ///< Time since the beginning of the step divided by its length, in [0, 1].
  Index direction;
};

/**
 * Finds the first event of a step, by root finding on the dense output of the step. An inclusion keeps its
 * contact state as long as the following conditions hold:
 *
 * | contact state | condition | next contact state |
 * |---|---|---|
 * | stick | lower <= r <= upper | slip |
 * | slip forward, back | w >= 0, w <= 0 | stick, or slip the other way |
 * | closed | r >= 0 | lift-off |
 * | stick in the plane | \|r_t\| <= mu r_n | slip |
 * | slip in the plane | \|w_t\| more than 1e-9 of its terms | stick, or slip in another direction |
 * | slip in the plane | w_t less than a right angle from its direction at the beginning of the step | slip |
 * | open | g >= 0 | impact, or landing |
 *
 * Directions that move only as prescribed are checked only if they have friction that slips, with the
 * tolerance rounding_of_rate().
 *
 * A direction whose motion the held directions determine (SmoothMotion::follows_held()) is checked with a
 * tolerance for the rounding errors of all terms of its rate, because its gap or rate is exactly zero as long
 * as the supports of the held directions rest.
 *
 * A held direction also has an event if its constraint is violated, because held directions that depend on
 * each other may have contradictory constraints.
 *
 * Each function is sampled at 24 points of the step. If three samples show a minimum, the minimum is located,
 * so that short contacts between the samples are not missed. Roots are found up to rounding (Alefeld, Potra,
 * Shi 1995, from Boost).
 */
std::optional<LocatedEvent> first_event(const SmoothMotion& motion, const SmoothMotion::Mode& mode,
                                        const SmoothStep& step);

/// Returns the rounding error in the rate of a direction that moves only as prescribed.
double rounding_of_rate(const CondensedInclusions& condensed, const SmoothStep& step, Index direction);

}  // namespace halfdof::internal
