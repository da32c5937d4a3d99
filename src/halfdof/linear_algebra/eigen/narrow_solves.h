// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/dense_kernels.h>

/**
 * @file
 * Triangular solves with the dense columns [L; B] of a supernode for a few right-hand sides, which are stored
 * by rows: a row of X or Y contains one number for each right-hand side. The kernels read L once, which takes
 * nearly all of their time, whereas the BLAS copies L first. Preconditions: width is a narrow_width(), X and
 * Y do not overlap, and the diagonal of L has no zero. Scalar is double or Complex.
 */
namespace halfdof::internal {

/// The largest number of right-hand sides in one call.
template <class Scalar>
constexpr Index max_right_hand_sides = 8 * sizeof(double) / sizeof(Scalar);

/// Returns the number of columns of X and Y in narrow_forward() and narrow_backward() for n right-hand sides:
/// half of max_right_hand_sides if n is at most this half, otherwise max_right_hand_sides. The caller sets
/// the columns beyond n to zero.
template <class Scalar>
constexpr Index narrow_width(Index n) {
  return 2 * n <= max_right_hand_sides<Scalar> ? max_right_hand_sides<Scalar> / 2
                                               : max_right_hand_sides<Scalar>;
}

/// Replaces X by L^{-1} X, and then Y by Y - B X for the new X. Shapes: L n x n lower triangle, B n_below x
/// n, stored below L with the same stride; X n x width, Y n_below x width.
template <class Scalar>
void narrow_forward(Index width, Index n, Index n_below, Panel<const Scalar> L, Scalar* X, Scalar* Y);

/// Replaces X by L^{-T} (X - B^T Y). The shapes are those of narrow_forward().
template <class Scalar>
void narrow_backward(Index width, Index n, Index n_below, Panel<const Scalar> L, Scalar* X, const Scalar* Y);

}  // namespace halfdof::internal
