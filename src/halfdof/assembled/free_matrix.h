// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/partition.h>
#include <halfdof/base/types.h>

#include <memory>
#include <vector>

namespace halfdof::internal {

/**
 * The free part @f$ A_{ff} = J_f^T A J_f @f$ of an assembled matrix A. An elimination needs only norms and
 * some blocks of it, which are read from A itself; the whole matrix is built on first use and then kept.
 * Numbering: free. Stored zeros are dropped. Cheap to copy: copies share the matrix. All functions are
 * collective; several threads of one process may call them concurrently, but only one thread of each process
 * under MPI.
 */
template <class Engine>
class FreeMatrix {
 public:
  using Matrix = typename Engine::Matrix;

  /// @param free Local assembled DoFs
  FreeMatrix(const Matrix& A, const Selection& free);
  /// Takes a matrix on the free DoFs that exists already, for example one in other coordinates.
  explicit FreeMatrix(const Matrix& made);

  const Partition& rows() const;
  /// The whole matrix, built on first use.
  const Matrix& operator()() const;

  /// Computes the 1-norms of the columns.
  Vector column_norms() const;
  /// Returns J_r^T A_ff J_c for each r of several selections that share no rows. The columns are read once
  /// for all of them.
  std::vector<Matrix> row_blocks(const std::vector<Selection>& rows, const Selection& columns) const;

 private:
  struct Shared;
  std::shared_ptr<const Shared> shared_;
};

}  // namespace halfdof::internal
