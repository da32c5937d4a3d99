// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/dealii/exchange.h>

#include <Epetra_CrsMatrix.h>
#include <deal.II/base/index_set.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace halfdof {

namespace {

namespace tw = dealii::TrilinosWrappers;
using dealii::types::global_dof_index;

/// Returns a block of a matrix. A matrix type without blocks is treated as a matrix with one block.
template <class Number>
const auto& block(const dealii::SparseMatrix<Number>& matrix, unsigned int, unsigned int) {
  return matrix;
}
const tw::SparseMatrix& block(const tw::SparseMatrix& matrix, unsigned int, unsigned int) {
  return matrix;
}
const auto& block(const dealii::BlockSparseMatrix<double>& matrix, unsigned int row, unsigned int column) {
  return matrix.block(row, column);
}
const auto& block(const tw::BlockSparseMatrix& matrix, unsigned int row, unsigned int column) {
  return matrix.block(row, column);
}

unsigned int n_block_rows(const dealii::SparseMatrix<double>&) {
  return 1;
}
unsigned int n_block_rows(const tw::SparseMatrix&) {
  return 1;
}
template <class BlockMatrix>
auto n_block_rows(const BlockMatrix& matrix) -> decltype(matrix.n_block_rows()) {
  return matrix.n_block_rows();
}

dealii::IndexSet owned_rows_of(const dealii::SparseMatrix<double>& matrix) {
  return dealii::complete_index_set(matrix.m());
}
dealii::IndexSet owned_rows_of(const tw::SparseMatrix& matrix) {
  return matrix.locally_owned_range_indices();
}

template <class MatrixType>
std::shared_ptr<const Communicator> communicator_of(const MatrixType&) {
  return Communicator::self();
}
std::shared_ptr<const Communicator> communicator_of(const tw::SparseMatrix& matrix) {
  return std::make_shared<const MpiCommunicator>(matrix.get_mpi_communicator());
}
std::shared_ptr<const Communicator> communicator_of(const tw::BlockSparseMatrix& matrix) {
  return communicator_of(matrix.block(0, 0));
}

/// Returns the indices of the rows of this process in all blocks, in the numbering of the whole matrix.
template <class MatrixType>
std::vector<GlobalIndex> owned_indices(const MatrixType& matrix) {
  std::vector<GlobalIndex> owned;
  GlobalIndex first = 0;
  for (unsigned int b = 0; b < n_block_rows(matrix); ++b) {
    for (const auto row : owned_rows_of(block(matrix, b, b)))
      owned.push_back(first + static_cast<GlobalIndex>(row));
    first += static_cast<GlobalIndex>(block(matrix, b, b).m());
  }
  return owned;
}

void reinit(dealii::Vector<double>& vector, const dealii::SparseMatrix<double>& matrix) {
  vector.reinit(matrix.m());
}
void reinit(dealii::BlockVector<double>& vector, const dealii::BlockSparseMatrix<double>& matrix) {
  std::vector<global_dof_index> sizes(matrix.n_block_rows());
  for (unsigned int b = 0; b < sizes.size(); ++b)
    sizes[b] = matrix.block(b, b).m();
  vector.reinit(sizes);
}
void reinit(tw::MPI::Vector& vector, const tw::SparseMatrix& matrix) {
  vector.reinit(matrix.locally_owned_range_indices(), matrix.get_mpi_communicator());
}
void reinit(tw::MPI::BlockVector& vector, const tw::BlockSparseMatrix& matrix) {
  vector.reinit(matrix.locally_owned_range_indices(), matrix.block(0, 0).get_mpi_communicator());
}

bool has_pattern(const dealii::SparseMatrix<double>& matrix) {
  return !matrix.empty();
}
bool has_pattern(const tw::SparseMatrix& matrix) {
  return matrix.m() > 0;
}
/// Returns whether collect_sizes() was called and all blocks with rows and columns have a sparsity pattern.
template <class BlockMatrix>
auto has_pattern(const BlockMatrix& matrix) -> decltype(matrix.n_block_rows() > 0) {
  if (matrix.n_block_rows() == 0 || matrix.n_block_cols() == 0) return false;
  const auto &rows = matrix.get_row_indices(), &columns = matrix.get_column_indices();
  if (rows.total_size() == 0) return false;
  for (unsigned int i = 0; i < matrix.n_block_rows(); ++i)
    for (unsigned int j = 0; j < matrix.n_block_cols(); ++j)
      if (rows.block_size(i) > 0 && columns.block_size(j) > 0 && !has_pattern(matrix.block(i, j)))
        return false;
  return true;
}

bool is_compressed(const dealii::SparseMatrix<double>&) {
  return true;
}
bool is_compressed(const dealii::BlockSparseMatrix<double>&) {
  return true;
}
bool is_compressed(const tw::SparseMatrix& matrix) {
  return matrix.is_compressed();
}
bool is_compressed(const tw::BlockSparseMatrix& matrix) {
  for (unsigned int i = 0; i < matrix.n_block_rows(); ++i)
    for (unsigned int j = 0; j < matrix.n_block_cols(); ++j)
      if (!matrix.block(i, j).is_compressed()) return false;
  return true;
}

void check_initialized(bool is_initialized, const std::string& name) {
  if (!is_initialized)
    throw InvalidInput(
        "The " + name +
        " was never initialized: the matrix has no sparsity pattern, or the sizes of its blocks were not "
        "collected. Call reinit() with a sparsity pattern (and collect_sizes() for a block matrix), "
        "and assemble the matrix.");
}

/// Columns and values of one row.
using RowEntries = std::vector<std::pair<Index, double>>;

void append_row(const dealii::SparseMatrix<double>& matrix, global_dof_index row, GlobalIndex first_column,
                RowEntries& entries) {
  for (auto entry = matrix.begin(row); entry != matrix.end(row); ++entry)
    entries.emplace_back(static_cast<Index>(first_column + static_cast<GlobalIndex>(entry->column())),
                         entry->value());
}

/// Reads the row of the Epetra matrix, since the iterators of deal.II need consecutive rows on each process,
/// but the rows of blocks may not be consecutive.
void append_row(const tw::SparseMatrix& matrix, global_dof_index row, GlobalIndex first_column,
                RowEntries& entries) {
  const Epetra_CrsMatrix& epetra = matrix.trilinos_matrix();
  int n = 0;
  double* values = nullptr;
  int* columns = nullptr;
  epetra.ExtractMyRowView(epetra.LRID(static_cast<int>(row)), n, values, columns);
  for (int k = 0; k < n; ++k)
    entries.emplace_back(static_cast<Index>(first_column + epetra.GCID(columns[k])), values[k]);
}

template <class VectorType>
void finish_insertion(VectorType&) {}
void finish_insertion(tw::MPI::Vector& vector) {
  vector.compress(dealii::VectorOperation::insert);
}
void finish_insertion(tw::MPI::BlockVector& vector) {
  vector.compress(dealii::VectorOperation::insert);
}

}  // namespace

