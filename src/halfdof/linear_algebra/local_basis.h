#pragma once

#include <halfdof/linear_algebra/kernel_blocks.h>

namespace halfdof {

/**
 * An orthonormal change of basis of all columns of a matrix A, in which those of A S that `is_null` names are
 * zero: they span the kernel of A. New columns stand at the places of old ones that take part in them; S is
 * the identity on columns that take part in no kernel (kernel_blocks()).
 */
struct LocalBasis {
  Eigen::SparseMatrix<double> S;  ///< A.cols() x A.cols()
  std::vector<bool> is_null;      ///< by columns of S
  GlobalIndex n_hidden = 0;       ///< null ones that are no single columns of A

  /// The null columns, ascending.
  std::vector<Index> null() const { return places(true); }
  /// The others.
  std::vector<Index> others() const { return places(false); }

 private:
  std::vector<Index> places(bool null) const;
};

/// @param sizes,name,origin as kernel_blocks() @throws AmbiguousRank
LocalBasis local_basis(const Eigen::SparseMatrix<double>& A, const Vector& sizes, const std::string& name,
                       EntryOrigin origin = EntryOrigin::computed, const KernelOptions& options = {});

/// The 2-norm of each column.
Vector column_norms(const Eigen::SparseMatrix<double>& A);

/// Unit vectors e_i in R^n as columns, one for each of the places i.
Eigen::SparseMatrix<double> unit_columns(const std::vector<Index>& places, Index n);

/// A B without what rounding leaves of zeros: entries below 1e-13 of what they would be if nothing cancelled.
Eigen::SparseMatrix<double> product_without_rounding(const Eigen::SparseMatrix<double>& A,
                                                     const Eigen::SparseMatrix<double>& B);
/// A + beta B likewise.
Eigen::SparseMatrix<double> sum_without_rounding(const Eigen::SparseMatrix<double>& A, double beta,
                                                 const Eigen::SparseMatrix<double>& B);
/// A^T B C likewise.
Eigen::SparseMatrix<double> product_without_rounding(const Eigen::SparseMatrix<double>& A,
                                                     const Eigen::SparseMatrix<double>& B,
                                                     const Eigen::SparseMatrix<double>& C);

}  // namespace halfdof
