// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/dof_labels.h>
#include <halfdof/assembled/files/listed_entries.h>
#include <halfdof/assembled/files/united_matrices.h>
#include <halfdof/base/errors.h>

#include <algorithm>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

std::string shape_of(const Sparse& A) {
  return std::to_string(A.rows()) + " x " + std::to_string(A.cols());
}

/// Returns the labels of the columns of constraints, and of the rows of all others.
const std::vector<FileDoF>& dofs_of(const RoleMatrix& matrix) {
  const bool has_own_columns = matrix.role == MatrixRole::constraints && !matrix.matrix.columns.empty();
  return has_own_columns ? matrix.matrix.columns : matrix.matrix.rows;
}

bool has_labels(const RoleMatrix& matrix) {
  if (matrix.role == MatrixRole::constraints && matrix.matrix.columns.empty()) return false;
  return !dofs_of(matrix).empty();
}

void check_square(const RoleMatrix& matrix) {
  const Sparse& A = matrix.matrix.real;
  if (matrix.role == MatrixRole::constraints) return;
  if (A.rows() != A.cols() || !matrix.matrix.columns.empty())
    throw InvalidInput(matrix.source + " is " + shape_of(A) + " and not square: the " + name_of(matrix.role) +
                       " has rows and columns for the same DoFs.");
}

std::vector<FileDoF> sorted(std::vector<FileDoF> dofs) {
  std::sort(dofs.begin(), dofs.end());
  return dofs;
}

void check_unique(const RoleMatrix& matrix) {
  const std::vector<FileDoF> dofs = sorted(dofs_of(matrix));
  const auto twice = std::adjacent_find(dofs.begin(), dofs.end());
  if (twice != dofs.end())
    throw InvalidInput(
        matrix.source + " has several rows for " + described(*twice) +
        ", and its DoFs differ from those of the other matrices, so rows of the same DoF cannot be "
        "found. Take the matrices from the same run.");
}

/// Returns the matrix with rows and columns at their places in `all`, which is ascending.
Sparse rearranged(const RoleMatrix& matrix, const std::vector<FileDoF>& all) {
  std::vector<Index> places;
  for (const FileDoF& dof : dofs_of(matrix))
    places.push_back(static_cast<Index>(std::lower_bound(all.begin(), all.end(), dof) - all.begin()));
  const bool moves_rows = matrix.role != MatrixRole::constraints;
  const Sparse& A = matrix.matrix.real;
  std::vector<ListedEntry> entries;
  entries.reserve(static_cast<std::size_t>(A.nonZeros()));
  for (Index j = 0; j < A.outerSize(); ++j)
    for (Sparse::InnerIterator entry(A, j); entry; ++entry) {
      const auto row = static_cast<Index>(entry.row());
      entries.push_back({moves_rows ? places[static_cast<std::size_t>(row)] : row,
                         places[static_cast<std::size_t>(j)], entry.value()});
    }
  const auto n = static_cast<Index>(all.size());
  return compressed(matrix.source, moves_rows ? n : static_cast<Index>(A.rows()), n, entries, Mirror::none);
}

std::vector<FileDoF> unite_by_labels(std::vector<RoleMatrix>& matrices, std::vector<std::string>& remarks) {
  std::vector<FileDoF> all;
  for (const RoleMatrix& matrix : matrices) {
    if (!has_labels(matrix))
      throw InvalidInput(matrix.source +
                         " does not name the DoFs of its rows, and those of the other matrices differ, "
                         "so its rows cannot be found. Take files that all name their DoFs, or none.");
    check_unique(matrix);
    if (matrix.role != MatrixRole::constraints)
      all.insert(all.end(), dofs_of(matrix).begin(), dofs_of(matrix).end());
  }
  all = sorted(std::move(all));
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (RoleMatrix& matrix : matrices) {
    for (const FileDoF& dof : dofs_of(matrix))
      if (!std::binary_search(all.begin(), all.end(), dof))
        throw InvalidInput(matrix.source + " has a column of " + described(dof) +
                           ", which no other matrix has.");
    const std::size_t n_missing = all.size() - dofs_of(matrix).size();
    if (n_missing > 0 && matrix.role != MatrixRole::constraints)
      remarks.push_back(matrix.source + " has no rows for " + std::to_string(n_missing) + " of the " +
                        std::to_string(all.size()) + " DoFs; they are empty.");
    matrix.matrix.real = rearranged(matrix, all);
  }
  return all;
}

/// Enlarges matrices whose size is only known from their largest index.
void enlarge(std::vector<RoleMatrix>& matrices, Eigen::Index n, std::vector<std::string>& remarks) {
  for (RoleMatrix& matrix : matrices) {
    Sparse& A = matrix.matrix.real;
    const Eigen::Index n_missing = n - A.rows();
    if (!matrix.has_size_from_largest_index || matrix.role == MatrixRole::constraints || n_missing <= 0)
      continue;
    A.conservativeResize(n, n);
    remarks.push_back(matrix.source + " lists no entry in the last " + std::to_string(n_missing) +
                      " of the " + std::to_string(n) + " rows; they are empty.");
  }
}

void check_sizes(const std::vector<RoleMatrix>& matrices, const RoleMatrix& reference) {
  const Eigen::Index n = reference.matrix.real.cols();
  for (const RoleMatrix& matrix : matrices)
    if (matrix.matrix.real.cols() != n)
      throw InvalidInput(matrix.source + " is " + shape_of(matrix.matrix.real) + ", but " + reference.source +
                         " is " + shape_of(reference.matrix.real) +
                         ". Both have to have one column for each DoF.");
}

}  // namespace

std::vector<FileDoF> unite(std::vector<RoleMatrix>& matrices, std::vector<std::string>& remarks) {
  const RoleMatrix* labelled = nullptr;
  const RoleMatrix* largest = nullptr;
  bool differ = false;
  for (const RoleMatrix& matrix : matrices) {
    check_square(matrix);
    if (matrix.role != MatrixRole::constraints &&
        (largest == nullptr || matrix.matrix.real.cols() > largest->matrix.real.cols()))
      largest = &matrix;
    if (!has_labels(matrix)) continue;
    differ = differ || (labelled != nullptr && dofs_of(*labelled) != dofs_of(matrix));
    if (labelled == nullptr) labelled = &matrix;
  }
  if (differ) return unite_by_labels(matrices, remarks);
  if (largest == nullptr) return {};
  const std::vector<FileDoF> dofs = labelled == nullptr ? std::vector<FileDoF>() : dofs_of(*labelled);
  enlarge(matrices, largest->matrix.real.cols(), remarks);
  check_sizes(matrices, *largest);
  return dofs;
}

}  // namespace halfdof::internal
