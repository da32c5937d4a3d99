// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/partition.h>

/**
 * @file
 * Products of blocks of vectors with many more rows than columns, by BLAS. Krylov iterations for eigenvalues
 * spend most of their time in these products and in their operator. Scalar is double or Complex. Functions
 * with a communicator are collective.
 */
namespace halfdof::internal {

/// Returns X^H Y over all processes. Shapes: X local rows x m, Y local rows x k, result m x k.
template <class Scalar>
DenseMatrix<Scalar> tall_products(const Communicator& communicator, ConstView<Scalar> X, ConstView<Scalar> Y);

/// Returns the linear combinations X C of the columns of X. Shapes: X local rows x m, C m x k.
template <class Scalar>
DenseMatrix<Scalar> tall_combination(ConstView<Scalar> X, ConstView<Scalar> C);

/// Computes Y -= X C. Shapes: X local rows x m, C m x k, Y local rows x k.
template <class Scalar>
void subtract_combination(ConstView<Scalar> X, ConstView<Scalar> C, View<Scalar> Y);

/// Computes Y -= X C and returns @f$[X\ Y]^H Y@f$ over all processes for the new Y. X is read once for both
/// products.
/// Shapes: X local rows x m, C m x k, Y local rows x k, result (m + k) x k.
template <class Scalar>
DenseMatrix<Scalar> subtract_combination_and_multiply(const Communicator& communicator, ConstView<Scalar> X,
                                                      ConstView<Scalar> C, View<Scalar> Y);

/// Replaces the first k columns of X by the linear combinations X C. Blocks of rows are replaced one after
/// the other, so that no copy of X is needed. Shapes: X local rows x m, C m x k, k <= m.
template <class Scalar>
void combine_in_place(View<Scalar> X, ConstView<Scalar> C);

/// Returns the Euclidean norm of each column over all processes.
template <class Scalar>
Vector column_norms(const Communicator& communicator, ConstView<Scalar> X);

}  // namespace halfdof::internal
