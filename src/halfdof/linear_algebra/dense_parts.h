#pragma once

#include <halfdof/linear_algebra/largest_entry.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * What dense methods that decide ranks do with matrices again and again: ranges, blocks, and zeros without
 * rounding. All entries have to be finite.
 */
namespace halfdof {

/// The entries of a matrix without those below what rounding may have left of a zero.
MultiVector without_rounding(const MultiVector& A, double rounding);

/// A B without what rounding leaves of zeros: entries below 1e-13 of what they would be if nothing cancelled.
MultiVector product_without_rounding(const MultiVector& A, const MultiVector& B);

/// Orthonormal bases of the range of a matrix, n x r, and of what is orthogonal to it, n x (n - r).
struct RangeSplit {
  MultiVector range, rest;
};

/**
 * By singular values and decide_rank().
 * @param size norm of the data that A was computed from @param uncertainty largest error of A, relative to it
 * @param name of A in messages @param rounding a bound of its error that is known beside these, not relative:
 * what is smaller is zero
 * @throws AmbiguousRank
 */
RangeSplit split_range(const MultiVector& A, double size, double uncertainty, const std::string& name,
                       double rounding = 0);

/// x of smallest norm that minimizes |A x - b|; zero where one of the two has no entries. @param threshold as
/// LeastSquares
MultiVector least_squares(const MultiVector& A, const MultiVector& b, std::optional<double> threshold = {});

/// Rows with which the columns of a basis are told apart, the best first: as many as it has columns.
std::vector<Index> telling_rows(const MultiVector& basis);

/// One above the other; as many columns each.
MultiVector stacked(std::initializer_list<MultiVector> parts);
/// One beside the other; as many rows each.
MultiVector beside(std::initializer_list<MultiVector> parts);

}  // namespace halfdof
