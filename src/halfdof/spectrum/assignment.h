#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof {

/**
 * Gives each column a row of its own such that the sum of the costs is least:
 * @f[ \min_{\pi\ \text{injective}} \sum_j c_{\pi(j),\, j}. @f]
 * Shortest augmenting paths with dual potentials (Jonker, Volgenant, Computing 38, 1987), started from the
 * cheapest row of each column: the work is O(n^2) where that is nearly an assignment already, O(n^3) at
 * worst.
 *
 * @param cost Finite numbers, any sign; at least as many rows as columns.
 * @return The row of each column.
 * @throws InvalidInput if there are more columns than rows, or a cost is not finite.
 */
std::vector<Index> cheapest_assignment(ConstView<double> cost);

}  // namespace halfdof
