// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

namespace halfdof::internal {

/// The form @f$ N = U\,T\,U^T @f$ of a nilpotent matrix, with U orthogonal and T strictly upper triangular.
struct NilpotentForm {
  MultiVector U, T;
  double dropped = 0;  ///< the largest absolute value of the entries that were set to zero
};

/**
 * Computes the nilpotent form of a matrix whose eigenvalues are all zero: the kernel of N yields the first
 * columns of U, the kernel of the remaining block yields the next columns, and so on. Rounding errors on the
 * diagonal blocks and below them are set to zero; the caller should check `dropped`.
 * @param tolerance Singular values up to this number count as zero; the smallest singular value always counts
 *   as zero
 */
NilpotentForm nilpotent_form(const MultiVector& N, double tolerance);

}  // namespace halfdof::internal
