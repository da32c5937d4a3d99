// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/condition.h>
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/disjoint_sets.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/linear_algebra/exact/exact_structure.h>
#include <halfdof/linear_algebra/ranks/kernel_blocks.h>
#include <halfdof/linear_algebra/ranks/rank_decision.h>

#include <Eigen/SPQRSupport>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/**
 * Computes a basis N of the kernel of a sparse matrix, which is not orthonormal, by a rank-revealing sparse
 * QR factorization @f$ A P = Q [R_{11}\ R_{12}] @f$ with a permutation P (Davis 2011, SuiteSparseQR):
 * @f$ N = P\,[-R_{11}^{-1} R_{12};\ I] @f$. Shape: A.cols() x dimension of the kernel.
 *
 * @param data As for decide_rank(); columns of R with a norm below its uncertainty count as zero
 * @throws NotAvailable if the basis would have more entries than a square matrix of order `limit`
 */
MultiVector sparse_null_space(const Eigen::SparseMatrix<double>& A, const RankData& data, Index limit) {
  Eigen::SPQR<Eigen::SparseMatrix<double>> qr;
  qr.setPivotThreshold(data.uncertainty);
  qr.compute(A);
  const Index n = static_cast<Index>(A.cols()), rank = static_cast<Index>(qr.rank());
  if (static_cast<double>(n) * (n - rank) > static_cast<double>(limit) * limit)
    throw NotAvailable("The null space of " + data.matrix + " has the dimension " + std::to_string(n - rank) +
                       " on " + std::to_string(n) +
                       " connected DoFs. Its basis is a dense matrix, which is larger than the limit "
                       "KernelOptions::max_group admits. Use a coarser mesh, or raise this limit.");
  MultiVector basis(n, n - rank);
  if (rank == n) return basis;
  const Eigen::SparseMatrix<double> R = qr.matrixR();
  MultiVector head = -MultiVector(R.topRightCorner(rank, n - rank));
  const Eigen::SparseMatrix<double> R_11 = R.topLeftCorner(rank, rank);
  R_11.triangularView<Eigen::Upper>().solveInPlace(head);
  basis << head, MultiVector::Identity(n - rank, n - rank);
  return qr.colsPermutation() * basis;
}

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Largest expected error of the singular values by rounding in the assembly, relative to the size of the
/// block. Singular values near this bound count as zero only if a clear gap separates them from the larger
/// ones.
constexpr double uncertainty = 1e-13;

/// Entries of an echelon form, or of an orthonormal basis of a few columns, that are smaller than this number
/// are rounding errors.
constexpr double rounding_of_basis = 1e-14;

/// A square block with a condition number below this number is regular and has no kernel.
constexpr double max_condition_of_regular = 1e10;

