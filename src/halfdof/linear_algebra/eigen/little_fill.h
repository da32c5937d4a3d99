#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof {

/// A unit lower triangular L by columns, without its diagonal, rows of each column in any order.
struct UnitLowerTriangle {
  std::vector<std::int64_t> starts;
  std::vector<Index> rows;
  std::vector<double> values;
};

/**
 * @f$ A = P^T L D L^T P @f$ where L has a few entries a column, as for chains and trees: solves go through
 * its entries one by one, without the work spaces and the dense kernels that larger factors pay off.
 *
 * @param order Row k of P A P^T is row order[k] of A @param D The diagonal, no entry zero
 */
ReportedFactorizationPtr<double> factorization_of_little_fill(std::vector<Index> order, UnitLowerTriangle L,
                                                              const Vector& D);

}  // namespace halfdof
