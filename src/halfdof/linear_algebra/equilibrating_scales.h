#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/// Powers of two by which rows and columns are multiplied.
struct LineScales {
  Vector rows, columns;
};

/// Those that bring the largest entries of rows and columns of a matrix T near one, so that no entry is
/// larger than about @f$ 1 / (r_i c_j) @f$, whatever its units are (Ruiz 2001). They are one for a line of
/// zeros. Shape: square, no entry negative.
LineScales equilibrating_scales(MultiVector T);

}  // namespace halfdof
