// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <vector>

namespace halfdof::internal {

/// The place of a nonzero entry of a matrix, and the logarithm (base two) of its absolute value.
struct LogarithmicEntry {
  Index row, column;
  float log;
};

/// Returns the logarithms of the nonzero entries of a matrix. Entries of at most `rounding` times the largest
/// entry of their row or of their column are omitted.
std::vector<LogarithmicEntry> logarithms_of_entries(ConstView<double> A, double rounding = 0);

/**
 * Returns the logarithms of the entries of a matrix that are not rounding errors of zeros: of the entries
 * that are larger than 1e-15 times the largest entries of their row and of their column, after the largest
 * entries of all rows and columns were scaled to one (Ruiz 2001). The result hardly depends on the units of
 * rows and columns. If only tiny entries couple some rows to others, several such scalings exist, and the
 * result depends on the given units.
 */
std::vector<LogarithmicEntry> logarithms_of_nonzeros(const Eigen::SparseMatrix<double>& A);

/// One term of a matrix polynomial such as lambda^2 M + lambda C + K: the entries of its coefficient matrix,
/// and the power of lambda.
struct LogarithmicTerm {
  int power;
  std::vector<LogarithmicEntry> entries;
};

/// Logarithms (base two) of the scale factors of rows, columns and the variable lambda of a matrix
/// polynomial.
struct LogarithmicScaling {
  Vector rows, columns;
  double rate = 0;
};

/**
 * Finds scale factors for which all nonzero entries of a matrix polynomial @f$ \sum_k \lambda^k A^k @f$ have
 * magnitudes near one, by least squares of their logarithms (Curtis and Reid, J. Inst. Maths Applics 10,
 * 1972),
 * @f[ \min \sum_k \sum_{ij} (\rho_i + \kappa_j + k \gamma + \log_2 |a^k_{ij}|)^2, @f]
 * with conjugate gradients. The results are the logarithms rho_i, kappa_j and gamma of the factors of rows,
 * columns and lambda. The scaled polynomial does not depend on the units of rows, columns and time. In
 * contrast, equilibrating_scales() considers only the largest entries of a single matrix, and does not scale
 * lambda. Shapes: the matrices A^k are n x n.
 *
 * @param max_iterations Largest number of iterations, which end when the logarithms are accurate to a few
 *   percent
 */
LogarithmicScaling logarithmic_scaling(Index n, const std::vector<LogarithmicTerm>& terms,
                                       Index max_iterations);

}  // namespace halfdof::internal
