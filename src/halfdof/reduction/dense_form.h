#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/base/partition.h>
#include <halfdof/base/types.h>

/**
 * @file
 * What all dense forms of a reduced system share: a limit of size, and rows gathered from the processes.
 */
namespace halfdof {

/// Dense forms are for small systems: above this size they are refused, unless asked for.
struct DenseFormOptions {
  double max_bytes = 5e8;  ///< memory of one dense matrix [bytes]; the default admits 7905 states
};

/// What was asked for is above a limit that may be raised.
class BeyondLimit : public NotAvailable {
 public:
  using NotAvailable::NotAvailable;
};

/// @throws BeyondLimit if a dense matrix of this shape needs more than options.max_bytes. @param name As the
/// message calls it.
void check_dense_size(const char* name, GlobalIndex n_rows, GlobalIndex n_columns,
                      const DenseFormOptions& options);

/// The whole of a matrix whose rows are spread over the processes, on every process. Shapes: local
/// partition.n_local() x k, result partition.n_global() x k. Collective.
MultiVector gather_rows(const Partition& partition, ConstView<double> local);

/// Right-hand sides that a solver takes at a time: batches are cheaper than single ones, all at once would
/// need as much memory as the result again. Eight lie side by side in the solves of the Eigen engine, and
/// what is made of them stays in the cache.
constexpr Index solve_batch = 8;

}  // namespace halfdof
