#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <string>
#include <vector>

namespace halfdof {

/**
 * The description with n_new further DoFs on this process, in none of the matrices, numbered behind the
 * assembled ones (by rank); `names` are their components (one for each, or empty); new DoFs of one
 * name share a component. Collective.
 */
template <class Engine>
SystemDescription<Engine> with_new_dofs(const SystemDescription<Engine>& description, Index n_new,
                                        const std::vector<std::string>& names);

}  // namespace halfdof
