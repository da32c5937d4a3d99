// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof::internal {

/**
 * Returns gaps corrected for the penetration of other contacts. In velocity-level schemes (Moreau 1988)
 * contacts penetrate by a depth of the order of the step h from an impact until they open. The penetration
 * shifts the body and makes its other gaps too small. If several contacts should close at the same instant,
 * one of them may then strike a step too early without the others, and the motion after this impact is wrong.
 * The correction, an addition of this library, moves the penetrating contacts S that do not approach back to
 * their obstacles by reactions,
 * @f[ \tilde g = g + W \mu, \qquad 0 \le \tilde g_S \perp \mu_S \ge 0, \qquad \mu = 0 \text{ elsewhere.}
 * @f]
 * Gaps are not corrected if obstacles contradict each other, so that no solution mu exists. A gap is not
 * corrected either if its distance to `reach` is more than four times the sum of the depths.
 *
 * @param W displacement of the directions by reactions [length per unit of mu]. Shape: m x m
 * @param do_not_approach directions that do not approach; S contains those with g < 0
 * @param strikes directions whose gaps are to be corrected
 * @param reach gaps up to which a contact takes effect in the step, -h w / 2
 * @param g gaps [length] @return g~. Shapes: m
 */
Vector gaps_without_penetration(const MultiVector& W, const std::vector<bool>& do_not_approach,
                                const std::vector<bool>& strikes, const Vector& reach, const Vector& g);

}  // namespace halfdof::internal
