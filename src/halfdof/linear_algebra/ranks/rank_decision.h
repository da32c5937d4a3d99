// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/base/types.h>

#include <optional>
#include <string>

namespace halfdof::internal {

/// The data of a matrix, besides its singular values, on which the decision about its rank depends.
struct RankQuestion {
  std::string matrix;   ///< the name of the matrix in messages: "E after 1 deflation"
  Index n_rows = 0;     ///< rows of the matrix
  Index n_columns = 0;  ///< columns of the matrix
  Index min_rank = 0;   ///< no smaller rank is possible
  double size = 0;      ///< norm of the data from which the matrix was computed
  double rounding = 0;  ///< least error of its entries: a smaller singular value is zero
  /// Largest error of its entries that can be expected: a clearly larger singular value is not zero.
  double uncertainty = 0;
  std::optional<Index> max_rank = {};  ///< no larger rank is possible; no value: no limit
};

/// Smallest gap of a clear decision.
constexpr double clear_rank_gap = 1e3;

/**
 * Decides a rank. Singular values above clear_rank_gap times the uncertainty are nonzero, and singular values
 * below the rounding error are zero. Between these bounds, the largest quotient of neighbouring singular
 * values decides, and it has to be at least clear_rank_gap. Only the ranks that the question allows are
 * considered; if only one rank is possible, no gap is needed.
 *
 * @param singular_values in descending order
 * @throws AmbiguousRank if no quotient is large enough
 */
RankDecision decide_rank(const RankQuestion& question, const Vector& singular_values);

}  // namespace halfdof::internal
