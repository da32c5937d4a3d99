// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof::cli {

inline Vector vector_of(const std::vector<double>& entries) {
  return Vector::Map(entries.data(), static_cast<Eigen::Index>(entries.size()));
}

}  // namespace halfdof::cli
