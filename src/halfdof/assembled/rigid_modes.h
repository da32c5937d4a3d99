// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/partition.h>
#include <halfdof/base/types.h>

#include <vector>

namespace halfdof::internal {

/**
 * A basis N of the kernel of a symmetric positive semidefinite matrix K (the rigid motions of an elastic
 * part), and as many rows r as the kernel has dimensions, such that N is the identity in these rows:
 * @f[ K N = 0, \qquad N_r = I. @f]
 * K without the rows and columns r is regular.
 */
struct RigidModes {
  MultiVector basis;         ///< N. Shape: local rows of K x k
  std::vector<Index> fixed;  ///< r, local rows of K owned by this process
  std::vector<Index> mode;   ///< for each row of `fixed`, the column of N that is one there
};

/**
 * Computes the kernel by inverse subspace iteration on the pencil (K, diag(k)), where k are the column norms
 * of K. Motions with a Rayleigh quotient below 1e-13 count as rigid; it is at most one for any motion, and
 * rounding leaves about 1e-16 for rigid ones. The rows r are the pivots of a greedy orthogonalization. The
 * iteration needs one factorization of K + 1e-10 diag(k). Shapes: K n x n, no zero column. Collective.
 *
 * @throws InvalidInput if there are too many rigid motions: up to 96 are always found, more than 192 never
 */
template <class Engine>
RigidModes rigid_modes(const typename Engine::Matrix& K);

}  // namespace halfdof::internal
