#pragma once

#include <halfdof/base/types.h>

/**
 * @file
 * Products of blocks of vectors of which one has a few columns only, for some rows at a time. The BLAS first
 * copies the wide block; here it is read once, and reading it is what the time goes into.
 */
namespace halfdof {

/// Most columns that these kernels are made for.
constexpr Index most_columns_of_products = 4;

/// P += X^T Y. Shapes: X rows x m, Y rows x k, P m x k; k <= most_columns_of_products.
void add_narrow_products(ConstView<double> X, ConstView<double> Y, View<double> P);

/// Y -= X C. Shapes: X rows x m, C m x k, Y rows x k; k <= most_columns_of_products.
void subtract_narrow_combination(ConstView<double> X, ConstView<double> C, View<double> Y);

}  // namespace halfdof
