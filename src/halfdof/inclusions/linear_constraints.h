// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/constraint_rows.h>
#include <halfdof/inclusions/inclusions.h>

#include <vector>

namespace halfdof::internal {

/// Returns the matrices A_1 and A_2 of constraints A_1 q' + A_2 q = constant, for with_constraints(). The
/// first process owns all rows. Shapes: constraints x assembled DoFs. Every process passes the same
/// constraints. Collective.
/// @param dofs All DoFs on which constraints may act, including the new DoFs of attached elements
/// @throws InvalidInput if a DoF does not exist
template <class Engine>
AdditionalConstraints<Engine> additional_constraints(const std::vector<LinearConstraint>& constraints,
                                                     const Partition& dofs);

}  // namespace halfdof::internal
