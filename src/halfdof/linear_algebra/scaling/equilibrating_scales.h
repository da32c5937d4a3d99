// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

namespace halfdof::internal {

/// Positive scale factors of rows and columns.
struct RowColumnScales {
  Vector rows, columns;
};

/// Returns scale factors r, c, powers of two, that bring the largest entry of each row and column of
/// (r_i c_j) T_ij near one, so that T_ij is at most about @f$ 1 / (r_i c_j) @f$, whatever the units are (Ruiz
/// 2001). The factor of a null row or column is one. T is dense and has no negative entry; the function
/// equilibrated() scales a sparse matrix for pivoting.
RowColumnScales equilibrating_scales(MultiVector T);

}  // namespace halfdof::internal
