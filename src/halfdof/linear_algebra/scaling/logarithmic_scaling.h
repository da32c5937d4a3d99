// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <vector>

namespace halfdof::internal {

/// Logarithm (base two) of the size of a nonzero entry.
struct LogarithmicEntry {
  Index row, column;
  float log;
};

/// Returns the logarithms of the nonzero entries of a matrix, without those of at most `rounding` times the
/// largest entry of their row or of their column.
std::vector<LogarithmicEntry> logarithms_of_entries(ConstView<double> A, double rounding = 0);

/**
 * Returns the logarithms of the entries of a matrix that are not rounding errors of zeros: the entries above
 * 1e-15 of the largest entry of their row or of their column, after the largest entries of all rows and
 * columns were scaled to one (Ruiz 2001). The result hardly depends on the units of rows and columns. If only
 * tiny entries couple some rows to others, several such scalings exist, and the result depends on the given
 * units.
 */
std::vector<LogarithmicEntry> logarithms_of_nonzeros(const Eigen::SparseMatrix<double>& A);

/// One term of a matrix polynomial in a rate: the entries of the coefficient, and the power of the rate.
struct LogarithmicTerm {
  int power;
  std::vector<LogarithmicEntry> entries;
};

/// Logarithms (base two) of factors of rows and columns, and of the rate.
struct LogarithmicScaling {
  Vector rows, columns;
  double rate = 0;
};

/**
 * Finds scale factors that bring the magnitudes of all nonzero entries of a matrix polynomial to about one,
 * by least squares of their logarithms (Curtis and Reid, J. Inst. Maths Applics 10, 1972),
 * @f[ \min \sum_k \sum_{ij} (\rho_i + \kappa_j + k \gamma + \log_2 |a^k_{ij}|)^2, @f]
 * with conjugate gradients. The scaled polynomial does not depend on the units of rows, columns and time. The
 * factors of equilibrating_scales() look at the largest entries of one matrix alone, and have no rate.
 * Shapes: the matrices are n x n.
 *
 * @param max_iterations Limit of the iterations, which end when the logarithms are right to a few percent
 */
LogarithmicScaling logarithmic_scaling(Index n, const std::vector<LogarithmicTerm>& terms,
                                       Index max_iterations);

}  // namespace halfdof::internal
