#pragma once

#include <halfdof/linear_algebra/eigen/dense_kernels.h>

/**
 * @file
 * Triangular solves with the dense columns [L; B] of a supernode for a few right-hand sides that lie side by
 * side: a row of X or Y holds one number for each. The BLAS first copies L where there are so few; here it is
 * read once, and reading it is what the time goes into. Preconditions: width is a narrow_width(), X and Y do
 * not overlap, no zero stands on the diagonal. Scalar is double or Complex.
 */
namespace halfdof {

/// Most right-hand sides that lie side by side.
template <class Scalar>
constexpr Index most_side_by_side = 8 * sizeof(double) / sizeof(Scalar);

/// As how many right-hand sides n count, the others null: there are kernels for half of the most and for the
/// most.
template <class Scalar>
constexpr Index narrow_width(Index n) {
  return 2 * n <= most_side_by_side<Scalar> ? most_side_by_side<Scalar> / 2 : most_side_by_side<Scalar>;
}

/// X <- L^{-1} X, then Y <- Y - B X. Shapes: L n x n lower triangle, B n_below rows below it, both with the
/// stride of L; X n x width, Y n_below x width.
template <class Scalar>
void narrow_forward(Index width, Index n, Index n_below, Panel<const Scalar> L, Scalar* X, Scalar* Y);

/// X <- L^{-T} (X - B^T Y). Shapes as above.
template <class Scalar>
void narrow_backward(Index width, Index n, Index n_below, Panel<const Scalar> L, Scalar* X, const Scalar* Y);

}  // namespace halfdof
