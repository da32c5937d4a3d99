#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/**
 * Orthonormal basis of the right null space of a square sparse matrix, in equilibrated coordinates: with R, S
 * of `equilibrate`,
 * @f$ R A S x = 0 @f$, found by inverse iteration with @f$ (B_\delta^T B_\delta)^{-1} @f$, where
 * @f$ B_\delta = R A S + \delta\,\mathrm{diag} @f$ is regular, and a Rayleigh-Ritz step on the singular
 * values. At most twelve vectors are sought; of a larger null space they span a generic part, whose support
 * is that of the whole.
 *
 * The vectors name degrees of freedom: entry i is large where DoF i takes part. Multiply by `column_scale` to
 * return to the coordinates of A. Shapes: basis columns().n_local() x r with r >= 1 (the smallest singular
 * vector at least). Collective.
 */
struct NullSpace {
  MultiVector basis;
  Vector column_scale;
};

template <class Engine>
NullSpace null_space(const typename Engine::Matrix& A);

}  // namespace halfdof
