// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/spectrum/eigenmodes.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace halfdof::internal {

double zero_radius(const std::vector<Complex>& values, const std::vector<EigenpairResidual>& residuals) {
  double radius = 0;
  for (std::size_t j = 0; j < values.size(); ++j)
    if (values[j] == 0.)
      radius = std::max({radius, residuals[j].set_to_zero,
                         std::isnan(residuals[j].uncertainty) ? 0. : residuals[j].uncertainty});
  return radius;
}

}  // namespace halfdof::internal
