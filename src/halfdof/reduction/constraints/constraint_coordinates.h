// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/linear_algebra/ranks/kernel_blocks.h>
#include <halfdof/reduction/attempt.h>
#include <halfdof/reduction/reduced_system.h>

#include <string>
#include <vector>

namespace halfdof::internal {

/**
 * The constraints that multipliers in K enforce, and a system in coordinates that satisfy them.
 *
 * Multipliers are algebraic DoFs, or combinations N of them, that have no entries in equations of algebraic
 * DoFs: N spans ker K_KK. The same number of combinations L of these equations contain no algebraic DoF.
 * These combinations are the constraints
 * @f[ L^T (C \dot q + K q) = L^T b(t), \qquad \text{on rates where } L^T C \text{ is not zero,} @f]
 * and the columns K N are the directions of the multipliers' forces. constraint_levels() resolves the
 * constraints, including hidden ones: it finds coordinates S, displacements o(t) that b(t) prescribes, and
 * the rates q_b' of coordinates q_b that constraints determine. The equations are multiplied by Z^T. If
 * every multiplier acts along its own constraint (always true for symmetric matrices), Z = S except for
 * q_b; otherwise Z spans the orthogonal complement of the forces among the equations other than L.
 *
 * All bases are orthonormal, and all ranks are decided, in units in which entries are near one (see
 * unit_factors(); these are the given units if all DoFs have similar units): S = W S^ W~^{-1}, X = W^{-1}
 * S^ W~ and Z = V Z^ V~^{-1}, where W~ and V~ are the factors of the DoFs whose numbers the coordinates
 * take.
 *
 * Redundant rows and their multipliers are dropped. If several sets of multipliers give the same forces,
 * the set of least norm is taken, where each multiplier is weighted by the norm of its force in these
 * units. A multiplier without force, or a constraint on no DoF, is an error of the model and is reported.
 * Bases are dense on DoFs that constraints couple: for groups larger than KernelOptions::max_group use
 * with_dummy_derivatives().
 */
template <class Engine>
struct ConstraintCoordinates {
  FreeSystem<Engine> system;  ///< the system in these coordinates
  ConstraintReport report;
  /// The system of the free DoFs and all their multipliers. If rows are redundant, K has additional entries
  /// in these rows, which set undetermined combinations of multipliers to zero, so that the pencil is
  /// regular. This system has the finite spectrum of the independent rows, and for loads that the
  /// constraints admit, also their motion.
  FreeSystem<Engine> with_multipliers;
};

/**
 * Finds the constraints and the coordinates that satisfy them.
 * @param system A system on the free DoFs. It is returned unchanged if it has no multipliers.
 *
 * The attempt is refused with NotAvailable on several processes, or if K_KK is singular for another reason
 * than multipliers (the message names the DoFs).
 * @throws AmbiguousRank or SingularMatrix if the constraints are too near to dependent ones; InvalidInput as
 *     FreeSystem::in_coordinates()
 */
template <class Engine>
Attempt<ConstraintCoordinates<Engine>> constraint_coordinates(const FreeSystem<Engine>& system,
                                                              const KernelOptions& options = {});

}  // namespace halfdof::internal
