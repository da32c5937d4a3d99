// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

namespace halfdof::internal {

/// The form @f$ N = U\,T\,U^T @f$ of a nilpotent matrix, with U orthogonal and T strictly upper triangular.
struct NilpotentForm {
  MultiVector U, T;
  double dropped = 0;  ///< the largest entry that was set to zero
};

/**
 * Computes the form of a matrix whose eigenvalues are all zero: its kernel yields the first columns of U, the
 * kernel of the remaining block the next ones, and so on. Rounding errors on the diagonal blocks and below
 * them are set to zero; the caller should check `dropped`.
 * @param tolerance Singular values up to this number count as zero; the smallest one always counts as zero
 */
NilpotentForm nilpotent_form(const MultiVector& N, double tolerance);

}  // namespace halfdof::internal
