#pragma once

#include <halfdof/reduction/reduced_system.h>

namespace halfdof {

/// Whether M, C and K of a model are all symmetric: then Delassus matrices are,
/// and laws are monotone in one metric.
enum class Symmetry { symmetric, unsymmetric };

template <class Engine>
Symmetry symmetry_of(const ReducedSystem<Engine>& system) {
  return system.free().is_symmetric() ? Symmetry::symmetric : Symmetry::unsymmetric;
}

}  // namespace halfdof
