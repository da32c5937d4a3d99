// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/partition.h>
#include <halfdof/base/types.h>

#include <vector>

namespace halfdof::internal {

/**
 * A basis N of the kernel of a symmetric positive semidefinite stiffness matrix K (the rigid motions of an
 * elastic part), and a set r of rows, one for each column of N, in which N is the identity:
 * @f[ K N = 0, \qquad N_r = I. @f]
 * K without the rows and columns r is regular.
 */
struct RigidModes {
  MultiVector basis;         ///< N. Shape: local rows of K x k
  std::vector<Index> fixed;  ///< r, the local rows of K that this process owns
  std::vector<Index> mode;   ///< for each row of `fixed`, the column of N that has the entry one in this row
};

/**
 * Computes the kernel by inverse subspace iteration on the pencil (K, diag(k)), where k are the column norms
 * of K. Motions with a Rayleigh quotient below 1e-13 count as rigid: the quotient of any motion is at most
 * one, and the computed quotient of a rigid motion is about 1e-16. The rows r are the pivots of a greedy
 * orthogonalization. The
 * iteration needs one factorization of K + 1e-10 diag(k). Shapes: K n x n, no zero column. Collective.
 *
 * @throws InvalidInput if there are too many rigid motions: up to 96 are always accepted, more than 192 never
 */
template <class Engine>
RigidModes rigid_modes(const typename Engine::Matrix& K);

}  // namespace halfdof::internal
