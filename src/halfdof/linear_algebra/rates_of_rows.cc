// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/rates_of_rows.h>

#include <algorithm>
#include <cmath>

namespace halfdof::internal {

std::vector<double> rates_of_rows(const Vector& m, const Vector& c, const Vector& k, std::size_t most) {
  constexpr double apart = 10;
  std::vector<double> all, rates;
  const auto add = [&](double rate) {
    if (rate > 0 && std::isfinite(rate)) all.push_back(rate);
  };
  for (Eigen::Index i = 0; i < k.size(); ++i)
    if (c[i] * c[i] >= m[i] * k[i]) {
      add(k[i] / c[i]);
      add(c[i] / m[i]);
    } else {
      add(std::sqrt(k[i] / m[i]));
    }
  std::sort(all.begin(), all.end());
  for (const double rate : all)
    if (rates.empty() || rate >= apart * rates.back()) rates.push_back(rate);
  if (rates.size() <= most) return rates;
  std::vector<double> some;
  for (std::size_t i = 0; i < most; ++i)
    some.push_back(rates[i * (rates.size() - 1) / (most - 1)]);
  return some;
}

}  // namespace halfdof::internal
