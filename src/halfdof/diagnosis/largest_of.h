// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/partition.h>

namespace halfdof::internal {

/// Returns the largest modulus of the entries of a vector on all processes, and zero without entries.
inline double largest_of(const Communicator& communicator, const Vector& x) {
  return communicator.max(x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.);
}

}  // namespace halfdof::internal
