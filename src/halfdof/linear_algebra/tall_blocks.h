#pragma once

#include <halfdof/base/communicator.h>

/**
 * @file
 * Products of blocks of vectors with many more rows than columns, by BLAS: what iterations in subspaces spend
 * their time with beside the operator. Scalar is double or Complex. Collective where a communicator is asked
 * for.
 */
namespace halfdof {

/// X^H Y over all processes. Shapes: X local rows x m, Y local rows x k, result m x k.
template <class Scalar>
DenseMatrix<Scalar> tall_products(const Communicator& communicator, ConstView<Scalar> X, ConstView<Scalar> Y);

/// X C. Shapes: X local rows x m, C m x k.
template <class Scalar>
DenseMatrix<Scalar> tall_combination(ConstView<Scalar> X, ConstView<Scalar> C);

/// Y -= X C. Shapes: X local rows x m, C m x k, Y local rows x k.
template <class Scalar>
void subtract_combination(ConstView<Scalar> X, ConstView<Scalar> C, View<Scalar> Y);

/// Y -= X C, then @f$[X\ Y]^H Y@f$ over all processes; X is read once for both. Shapes: X local rows x m, C m
/// x k, Y local rows x k, result (m + k) x k.
template <class Scalar>
DenseMatrix<Scalar> subtract_combination_and_multiply(const Communicator& communicator, ConstView<Scalar> X,
                                                      ConstView<Scalar> C, View<Scalar> Y);

/// The first columns of X become X C, some rows at a time: no second X is needed. Shapes: X local rows x m, C
/// m x k, k <= m.
template <class Scalar>
void combine_in_place(View<Scalar> X, ConstView<Scalar> C);

/// Euclidean norm of each column over all processes.
template <class Scalar>
Vector column_norms(const Communicator& communicator, ConstView<Scalar> X);

}  // namespace halfdof
