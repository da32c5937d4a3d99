#pragma once

#include <halfdof/base/partition.h>
#include <halfdof/base/types.h>

#include <memory>
#include <vector>

namespace halfdof {

/**
 * @f$ A_{ff} = J_f^T A J_f @f$: what an assembled matrix holds of the free DoFs. An elimination needs norms
 * and some blocks of it, which are read from A itself; all of it is made when it is first asked for, and then
 * kept. Numbering: free. Stored zeros are dropped. Cheap to copy: copies share what was made. All functions
 * are collective; several threads may ask at once on one process, under MPI one thread of each.
 */
template <class Engine>
class FreeMatrix {
 public:
  using Matrix = typename Engine::Matrix;

  /// @param free Local assembled DoFs
  FreeMatrix(const Matrix& A, const Selection& free);
  /// Of one that there is already, as in other coordinates.
  explicit FreeMatrix(const Matrix& made);

  const Partition& rows() const;
  /// All of it.
  const Matrix& operator()() const;

  /// 1-norms.
  Vector column_norms() const;
  /// J_r^T A_ff J_c for each r of some selections that share no rows. The columns are read once for all of
  /// them.
  std::vector<Matrix> row_blocks(const std::vector<Selection>& rows, const Selection& columns) const;

 private:
  struct Shared;
  std::shared_ptr<const Shared> shared_;
};

}  // namespace halfdof
