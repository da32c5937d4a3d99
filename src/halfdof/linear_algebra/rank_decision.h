#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/base/types.h>

#include <optional>
#include <string>

namespace halfdof {

/// How many singular values of a matrix were taken for nonzero, and how clear that was.
struct RankDecision {
  std::string matrix;          ///< which one, as messages call it
  Index n_rows = 0;            ///< of the matrix
  Index n_columns = 0;         ///< of the matrix
  Index rank = 0;              ///< r
  double smallest_kept = 0;    ///< sigma_r; for rank 0 the size of the data it is compared with
  double largest_dropped = 0;  ///< sigma_{r+1}, at least what rounding makes of a zero

  /// sigma_r / sigma_{r+1}: large is clear.
  double gap() const { return smallest_kept / largest_dropped; }
};

/// The singular values of a matrix do not fall into large and small ones, and its rank decides what the
/// system is. Nothing was computed.
class AmbiguousRank : public Error {
 public:
  AmbiguousRank(const std::string& message, RankDecision decision)
      : Error(message), decision_(std::move(decision)) {}

  /// The best of the possible decisions, with the gap that was too small.
  const RankDecision& decision() const { return decision_; }

 private:
  RankDecision decision_;
};

/// What is known about a matrix before its singular values are looked at.
struct RankQuestion {
  std::string matrix;   ///< as messages call it: "E after 1 deflation"
  Index n_rows = 0;     ///< of the matrix
  Index n_columns = 0;  ///< of the matrix
  Index min_rank = 0;   ///< no smaller rank is possible
  double size = 0;      ///< norm of the data from which the matrix was computed
  double rounding = 0;  ///< least error of its entries: a smaller singular value is zero
  double uncertainty =
      0;  ///< largest error that can be expected: a clearly larger singular value is not zero
  std::optional<Index> max_rank = {};  ///< no larger rank is possible; nothing: any is
};

/// Gap from which on a decision is clear.
constexpr double clear_rank_gap = 1e3;

/**
 * Decides a rank. Singular values above clear_rank_gap times the uncertainty are nonzero, those below the
 * rounding are zero; between the two the largest quotient of neighbours decides, and it has to be at least
 * clear_rank_gap. Ranks that are not possible are not considered: a single possible one needs no gap.
 *
 * @param singular_values in descending order
 * @throws AmbiguousRank if no quotient is large enough
 */
RankDecision decide_rank(const RankQuestion& question, const Vector& singular_values);

}  // namespace halfdof
