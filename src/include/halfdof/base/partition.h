// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace halfdof {

/**
 * The processes that share a system of equations. This base class represents a single process; the
 * Trilinos engine derives MpiCommunicator from it. All functions are collective: every process calls
 * them in the same order.
 */
class Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }

  /// Replaces every value by its sum over the processes.
  virtual void sum(double* values, int n) const;
  /// Replaces every value by its maximum over the processes (a NaN anywhere gives NaN).
  virtual void max(double* values, int n) const;
  /// Returns the sum of `value` over the processes with a lower rank.
  virtual GlobalIndex sum_before(GlobalIndex value) const;
  /// Returns the bytes of every process, in order of rank, on every process.
  virtual std::vector<std::string> gather(const std::string& bytes) const;

  double sum(double value) const {
    sum(&value, 1);
    return value;
  }
  double max(double value) const {
    max(&value, 1);
    return value;
  }
  GlobalIndex count(GlobalIndex local) const {
    return static_cast<GlobalIndex>(sum(static_cast<double>(local)));
  }
  bool any(bool here) const { return max(here ? 1. : 0.) > 0.; }

  /// Returns the communicator of a single process.
  static std::shared_ptr<const Communicator> self();
};

/// Implements call_together() for several processes. Collective.
void call_on_several(const Communicator& communicator, const std::function<void()>& action);

/**
 * Runs `action` on every process. If the action throws on any process, all processes throw: the failed
 * process of the lowest rank rethrows its own exception, and the others throw a copy of this exception,
 * so that no process waits forever in a later collective call. If the action can throw on some
 * processes only, the action must not make collective calls after that point. Collective.
 */
template <class Action>
void call_together(const Communicator& communicator, const Action& action) {
  if (communicator.size() == 1)
    action();
  else
    call_on_several(communicator, std::ref(action));
}

/// Returns whether all processes pass the same bytes (hashes are compared). Collective.
bool is_same_everywhere(const Communicator& communicator, const std::string& bytes);

/// Gathers the numbers of all processes on each process, in order of rank.
std::vector<double> gather(const Communicator& communicator, const std::vector<double>& local);
std::vector<GlobalIndex> gather(const Communicator& communicator, const std::vector<GlobalIndex>& local);

/// Returns the inner products of the columns over all processes: result(i, j) = x_i^T y_j.
MultiVector inner_products(const Communicator& communicator, ConstView<double> x, ConstView<double> y);

/// Returns the Euclidean norm over all processes.
double norm(const Communicator& communicator, ConstView<double> x);
double norm(const Communicator& communicator, ConstView<Complex> x);

/**
 * Determines which of the rows 0 ... n_global()-1 this process owns, and in which order it stores them. Every
 * row has exactly one owner; a process may own no row. Cheap to copy.
 */
class Partition {
 public:
  /// Rows 0 ... n_rows-1 on a single process.
  explicit Partition(Index n_rows = 0);

  /// Each process owns n_local consecutive rows, numbered by rank: the rows of process 0 come first.
  /// Collective.
  Partition(Index n_local, std::shared_ptr<const Communicator> communicator);

  /// Distributes the rows as each process lists them. @param owned The global numbers of the rows of
  /// this process, in the order in which the process stores them. Collective.
  Partition(std::vector<GlobalIndex> owned, std::shared_ptr<const Communicator> communicator);

  GlobalIndex n_global() const { return n_global_; }
  Index n_local() const { return n_local_; }

  /// Returns the global number of a local row.
  GlobalIndex global_index(Index local) const {
    return owned_ ? (*owned_)[static_cast<std::size_t>(local)] : first_ + local;
  }

  /// Returns the local position of a row, or -1 if another process owns it.
  Index local_index(GlobalIndex global) const;

  const Communicator& communicator() const { return *communicator_; }
  std::shared_ptr<const Communicator> shared_communicator() const { return communicator_; }

 private:
  Index n_local_;
  GlobalIndex n_global_;
  GlobalIndex first_;
  std::shared_ptr<const std::vector<GlobalIndex>> owned_;  ///< null if the rows are consecutive
  std::shared_ptr<const std::vector<Index>> by_index_;     ///< local rows in ascending global order
  std::shared_ptr<const Communicator> communicator_;
};

/// A selection of local rows (ascending local positions), with its own consecutive numbering. Cheap to copy.
class Selection {
 public:
  Selection() : Selection({}, Partition()) {}

  /// Selects local rows of `of`. Collective. @param local Ascending local positions in `of`
  Selection(std::vector<Index> local, const Partition& of);

  Index n_local() const { return partition_.n_local(); }
  GlobalIndex n_global() const { return partition_.n_global(); }
  const std::vector<Index>& local() const { return *local_; }
  /// Returns the consecutive numbering of the selected rows, by rank.
  const Partition& partition() const { return partition_; }

  /// Returns J^T x, the selected rows of x.
  template <class Derived>
  DenseMatrix<typename Derived::Scalar> selected_rows(const Eigen::MatrixBase<Derived>& x) const {
    return x(*local_, Eigen::all);
  }

  /// Returns J J^T x: the selected rows of x are kept, all others become zero.
  template <class Derived>
  DenseMatrix<typename Derived::Scalar> only(const Eigen::MatrixBase<Derived>& x) const {
    DenseMatrix<typename Derived::Scalar> part =
        DenseMatrix<typename Derived::Scalar>::Zero(x.rows(), x.cols());
    add_to(selected_rows(x), part);
    return part;
  }

  /// Computes y += J x: adds the rows of x to the selected rows of y.
  template <class Derived, class Target>
  void add_to(const Eigen::MatrixBase<Derived>& x, Target& y) const {
    y(*local_, Eigen::all) += x;
  }

 private:
  std::shared_ptr<const std::vector<Index>> local_;
  Partition partition_;
};

}  // namespace halfdof
