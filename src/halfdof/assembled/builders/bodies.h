// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>

#include <vector>

namespace halfdof::internal {

/// The bodies of a model, which are connected sets of free DoFs.
struct Bodies {
  Index n_bodies = 0;          ///< number of bodies on all processes together
  std::vector<Index> body_of;  ///< body of each local assembled DoF; -1 for constrained DoFs
};

/**
 * Finds the bodies, which are the connected components of the graph of the free DoFs with an edge for each
 * nonzero entry of M or K. A spring connects two parts to one body, but a constrained DoF, a damper or an
 * inclusion does not. Numbering: in ascending order of the lowest assembled DoFs of the bodies. Collective.
 */
template <class Engine>
Bodies find_bodies(const AssembledSystem<Engine>& system);

}  // namespace halfdof::internal