template <class MatrixType>
bool is_initialized(const MatrixType& matrix) {
  return has_pattern(matrix);
}

template <class MatrixType>
void check_assembled(const MatrixType& matrix, const std::string& name, const Communicator& communicator) {
  call_together(communicator, [&] {
    check_initialized(has_pattern(matrix), name);
    if (!is_compressed(matrix))
      throw InvalidInput(
          "Entries were added to the " + name +
          " in rows that other processes own, but were not sent to these processes, so that the matrix is "
          "incomplete. Call compress(dealii::VectorOperation::add) after the assembly.");
  });
}

template <class MatrixType>
Partition rows_of(const MatrixType& matrix, const std::string& name) {
  check_initialized(has_pattern(matrix), name);
  return Partition(owned_indices(matrix), communicator_of(matrix));
}

template <class MatrixType>
typename DealIITraits<MatrixType>::VectorType zero_vector(const MatrixType& matrix) {
  typename DealIITraits<MatrixType>::VectorType vector;
  reinit(vector, matrix);
  return vector;
}

template <class MatrixType>
OwnedRows owned_rows(const MatrixType& matrix, const Partition& rows, const std::string& name) {
  const std::vector<GlobalIndex> owned = owned_indices(matrix);
  bool fits = static_cast<GlobalIndex>(matrix.m()) == rows.n_global() && matrix.m() == matrix.n() &&
              owned.size() == static_cast<std::size_t>(rows.n_local());
  for (Index i = 0; fits && i < rows.n_local(); ++i)
    fits = owned[static_cast<std::size_t>(i)] == rows.global_index(i);
  if (rows.communicator().any(!fits))
    throw InvalidInput(
        "The " + name + " is " + std::to_string(matrix.m()) + " x " + std::to_string(matrix.n()) +
        ", but the stiffness matrix has " + std::to_string(rows.n_global()) +
        " rows, or the rows of both matrices are distributed over the processes in different ways. "
        "Initialize all matrices with sparsity patterns of the same DoFHandler.");

  OwnedRows result(rows.n_local(), rows.n_global());
  RowEntries entries;
  Index local_row = 0;
  for (unsigned int block_row = 0; block_row < n_block_rows(matrix); ++block_row)
    for (const auto row : owned_rows_of(block(matrix, block_row, block_row))) {
      entries.clear();
      GlobalIndex first_column = 0;
      for (unsigned int block_column = 0; block_column < n_block_rows(matrix); ++block_column) {
        const auto& part = block(matrix, block_row, block_column);
        append_row(part, row, first_column, entries);
        first_column += static_cast<GlobalIndex>(part.n());
      }
      std::sort(entries.begin(), entries.end());
      result.startVec(local_row);
      for (const auto& [column, value] : entries)
        result.insertBack(local_row, column) = value;
      ++local_row;
    }
  result.finalize();
  return result;
}

