// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/spectrum/eigenvalue_scale.h>

#include <algorithm>
#include <cmath>

namespace halfdof::internal {

double zero_scale(const std::vector<Complex>& eigenvalues, double rate) {
  double largest = 0;
  for (const Complex& value : eigenvalues)
    largest = std::max(largest, std::abs(value));

  std::vector<double> moduli;
  for (const Complex& value : eigenvalues)
    if (std::abs(value) > 1e-8 * largest) moduli.push_back(std::abs(value));
  if (moduli.empty()) return smallest_relative_rate * rate;

  const auto median = moduli.begin() + static_cast<std::ptrdiff_t>(moduli.size() / 2);
  std::nth_element(moduli.begin(), median, moduli.end());
  return smallest_relative_rate * *median;
}

}  // namespace halfdof::internal
