#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof {

/**
 * Gaps corrected for the penetration of other contacts. Velocity-level schemes (Moreau 1988) leave contacts
 * with a penetration of the order of the step h after an impact, while they rest and until they have left. It
 * shifts the body and makes its other gaps too small: of several contacts that close at the same instant
 * the nearest then strikes a step too early, alone, and what follows is another motion. The correction, an
 * addition of this library, moves the penetrating contacts S that do not approach back to their obstacles by
 * reactions,
 * @f[ \tilde g = g + W \mu, \qquad 0 \le \tilde g_S \perp \mu_S \ge 0, \qquad \mu = 0 \text{ elsewhere.}
 * @f]
 * Where obstacles contradict each other, so that there is no mu, gaps stay as they are, and so do those whose
 * way to `reach` is more than four times what the depths add up to.
 *
 * @param W what reactions move the directions by [length per unit of mu]. Shape: m x m
 * @param have_sunk directions that do not approach; those of them with g < 0 are S
 * @param strikes directions whose gaps are asked for; others stay as they are
 * @param reach gaps at which these begin to count, -h w / 2 @param g gaps [length] @return g~. Shapes: m
 */
Vector gaps_beside_sunken(const MultiVector& W, const std::vector<bool>& have_sunk,
                          const std::vector<bool>& strikes, const Vector& reach, const Vector& g);

}  // namespace halfdof
