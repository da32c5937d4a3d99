// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>
#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/ranks/kernel_blocks.h>
#include <halfdof/reduction/attempt.h>

namespace halfdof::internal {

/**
 * Coordinates @f$ q_f = S \tilde q @f$ in which basis vectors of the kernels of M and C are coordinate
 * directions (Bhat and Bernstein 1996; Dumont et al. 2001, section 4). The columns of S of
 *
 * - algebraic coordinates span @f$ \ker M \cap \ker C @f$,
 * - viscous coordinates complete this basis to a basis of @f$ \ker M @f$,
 * - inertial coordinates complete the basis of @f$ \ker M @f$ to a basis of the whole space.
 *
 * S is orthonormal in scaled units of the DoFs, in which the entries of all matrices are near one:
 * @f[ S = W \hat S W^{-1}, \quad X = W^{-1} \hat S W, \quad Z = V \hat S V^{-1}, \qquad
 *     \hat S^T \hat S = I, @f]
 * with powers of 1024 on the diagonals of W (for DoFs) and V (for equations), see logarithmic_scaling(). V
 * = W if the matrices are symmetric; both are the identity if all units are similar. A coordinate has the
 * unit of the DoF whose number it takes. Ranks are also decided in these units, so that they do not depend
 * on the units of the model.
 *
 * Under the assumptions of Theorem 4.1 of Dumont et al., S is the matrix U of this theorem. There is no
 * assumption on left kernels: the equations are @f$ Z^T [M S_I \mid C S_C \mid K S_K] @f$ as in
 * MixedColumnMatrix, so that unsymmetric matrices are possible. S is the identity on DoFs that have no entry
 * in a kernel, and sparse elsewhere (kernel_blocks()); DoFs with null columns remain unchanged.
 */
template <class Engine>
struct KernelCoordinates {
  FreeSystem<Engine> system;      ///< the system in these coordinates; null columns still contain rounding
                                  ///< errors
  Classification classification;  ///< kinds of the coordinates, each at the DoF whose number it takes
  /// Number of dimensions of ker M, and of the intersection of ker M and ker C, in addition to null
  /// columns.
  GlobalIndex n_hidden_mass = 0, n_hidden_damping = 0;
};

/// Computes the coordinates. The attempt is refused with NotAvailable on several processes.
/// @throws NotAvailable if a basis would be too dense; AmbiguousRank
template <class Engine>
Attempt<KernelCoordinates<Engine>> kernel_coordinates(const FreeSystem<Engine>& system,
                                                      const KernelOptions& options = {});

}  // namespace halfdof::internal
