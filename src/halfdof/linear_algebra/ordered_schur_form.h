#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/// H = Q T Q^H with Q unitary and T upper triangular, or for real H with blocks of two rows on its diagonal
/// for complex pairs.
template <class Scalar>
struct OrderedSchurForm {
  DenseMatrix<Scalar> Q, T;
  ComplexVector values;  ///< the eigenvalues, in the order of T
  Vector magnitudes;     ///< of them

  /// n, or one more where the block of a pair would be cut.
  Index without_cut(Index n) const { return n > 0 && n < T.rows() && T(n, n - 1) != Scalar(0) ? n + 1 : n; }
};

/// The eigenvalues of a dense square matrix of largest magnitude come first, the largest at the top, as far
/// as n_first; those that rounding does not tell apart in any order. Scalar is double or Complex. @throws
/// NoConvergence
template <class Scalar>
OrderedSchurForm<Scalar> ordered_schur_form(DenseMatrix<Scalar> H, Index n_first);

}  // namespace halfdof
