// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/engine.h>

#include <Eigen/SparseCore>

#include <functional>

namespace halfdof::internal {

/// A transfer function at one value of s [1/s].
struct TransferFunction {
  MultiVector H;  ///< outputs x loads
  /// Bounds to first order the change of the outputs of given loads if the entries of the matrices in H
  /// change by one unit roundoff u. For entries of A in H f = C x, A x = f, the bound is
  /// @f$ u\, |y|^T |A|\, |x| @f$ with @f$ A^T y = c @f$ for a row c of C (Higham 2002, section 7.2). Shapes:
  /// f loads x k, result outputs x k.
  std::function<MultiVector(const MultiVector& f)> rounding;
  double log_determinant;  ///< log |det A|; NaN if the solver does not provide it
  /// Bounds to first order the change of log_determinant if the entries of A change by one unit
  /// roundoff: @f$ u \sum_{ij} |A_{ij}|\, |A^{-1}|_{ji} @f$. The function computes the dense inverse of
  /// A.
  std::function<double()> rounding_of_determinant;
};

/// Returns log |det A|, or NaN if the solver does not provide the determinant.
double log_modulus_of_determinant(const Factorization<double>& A);

/// The feed-through D + s D' of an output equation. Shapes: outputs x loads; a zero D' may have no rows.
struct FeedThrough {
  MultiVector D, D_rate;
};

/**
 * Computes @f$ H(s) = C\, (s E - A)^{-1} B + D + s D' @f$ of a state-space form at real s > 0. Each row and
 * column may have its own unit. The determinant is that of s E - A.
 * Shapes: E, A states x states, B states x loads, C outputs x states.
 * @throws SingularMatrix if s is an eigenvalue
 */
TransferFunction transfer_function(const Eigen::SparseMatrix<double>& E, const Eigen::SparseMatrix<double>& A,
                                   const Eigen::SparseMatrix<double>& B, const MultiVector& C,
                                   const FeedThrough& D, double s);

/// Computes H(s) of a state-space form with dense matrices and E = I.
TransferFunction transfer_function(const MultiVector& A, const MultiVector& B, const MultiVector& C,
                                   const FeedThrough& D, double s);

}  // namespace halfdof::internal
