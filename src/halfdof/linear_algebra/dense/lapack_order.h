// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <Eigen/Core>

#include <lapacke.h>

namespace halfdof::internal {

inline lapack_int order(Eigen::Index n) {
  return static_cast<lapack_int>(n);
}

}  // namespace halfdof::internal
