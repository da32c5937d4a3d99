#pragma once

#include <halfdof/base/partition.h>

namespace halfdof {

/// Numbers uniform in (-1, 1) that depend on the number of the row and on the column alone: the same on every
/// machine and for any number of processes. Shapes: local rows x n_columns, counted from first_column.
MultiVector pseudo_random(const Partition& rows, Index n_columns = 1, Index first_column = 0);

}  // namespace halfdof
