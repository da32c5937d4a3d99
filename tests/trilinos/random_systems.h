// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/trilinos/engine.h>

#include <algorithm>
#include <random>
#include <vector>

/// Small random systems that every process builds alike, and their shares.
namespace halfdof::test {

inline std::shared_ptr<const Communicator> communicator() {
  return std::make_shared<const MpiCommunicator>(MPI_COMM_WORLD);
}

/// How rows are given to the processes.
enum class Layout {
  consecutive,  ///< by rank, about equal numbers
  scattered,    ///< row i to process i mod size, in descending order
  one_process   ///< all rows to the last process: the others have none
};
constexpr Layout all_layouts[] = {Layout::consecutive, Layout::scattered, Layout::one_process};

inline Partition partition(int n, Layout layout) {
  const auto world = communicator();
  const int size = world->size();
  std::vector<GlobalIndex> owned;
  for (int i = 0; i < n; ++i) {
    const int owner = layout == Layout::consecutive ? i * size / n
                      : layout == Layout::scattered ? i % size
                                                    : size - 1;
    if (owner == world->rank()) owned.push_back(i);
  }
  if (layout == Layout::scattered) std::reverse(owned.begin(), owned.end());
  return Partition(owned, world);
}

/// Uniform numbers in [-1, 1]; the next call gives other ones.
inline MultiVector random_dense(int n_rows, int n_columns) {
  static std::mt19937 generator(4711);
  std::uniform_real_distribution<double> uniform(-1, 1);
  return MultiVector::NullaryExpr(n_rows, n_columns, [&]() { return uniform(generator); });
}

/// As random_dense, with about the given share of the entries.
inline MultiVector random_sparse(int n_rows, int n_columns, double share) {
  const MultiVector mask = random_dense(n_rows, n_columns);
  return (mask.array().abs() < share).select(random_dense(n_rows, n_columns), 0.);
}

/// All entries stored, also the zeros.
inline TrilinosMatrix with_stored_zeros(const MultiVector& dense, const Partition& rows,
                                        const Partition& columns) {
  Eigen::SparseMatrix<double> all = MultiVector(MultiVector::Ones(dense.rows(), dense.cols())).sparseView();
  std::copy(dense.data(), dense.data() + dense.size(), all.valuePtr());
  return TrilinosMatrix::distribute(all, rows, columns);
}
inline TrilinosMatrix with_stored_zeros(const MultiVector& dense, const Partition& rows) {
  return with_stored_zeros(dense, rows, rows);
}

/// The rows of this process.
template <class Derived>
DenseMatrix<typename Derived::Scalar> local(const Eigen::MatrixBase<Derived>& whole, const Partition& rows) {
  DenseMatrix<typename Derived::Scalar> mine(rows.n_local(), whole.cols());
  for (Index i = 0; i < rows.n_local(); ++i)
    mine.row(i) = whole.row(rows.global_index(i));
  return mine;
}

/// The rows of all processes, on each.
inline MultiVector whole(const MultiVector& mine, const Partition& rows) {
  MultiVector all = MultiVector::Zero(rows.n_global(), mine.cols());
  for (Index i = 0; i < rows.n_local(); ++i)
    all.row(rows.global_index(i)) = mine.row(i);
  rows.communicator().sum(all.data(), static_cast<int>(all.size()));
  return all;
}

/// Largest difference on any process, relative to the largest entry; infinite where shapes differ.
template <class Scalar>
double error_of(const DenseMatrix<Scalar>& found, const DenseMatrix<Scalar>& expected,
                const Partition& rows) {
  const DenseMatrix<Scalar> mine = local(expected, rows);
  double error = found.rows() == mine.rows() && found.cols() == mine.cols() ? 0. : 1. / 0.;
  if (error == 0. && mine.size() > 0)
    error = (found - mine).cwiseAbs().template maxCoeff<Eigen::PropagateNaN>();
  return rows.communicator().max(error) / expected.cwiseAbs().maxCoeff();
}
inline double error_of(const MultiVector& found, const MultiVector& expected, const Partition& rows) {
  return error_of<double>(found, expected, rows);
}

/// The seven-point difference star in a cube of m x m x m points.
inline OwnedRows difference_star(const Partition& rows, int m) {
  OwnedRows owned(rows.n_local(), rows.n_global());
  for (Index i = 0; i < rows.n_local(); ++i) {
    const auto row = static_cast<int>(rows.global_index(i));
    owned.insert(i, row) = 6.1;
    for (const int step : {1, m, m * m})
      for (const int sign : {-1, 1}) {
        const int place = row / step % m + sign;
        if (place >= 0 && place < m) owned.insert(i, row + sign * step) = -1;
      }
  }
  owned.makeCompressed();
  return owned;
}

/// The local rows whose global number leaves `rest` when divided by three.
inline Selection every_third(const Partition& rows, GlobalIndex rest) {
  std::vector<Index> chosen;
  for (Index i = 0; i < rows.n_local(); ++i)
    if (rows.global_index(i) % 3 == rest) chosen.push_back(i);
  return Selection(chosen, rows);
}

/// Global numbers of the selected rows of all processes, in the order of the selection's own numbering.
inline std::vector<Eigen::Index> gather_selected(const Selection& selection, const Partition& rows) {
  std::vector<GlobalIndex> mine;
  for (const Index i : selection.local())
    mine.push_back(rows.global_index(i));
  const std::vector<GlobalIndex> all = gather(rows.communicator(), mine);
  return {all.begin(), all.end()};
}

}  // namespace halfdof::test
