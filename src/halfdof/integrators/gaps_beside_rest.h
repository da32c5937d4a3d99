#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof {

/**
 * Gaps of contacts from which schemes at velocity level tell who strikes a body whose other contacts rest.
 * Contacts that rest stay inside their obstacles by some part of a step, and their body with them. Of several
 * contacts that would close at once the nearest then strikes a step too early, alone, and what follows is
 * another motion, however short the steps are. So gaps are told from where the contacts that rest would be on
 * their obstacles, moved there by reactions,
 * @f[ \tilde g = g + W \mu, \qquad 0 \le \tilde g_R \perp \mu_R \ge 0, \qquad \mu = 0 \text{ elsewhere.}
 * @f]
 *
 * @param W what reactions move the directions by, up to a factor. Shape: m x m
 * @param rests directions R @param strikes directions whose gaps are asked for; others stay as they are
 * @param reach the gaps up to which these matter @return g~. Shapes: m
 */
Vector gaps_beside_rest(const MultiVector& W, const std::vector<bool>& rests,
                        const std::vector<bool>& strikes, const Vector& reach, const Vector& g);

}  // namespace halfdof
