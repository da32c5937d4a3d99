// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof::internal {

/// Returns the numbers of the rows with the largest norms in a basis of a null space, the largest first, for
/// messages that name DoFs. At most ten rows are returned; rows with norms up to 1e-3 of the largest norm are
/// omitted.
std::vector<Index> largest_rows(ConstView<double> basis);

}  // namespace halfdof::internal
