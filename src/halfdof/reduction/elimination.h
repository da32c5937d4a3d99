#pragma once

#include <halfdof/classification/kernel_coordinates.h>
#include <halfdof/reduction/reduced_system.h>

#include <optional>
#include <string>

namespace halfdof {

/// What a method makes of a system.
template <class Engine>
struct Elimination {
  ReductionMethod method;
  std::string reason;
  FreeSystem<Engine> undropped;
  Classification classification;
  bool has_dropped;  ///< columns that are null by a tolerance or by rounding
  FreeSystem<Engine> free;
  MixedColumnMatrix<Engine> D;
  std::optional<FreeSystem<Engine>> before = {};  ///< with its multipliers; nothing: undropped
  ConstraintReport constraints = {};
};

/**
 * By the method asked for, or by the weakest that suffices: null columns, kernels of M and C, constraints,
 * the Weierstrass form. What null columns leave singular is told unless one of the others mends it.
 * Collective.
 * @throws as ReducedSystem
 */
template <class Engine>
Elimination<Engine> eliminate(const FreeSystem<Engine>& system, const ReductionOptions& options);

/// By columns, with kinds that were declared. Collective.
/// @throws SingularElimination; NotAvailable if another method is asked for
template <class Engine>
Elimination<Engine> eliminate(const FreeSystem<Engine>& system, const Classification& declared,
                              const ReductionOptions& options);

}  // namespace halfdof
