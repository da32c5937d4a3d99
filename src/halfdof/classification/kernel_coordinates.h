#pragma once

#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/kernel_blocks.h>

namespace halfdof {

/**
 * Coordinates @f$ q_f = S \tilde q @f$ with an orthonormal S in which the kernels of M and C are columns
 * (Bhat and Bernstein 1996; Dumont et al. 2001, section 4). The columns of S that are
 *
 * - algebraic span @f$ \ker M \cap \ker C @f$,
 * - viscous complete them to @f$ \ker M @f$,
 * - inertial complete these to the whole space.
 *
 * Under the assumptions of their Theorem 4.1, S is their U. Nothing is asked of left kernels: the equations are
 * taken as MixedColumnMatrix does, @f$ D = S^T [M S_I \mid C S_C \mid K S_K] @f$, so that unsymmetric matrices
 * do as well. S is the identity on DoFs that take part in no kernel, and local elsewhere (kernel_blocks()); null
 * columns stay the DoFs that they are.
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
