// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/spectrum/frequency_response.h>

#include <algorithm>
#include <cmath>

namespace halfdof {

double largest_relative_difference(const std::vector<ComplexMultiVector>& before,
                                   const std::vector<ComplexMultiVector>& after,
                                   const std::vector<MultiVector>& rounding) {
  double largest = 0;
  if (before.empty()) return largest;
  MultiVector peaks = before.front().cwiseAbs();
  for (const ComplexMultiVector& H : before)
    peaks = peaks.cwiseMax(H.cwiseAbs());
  for (std::size_t k = 0; k < before.size(); ++k)
    for (Index i = 0; i < peaks.size(); ++i) {
      const double difference = std::abs(before[k](i) - after[k](i));
      if (std::isnan(difference)) return difference;
      const bool is_rounding_known =
          k < rounding.size() && rounding[k].size() > 0 && !std::isnan(rounding[k](i));
      if (difference == 0 || (is_rounding_known && difference <= rounding[k](i))) continue;
      const double least = is_rounding_known ? 0 : response_floor * peaks(i),
                   scale = std::max(std::abs(before[k](i)), least);
      largest = std::max(largest, difference / (scale > 0 ? scale : std::abs(after[k](i))));
    }
  return largest;
}

}  // namespace halfdof
