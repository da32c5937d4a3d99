#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <vector>

namespace halfdof {

/// Logarithm (base two) of the size of a nonzero entry.
struct LogarithmicEntry {
  Index row, column;
  float log;
};

/**
 * The entries of a matrix that are no rounding of zeros: those above 1e-15 of the largest of their row or of
 * their column, after the largest entries of all rows and columns were brought to one (Ruiz 2001). Units of
 * rows and columns hardly matter after that; where only tiny entries tie some rows to others, several
 * balances exist, and the given units choose one.
 */
std::vector<LogarithmicEntry> logarithms_of_nonzeros(const Eigen::SparseMatrix<double>& A);

/// One coefficient of a matrix polynomial in a rate: entries, and the power of the rate beside them.
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
 * Factors by which all nonzero entries of a matrix polynomial come to about one: least squares of their
 * logarithms (Curtis and Reid, J. Inst. Maths Applics 10, 1972),
 * @f[ \min \sum_k \sum_{ij} (\rho_i + \kappa_j + k \gamma + \log_2 |a^k_{ij}|)^2, @f]
 * by conjugate gradients, so that rows, columns and the unit of time may be scaled at will. Shapes: n x n
 * each.
 *
 * @param max_iterations in which the logarithms of models of a few units are right to a few percent
 */
LogarithmicScaling logarithmic_scaling(Index n, const std::vector<LogarithmicTerm>& terms,
                                       Index max_iterations);

}  // namespace halfdof
