// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/reduced_system.h>
#include <halfdof/reduction/reduction_options.h>

#include <optional>
#include <string>

namespace halfdof::internal {

/// The result of a reduction method: the reduced system and the factorized D.
template <class Engine>
struct Elimination {
  ReductionMethod method;
  std::string reason;
  FreeSystem<Engine> undropped;  ///< the system before null columns were dropped
  Classification classification;
  bool has_dropped;         ///< whether columns that are null by a tolerance or by rounding were dropped
  FreeSystem<Engine> free;  ///< the system with exact zeros in its null columns
  MixedColumnMatrix<Engine> D;
  /// The system before a change of coordinates: the system with all multipliers
  /// (ReductionMethod::constraints), or in the coordinates that the Weierstrass form replaced. There is
  /// no value if `undropped` is the system before the elimination.
  std::optional<FreeSystem<Engine>> in_given_coordinates = {};
  ConstraintReport constraints = {};
};

/**
 * Eliminates half DoFs by the requested method, or by the first of the following methods that suffices:
 * null columns, kernels of M and C, constraints, the Weierstrass form. If null columns leave D singular
 * and no other method applies, the exception describes the singular DoFs. Collective.
 * @throws as ReducedSystem
 */
template <class Engine>
Elimination<Engine> eliminate(const FreeSystem<Engine>& system, const ReductionOptions& options);

/// Eliminates half DoFs by null columns, with the kinds that the pattern of a state force declares.
/// Collective.
/// @throws SingularElimination; NotAvailable if another method is requested
template <class Engine>
Elimination<Engine> eliminate(const FreeSystem<Engine>& system, const Classification& declared,
                              const ReductionOptions& options);

}  // namespace halfdof::internal
