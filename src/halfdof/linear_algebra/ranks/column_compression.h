// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/ranks/kernel_blocks.h>

namespace halfdof::internal {

/**
 * An orthonormal change of basis S of all columns of a matrix A that compresses A to its independent columns:
 * the columns of A S that `is_null` marks are zero, and the same columns of S span the kernel of A. The
 * columns of S that belong to a KernelBlock have the numbers of the columns of A in this block; the kernel
 * vectors have the numbers of its pivots. S is the identity on the columns of A that belong to no block,
 * because all kernel vectors vanish there.
 */
struct ColumnCompression {
  Eigen::SparseMatrix<double> S;  ///< A.cols() x A.cols()
  std::vector<bool> is_null;      ///< for each column of S: whether it lies in the kernel of A
  GlobalIndex n_hidden = 0;       ///< number of kernel vectors with several nonzero entries

  /// Returns the numbers of the null columns, ascending.
  std::vector<Index> null() const { return places(true); }
  /// Returns the numbers of the other columns, ascending.
  std::vector<Index> others() const { return places(false); }

 private:
  std::vector<Index> places(bool null) const;
};

/// Computes an orthonormal change of basis that compresses A to its independent columns. Throws like
/// kernel_blocks(). @param sizes,name,origin,options As for kernel_blocks()
ColumnCompression column_compression(const Eigen::SparseMatrix<double>& A, const Vector& sizes,
                                     const std::string& name, EntryOrigin origin = EntryOrigin::computed,
                                     const KernelOptions& options = {});

/// Returns the 2-norm of each column.
Vector column_norms(const Eigen::SparseMatrix<double>& A);

/// Returns the matrix of n rows whose columns are the unit vectors e_i for the given indices i.
Eigen::SparseMatrix<double> unit_columns(const std::vector<Index>& places, Index n);

/// Returns the product A B without rounding errors of sums that cancel: entries up to 1e-13 times the
/// corresponding entries of |A| |B| are set to zero.
Eigen::SparseMatrix<double> product_with_exact_zeros(const Eigen::SparseMatrix<double>& A,
                                                     const Eigen::SparseMatrix<double>& B);
/// Returns the sum A + beta B without rounding errors of sums that cancel: entries up to 1e-13 times the
/// corresponding entries of |A| + |beta| |B| are set to zero.
Eigen::SparseMatrix<double> sum_with_exact_zeros(const Eigen::SparseMatrix<double>& A, double beta,
                                                 const Eigen::SparseMatrix<double>& B);
/// Returns the product A^T B C without rounding errors of sums that cancel: entries up to 1e-13 times the
/// corresponding entries of |A|^T |B| |C| are set to zero.
Eigen::SparseMatrix<double> product_with_exact_zeros(const Eigen::SparseMatrix<double>& A,
                                                     const Eigen::SparseMatrix<double>& B,
                                                     const Eigen::SparseMatrix<double>& C);

}  // namespace halfdof::internal
