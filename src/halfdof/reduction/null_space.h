#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/**
 * Orthonormal bases of the null spaces of a square sparse matrix, A x = 0 and A^T y = 0, in equilibrated
 * coordinates: with R, S of `equilibrate`,
 * @f[ R A S\,\tilde x = 0, \qquad (R A S)^T \tilde y = 0, @f]
 * found by inverse iteration with @f$ B_\delta^{-1} B_\delta^{-T} @f$, where
 * @f$ B_\delta = R A S + \delta\,\mathrm{diag} @f$ is regular, and a Rayleigh-Ritz step on the singular
 * values. The signs of the perturbation are those of the diagonal, so that what is semidefinite becomes
 * definite. At most twelve vectors are sought; of a larger null space they span a generic part, whose support
 * is that of the whole.
 *
 * The vectors name degrees of freedom: entry i is large where unknown (equation) i takes part. Multiply by
 * `scale` to return to the coordinates of A. Shapes: basis n_local() x r with r >= 1 (the smallest singular
 * vector at least). Collective.
 */
struct NullSpace {
  MultiVector basis;
  Vector scale;
};

struct NullSpaces {
  NullSpace right, left;  ///< of columns and of rows
  /// |R A S x| / |x| of the smallest singular vector, in the 1-norm: rounding if A is singular, otherwise
  /// about one over the condition number.
  double residual;
};

template <class Engine>
NullSpaces null_spaces(const typename Engine::Matrix& A);

}  // namespace halfdof
