#pragma once

#include <halfdof/assembled/constraint_rows.h>
#include <halfdof/inclusions/attachments.h>

#include <vector>

namespace halfdof {

/// Constraints as rows beside M, C and K, for with_constraints(): A_1 of the rates, A_2 of the
/// displacements. The first process owns all rows. Shapes: constraints x assembled DoFs. Every process gives
/// the same. Collective.
/// @param dofs All that constraints may act on, new ones of attachments included
/// @throws InvalidInput if a DoF does not exist
template <class Engine>
ConstraintsBeside<Engine> constraints_beside(const std::vector<LinearConstraint>& constraints,
                                             const Partition& dofs);

}  // namespace halfdof
