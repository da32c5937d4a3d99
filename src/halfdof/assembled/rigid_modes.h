#pragma once

#include <halfdof/base/partition.h>
#include <halfdof/base/types.h>

#include <vector>

namespace halfdof {

/**
 * The kernel of a symmetric positive semidefinite matrix K (the rigid motions of an elastic part), with as
 * many rows as it has dimensions, on which no motion of the kernel vanishes:
 * @f[ K N = 0, \qquad N_r = I. @f]
 * K without the rows and columns r is regular.
 */
struct RigidModes {
  MultiVector basis;         ///< N: local rows of K x k
  std::vector<Index> fixed;  ///< r, local rows of K owned here
  std::vector<Index> mode;   ///< column of N that is one at each fixed row
};

/**
 * Inverse subspace iteration on the pencil (K, diag(k)) with the column norms k: motions whose Rayleigh
 * quotient (at most one for any motion) is below 1e-13 count as rigid; rounding leaves about 1e-16 there. The
 * rows r are the pivots of a greedy orthogonalization. Needs one factorization of K + 1e-10 diag(k). Shapes:
 * K n x n, no zero column. Collective.
 *
 * @throws InvalidInput if there are more rigid motions than 192 iterated vectors span; 96 are always found
 */
template <class Engine>
RigidModes rigid_modes(const typename Engine::Matrix& K);

}  // namespace halfdof