/// Returns the submatrix of some columns of A, without the rows in which these columns have no entries.
Sparse columns_of(const Sparse& A, const std::vector<Index>& columns) {
  std::vector<Index> rows;
  for (const Index j : columns)
    for (Sparse::InnerIterator entry(A, j); entry; ++entry)
      rows.push_back(static_cast<Index>(entry.row()));
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (Sparse::InnerIterator entry(A, columns[k]); entry; ++entry)
      entries.emplace_back(
          static_cast<Index>(std::lower_bound(rows.begin(), rows.end(), entry.row()) - rows.begin()),
          static_cast<Index>(k), entry.value());
  Sparse block(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  block.setFromTriplets(entries.begin(), entries.end());
  return block;
}

/// Returns the data of decide_rank() for a block of a matrix whose entries have the given size.
RankData rank_data_of(const Sparse& block, const std::string& name, double size) {
  const auto n_rows = static_cast<Index>(block.rows()), n_columns = static_cast<Index>(block.cols());
  const double rounding = static_cast<double>(std::max(n_rows, n_columns)) * epsilon;
  return {name, n_rows, n_columns, 0, size, rounding * size, std::max(uncertainty, rounding) * size};
}

/// Returns whether a block is square, symmetric and so well-conditioned that it has no kernel.
bool is_symmetric_and_well_conditioned(const Sparse& block) {
  if (block.rows() != block.cols()) return false;
  const EigenMatrix matrix(block);
  if (EigenEngine::asymmetry(matrix) > FactorizationOptions().symmetry_tolerance) return false;
  try {
    return equilibrated_condition_number<EigenEngine>(matrix, *EigenEngine::factorize(matrix)) <
           max_condition_of_regular;
  } catch (const SingularMatrix&) {
    return false;
  }
}

/// Returns a basis of the kernel of a block. Shape: columns of the block x dimension of the kernel.
/// @param size The magnitude of the data of the block, to which rounding errors are relative
/// @param are_exact Whether no entry of the whole matrix was rounded
MultiVector kernel_of(const Sparse& block, const std::string& name, double size, EntryOrigin origin,
                      bool are_exact, const KernelOptions& options) {
  const auto n = static_cast<Index>(block.cols());
  if (n > options.max_dense) {
    if (is_symmetric_and_well_conditioned(block)) return MultiVector(n, 0);
    return sparse_null_space(block, rank_data_of(block, name, size), options.max_group);
  }
  if (n == 1) {
    const Vector norm = Vector::Constant(1, block.rows() > 0 ? block.norm() : 0.);
    RankData data = rank_data_of(block, name, size);
    if (are_exact && norm[0] > 0) data.min_rank = 1;
    return MultiVector::Identity(1, 1 - decide_rank(data, norm).rank);
  }
  const MultiVector dense(block);
  const SingularValueDecomposition svd = singular_value_decomposition(dense);
  Vector values = Vector::Zero(n);
  values.head(svd.values.size()) = svd.values;
  RankData data = rank_data_of(block, name, size);
  if (origin == EntryOrigin::given) {
    const RankBounds bounds = exact_rank_bounds(dense);
    data.min_rank = bounds.lowest;
    data.max_rank = bounds.highest;
  }
  return svd.V.rightCols(n - decide_rank(data, values).rank);
}

/// The reduced column echelon form of a basis: each column has a pivot row, in which this column is one and
/// all other columns are zero.
struct EchelonForm {
  MultiVector basis;
  std::vector<Index> pivots;  ///< pivot row of each column
};

/// Computes the reduced echelon form by Gauss-Jordan elimination with complete pivoting.
EchelonForm echelon_of(MultiVector N) {
  EchelonForm echelon{std::move(N), {}};
  MultiVector& basis = echelon.basis;
  std::vector<bool> is_used(static_cast<std::size_t>(basis.rows()), false);
  for (Index j = 0; j < basis.cols(); ++j) {
    Index row = 0, column = j;
    double largest = -1;
    for (Index k = j; k < basis.cols(); ++k)
      for (Index i = 0; i < basis.rows(); ++i)
        if (!is_used[static_cast<std::size_t>(i)] && std::abs(basis(i, k)) > largest) {
          largest = std::abs(basis(i, k));
          row = i;
          column = k;
        }
    basis.col(j).swap(basis.col(column));
    basis.col(j) /= basis(row, j);
    for (Index k = 0; k < basis.cols(); ++k)
      if (k != j) basis.col(k) -= basis(row, k) * Vector(basis.col(j));
    is_used[static_cast<std::size_t>(row)] = true;
    echelon.pivots.push_back(row);
  }
  basis = (basis.array().abs() <= rounding_of_basis).select(0., basis);
  return echelon;
}

/// Returns the groups of columns of a basis that are connected by nonzero entries in common rows.
std::vector<std::vector<Index>> connected_basis_vectors(const MultiVector& basis) {
  DisjointSets columns(static_cast<std::size_t>(basis.cols()));
  for (Index i = 0; i < basis.rows(); ++i) {
    Index first = -1;
    for (Index j = 0; j < basis.cols(); ++j) {
      if (basis(i, j) == 0) continue;
      if (first < 0) first = j;
      columns.union_set(first, j);
    }
  }
  return members_of(columns);
}

[[noreturn]] void throw_basis_too_large(std::size_t n_columns, std::size_t n_kernel, Index limit) {
  throw NotAvailable(
      "A null space of dimension " + std::to_string(n_kernel) + " couples " + std::to_string(n_columns) +
      " DoFs, as the constraints of an incompressible solid do. Its basis is a dense matrix, which is "
      "computed only for up to " +
      std::to_string(limit) +
      " coupled DoFs (KernelOptions::max_group). Use with_dummy_derivatives(), which keeps constraints "
      "sparse, or raise this limit.");
}

/// Returns the orthonormal change of basis of the columns of A on which a group of kernel vectors is nonzero.
/// @param echelon Echelon form of a basis of the kernel of some columns of A
/// @param group Numbers of the kernel vectors
/// @param columns The columns of A to which the rows of the echelon form belong
KernelBlock kernel_block_of(const EchelonForm& echelon, const std::vector<Index>& group,
                            const std::vector<Index>& columns, Index max_group) {
  const MultiVector basis = echelon.basis(Eigen::all, group);
  std::vector<Index> rows;
  for (Index i = 0; i < basis.rows(); ++i)
    if (!basis.row(i).isZero(0.)) rows.push_back(i);
  if (rows.size() > static_cast<std::size_t>(max_group))
    throw_basis_too_large(rows.size(), group.size(), max_group);
  MultiVector Q = rows.size() > 1 ? singular_value_decomposition(MultiVector(basis(rows, Eigen::all))).U
                                  : MultiVector(MultiVector::Identity(1, 1));
  // Rounding errors are set to zero, because a later scaling would enlarge a row or a column of tiny entries.
  const double rounding = std::max(rounding_of_basis, static_cast<double>(rows.size()) * unit_roundoff);
  Q = (Q.array().abs() > rounding).select(Q, 0.);
  KernelBlock block{{}, std::move(Q), static_cast<Index>(group.size()), {}};
  for (const Index i : rows)
    block.columns.push_back(columns[static_cast<std::size_t>(i)]);
  for (const Index j : group)
    block.pivots.push_back(columns[static_cast<std::size_t>(echelon.pivots[static_cast<std::size_t>(j)])]);
  return block;
}

}  // namespace