template <class VectorType>
Vector owned_entries(const VectorType& vector, const Partition& rows, const std::string& name) {
  bool fits = static_cast<GlobalIndex>(vector.size()) == rows.n_global();
  if (fits) {
    const dealii::IndexSet owned = vector.locally_owned_elements();
    for (Index i = 0; fits && i < rows.n_local(); ++i)
      fits = owned.is_element(static_cast<global_dof_index>(rows.global_index(i)));
  }
  if (rows.communicator().any(!fits))
    throw InvalidInput(
        "The " + name + " has " + std::to_string(vector.size()) + " entries, but the matrices have " +
        std::to_string(rows.n_global()) +
        " rows, or vector and matrices are distributed over the processes in different ways. Initialize "
        "the vector with the locally owned DoFs of the same DoFHandler.");
  Vector entries(rows.n_local());
  for (Index i = 0; i < rows.n_local(); ++i)
    entries[i] = vector(static_cast<global_dof_index>(rows.global_index(i)));
  return entries;
}

template <class VectorType>
void set_owned_entries(VectorType& vector, const Vector& entries, const Partition& rows) {
  for (Index i = 0; i < rows.n_local(); ++i)
    vector(static_cast<global_dof_index>(rows.global_index(i))) = entries[i];
  finish_insertion(vector);
}

#define INSTANTIATE(MatrixType)                                                                \
  template bool is_initialized(const MatrixType&);                                             \
  template void check_assembled(const MatrixType&, const std::string&, const Communicator&);   \
  template Partition rows_of(const MatrixType&, const std::string&);                           \
  template DealIITraits<MatrixType>::VectorType zero_vector(const MatrixType&);                \
  template OwnedRows owned_rows(const MatrixType&, const Partition&, const std::string&);      \
  template Vector owned_entries(const DealIITraits<MatrixType>::VectorType&, const Partition&, \
                                const std::string&);                                           \
  template void set_owned_entries(DealIITraits<MatrixType>::VectorType&, const Vector&, const Partition&);

INSTANTIATE(dealii::SparseMatrix<double>)
INSTANTIATE(dealii::BlockSparseMatrix<double>)
INSTANTIATE(tw::SparseMatrix)
INSTANTIATE(tw::BlockSparseMatrix)
#undef INSTANTIATE

}  // namespace halfdof
