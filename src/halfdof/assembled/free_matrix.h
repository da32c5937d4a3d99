// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/partition.h>
#include <halfdof/base/types.h>

#include <memory>
#include <vector>

namespace halfdof::internal {

/**
 * The free part @f$ A_{ff} = J_f^T A J_f @f$ of an assembled matrix A, where J_f^T selects the free DoFs.
 * Column norms and blocks of the free part are read from A itself; the whole matrix A_ff is built on first
 * use and then stored. Numbering: free. Stored zeros are dropped. Copies share the matrix, so that copying is
 * cheap. All functions are collective. Several threads of one process may call them concurrently, but under
 * MPI only one thread of each process.
 */
template <class Engine>
class FreeMatrix {
 public:
  using Matrix = typename Engine::Matrix;

  /// @param free Local assembled DoFs
  FreeMatrix(const Matrix& A, const Selection& free);
  /// Constructs the object from an existing matrix on the free DoFs, for example after a change of
  /// coordinates.
  explicit FreeMatrix(const Matrix& A_ff);

  const Partition& rows() const;
  /// Returns the whole matrix A_ff, which is built on first use.
  const Matrix& operator()() const;

  /// Computes the 1-norms of the columns of A_ff.
  Vector column_norms() const;
  /// Returns the block J_r^T A_ff J_c for each selection r of rows. The selections share no rows, and the
  /// columns c are read only once for all blocks.
  std::vector<Matrix> row_blocks(const std::vector<Selection>& rows, const Selection& columns) const;

 private:
  struct Shared;
  std::shared_ptr<const Shared> shared_;
};

}  // namespace halfdof::internal
