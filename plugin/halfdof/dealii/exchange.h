#pragma once

#include <halfdof/dealii/traits.h>

#include <string>

/**
 * @file
 * Matrices and vectors of deal.II in and out. Local entries stand in the order of a Partition; global indices
 * are those of the DoFHandler.
 */
namespace halfdof {

/// Whether a matrix has a sparsity pattern, in all its blocks that are not empty.
template <class MatrixType>
bool is_initialized(const MatrixType& matrix);

/**
 * @throws InvalidInput on all processes if the matrix was never initialized, or if entries that were added to
 *     rows of other processes have not been sent there, because compress() was not called. @param name "mass
 *     matrix" @param communicator Of the stiffness matrix; collective
 */
template <class MatrixType>
void check_assembled(const MatrixType& matrix, const std::string& name, const Communicator& communicator);

/// Who owns which row of a matrix of deal.II, by ascending index (within each block).
/// @throws InvalidInput if it was never initialized @param name The one in the message
template <class MatrixType>
Partition rows_of(const MatrixType& matrix, const std::string& name = "stiffness matrix");

/// A vector of zeros, distributed like the rows of a matrix, without ghost entries.
template <class MatrixType>
typename DealIITraits<MatrixType>::VectorType zero_vector(const MatrixType& matrix);

/**
 * The rows that this process owns, stored zeros included.
 * @throws InvalidInput if the matrix is not square or distributed in another way; `name` is the one in the
 * message
 */
template <class MatrixType>
OwnedRows owned_rows(const MatrixType& matrix, const Partition& rows, const std::string& name);

/// The owned entries of a vector of deal.II, with or without ghost entries.
/// @throws InvalidInput if its size or its distribution is another one
template <class VectorType>
Vector owned_entries(const VectorType& vector, const Partition& rows, const std::string& name);

/// Writes owned entries into a vector of deal.II without ghost entries.
template <class VectorType>
void set_owned_entries(VectorType& vector, const Vector& entries, const Partition& rows);

}  // namespace halfdof
