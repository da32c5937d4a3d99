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
      if (k < rounding.size() && rounding[k].size() > 0 && difference <= rounding[k](i)) continue;
      const double scale = std::max(std::abs(before[k](i)), response_floor * peaks(i));
      largest = std::max(largest, scale > 0 ? difference / scale : difference);
    }
  return largest;
}

}  // namespace halfdof
