// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/ranks/rank_decision.h>

#include <algorithm>
#include <sstream>

namespace halfdof::internal {
namespace {

[[noreturn]] void throw_ambiguous_rank(const RankData& data, const RankDecision& best) {
  std::ostringstream message;
  message.precision(3);
  message << "The rank of " << best.matrix << " (" << best.n_rows << " x " << best.n_columns
          << ") is ambiguous: its entries have rounding errors between " << data.rounding << " and "
          << data.uncertainty
          << ", and among the singular values that may be zero up to these errors, the largest ratio of "
             "neighbouring values is "
          << best.gap() << " (" << best.smallest_kept << " / " << best.largest_dropped
          << "). A ratio of at least " << clear_rank_gap
          << " is needed to distinguish zero from nonzero. Some coefficients are neither zero nor comparable "
             "to the others: set coefficients to zero that should be zero (tiny masses, penalties), or scale "
             "the units so that none is tiny.";
  throw AmbiguousRank(message.str(), best);
}

}  // namespace

RankDecision decide_rank(const RankData& data, const Vector& singular_values) {
  const Index n = static_cast<Index>(singular_values.size());
  const double nonzero = clear_rank_gap * data.uncertainty;
  Index highest = std::min(n, data.max_rank.value_or(n)), lowest = std::min(data.min_rank, highest);
  while (lowest < highest && singular_values[lowest] > nonzero)
    ++lowest;
  while (highest > lowest && singular_values[highest - 1] <= data.rounding)
    --highest;

  RankDecision best{data.matrix, data.n_rows, data.n_columns, 0, 0, 1};
  for (Index r = lowest; r <= highest; ++r) {
    RankDecision decision = best;
    decision.rank = r;
    decision.smallest_kept = r > 0 ? singular_values[r - 1] : data.size;
    decision.largest_dropped = std::max(r < n ? singular_values[r] : 0., data.rounding);
    if (r == lowest || decision.gap() > best.gap()) best = decision;
  }
  if (highest > lowest && best.gap() < clear_rank_gap) throw_ambiguous_rank(data, best);
  return best;
}

}  // namespace halfdof::internal
