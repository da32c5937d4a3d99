#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

namespace halfdof {

/// Factors V of equations and W of DoFs by which their units cancel: powers of 1024, so that no digit is
/// lost.
struct UnitFactors {
  Vector rows, columns;

  /// V A W.
  Eigen::SparseMatrix<double> scaled(const Eigen::SparseMatrix<double>& A) const;
};

/**
 * Those with which all entries of M, C and K come to about one (logarithmic_scaling()), relative to the
 * middle ones of equations and of DoFs. A DoF and the equation of its place have one factor, V_i = W_i,
 * unless they differ by about 1024 or more: what is symmetric stays so, as does what follows from one virtual
 * work.
 */
UnitFactors unit_factors(const Eigen::SparseMatrix<double>& M, const Eigen::SparseMatrix<double>& C,
                         const Eigen::SparseMatrix<double>& K);

}  // namespace halfdof
