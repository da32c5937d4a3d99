// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/linear_algebra/trilinos/engine.h>

#include <deal.II/lac/block_sparse_matrix.h>
#include <deal.II/lac/block_vector.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/trilinos_block_sparse_matrix.h>
#include <deal.II/lac/trilinos_parallel_block_vector.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_vector.h>
#include <deal.II/lac/vector.h>

namespace halfdof {

/**
 * The linear algebra engine of the library and the vector type of deal.II for a matrix type of deal.II. A
 * block matrix is treated as one matrix in the numbering of the DoFHandler, in which deal.II numbers the DoFs
 * block by block.
 */
template <class MatrixType>
struct DealIITraits;

template <>
struct DealIITraits<dealii::SparseMatrix<double>> {
  using Engine = EigenEngine;
  using VectorType = dealii::Vector<double>;
};

template <>
struct DealIITraits<dealii::BlockSparseMatrix<double>> {
  using Engine = EigenEngine;
  using VectorType = dealii::BlockVector<double>;
};

template <>
struct DealIITraits<dealii::TrilinosWrappers::SparseMatrix> {
  using Engine = TrilinosEngine;
  using VectorType = dealii::TrilinosWrappers::MPI::Vector;
};

template <>
struct DealIITraits<dealii::TrilinosWrappers::BlockSparseMatrix> {
  using Engine = TrilinosEngine;
  using VectorType = dealii::TrilinosWrappers::MPI::BlockVector;
};

}  // namespace halfdof
