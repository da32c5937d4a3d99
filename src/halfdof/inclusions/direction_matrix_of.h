// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/reduction/direction.h>
#include <halfdof/reduction/reduced_system.h>

#include <utility>
#include <vector>

namespace halfdof::internal {

/// Returns the matrix H of directions that are given on assembled DoFs, H_f, in the coordinates of the
/// elimination (see FreeSystem): S^T H_f, from which displacements along the directions are computed, and Z^T
/// H_f, by which reactions enter the equations. Both are H_f if the system has no coordinates of its own.
/// Collective.
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
