// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

namespace halfdof::internal {

/// The Schur form H = Q T Q^H with Q unitary and T upper triangular. If H is real, T is quasi-triangular:
/// each complex pair of eigenvalues has a block of two rows on the diagonal.
template <class Scalar>
struct OrderedSchurForm {
  DenseMatrix<Scalar> Q, T;
  ComplexVector values;  ///< the eigenvalues, in the order of T
  Vector magnitudes;     ///< the moduli of the eigenvalues

  /// Returns n, or n + 1 if the first n rows would split the diagonal block of a complex pair.
  Index round_up_to_whole_pair(Index n) const {
    return n > 0 && n < T.rows() && T(n, n - 1) != Scalar(0) ? n + 1 : n;
  }
};

/// Computes a Schur form whose first n_first eigenvalues are the largest in modulus, in descending order;
/// eigenvalues that rounding does not distinguish may have any order. Scalar is double or Complex.
/// @throws NoConvergence
template <class Scalar>
OrderedSchurForm<Scalar> ordered_schur_form(DenseMatrix<Scalar> H, Index n_first);

}  // namespace halfdof::internal
