// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <string>
#include <vector>

namespace halfdof::internal {

/**
 * Returns the description with n_new additional DoFs on this process. They have no entries in the matrices,
 * and their numbers follow those of the assembled DoFs (by rank). In the result, all processes have the same
 * functions and matrices, see agreed(). Collective.
 * @param names Component names of the n_new DoFs of this process, or empty. New DoFs with the same name
 *     belong to the same component. If only some processes give names, the others get "unnamed"; if no
 *     process does and there were no labels, the DoFs have no components. All processes get all component
 *     names.
 */
template <class Engine>
SystemDescription<Engine> with_new_dofs(const SystemDescription<Engine>& description, Index n_new,
                                        const std::vector<std::string>& names);

}  // namespace halfdof::internal
