#pragma once

#include <limits>

namespace halfdof {

/// The largest relative error of rounding a number to double precision.
constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;

}  // namespace halfdof
