// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>

#include <cmath>
#include <string>

namespace halfdof {

void check_nearest(Index k, Complex sigma) {
  if (k < 1)
    throw InvalidInput(std::to_string(k) +
                       " eigenvalues nearest to a shift were asked for. Ask for at least one.");
  if (!std::isfinite(std::norm(sigma)))
    throw InvalidInput(
        "The shift or its square is not finite. Pass a smaller number, zero for the slowest modes.");
}

}  // namespace halfdof
