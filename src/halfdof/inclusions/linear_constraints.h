// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/constraint_rows.h>
#include <halfdof/inclusions/inclusions.h>

#include <vector>

namespace halfdof::internal {

/// Returns constraints as rows in addition to those of M, C and K, for with_constraints(): A_1 acts on rates,
/// A_2 on displacements. The first process owns all rows. Shapes: constraints x assembled DoFs. Every process
/// passes the same constraints. Collective.
/// @param dofs All DoFs on which constraints may act, including the new ones of attachments
/// @throws InvalidInput if a DoF does not exist
template <class Engine>
AdditionalConstraints<Engine> additional_constraints(const std::vector<LinearConstraint>& constraints,
                                                     const Partition& dofs);

}  // namespace halfdof::internal
