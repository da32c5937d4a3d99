// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

namespace halfdof::internal {

/// Positive scale factors of rows and columns.
struct RowColumnScales {
  Vector rows, columns;
};

/// Returns scale factors r_i, c_j, powers of two, for which the largest entry of each row and column of the
/// matrix (r_i c_j) T_ij is near one, whatever the units of T are (Ruiz 2001). T_ij is then at most about
/// @f$ 1 / (r_i c_j) @f$. The factor of a null row or column is one. T is dense and has no negative entry;
/// the function equilibrated() scales a sparse matrix for pivoting.
RowColumnScales equilibrating_scales(MultiVector T);

}  // namespace halfdof::internal
