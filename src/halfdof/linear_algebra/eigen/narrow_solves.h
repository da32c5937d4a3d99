#pragma once

#include <halfdof/linear_algebra/eigen/dense_kernels.h>

/**
 * @file
 * Triangular solves with the dense columns [L; B] of a supernode for a few right-hand sides that lie side by side: a row
 * of X or Y holds one number for each. The BLAS first copies L where there are so few; here it is read once, and reading
 * it is what the time goes into. Scalar is double or Complex.
 */
namespace halfdof {

/// How many right-hand sides there have to be, at least n, the others null; none: too many for such kernels.
template <class Scalar>
Index narrow_width(Index n);

/// X <- L^{-1} X, then Y <- Y - B X. Shapes: L n x n lower triangle, B n_below rows below it, both with the stride of L;
/// X n x width, Y n_below x width.
template <class Scalar>
void narrow_forward(Index width, Index n, Index n_below, Panel<const Scalar> L, Scalar* X, Scalar* Y);

/// X <- L^{-T} (X - B^T Y). Shapes as above.
template <class Scalar>
void narrow_backward(Index width, Index n, Index n_below, Panel<const Scalar> L, Scalar* X, const Scalar* Y);

}  // namespace halfdof
