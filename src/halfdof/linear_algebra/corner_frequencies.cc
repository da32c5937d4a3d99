// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/corner_frequencies.h>

#include <algorithm>
#include <cmath>

namespace halfdof::internal {

std::vector<double> corner_frequencies(const Vector& m, const Vector& c, const Vector& k,
                                       std::size_t max_count) {
  constexpr double min_ratio = 10;
  std::vector<double> all, separate;
  const auto add = [&](double frequency) {
    if (frequency > 0 && std::isfinite(frequency)) all.push_back(frequency);
  };
  for (Eigen::Index i = 0; i < k.size(); ++i)
    if (c[i] * c[i] >= m[i] * k[i]) {
      add(k[i] / c[i]);
      add(c[i] / m[i]);
    } else {
      add(std::sqrt(k[i] / m[i]));
    }
  std::sort(all.begin(), all.end());
  for (const double frequency : all)
    if (separate.empty() || frequency >= min_ratio * separate.back()) separate.push_back(frequency);
  if (separate.size() <= max_count) return separate;
  std::vector<double> selected;
  for (std::size_t i = 0; i < max_count; ++i)
    selected.push_back(separate[i * (separate.size() - 1) / (max_count - 1)]);
  return selected;
}

}  // namespace halfdof::internal
