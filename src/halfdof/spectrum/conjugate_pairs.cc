// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/spectrum/conjugate_pairs.h>

#include <cmath>

namespace halfdof::internal {

std::vector<ConjugateEntry> with_conjugate_partners(const std::vector<Complex>& values,
                                                    const std::vector<double>& tolerances) {
  std::vector<bool> done(values.size(), false);
  std::vector<ConjugateEntry> entries;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (done[i]) continue;
    const auto source = static_cast<Index>(i);
    if (std::abs(values[i].imag()) <= tolerances[i]) {
      entries.push_back({values[i].real(), source, false, true});
      continue;
    }
    const Complex partner = std::conj(values[i]);
    std::size_t nearest = values.size();
    for (std::size_t j = i + 1; j < values.size(); ++j)
      if (!done[j] && std::abs(values[j] - partner) <= tolerances[j] &&
          (nearest == values.size() || std::abs(values[j] - partner) < std::abs(values[nearest] - partner)))
        nearest = j;
    if (nearest < values.size()) done[nearest] = true;
    entries.push_back({values[i], source, false, false});
    entries.push_back({partner, source, true, false});
  }
  return entries;
}

}  // namespace halfdof::internal
