// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/state_space.h>

/**
 * @file
 * Functions for all dense forms of a reduced system: a size limit, and gathering of distributed rows.
 */
namespace halfdof::internal {

/// @throws BeyondLimit if a dense matrix of this shape needs more than options.max_bytes. @param name The
/// name of the matrix in the message
void check_dense_size(const char* name, GlobalIndex n_rows, GlobalIndex n_columns,
                      const DenseFormOptions& options);

/// Returns a matrix whose rows are distributed over the processes as a whole on every process. Shapes: local
/// partition.n_local() x k, result partition.n_global() x k. Collective.
MultiVector gather_rows(const Partition& partition, ConstView<double> local);

/// Number of right-hand sides for one call of a solver. Batches are faster than single right-hand sides; all
/// of them together would need as much memory as the result again. The Eigen engine solves eight of them side
/// by side, and their solutions fit in the cache.
constexpr Index solve_batch = 8;

}  // namespace halfdof::internal
