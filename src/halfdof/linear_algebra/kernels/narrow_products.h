// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

/**
 * @file
 * Products of two blocks of vectors, of which one has many columns (the wide block) and the other at most
 * four (the narrow block). The kernels read the wide block once, which takes nearly all of their time,
 * whereas the BLAS copies it first. The caller passes as many rows at a time as the cache can store.
 */
namespace halfdof::internal {

/// The largest number k of columns of the narrow block in the functions of this file.
constexpr Index max_narrow_columns = 4;

/// Computes P += X^T Y. Shapes: X rows x m, Y rows x k, P m x k; k <= max_narrow_columns.
void add_narrow_products(ConstView<double> X, ConstView<double> Y, View<double> P);

/// Computes Y -= X C. Shapes: X rows x m, C m x k, Y rows x k; k <= max_narrow_columns.
void subtract_narrow_combination(ConstView<double> X, ConstView<double> C, View<double> Y);

}  // namespace halfdof::internal
