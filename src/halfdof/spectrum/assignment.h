// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof::internal {

/**
 * Assigns a different row to each column such that the sum of the costs is minimal:
 * @f[ \min_{\pi\ \text{injective}} \sum_j c_{\pi(j),\, j}. @f]
 * The method uses shortest augmenting paths with dual potentials (Jonker, Volgenant, Computing 38, 1987), and
 * starts from the cheapest row of each column: the work is O(n^2) if these rows are nearly an assignment
 * already, and O(n^3) at worst.
 *
 * @param cost Finite numbers, any sign; at least as many rows as columns.
 * @return The row of each column.
 * @throws InvalidInput if there are more columns than rows, or a cost is not finite.
 */
std::vector<Index> cheapest_assignment(ConstView<double> cost);

}  // namespace halfdof::internal
