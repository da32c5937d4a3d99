// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace halfdof::internal {

/// Returns the depth of a negative gap, else zero; NaN remains NaN.
inline double depth(double gap) {
  return gap >= 0 ? 0. : -gap;
}

}  // namespace halfdof::internal
