// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof::internal {

/// Returns at most ten rows of a basis of a null space with the largest norms, the largest first, for
/// messages; rows with norms up to 1e-3 of the largest are omitted.
std::vector<Index> largest_rows(ConstView<double> basis);

}  // namespace halfdof::internal
