// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/reduction/state_space.h>

/**
 * @file
 * Functions for all dense forms of a reduced system: a size limit, and gathering of distributed rows.
 */
namespace halfdof::internal {

/// Checks the memory that a dense matrix of this shape needs. @throws BeyondLimit if this is more than
/// options.max_bytes
/// @param name The name of the matrix in the message
void check_dense_size(const char* name, GlobalIndex n_rows, GlobalIndex n_columns,
                      const DenseFormOptions& options);

/// Gathers a matrix whose rows are distributed over the processes: every process receives all rows.
/// Shapes: local partition.n_local() x k, result partition.n_global() x k. Collective.
MultiVector gather_rows(const Partition& partition, ConstView<double> local);

/// Number of right-hand sides for one call of a solver. A batch is faster than single right-hand sides,
/// and a call with all right-hand sides would need as much memory as the result again. The Eigen engine
/// solves for eight columns side by side, and eight solutions fit in the cache.
constexpr Index solve_batch = 8;

}  // namespace halfdof::internal
