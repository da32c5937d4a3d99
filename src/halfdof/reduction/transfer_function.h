#pragma once

#include <halfdof/linear_algebra/factorization.h>

#include <Eigen/SparseCore>

#include <functional>

namespace halfdof {

/// A transfer function at one place s [1/s].
struct TransferFunction {
  MultiVector H;  ///< outputs x loads
  /// How far the last digits of the entries that H is made of may move the outputs of loads, in first order:
  /// by the entries of A in H f = C x, A x = f, it is @f$ u\, |y|^T |A|\, |x| @f$ with @f$ A^T y = c @f$
  /// (Higham 2002, section 7.2). Shapes: f loads x k, result outputs x k.
  std::function<MultiVector(const MultiVector& f)> rounding;
  double log_determinant;  ///< log |det A|; NaN where the solver does not tell it
  /// How far the last digits of the entries of A may move it, in first order:
  /// @f$ u \sum_{ij} |A_{ij}|\, |A^{-1}|_{ji} @f$. The inverse is dense.
  std::function<double()> rounding_of_determinant;
};

/// log |det A|; NaN where the solver does not tell it.
double log_modulus_of_determinant(const Factorization<double>& A);

/// D + s D' of an output equation. Shapes: outputs x loads; D' may have no rows where it is zero.
struct FeedThrough {
  MultiVector D, D_rate;
};

/**
 * @f$ H(s) = C\, (s E - A)^{-1} B + D + s D' @f$ of a state-space form, at real s > 0, each row and column of
 * which may have a unit of its own. The determinant is that of s E - A.
 * Shapes: E, A states x states, B states x loads, C outputs x states.
 * @throws SingularMatrix if s is an eigenvalue
 */
TransferFunction transfer_function(const Eigen::SparseMatrix<double>& E, const Eigen::SparseMatrix<double>& A,
                                   const Eigen::SparseMatrix<double>& B, const MultiVector& C,
                                   const FeedThrough& D, double s);

/// The same of dense matrices, with E = 1.
TransferFunction transfer_function(const MultiVector& A, const MultiVector& B, const MultiVector& C,
                                   const FeedThrough& D, double s);

}  // namespace halfdof
