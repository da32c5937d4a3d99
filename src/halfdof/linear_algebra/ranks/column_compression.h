// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/ranks/kernel_blocks.h>

namespace halfdof::internal {

/**
 * An orthonormal change of basis S of all columns of a matrix A: the columns of A S that `is_null` marks are
 * zero, and these columns of S span the kernel of A. Each column of S has the number of a column of A on
 * which it is nonzero. S is the identity on columns of A on which all kernel vectors vanish (see
 * kernel_blocks()).
 */
struct ColumnCompression {
  Eigen::SparseMatrix<double> S;  ///< A.cols() x A.cols()
  std::vector<bool> is_null;      ///< for each column of S: whether it lies in the kernel of A
  GlobalIndex n_hidden = 0;       ///< number of kernel vectors that combine several columns of A

  /// Returns the numbers of the null columns, ascending.
  std::vector<Index> null() const { return places(true); }
  /// Returns the numbers of the other columns, ascending.
  std::vector<Index> others() const { return places(false); }

 private:
  std::vector<Index> places(bool null) const;
};

/// Computes the change of basis. @param sizes,name,origin,options As for kernel_blocks(), whose exceptions
/// are thrown
ColumnCompression column_compression(const Eigen::SparseMatrix<double>& A, const Vector& sizes,
                                     const std::string& name, EntryOrigin origin = EntryOrigin::computed,
                                     const KernelOptions& options = {});

/// Returns the 2-norm of each column.
Vector column_norms(const Eigen::SparseMatrix<double>& A);

/// Returns a matrix whose columns are the unit vectors e_i in R^n for the given places i.
Eigen::SparseMatrix<double> unit_columns(const std::vector<Index>& places, Index n);

/// Returns A B, where entries up to 1e-13 of the corresponding entries of |A| |B| are set to zero: they are
/// rounding errors of sums that cancel.
Eigen::SparseMatrix<double> product_without_rounding(const Eigen::SparseMatrix<double>& A,
                                                     const Eigen::SparseMatrix<double>& B);
/// Returns A + beta B, with rounding errors set to zero in the same way.
Eigen::SparseMatrix<double> sum_without_rounding(const Eigen::SparseMatrix<double>& A, double beta,
                                                 const Eigen::SparseMatrix<double>& B);
/// Returns A^T B C, with rounding errors set to zero in the same way.
Eigen::SparseMatrix<double> product_without_rounding(const Eigen::SparseMatrix<double>& A,
                                                     const Eigen::SparseMatrix<double>& B,
                                                     const Eigen::SparseMatrix<double>& C);

}  // namespace halfdof::internal
