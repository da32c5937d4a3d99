// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/dense_factorization.h>
#include <halfdof/linear_algebra/disjoint_sets.h>
#include <halfdof/linear_algebra/log_determinant.h>
#include <halfdof/linear_algebra/trilinos/block_solver.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace halfdof::trilinos {

using namespace internal;

namespace {

constexpr int largest_block = 16;  ///< largest number of rows of a small block

/// The sets of rows of this process that are connected by entries of A.
struct LocalBlocks {
  std::vector<std::vector<Index>> rows;  ///< rows of each block, ascending
  bool are_small = true;                 ///< whether all blocks are small, and each block is on one process
};

/// Unites the sets of rows that are connected by entries of one matrix. @return Whether all entries couple
/// rows of this process, and no row has more than largest_block entries
bool unite_rows(const Epetra_CrsMatrix& A, DisjointSets& sets) {
  std::vector<int> row_of(static_cast<std::size_t>(A.NumMyCols()));
  for (int column = 0; column < A.NumMyCols(); ++column)
    row_of[static_cast<std::size_t>(column)] = A.LRID(A.GCID(column));
  for (int row = 0; row < A.NumMyRows(); ++row) {
    int n = 0, n_nonzero = 0;
    double* values = nullptr;
    int* columns = nullptr;
    A.ExtractMyRowView(row, n, values, columns);
    for (int k = 0; k < n; ++k) {
      if (values[k] == 0) continue;
      const int other = row_of[static_cast<std::size_t>(columns[k])];
      if (other < 0 || ++n_nonzero > largest_block) return false;
      sets.union_set(row, other);
    }
  }
  return true;
}

/// Finds the sets of connected rows of this process.
template <class Scalar>
LocalBlocks find_blocks(const LinearCombination<Scalar>& A) {
  LocalBlocks result;
  DisjointSets sets(static_cast<std::size_t>(A.rows().n_local()));
  for (const auto& [factor, matrix] : A.terms())
    result.are_small = result.are_small && (factor == Scalar(0) || unite_rows(matrix.entries(), sets));
  if (!result.are_small) return result;
  result.rows = members_of(sets);
  for (const std::vector<Index>& rows : result.rows)
    result.are_small = result.are_small && rows.size() <= largest_block;
  return result;
}

/// Returns the blocks of A on this process as dense matrices.
template <class Scalar>
std::vector<DenseMatrix<Scalar>> dense_blocks(const LinearCombination<Scalar>& A, const LocalBlocks& blocks) {
  std::vector<DenseMatrix<Scalar>> dense;
  std::vector<std::pair<std::size_t, Index>> place(static_cast<std::size_t>(A.rows().n_local()));
  for (std::size_t b = 0; b < blocks.rows.size(); ++b) {
    const auto size = static_cast<Index>(blocks.rows[b].size());
    dense.push_back(DenseMatrix<Scalar>::Zero(size, size));
    for (Index i = 0; i < size; ++i)
      place[static_cast<std::size_t>(blocks.rows[b][static_cast<std::size_t>(i)])] = {b, i};
  }
  for (const auto& [factor, matrix] : A.terms()) {
    const Epetra_CrsMatrix& entries = matrix.entries();
    if (factor != Scalar(0))
      for_each_entry(matrix, [&, scale = factor](int row, int column, double value) {
        if (value == 0) return;
        const auto& [block, i] = place[static_cast<std::size_t>(row)];
        const Index j = place[static_cast<std::size_t>(entries.LRID(entries.GCID(column)))].second;
        dense[block](i, j) += scale * value;
      });
  }
  return dense;
}

/// Returns whether a block is symmetric up to the tolerance and positive definite.
bool is_positive_definite(MultiVector block, double symmetry_tolerance) {
  const Vector roots = block.diagonal().cwiseMax(0).cwiseSqrt();
  const MultiVector asymmetry = (block - block.transpose()).cwiseAbs(),
                    rounding = symmetry_tolerance * roots * roots.transpose();
  return (asymmetry.array() <= rounding.array()).all() &&
         cholesky_in_place(block, static_cast<Index>(block.rows()));
}

/// A factorized block, and the local numbers of its rows.
template <class Scalar>
struct Block {
  std::vector<Index> rows;
  Eigen::PartialPivLU<DenseMatrix<Scalar>> factors;
};

/// The LU factorizations of all blocks of this process.
template <class Scalar>
class BlockFactorization : public ReportedFactorization<Scalar> {
 public:
  BlockFactorization(std::vector<Block<Scalar>> blocks, Partition rows)
      : blocks_(std::move(blocks)), rows_(std::move(rows)) {}

  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const override {
    DenseMatrix<Scalar> x(b.rows(), b.cols());
    for (const auto& [rows, factors] : blocks_)
      x(rows, Eigen::all) = DenseMatrix<Scalar>(factors.solve(DenseMatrix<Scalar>(b(rows, Eigen::all))));
    return x;
  }
  DenseMatrix<Scalar> solve_transposed(ConstView<Scalar> b) const override {
    DenseMatrix<Scalar> x(b.rows(), b.cols());
    for (const auto& [rows, factors] : blocks_)
      x(rows, Eigen::all) =
          DenseMatrix<Scalar>(factors.transpose().solve(DenseMatrix<Scalar>(b(rows, Eigen::all))));
    return x;
  }

