#pragma once

#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/kernel_blocks.h>

namespace halfdof {

/**
 * Coordinates @f$ q_f = S \tilde q @f$ in which the kernels of M and C are columns
 * (Bhat and Bernstein 1996; Dumont et al. 2001, section 4). The columns of S that are
 *
 * - algebraic span @f$ \ker M \cap \ker C @f$,
 * - viscous complete them to @f$ \ker M @f$,
 * - inertial complete these to the whole space.
 *
 * S is orthonormal in units of the DoFs in which the entries of all matrices come to about one:
 * @f[ S = W \hat S W^{-1}, \quad X = W^{-1} \hat S W, \quad Z = V \hat S V^{-1}, \qquad
 *     \hat S^T \hat S = I, @f]
 * with powers of 1024 on the diagonals, W of DoFs and V of equations (logarithmic_scaling(); V = W where the
 * matrices are symmetric, both the identity where units are alike). A coordinate has the unit of the DoF at
 * whose place it stands. Ranks are decided in these units too: those of the model take no part.
 *
 * Under the assumptions of their Theorem 4.1, S is their U. Nothing is asked of left kernels: the equations
 * are taken as MixedColumnMatrix does, @f$ Z^T [M S_I \mid C S_C \mid K S_K] @f$, so that unsymmetric
 * matrices do as well. S is the identity on DoFs that take part in no kernel, and local elsewhere
 * (kernel_blocks()); null columns stay the DoFs that they are.
 */
template <class Engine>
struct KernelCoordinates {
  FreeSystem<Engine> system;      ///< in these coordinates, with what rounding leaves in null columns
  Classification classification;  ///< of the coordinates, each at the place of a DoF that takes part
  /// Dimensions of ker M, and of ker M intersected with ker C, beside those of null columns.
  GlobalIndex n_hidden_mass = 0, n_hidden_damping = 0;
};

/// @throws AmbiguousRank; NotAvailable on several processes
template <class Engine>
KernelCoordinates<Engine> kernel_coordinates(const FreeSystem<Engine>& system,
                                             const KernelOptions& options = {});

}  // namespace halfdof
