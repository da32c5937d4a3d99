// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>
#include <halfdof/linear_algebra/engine.h>

#include <Eigen/SparseCore>

#include <string>
#include <vector>

namespace halfdof::internal {

/// An orthonormal change of basis of a few columns A_c of a matrix: the first n_null columns of A_c Q are
/// zero.
struct KernelBlock {
  std::vector<Index> columns;  ///< numbers of the columns A_c, ascending
  MultiVector Q;               ///< orthogonal, columns.size() x columns.size()
  Index n_null;                ///< the first n_null columns of Q span the kernel of A_c
  std::vector<Index> pivots;   ///< n_null of `columns`: a large entry of each kernel vector
};

/// The origin of the entries of a matrix. Given entries are exact data, so that the rank of numbers with few
/// digits is exact; computed entries contain rounding errors.
enum class EntryOrigin { given, computed };

/// Returns the sets of columns of A that are connected by nonzero entries in common rows.
std::vector<std::vector<Index>> connected_columns(const Eigen::SparseMatrix<double>& A);

/**
 * Finds the kernel of a sparse matrix block by block, so that the change of basis stays sparse: kernels of
 * assembled matrices are almost always local. The columns are divided into blocks that are connected by
 * common rows. In each block, decide_rank() determines the dimension of the kernel, relative to the size of
 * the data of the block. The reduced echelon form of a basis of the kernel separates independent local
 * kernels, and each group of columns on which one of them is nonzero gets an orthonormal basis. Columns on
 * which all kernel vectors vanish belong to no block; a null column is a block of its own.
 *
 * @param sizes The magnitude of each column, to which rounding errors are relative: its norm if A is given,
 *   more if A was computed with cancellation
 * @param name The name of the matrix in messages
 * @param origin For given entries, the rank lies within exact_rank_bounds()
 * @throws AmbiguousRank
 * @throws NotAvailable if a group is larger than KernelOptions::max_group
 */
std::vector<KernelBlock> kernel_blocks(const Eigen::SparseMatrix<double>& A, const Vector& sizes,
                                       const std::string& name, EntryOrigin origin = EntryOrigin::computed,
                                       const KernelOptions& options = {});

}  // namespace halfdof::internal
