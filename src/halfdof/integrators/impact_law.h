// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <string>
#include <vector>

namespace halfdof {

enum class ImpactLaw;

}  // namespace halfdof

namespace halfdof::internal {

/// A contact in an impact.
struct ImpactContact {
  std::string name;
  Index dimension;      ///< 1, or with friction 2 or 3: the normal first, then tangents.
  double restitution;   ///< Coefficient of restitution e.
  double friction = 0;  ///< Coefficient of friction mu at this instant.
};

/// The result of an impact. Both vectors have one entry for each of the m directions.
struct Impact {
  Vector impulses;    ///< The impulses p [force s].
  Vector dissipated;  ///< -int w.dp of each direction, summed over the impacts of a sequence [energy].
};

/**
 * Computes the impulses p of an impact by the equation (1) of ImpactLaw. Shapes: W m x m, w m, with the
 * directions of the contacts one after the other.
 * @param w the rates w- before the impact
 * @throws NoReactions if the solver does not find impulses that satisfy the laws
 * @throws NoConvergence if a sequence of impacts does not end
 * @throws NotAvailable if impulses of Poisson's law or of a sequence would add energy, which is possible with
 * friction or with different coefficients of restitution
 */
Impact impact_by_law(ImpactLaw law, const std::vector<ImpactContact>& contacts, const MultiVector& W,
                     const Vector& w);

}  // namespace halfdof::internal
