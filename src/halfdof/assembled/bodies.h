#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <vector>

namespace halfdof {

/// The bodies that a model consists of.
struct Bodies {
  Index n_bodies = 0;          ///< on all processes together
  std::vector<Index> body_of;  ///< of each local assembled DoF; -1 for constrained ones
};

/**
 * The connected parts of the graph on the free DoFs that has an edge where M or K has a value. Two bodies
 * that share nothing but a constrained DoF, a damper or an inclusion are two; a spring between them makes
 * them one. Numbering: by their lowest assembled DoFs. Collective.
 */
template <class Engine>
Bodies find_bodies(const AssembledSystem<Engine>& system);

}  // namespace halfdof
