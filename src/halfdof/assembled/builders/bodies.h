// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <vector>

namespace halfdof::internal {

/// The bodies that a model consists of.
struct Bodies {
  Index n_bodies = 0;          ///< number on all processes together
  std::vector<Index> body_of;  ///< body of each local assembled DoF; -1 for constrained ones
};

/**
 * Finds the bodies: the connected components of the graph of the free DoFs, with an edge where M or K has a
 * nonzero value. Two bodies that are connected only by a constrained DoF, a damper or an inclusion are two; a
 * spring between them makes them one. Numbering: by their lowest assembled DoFs. Collective.
 */
template <class Engine>
Bodies find_bodies(const AssembledSystem<Engine>& system);

}  // namespace halfdof::internal
