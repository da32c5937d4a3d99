// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/ranks/column_compression.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * Common operations of dense methods that decide ranks: ranges of matrices, composition of blocks, and
 * removal of rounding errors. All entries have to be finite.
 */
namespace halfdof::internal {

/// Returns A with entries up to `rounding` set to zero.
MultiVector without_rounding(const MultiVector& A, double rounding);

/// Returns A B, where entries up to 1e-13 of the corresponding entries of |A| |B| are set to zero: they are
/// rounding errors of sums that cancel.
MultiVector product_without_rounding(const MultiVector& A, const MultiVector& B);

/// Orthonormal bases of the range of a matrix, n x r, and of its orthogonal complement, n x (n - r).
struct RangeSplit {
  MultiVector range, rest;
};

/**
 * Computes the range by a singular value decomposition and decide_rank().
 * @param size Norm of the data from which A was computed
 * @param uncertainty Largest error of A relative to `size`
 * @param name The name of A in messages
 * @param rounding An additional absolute bound of the error of A: singular values below it are zero
 * @throws AmbiguousRank
 */
RangeSplit split_range(const MultiVector& A, double size, double uncertainty, const std::string& name,
                       double rounding = 0);

/// Returns the x of smallest norm that minimizes |A x - b|; zero if A or b has no entries.
/// @param threshold See LeastSquares
MultiVector least_squares(const MultiVector& A, const MultiVector& b, std::optional<double> threshold = {});

/// Returns the numbers of linearly independent rows of a basis, as many as it has columns, in the order of QR
/// with pivoting.
std::vector<Index> independent_rows(const MultiVector& basis);

/// Stacks matrices with equal numbers of columns vertically.
MultiVector stacked(std::initializer_list<MultiVector> parts);
/// Puts matrices with equal numbers of rows side by side.
MultiVector side_by_side(std::initializer_list<MultiVector> parts);

}  // namespace halfdof::internal
