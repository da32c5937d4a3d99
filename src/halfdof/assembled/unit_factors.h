// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

namespace halfdof::internal {

/// Scaling factors V of equations and W of DoFs that remove the effect of units: powers of 1024, so that
/// scaling is exact.
struct UnitFactors {
  Vector rows, columns;

  /// Returns V A W.
  Eigen::SparseMatrix<double> scaled(const Eigen::SparseMatrix<double>& A) const;
};

/**
 * Computes factors that bring all entries of M, C and K near to one (logarithmic_scaling()), relative to the
 * medians over the equations and over the DoFs. A DoF and its equation get the same factor, V_i = W_i, unless
 * the two differ by a factor of about 1024 or more: symmetric matrices remain symmetric, and scaled
 * equations remain work-conjugate to their DoFs.
 */
UnitFactors unit_factors(const Eigen::SparseMatrix<double>& M, const Eigen::SparseMatrix<double>& C,
                         const Eigen::SparseMatrix<double>& K);

}  // namespace halfdof::internal
