// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <optional>
#include <vector>

/**
 * @file
 * Exact ranks of matrices and structures of pencils. Each entry is treated as an exact number, an integer
 * times a power of two. All computations are done modulo a prime number of 61 bits (FLINT), so that nothing
 * is rounded, and entries may differ by any order of magnitude. A rank modulo a prime is never too large; it
 * is too small only if the prime divides all minors of the order of the rank, with a probability below 1e-13
 * for the admitted sizes. A rank that is not full is computed a second time with another prime.
 *
 * If entries have been rounded, by a rotation for instance, the result is the structure of randomly perturbed
 * matrices, which have larger ranks and fewer Jordan blocks at infinity. The structure of the unperturbed
 * matrices has to be determined by floating-point methods then.
 */
namespace halfdof::internal {

/// Returns the rank of a matrix of any shape with finite entries.
Index exact_rank(ConstView<double> A);

/**
 * Returns whether an entry seems to have been rounded: it has more than 48 significant binary digits, of the
 * 53 digits of a double. Integers and short binary fractions have fewer digits; of the results of
 * floating-point arithmetic, all except one in 32 have more.
 */
bool has_rounded_entries(ConstView<double> A);

/// Bounds of the rank of a matrix, of which A may be a rounded version.
struct RankBounds {
  Index lowest, highest;
};

/// Returns bounds of the rank of the matrix before rounding. If no entry of A is rounded, both bounds are the
/// exact rank of A. Otherwise this rank is only the upper bound, because rounding makes ranks larger, but
/// hardly ever smaller. Above exact_structure_limit rows or columns, only the trivial bounds are returned.
RankBounds exact_rank_bounds(ConstView<double> A);

/// The structure of a pencil lambda E - A at infinity; if E and A are exchanged, its structure at zero.
struct ExactStructure {
  Index order = 0;                   ///< the order n of the matrices
  bool has_rounded_entries = false;  ///< entries are rounded: before rounding, n_finite may have been smaller
  Index rank = 0;                    ///< rank of lambda E - A for almost all lambda
  std::vector<Index> weyr;  ///< Weyr characteristic: number of blocks of order >= 1, 2, ... at infinity
  Index n_finite = 0;       ///< degree of the determinant

  /// Returns whether the determinant is nonzero for almost all lambda. Otherwise the determinant vanishes for
  /// every lambda, and weyr and n_finite are undefined.
  bool is_regular() const { return rank == order; }
  Index index() const { return static_cast<Index>(weyr.size()); }
};

/// Order of the pencil up to which exact_structure() takes at most about a second, and a tenth of a second at
/// half the order.
constexpr Index exact_structure_limit = 400;
/// Order of the pencil up to which exact_structure() takes about ten seconds.
constexpr Index largest_exact_structure = 1000;

/**
 * Computes the structure from the ranks of powers of (mu E - A)^{-1} E at a random mu. Shapes: n x n, finite
 * entries. No value is returned above the limit.
 */
std::optional<ExactStructure> exact_structure(ConstView<double> E, ConstView<double> A,
                                              Index limit = exact_structure_limit);

}  // namespace halfdof::internal
