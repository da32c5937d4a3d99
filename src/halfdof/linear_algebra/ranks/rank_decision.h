// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/base/types.h>

#include <optional>
#include <string>

namespace halfdof::internal {

/// The data of a matrix that decide_rank() needs besides the singular values.
struct RankData {
  std::string matrix;   ///< the name of the matrix in messages: "E after 1 deflation"
  Index n_rows = 0;     ///< rows of the matrix
  Index n_columns = 0;  ///< columns of the matrix
  Index min_rank = 0;   ///< no smaller rank is possible
  double size = 0;      ///< norm of the data from which the matrix was computed
  double rounding = 0;  ///< smallest possible error of the entries: smaller singular values count as zero
  /// Largest error of the entries that can be expected: clearly larger singular values are nonzero.
  double uncertainty = 0;
  std::optional<Index> max_rank = {};  ///< no larger rank is possible; no value: no limit
};

/// Smallest quotient of neighbouring singular values that separates nonzero from zero singular values.
constexpr double clear_rank_gap = 1e3;

/**
 * Determines the numerical rank of a matrix from its singular values. Singular values above clear_rank_gap
 * times the uncertainty are nonzero, and singular values up to the rounding error are zero. Between these
 * bounds, the largest quotient of neighbouring singular values separates nonzero from zero singular values.
 * This quotient must be at least clear_rank_gap, unless min_rank and max_rank admit only one rank.
 *
 * @param singular_values in descending order
 * @throws AmbiguousRank if no quotient is large enough
 */
RankDecision decide_rank(const RankData& data, const Vector& singular_values);

}  // namespace halfdof::internal
