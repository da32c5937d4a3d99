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
 * Operations on dense matrices for methods that determine ranks: bases of ranges, composition of blocks, and
 * removal of rounding errors. All entries have to be finite.
 */
namespace halfdof::internal {

/// Returns A, where entries with absolute values up to `rounding` are set to zero.
MultiVector with_exact_zeros(const MultiVector& A, double rounding);

/// Returns the product A B without rounding errors of sums that cancel: entries up to 1e-13 times the
/// corresponding entries of |A| |B| are set to zero.
MultiVector product_with_exact_zeros(const MultiVector& A, const MultiVector& B);

/// Orthonormal bases of the range of a matrix (n x r) and of the orthogonal complement of the range (n x (n -
/// r)).
struct RangeSplit {
  MultiVector range, rest;
};

/**
 * Computes orthonormal bases of the range of A and of its orthogonal complement by a singular value
 * decomposition. The rank is determined by decide_rank().
 * @param size Norm of the data from which A was computed
 * @param uncertainty Largest error of A relative to `size`
 * @param name The name of A in messages
 * @param rounding An additional absolute bound of the error of A: singular values below this bound count as
 *   zero
 * @throws AmbiguousRank
 */
RangeSplit split_range(const MultiVector& A, double size, double uncertainty, const std::string& name,
                       double rounding = 0);

/// Returns the least-squares solution of smallest norm of A x = b; zero if A or b has no entries.
/// @param threshold Singular values up to this number times the largest one count as zero, see LeastSquares
MultiVector least_squares(const MultiVector& A, const MultiVector& b, std::optional<double> threshold = {});

/// Returns the numbers of linearly independent rows of a basis, as many as the basis has columns, in the
/// order in which a QR factorization with pivoting chooses them.
std::vector<Index> independent_rows(const MultiVector& basis);

/// Stacks matrices with equal numbers of columns vertically.
MultiVector stacked(std::initializer_list<MultiVector> parts);
/// Puts matrices with equal numbers of rows side by side.
MultiVector side_by_side(std::initializer_list<MultiVector> parts);

}  // namespace halfdof::internal
