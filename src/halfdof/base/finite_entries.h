#pragma once

#include <halfdof/base/types.h>

#include <cmath>

namespace halfdof {

/// Whether all entries are finite, of vectors that every step looks at. A sum of squares is taken several
/// entries at a time; where it overflows, allFinite() looks at them one by one.
inline bool are_finite(const Vector& x) {
  return std::isfinite(x.squaredNorm()) || x.allFinite();
}

}  // namespace halfdof