std::vector<std::vector<Index>> connected_columns(const Sparse& A) {
  DisjointSets columns(static_cast<std::size_t>(A.cols()));
  std::vector<Index> first(static_cast<std::size_t>(A.rows()), -1);
  for (Index j = 0; j < A.cols(); ++j)
    for (Sparse::InnerIterator entry(A, j); entry; ++entry) {
      if (entry.value() == 0) continue;
      Index& of_row = first[static_cast<std::size_t>(entry.row())];
      if (of_row < 0)
        of_row = j;
      else
        columns.union_set(of_row, j);
    }
  return members_of(columns);
}

std::vector<KernelBlock> kernel_blocks(const Sparse& A, const Vector& sizes, const std::string& name,
                                       EntryOrigin origin, const KernelOptions& options) {
  std::vector<KernelBlock> blocks;
  Sparse compressed = A;
  compressed.makeCompressed();
  const bool are_exact =
      origin == EntryOrigin::given && !has_rounded_entries(MultiVector(compressed.coeffs()));
  for (const std::vector<Index>& columns : connected_columns(A)) {
    const double size = sizes(columns).maxCoeff();
    const MultiVector kernel =
        size > 0
            ? kernel_of(columns_of(A, columns), name, size, origin, are_exact, options)
            : MultiVector::Identity(static_cast<Index>(columns.size()), static_cast<Index>(columns.size()));
    const EchelonForm echelon = echelon_of(kernel);
    for (const std::vector<Index>& group : connected_basis_vectors(echelon.basis))
      blocks.push_back(kernel_block_of(echelon, group, columns, options.max_group));
  }
  return blocks;
}

}  // namespace halfdof::internal