  LogDeterminant<Scalar> log_determinant() const override {
    LogDeterminant<Scalar> here;
    for (const auto& block : blocks_) {
      here *= log_product(block.factors.matrixLU().diagonal());
      here.phase *= static_cast<double>(block.factors.permutationP().determinant());
    }
    return product(rows_.communicator(), here);
  }

 private:
  std::vector<Block<Scalar>> blocks_;
  Partition rows_;
};

/// Throws SingularMatrix on all processes if a process has a singular block. Collective.
/// @param row The first row of a singular block of this process; -1 if there is none
void check_regular(const Partition& rows, GlobalIndex row) {
  const auto last = static_cast<GlobalIndex>(rows.communicator().max(static_cast<double>(row)));
  if (last < 0) return;
  const std::string n = std::to_string(rows.n_global());
  throw SingularMatrix("The " + n + " x " + n + " matrix consists of uncoupled blocks of at most " +
                       std::to_string(largest_block) +
                       " rows. It is singular, because the block that contains row " + std::to_string(last) +
                       " has a zero pivot. Check the coefficients of the DoFs of this block.");
}

template <class Scalar>
FactorizationReport report_of(const Communicator& communicator, const std::vector<Block<Scalar>>& blocks) {
  std::size_t largest = 0, n_entries = 0;
  for (const Block<Scalar>& block : blocks) {
    largest = std::max(largest, block.rows.size());
    n_entries += block.rows.size() * block.rows.size();
  }
  FactorizationReport report;
  report.solver = Solver::blocks;
  report.reason = "blocks of at most " +
                  std::to_string(static_cast<int>(communicator.max(static_cast<double>(largest)))) + " rows";
  report.n_factor_entries = communicator.count(static_cast<GlobalIndex>(n_entries));
  const auto all = static_cast<double>(report.n_factor_entries);
  report.largest_share = all > 0 ? communicator.max(static_cast<double>(n_entries)) / all : 1.;
  report.bytes = all * sizeof(Scalar);
  return report;
}

}  // namespace

template <class Scalar>
bool has_small_blocks(const LinearCombination<Scalar>& A) {
  return same_layout(A.rows(), A.columns()) && !A.rows().communicator().any(!find_blocks(A).are_small);
}

template <class Scalar>
ReportedFactorizationPtr<Scalar> factorize_blocks(const LinearCombination<Scalar>& A,
                                                  double symmetry_tolerance) {
  const Communicator& communicator = A.rows().communicator();
  if (!same_layout(A.rows(), A.columns())) return nullptr;
  LocalBlocks found = find_blocks(A);
  if (communicator.any(!found.are_small)) return nullptr;

  std::vector<DenseMatrix<Scalar>> dense = dense_blocks(A, found);
  std::vector<Block<Scalar>> blocks;
  bool is_definite = std::is_same_v<Scalar, double>;
  GlobalIndex singular = -1;
  for (std::size_t b = 0; b < dense.size(); ++b) {
    if constexpr (std::is_same_v<Scalar, double>)
      is_definite = is_definite && is_positive_definite(dense[b], symmetry_tolerance);
    blocks.push_back({std::move(found.rows[b]), Eigen::PartialPivLU<DenseMatrix<Scalar>>(dense[b])});
    if ((blocks.back().factors.matrixLU().diagonal().array() == Scalar(0)).any())
      singular = A.rows().global_index(blocks.back().rows.front());
  }
  check_regular(A.rows(), singular);
  FactorizationReport report = report_of(communicator, blocks);
  report.is_positive_definite = !communicator.any(!is_definite);
  auto result = std::make_unique<BlockFactorization<Scalar>>(std::move(blocks), A.rows());
  result->report() = std::move(report);
  return result;
}

template bool has_small_blocks(const LinearCombination<double>&);
template ReportedFactorizationPtr<double> factorize_blocks(const LinearCombination<double>&, double);
template ReportedFactorizationPtr<Complex> factorize_blocks(const LinearCombination<Complex>&, double);

}  // namespace halfdof::trilinos
