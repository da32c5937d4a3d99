#pragma once

#include <halfdof/base/types.h>

#include <optional>
#include <vector>

/**
 * @file
 * Ranks of matrices and structures of pencils with the entries taken for what they are, integers times powers
 * of two. All is computed modulo a prime number of 61 bits (FLINT), so that nothing is rounded, and entries
 * may differ by any order of magnitude. A rank modulo a prime is never too large; it is too small only if the
 * prime divides all minors of the full rank, with a probability below 1e-13 for the sizes that are admitted.
 * What looks deficient is computed a second time with another prime.
 *
 * Matrices whose entries were rounded, by a rotation for instance, have the structure of random
 * perturbations, which have fewer Jordan blocks at infinity and larger ranks: what they stand for is for
 * floating-point methods to tell.
 */
namespace halfdof {

/// Rank of a matrix of any shape; all entries finite.
Index exact_rank(ConstView<double> A);

/**
 * Whether some entry has been rounded, as far as its digits tell: it has more than 48 significant binary
 * ones, while a double holds 53. Integers and short binary fractions have fewer, of results of floating-point
 * arithmetic all but one in 32 have more.
 */
bool has_rounded_entries(ConstView<double> A);

/// Between which the rank of a matrix is that A stands for.
struct RankBounds {
  Index lowest, highest;
};

/// Exactly the rank of A where its entries are not rounded. Rounding makes ranks larger, but hardly ever
/// smaller, so that otherwise the exact rank is the upper bound. Above exact_structure_limit rows or columns
/// nothing is computed.
RankBounds exact_rank_bounds(ConstView<double> A);

/// What a pencil lambda E - A has at infinity; with E and A exchanged, what it has at zero.
struct ExactStructure {
  Index order = 0;             ///< n
  bool is_of_rounded = false;  ///< entries: what they stand for may have a larger infinite part
  Index rank = 0;              ///< of lambda E - A at all lambda but some
  std::vector<Index> weyr;     ///< s_j: how many Jordan blocks at infinity have at least the size j
  Index n_finite = 0;          ///< degree of the determinant

  /// No: the determinant vanishes for every lambda, and weyr and n_finite are not defined.
  bool is_regular() const { return rank == order; }
  Index index() const { return static_cast<Index>(weyr.size()); }
};

/// Order of the pencil up to which exact_structure() takes about a second at most; a tenth of it at half the
/// order.
constexpr Index exact_structure_limit = 400;
/// Up to which it takes some ten seconds.
constexpr Index largest_exact_structure = 1000;

/**
 * By the ranks of powers of (mu E - A)^{-1} E at a random mu. Shapes: n x n, finite entries. Nothing is
 * returned above the limit.
 */
std::optional<ExactStructure> exact_structure(ConstView<double> E, ConstView<double> A,
                                              Index limit = exact_structure_limit);

}  // namespace halfdof
