#pragma once

#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <string>
#include <vector>

namespace halfdof {

/// An orthonormal change of basis on a few columns of a matrix: the first n_null of the new ones are zero.
struct KernelBlock {
  std::vector<Index> columns;  ///< ascending
  MultiVector Q;               ///< the new ones, columns.size() x columns.size()
  Index n_null;                ///< columns of Q that span the kernel of these columns
  std::vector<Index> pivots;   ///< n_null of `columns`, one for each null one, of which it has much
};

/// Entries of a model are what they are, so that short ones have an exact rank; computed ones hold rounding.
enum class EntryOrigin { given, computed };

struct KernelOptions {
  /// Columns of a connected block up to which its kernel is found by singular values; above by a sparse QR.
  Index max_dense = 1000;
  /// Columns that a group of kernel vectors may take part in together: its change of basis is dense.
  Index max_group = 3000;
};

/// Columns of A that are connected by entries, not zero, in common rows.
std::vector<std::vector<Index>> connected_columns(const Eigen::SparseMatrix<double>& A);

/**
 * The kernel of a sparse matrix, block by block, so that a change of basis stays sparse: kernels of assembled
 * matrices are local almost always. Columns are connected by the rows that they share; within each connected
 * block the kernel is decided by decide_rank() relative to the size of the block's data, a basis of it is
 * brought to reduced echelon form, in which independent local kernels fall apart, and each group of columns
 * that takes part gets an orthonormal basis. Columns that take part in none belong to no block; a null column
 * is a block of its own.
 *
 * @param sizes what rounding of each column is relative to: its norm where A is given, more where it was
 * computed
 * @param name of the matrix, for messages
 * @param origin of given entries the rank is exact_rank_bounds() where these leave no choice
 * @throws AmbiguousRank; NotAvailable where a group is larger than max_group
 */
std::vector<KernelBlock> kernel_blocks(const Eigen::SparseMatrix<double>& A, const Vector& sizes,
                                       const std::string& name, EntryOrigin origin = EntryOrigin::computed,
                                       const KernelOptions& options = {});

}  // namespace halfdof
