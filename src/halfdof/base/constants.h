// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <limits>

namespace halfdof::internal {

constexpr double pi = 3.14159265358979323846;

/// The largest relative error of rounding a number to double precision.
constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;

}  // namespace halfdof::internal
