// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

namespace halfdof::internal {

/// Scaling factors V = diag(rows) of equations and W = diag(columns) of DoFs that remove the effect of units.
/// The factors are powers of 1024, so that scaling causes no rounding errors.
struct UnitFactors {
  Vector rows, columns;

  /// Returns V A W.
  Eigen::SparseMatrix<double> scaled(const Eigen::SparseMatrix<double>& A) const;
};

/**
 * Computes factors that bring all entries of M, C and K near to one by a least-squares fit of logarithms
 * (logarithmic_scaling()). The factors of equations are divided by their median, and so are the factors of
 * DoFs. A DoF and its equation get the same factor, V_i = W_i, unless the two computed factors differ by a
 * ratio of 1024 or more. Therefore symmetric matrices remain symmetric, and scaled equations remain
 * work-conjugate to their DoFs.
 */
UnitFactors unit_factors(const Eigen::SparseMatrix<double>& M, const Eigen::SparseMatrix<double>& C,
                         const Eigen::SparseMatrix<double>& K);

}  // namespace halfdof::internal
