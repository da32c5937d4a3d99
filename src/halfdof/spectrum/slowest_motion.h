// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/krylov/invariant_subspace.h>

namespace halfdof::internal {

/// An estimate of the eigenvector of the largest eigenvalue of P(sigma)^{-1} M, the slowest motion of the
/// mass.
struct SlowestMotion {
  /// @f$r_1 = \|P(\sigma)^{-1} M\|^{-1/2}@f$ [1/s]; 1 if M moves nothing, or the norm overflows.
  double rate;
  ComplexMultiVector x;  ///< local free DoFs x 1; no column if `rate` is 1 for these reasons
};

/// Estimates the slowest motion by a few steps of the power method with ShiftInverse::response, applied to
/// displacements divided by their scales. Shapes: scales local free DoFs. Collective.
template <class Scalar>
SlowestMotion slowest_motion(const BlockOperator<Scalar>& response, const Partition& dofs,
                             const Vector& scales);

/// The boundary between motions that are clearly faster than a rate, and the slower ones.
struct FasterMotions {
  double rate = 0;     ///< about the rate of the slowest of the faster motions [1/s]; 0 if there is none
  Index n_slower = 0;  ///< number of computed motions that are slower
};

/**
 * Finds the boundary between faster and slower motions by some steps of subspace iteration,
 * @f$ P(\sigma)^{-1} A X = X H @f$. For A = M and undamped motions the eigenvalues of H are
 * @f$ 1 / (\sigma^2 + \omega^2) @f$, so that the power of rates is 2; for A = C and relaxations they are
 * @f$ 1 / (\sigma - \lambda) @f$, and the power is 1. If `than` is the rate of a shift near zero, the motions
 * that are not faster are those of free bodies. Shapes: scales local free DoFs. Collective.
 * @param response x -> P(sigma)^{-1} A x. @param than The rate that separates the motions [1/s]
 * @param n_motions Number of columns of X
 */
FasterMotions faster_motions(const BlockOperator<double>& response, int power, const Partition& dofs,
                             const Vector& scales, double than, Index n_motions);

/**
 * Returns units of the states (q_I, q_C, v_I), or of (q, v) of all free DoFs, in which an iteration does not
 * add metres, volts and metres per second: the scales s for displacements, and r s for velocities. If r were
 * the rate of slowest_motion(), the blocks of the inverse from q to v and from v to q would be equally large;
 * r is some times larger, because the eigenvalues after the nearest one are faster. Shapes: scales local free
 * DoFs.
 */
Vector state_units(const Classification& kinds, const Vector& scales, double slowest_rate);
Vector companion_units(const Vector& scales, double slowest_rate);

}  // namespace halfdof::internal
