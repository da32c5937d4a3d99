// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/characteristic_rate.h>

#include <cmath>

namespace halfdof::internal {

double characteristic_rate(double norm_M, double norm_C, double norm_K) {
  double rate = 1;
  if (norm_M > 0 && norm_K > 0)
    rate = std::sqrt(norm_K) / std::sqrt(norm_M);
  else if (norm_C > 0 && norm_K > 0)
    rate = norm_K / norm_C;
  else if (norm_M > 0 && norm_C > 0)
    rate = norm_C / norm_M;
  return std::isfinite(rate) && rate > 0 ? rate : 1;
}

}  // namespace halfdof::internal
