// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/dense_kernels.h>

/**
 * @file
 * Triangular solves with the dense columns [L; B] of a supernode for one right-hand side; narrow_solves.h has
 * the solves for several right-hand sides. The supernodes of plane problems are so small that a call of the
 * BLAS costs as much as the arithmetic.
 */
namespace halfdof::internal {

/// Replaces x by L^{-1} x, and then y by y - B x for the new x. Shapes: L n x n lower triangle, B n_below x
/// n, stored below L with the same stride; x n, y n_below.
template <class Scalar>
void single_forward(Index n, Index n_below, Panel<const Scalar> L, Scalar* x, Scalar* y);

/// Replaces x by L^{-T} (x - B^T y). The shapes are those of single_forward().
template <class Scalar>
void single_backward(Index n, Index n_below, Panel<const Scalar> L, Scalar* x, const Scalar* y);

}  // namespace halfdof::internal
