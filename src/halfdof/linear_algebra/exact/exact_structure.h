// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <optional>
#include <vector>

/**
 * @file
 * Exact ranks of matrices and structures of pencils. Each entry is treated as an exact number, an integer
 * times a power of two. All computations are done modulo a prime number of 61 bits (FLINT), so that no number
 * is rounded, and entries may differ by any order of magnitude. A rank modulo a prime is never too large.
 * Such a rank is too small only if the prime divides all minors whose order is the exact rank, with a
 * probability below 1e-13 for the admitted sizes. A rank that is not full is computed a second time with
 * another prime.
 *
 * If entries have been rounded, by a rotation for instance, the result is the structure of randomly perturbed
 * matrices, which have larger ranks and fewer Jordan blocks at infinity. In this case, the structure of the
 * unperturbed matrices has to be determined by floating-point methods.
 */
namespace halfdof::internal {

/// Returns the rank of a matrix of any shape with finite entries.
Index exact_rank(ConstView<double> A);

/**
 * Returns whether some entry has probably been rounded: whether it has more than 48 significant binary
 * digits, out of the 53 digits of a double. Integers and short binary fractions have fewer digits; 31 of 32
 * results of floating-point arithmetic have more.
 */
bool has_rounded_entries(ConstView<double> A);

/// A lower and an upper bound of the rank of a matrix whose entries may have been rounded.
struct RankBounds {
  Index lowest, highest;
};

/// Returns bounds of the rank that a matrix A had before its entries were rounded. If no entry of A is
/// rounded, both bounds are the exact rank of A. Otherwise the exact rank of A is only the upper bound,
/// because rounding makes ranks larger, but hardly ever smaller. Above exact_structure_limit rows or columns,
/// the bounds are 0 and the smaller dimension of A.
RankBounds exact_rank_bounds(ConstView<double> A);

/// The Jordan structure of a pencil lambda E - A at the eigenvalue infinity. If E and A are exchanged, the
/// result is the structure of the pencil at the eigenvalue zero.
struct ExactStructure {
  Index order = 0;  ///< the order n of the matrices
  /// Whether some entries have probably been rounded: n_finite may have been smaller before the rounding.
  bool has_rounded_entries = false;
  Index rank = 0;           ///< rank of lambda E - A for almost all lambda
  std::vector<Index> weyr;  ///< Weyr characteristic: number of blocks of order >= 1, 2, ... at infinity
  Index n_finite = 0;       ///< degree of det(lambda E - A): the number of finite eigenvalues

  /// Returns whether the determinant is nonzero for almost all lambda. Otherwise the determinant vanishes for
  /// every lambda, and weyr and n_finite are undefined.
  bool is_regular() const { return rank == order; }
  Index index() const { return static_cast<Index>(weyr.size()); }
};

/// Order of the pencil up to which exact_structure() takes at most about a second. A pencil of half this
/// order takes a tenth of a second.
constexpr Index exact_structure_limit = 400;
/// Order of the pencil up to which exact_structure() takes about ten seconds.
constexpr Index largest_exact_structure = 1000;

/**
 * Computes the Jordan structure of lambda E - A at infinity from the ranks of the powers of (mu E - A)^{-1} E
 * at a fixed shift mu without relation to the entries. Shapes: n x n, finite entries. No value is returned if
 * n is larger than the limit.
 */
std::optional<ExactStructure> exact_structure(ConstView<double> E, ConstView<double> A,
                                              Index limit = exact_structure_limit);

}  // namespace halfdof::internal
