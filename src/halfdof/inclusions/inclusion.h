#pragma once

#include <halfdof/inclusions/law.h>
#include <halfdof/reduction/direction.h>

#include <memory>
#include <string>
#include <vector>

namespace halfdof {

/// A law at a place: dry friction between two nodes, a contact with a wall.
struct Inclusion {
  std::string name;  ///< unique within a model
  std::shared_ptr<const Law> law;
  std::vector<Direction> directions;  ///< law->dimension() columns of H: for contacts the normal first
};

/// A scalar inclusion.
inline Inclusion inclusion(std::string name, std::shared_ptr<const Law> law, Direction direction) {
  return {std::move(name), std::move(law), {std::move(direction)}};
}

/**
 * @throws InvalidInput unless every inclusion has a name of its own, a law, and as many directions as the law
 * has dimensions, all of them on assembled DoFs.
 */
void check_inclusions(const std::vector<Inclusion>& inclusions, GlobalIndex n_dofs);

}  // namespace halfdof
