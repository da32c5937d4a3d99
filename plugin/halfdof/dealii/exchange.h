// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/dealii/traits.h>

#include <string>

/**
 * @file
 * Conversion of matrices and vectors from deal.II and to deal.II. Local entries are in the order of a
 * Partition; global indices are those of the DoFHandler.
 */
namespace halfdof {

/// Returns whether a matrix has a sparsity pattern. In a block matrix, all blocks that are not empty must
/// have one.
template <class MatrixType>
bool is_initialized(const MatrixType& matrix);

/**
 * Checks that the assembly of a matrix is complete. Collective. @param name name of the matrix in the
 * message, such as "mass matrix" @param communicator communicator of the stiffness matrix
 * @throws InvalidInput on all processes if the matrix was never initialized, or if entries that were added
 *     to rows of other processes have not been sent to these processes, because compress() was not called
 */
template <class MatrixType>
void check_assembled(const MatrixType& matrix, const std::string& name, const Communicator& communicator);

/// Returns the distribution of the rows of a matrix over the processes, by ascending index (within each
/// block).
/// @param name name of the matrix in the message @throws InvalidInput if the matrix was never initialized
template <class MatrixType>
Partition rows_of(const MatrixType& matrix, const std::string& name = "stiffness matrix");

/// Returns a vector of zeros, distributed like the rows of a matrix, without ghost entries.
template <class MatrixType>
typename DealIITraits<MatrixType>::VectorType zero_vector(const MatrixType& matrix);

/**
 * Returns the rows of a matrix that this process owns, including stored zeros. @param name name of the matrix
 * in messages
 * @throws InvalidInput if the matrix is not square, or its distribution differs from `rows`
 */
template <class MatrixType>
OwnedRows owned_rows(const MatrixType& matrix, const Partition& rows, const std::string& name);

/// Returns the owned entries of a vector of deal.II, with or without ghost entries.
/// @throws InvalidInput if the size or the distribution of the vector differs from `rows`
template <class VectorType>
Vector owned_entries(const VectorType& vector, const Partition& rows, const std::string& name);

/// Copies owned entries into a vector of deal.II without ghost entries.
template <class VectorType>
void set_owned_entries(VectorType& vector, const Vector& entries, const Partition& rows);

}  // namespace halfdof
