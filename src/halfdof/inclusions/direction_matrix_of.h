// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/reduction/direction.h>
#include <halfdof/reduction/reduced_system.h>

#include <utility>
#include <vector>

namespace halfdof::internal {

/// Returns the matrix H of directions on assembled DoFs in the coordinates of the elimination (see
/// FreeSystem). With H_f the rows of the free DoFs, displacements along the directions are computed by S^T
/// H_f, and reactions enter the equations by Z^T H_f. Both products are H_f if the elimination changes no
/// coordinates. Collective.
template <class Engine>
DirectionMatrix direction_matrix(const ReducedSystem<Engine>& reduced,
                                 const std::vector<Direction>& directions) {
  const AssembledSystem<Engine>& assembled = reduced.assembled();
  const FreeSystem<Engine>& free = reduced.free();
  DirectionMatrix H(directions, assembled.dofs(), assembled.free(), assembled.constrained());
  if (!free.coordinates()) return H;
  return H.in_coordinates([&free](MultiVector x) { return free.weights_of_coordinates(std::move(x)); },
                          [&free](MultiVector f) { return free.to_equations(std::move(f)); });
}

}  // namespace halfdof::internal
