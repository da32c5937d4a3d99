#pragma once

#include <halfdof/classification/classification.h>
#include <halfdof/linear_algebra/invariant_subspace.h>

namespace halfdof {

/// The motion of the mass that P(sigma)^{-1} makes most of.
struct SlowestMotion {
  /// @f$r_1 = \|P(\sigma)^{-1} M\|^{-1/2}@f$ [1/s]; one where nothing moves, or farther than numbers reach.
  double rate;
  ComplexMultiVector x;  ///< local free DoFs x 1; without a column where the rate is such a one
};

/// By a few steps of the power method with ShiftInverse::response, displacements over their scales. Shapes:
/// scales local free DoFs. Collective.
template <class Scalar>
SlowestMotion slowest_motion(const BlockOperator<Scalar>& response, const Partition& dofs,
                             const Vector& scales);

/// Motions that are clearly faster than a rate, and those that are not.
struct FasterMotions {
  double rate = 0;     ///< about that of the slowest one that is [1/s]; zero where none of those looked at is
  Index n_slower = 0;  ///< of those looked at, how many are not
};

/**
 * By some steps of subspace iteration with some motions, @f$ P(\sigma)^{-1} A X = X H @f$. The eigenvalues of
 * H are @f$ 1 / (\sigma^2 + \omega^2) @f$ with A = M, but for damping, so that the power of rates is 2; and
 * @f$ 1 / (\sigma - \lambda) @f$ of relaxations with A = C, where it is 1. At a rate of the shift's, beside
 * zero, those that are not faster are motions of free bodies. Shapes: scales local free DoFs. Collective.
 * @param response x -> P(sigma)^{-1} A x. @param than [1/s]
 */
FasterMotions faster_motions(const BlockOperator<double>& response, int power, const Partition& dofs,
                             const Vector& scales, double than, Index n_motions);

/**
 * Units of states (q_I, q_C, v_I), or of (q, v) of all free DoFs, in which an iteration need not add metres,
 * volts and metres a second: the scales s of displacements and r s of velocities. At the rate of
 * slowest_motion(), what an inverse takes from q to v and back is equally large; r is some times as fast, as
 * eigenvalues behind the nearest one are. Shapes: scales local free DoFs.
 */
Vector state_units(const Classification& kinds, const Vector& scales, double slowest_rate);
Vector companion_units(const Vector& scales, double slowest_rate);

}  // namespace halfdof
