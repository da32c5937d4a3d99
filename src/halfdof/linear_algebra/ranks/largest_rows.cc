// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/ranks/largest_rows.h>

#include <algorithm>
#include <numeric>

namespace halfdof::internal {

std::vector<Index> largest_rows(ConstView<double> basis) {
  constexpr double negligible = 1e-3;
  constexpr std::size_t max_named = 10;
  if (basis.size() == 0) return {};
  const Vector weights = basis.rowwise().norm();
  std::vector<Index> rows(static_cast<std::size_t>(weights.size()));
  std::iota(rows.begin(), rows.end(), 0);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](Index a, Index b) { return weights[a] > (1 + negligible) * weights[b]; });
  const auto end = std::find_if(rows.begin(), rows.end(),
                                [&](Index i) { return weights[i] <= negligible * weights.maxCoeff(); });
  rows.erase(end, rows.end());
  rows.resize(std::min(rows.size(), max_named));
  return rows;
}

}  // namespace halfdof::internal
