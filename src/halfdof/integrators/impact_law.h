// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <string>
#include <vector>

namespace halfdof {

enum class ImpactLaw;

}  // namespace halfdof

namespace halfdof::internal {

/// The data of one contact in an impact.
struct ImpactContact {
  std::string name;
  Index dimension;      ///< Number of directions: 1, or with friction 2 or 3, the normal before the tangents.
  double restitution;   ///< Coefficient of restitution e.
  double friction = 0;  ///< Coefficient of friction mu at this instant.
};

/// The result of an impact. Both vectors have one entry for each of the m directions.
struct Impact {
  Vector impulses;    ///< The impulses p [force s].
  Vector dissipated;  ///< Energy -int w dp that each direction dissipates in all impacts of a sequence.
};

/**
 * Computes the impulses p of an impact from equation (1) and the laws of ImpactLaw. Shapes: W m x m, w m,
 * with the directions of the contacts one after the other.
 * @param w the rates w- before the impact
 * @throws NoReactions if the solver does not find impulses that satisfy the laws
 * @throws NoConvergence if a sequence of impacts does not end
 * @throws NotAvailable if impulses of Poisson's law or of a sequence would add energy, which is possible with
 * friction or with different coefficients of restitution
 */
Impact impact_by_law(ImpactLaw law, const std::vector<ImpactContact>& contacts, const MultiVector& W,
                     const Vector& w);

}  // namespace halfdof::internal
