// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof::internal {

/// A unit lower triangular matrix L, stored by columns without its diagonal. The rows of a column may have
/// any order.
struct UnitLowerTriangle {
  std::vector<std::int64_t> starts;
  std::vector<Index> rows;
  std::vector<double> values;
};

/**
 * Returns a factorization @f$ A = P^T L D L^T P @f$ from a factor L with a few entries in each column, as
 * factors of chains and trees have. Solves process the entries one by one. Dense kernels and their workspaces
 * would be faster only for factors with more entries.
 *
 * @param order Row k of P A P^T is row order[k] of A
 * @param L The factor L
 * @param D The diagonal of D, without zeros
 */
ReportedFactorizationPtr<double> factorization_of_little_fill(std::vector<Index> order, UnitLowerTriangle L,
                                                              const Vector& D);

}  // namespace halfdof::internal
