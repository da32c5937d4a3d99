#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/// @f$ N = U\,T\,U^T @f$ with an orthogonal U, and T strictly upper triangular.
struct NilpotentForm {
  MultiVector U, T;
  double dropped = 0;  ///< the largest entry that was set to zero
};

/**
 * Of a matrix all of whose eigenvalues are zero, by its kernel, the kernel of what is left, and so on; what
 * rounding leaves on the diagonal blocks and below them is set to zero: look at `dropped`.
 * @param tolerance singular values below it are zero; where all are above it, the smallest one is
 */
NilpotentForm nilpotent_form(const MultiVector& N, double tolerance);

}  // namespace halfdof
