#pragma once

#include <halfdof/reduction/direction.h>
#include <halfdof/reduction/reduced_system.h>

#include <utility>
#include <vector>

namespace halfdof {

/// H of directions given on assembled DoFs, in the coordinates that are reduced: S^T H_f, and Z^T H_f where
/// forces act. Collective.
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

}  // namespace halfdof
