#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <string>
#include <vector>

namespace halfdof {

/**
 * The description with n_new further DoFs on this process, in none of the matrices, numbered behind the
 * assembled ones (by rank). Functions and presence of matrices agree between processes afterwards, see
 * agreed(). Collective.
 * @param names Components of the new DoFs of this process: n_new, or none, which leaves the components of all
 *     DoFs open where no process names any. New DoFs of one name share a component. All processes get the
 *     component names of all.
 */
template <class Engine>
SystemDescription<Engine> with_new_dofs(const SystemDescription<Engine>& description, Index n_new,
                                        const std::vector<std::string>& names);

}  // namespace halfdof
