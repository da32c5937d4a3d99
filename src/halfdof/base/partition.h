#pragma once

#include <halfdof/base/communicator.h>

#include <memory>
#include <vector>

namespace halfdof {

/**
 * Which of the rows 0 ... n_global()-1 this process owns, and in which order it stores them. Every row has
 * exactly one owner; a process may own none. Cheap to copy.
 */
class Partition {
 public:
  /// Rows 0 ... n-1 on the one process.
  explicit Partition(Index n_rows = 0);

  /// Rows numbered by rank: those of process 0 first, each process owning n_local consecutive ones.
  /// Collective.
  Partition(Index n_local, std::shared_ptr<const Communicator> communicator);

  /// Any assignment: the rows of this process in its own order. Collective.
  Partition(std::vector<GlobalIndex> owned, std::shared_ptr<const Communicator> communicator);

  GlobalIndex n_global() const { return n_global_; }
  Index n_local() const { return n_local_; }

  /// Number of the local row within the whole system.
  GlobalIndex global_index(Index local) const {
    return owned_ ? (*owned_)[static_cast<std::size_t>(local)] : first_ + local;
  }

  /// Local position of a row, or -1 if another process owns it.
  Index local_index(GlobalIndex global) const;

  const Communicator& communicator() const { return *communicator_; }
  std::shared_ptr<const Communicator> shared_communicator() const { return communicator_; }

 private:
  Index n_local_;
  GlobalIndex n_global_;
  GlobalIndex first_;
  std::shared_ptr<const std::vector<GlobalIndex>> owned_;  ///< null where the rows are consecutive
  std::shared_ptr<const std::vector<Index>> by_index_;     ///< local rows by ascending global number
  std::shared_ptr<const Communicator> communicator_;
};

/// Some of the local rows (ascending local positions) and their own consecutive numbering. Cheap to copy.
class Selection {
 public:
  Selection() : Selection({}, Partition()) {}

  /// Collective. @param local Ascending local positions in `of`.
  Selection(std::vector<Index> local, const Partition& of);

  Index n_local() const { return partition_.n_local(); }
  GlobalIndex n_global() const { return partition_.n_global(); }
  const std::vector<Index>& local() const { return *local_; }
  /// The numbering of the selected rows among themselves (by rank).
  const Partition& partition() const { return partition_; }

  /// J^T x: the selected rows.
  template <class Derived>
  DenseMatrix<typename Derived::Scalar> restrict(const Eigen::MatrixBase<Derived>& x) const {
    return x(*local_, Eigen::all);
  }

  /// J J^T x: the selected rows in their places, zero elsewhere.
  template <class Derived>
  DenseMatrix<typename Derived::Scalar> only(const Eigen::MatrixBase<Derived>& x) const {
    DenseMatrix<typename Derived::Scalar> part =
        DenseMatrix<typename Derived::Scalar>::Zero(x.rows(), x.cols());
    add_to(restrict(x), part);
    return part;
  }

  /// y += J x: adds the selected rows into the full vector.
  template <class Derived, class Target>
  void add_to(const Eigen::MatrixBase<Derived>& x, Target& y) const {
    y(*local_, Eigen::all) += x;
  }

 private:
  std::shared_ptr<const std::vector<Index>> local_;
  Partition partition_;
};

}  // namespace halfdof
