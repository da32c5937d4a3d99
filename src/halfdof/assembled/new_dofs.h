// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <string>
#include <vector>

namespace halfdof::internal {

/**
 * Returns the description with n_new additional DoFs on this process. The new DoFs have no entries in the
 * matrices. Their numbers follow the numbers of the assembled DoFs, in the order of the ranks of the
 * processes. In the result, all processes have the same functions and matrices, see with_common_functions().
 * Collective.
 * @param names Component names of the n_new DoFs of this process, or empty. New DoFs with the same name
 *     belong to the same component. If only some processes give names, the new DoFs of the other processes
 *     are called "unnamed". If no process gives names and the description has no component names, the new
 *     DoFs have no components. All processes get all component names.
 */
template <class Engine>
SystemDescription<Engine> with_new_dofs(const SystemDescription<Engine>& description, Index n_new,
                                        const std::vector<std::string>& names);

}  // namespace halfdof::internal
