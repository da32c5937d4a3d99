#pragma once

#include <halfdof/integrators/smooth_motion.h>

#include <optional>

namespace halfdof {

/// When, within a step, an inclusion stops doing what it does.
struct LocatedEvent {
  double tau;  ///< in [0, 1] of the step
  Index direction;
};

/**
 * The first event of a step, by root finding on its dense output:
 *
 * | state | lasts while | ends with |
 * |---|---|---|
 * | stick | lower <= r <= upper | slip |
 * | slip forward, back | w >= 0, w <= 0 | stick, or slip the other way |
 * | closed | r >= 0 | lift-off |
 * | stick in the plane | \|r_t\| <= mu r_n | slip |
 * | slip in the plane | \|w_t\| more than 1e-9 of what makes it | stick, or slip another way |
 * | slip in the plane | w_t less than a right angle from where the step began | slip |
 * | open | g >= 0 | impact, or landing |
 *
 * Where motion is prescribed, friction alone is watched, and that while it slips: to what rounding_of_rate()
 * leaves of the rate.
 *
 * What others hold without a reaction of its own (SmoothMotion::follows_held()) is watched to what rounding
 * leaves of all terms of its rate: its gap or rate is zero as long as these supports rest.
 *
 * What is held lasts no longer than its constraint is obeyed, either: directions that depend on each other
 * may contradict.
 * Each is sampled at 24 points of the step; where three of them show a minimum, that is looked for, so that
 * short contacts between the samples are not missed. Roots are found to rounding (Alefeld, Potra, Shi 1995,
 * from Boost).
 */
std::optional<LocatedEvent> first_event(const SmoothMotion& motion, const SmoothMotion::Mode& mode,
                                        const SmoothStep& step);

/// What rounding makes of the rate of a direction that is moved as prescribed, and nothing else.
double rounding_of_rate(const CondensedInclusions& condensed, const SmoothStep& step, Index direction);

}  // namespace halfdof
