#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/linear_algebra/kernel_blocks.h>

#include <string>
#include <vector>

namespace halfdof {

/// Constraints that depend on each other, or follow from others.
struct RedundantConstraints {
  std::vector<GlobalIndex> dofs;  ///< assembled: their multipliers, at most ten
  std::string text;               ///< a clause that names them
};

/// What was found of constraints.
struct ConstraintReport {
  Index n_multipliers = 0;  ///< in K
  Index n_position = 0;     ///< independent constraints on displacements
  Index n_hidden = 0;       ///< those of them that follow from others and their derivatives
  Index n_velocity = 0;     ///< independent constraints on rates
  std::vector<RedundantConstraints> redundant = {};
};

/**
 * The constraints that multipliers in K carry, and a system in coordinates in which they hold.
 *
 * Multipliers are algebraic DoFs, or combinations N of them, that no equation of algebraic DoFs knows: N
 * spans ker K_KK. As many combinations L of these equations know no algebraic DoF at all: they are the
 * constraints
 * @f[ L^T (C \dot q + K q) = L^T b(t), \qquad \text{on rates where } L^T C \text{ is not zero,} @f]
 * and the columns K N are the directions of the multipliers' forces. constraint_levels() finds all that they
 * imply: the coordinates S, displacements o(t) that b(t) prescribes, and rates q_b. The equations are taken
 * by Z: Z = S but for q_b, if every multiplier pushes along its own constraint (symmetric matrices: always);
 * otherwise Z spans what the forces and the rows L leave.
 *
 * All bases are orthonormal, and all ranks decided, in units in which entries come to about one
 * (unit_factors(), the units there are if these are alike): S = W S^ W~^{-1}, X = W^{-1} S^ W~ and Z = V Z^
 * V~^{-1}, with W~ and V~ of the places of the coordinates.
 *
 * Rows that follow from others are left out, and so are their multipliers: forces that several could carry
 * they share, with the least norm of their forces in these units. A multiplier without force, or a constraint
 * on nothing, is an error of the model and remains one. Bases are dense on DoFs that are tied together: above
 * KernelOptions::max_group take with_dummy_derivatives().
 */
template <class Engine>
struct ConstraintCoordinates {
  FreeSystem<Engine> system;  ///< in these coordinates
  ConstraintReport report;
  /// The free DoFs and all their multipliers. Where rows follow from others, K has additional entries: the
  /// equations of these rows ask for no force of multipliers that do nothing, so that the pencil is regular
  /// and has the finite spectrum, and for loads that the constraints admit the motion, of the independent
  /// rows.
  FreeSystem<Engine> before;
};

/**
 * @param system in the free DoFs themselves. Without multipliers it is returned as it is.
 * @throws NotAvailable on several processes, or where K_KK is singular in another way: the DoFs are named;
 * AmbiguousRank; InvalidInput as FreeSystem::in_coordinates()
 */
template <class Engine>
ConstraintCoordinates<Engine> constraint_coordinates(const FreeSystem<Engine>& system,
                                                     const KernelOptions& options = {});

}  // namespace halfdof
