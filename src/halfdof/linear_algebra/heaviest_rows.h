#pragma once

#include <halfdof/base/types.h>

#include <vector>

namespace halfdof {

/// Rows of a basis that are not small, the largest first, at most ten: the unknowns that a null space names.
std::vector<Index> heaviest_rows(ConstView<double> basis);

}  // namespace halfdof
