#pragma once

#include <halfdof/linear_algebra/eigen/dense_kernels.h>

/**
 * @file
 * Triangular solves with the dense columns [L; B] of a supernode for one right-hand side; as narrow_solves.h.
 * The supernodes of plane problems are so small that calling the BLAS costs as much as the work.
 */
namespace halfdof {

/// x <- L^{-1} x, then y <- y - B x. Shapes: L n x n lower triangle, B n_below rows below it, both with the
/// stride of L.
template <class Scalar>
void single_forward(Index n, Index n_below, Panel<const Scalar> L, Scalar* x, Scalar* y);

/// x <- L^{-T} (x - B^T y)
template <class Scalar>
void single_backward(Index n, Index n_below, Panel<const Scalar> L, Scalar* x, const Scalar* y);

}  // namespace halfdof
