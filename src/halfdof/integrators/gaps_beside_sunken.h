#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof {

/**
 * Gaps of contacts from which schemes at velocity level tell who strikes a body whose other contacts have
 * sunk in. After an impact contacts stay inside their obstacles by some part of a step, and their body with
 * them, while they rest and until they have left. Of several contacts that would close at once the nearest
 * then strikes a step too early, alone, and what follows is another motion. So gaps are told from where the
 * contacts that are inside and do not approach would be on their obstacles, moved there by reactions,
 * @f[ \tilde g = g + W \mu, \qquad 0 \le \tilde g_S \perp \mu_S \ge 0, \qquad \mu = 0 \text{ elsewhere.}
 * @f]
 * Where obstacles contradict each other, so that there is no mu, gaps stay as they are, and so do those whose
 * way to `reach` is more than four times what the depths add up to.
 *
 * @param W what reactions move the directions by, up to a factor. Shape: m x m
 * @param have_sunk directions that do not approach; those of them with g < 0 are S
 * @param strikes directions whose gaps are asked for; others stay as they are
 * @param reach gaps at which these begin to count, -h w / 2 @param g gaps [length] @return g~. Shapes: m
 */
Vector gaps_beside_sunken(const MultiVector& W, const std::vector<bool>& have_sunk,
                          const std::vector<bool>& strikes, const Vector& reach, const Vector& g);

}  // namespace halfdof
