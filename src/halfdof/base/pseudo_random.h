// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/partition.h>

namespace halfdof::internal {

/// Returns pseudo-random numbers, uniform in (-1, 1), that depend only on the global number of the row
/// and on the number of the column, so that they are equal on every machine and for any number of
/// processes. Columns are numbered from first_column. Shape: local rows x n_columns.
MultiVector pseudo_random(const Partition& rows, Index n_columns = 1, Index first_column = 0);

}  // namespace halfdof::internal
