// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>
#include <halfdof/linear_algebra/engine.h>

#include <Eigen/SparseCore>

#include <string>
#include <vector>

namespace halfdof::internal {

/// An orthonormal change of basis Q of some columns A_c of a matrix A, for which the first n_null columns of
/// A_c Q are zero.
struct KernelBlock {
  std::vector<Index> columns;  ///< numbers of the columns A_c, ascending
  MultiVector Q;               ///< orthogonal, columns.size() x columns.size()
  Index n_null;                ///< the first n_null columns of Q span the kernel of A_c
  /// The pivots of the reduced echelon form of the kernel of A_c: n_null of the numbers in `columns`.
  std::vector<Index> pivots;
};

/// The origin of the entries of a matrix. Given entries are data of the user: if they have few digits, they
/// are exact, and so is the rank of the matrix. Computed entries contain rounding errors.
enum class EntryOrigin { given, computed };

/// Returns the sets of columns of A that are connected by nonzero entries in common rows.
std::vector<std::vector<Index>> connected_columns(const Eigen::SparseMatrix<double>& A);

/**
 * Finds the kernel of a sparse matrix block by block, so that the change of basis stays sparse: kernels of
 * assembled matrices are almost always local. The columns are divided into blocks that are connected by
 * common rows. In each block, decide_rank() determines the dimension of the kernel, relative to the size of
 * the data of the block. The reduced echelon form of a basis of the kernel separates local kernels that are
 * nonzero on different columns. Each local kernel and the columns on which it is nonzero give one
 * KernelBlock. Columns on which all kernel vectors vanish belong to no block; a null column is a block of its
 * own.
 * @param sizes The magnitude of each column, to which rounding errors are relative: the norm of the column if
 *   A is given, a larger number if A was computed with cancellation
 * @param name The name of the matrix in messages
 * @param origin Origin of the entries: if they are given, the rank is limited by exact_rank_bounds()
 * @throws AmbiguousRank
 * @throws NotAvailable if a local kernel is nonzero on more columns than KernelOptions::max_group
 */
std::vector<KernelBlock> kernel_blocks(const Eigen::SparseMatrix<double>& A, const Vector& sizes,
                                       const std::string& name, EntryOrigin origin = EntryOrigin::computed,
                                       const KernelOptions& options = {});

}  // namespace halfdof::internal
