// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/engine.h>

#include <vector>

/**
 * @file
 * Conversion of matrices of an engine to Eigen's sparse matrices and back, for methods that run on a single
 * process. Rows and columns have local numbers.
 */
namespace halfdof::internal {

template <class Engine>
Eigen::SparseMatrix<double> entries_of(const typename Engine::Matrix& A) {
  const OwnedRows owned = Engine::to_rows(A);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < owned.rows(); ++i)
    for (OwnedRows::InnerIterator entry(owned, i); entry; ++entry)
      entries.emplace_back(i, A.columns().local_index(entry.col()), entry.value());
  Eigen::SparseMatrix<double> result(owned.rows(), A.columns().n_local());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

template <class Engine>
typename Engine::Matrix matrix_from(const Eigen::SparseMatrix<double>& A, const Partition& rows,
                                    const Partition& columns) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index j = 0; j < A.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(A, j); entry; ++entry)
      entries.emplace_back(static_cast<Index>(entry.row()), static_cast<Index>(columns.global_index(j)),
                           entry.value());
  OwnedRows owned(A.rows(), static_cast<Index>(columns.n_global()));
  owned.setFromTriplets(entries.begin(), entries.end());
  return Engine::from_rows(owned, rows, columns);
}

}  // namespace halfdof::internal
