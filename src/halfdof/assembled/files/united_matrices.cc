// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/dof_finder.h>
#include <halfdof/assembled/files/dof_labels.h>
#include <halfdof/assembled/files/listed_entries.h>
#include <halfdof/assembled/files/united_matrices.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/printable.h>
#include <halfdof/base/shape_text.h>

#include <algorithm>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Returns the labels of the DoFs of a matrix: the labels of the columns of constraints, and of the rows of
/// all other matrices.
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
    throw InvalidInput(matrix.source + " is " + shape_text(A) + " and not square: the " +
                       name_of(matrix.role) + " must have one row and one column for each DoF.");
}

std::vector<FileDoF> sorted(std::vector<FileDoF> dofs) {
  std::sort(dofs.begin(), dofs.end());
  return dofs;
}

void check_unique(const RoleMatrix& matrix) {
  const std::vector<FileDoF> dofs = sorted(dofs_of(matrix));
  const auto twice = std::adjacent_find(dofs.begin(), dofs.end());
  if (twice != dofs.end())
    throw InvalidInput(matrix.source + " has several rows for " + described(*twice) +
                       ", and the list of its DoFs differs from the lists of the other matrices, so that "
                       "rows of the same DoF cannot be found. Use matrices of the same run.");
}

/// Returns the matrix with its rows and columns, or only the columns of constraints, moved to new positions
/// among n DoFs.
/// @param places The new position of each DoF of the matrix
Sparse rearranged(const RoleMatrix& matrix, const std::vector<Index>& places, Index n) {
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
  return compressed(matrix.source, moves_rows ? n : static_cast<Index>(A.rows()), n, entries, Mirror::none);
}

void remark_missing_rows(const RoleMatrix& matrix, std::size_t n, std::vector<std::string>& remarks) {
  const std::size_t n_missing = n - dofs_of(matrix).size();
  if (n_missing > 0 && matrix.role != MatrixRole::constraints)
    remarks.push_back(matrix.source + " has no rows for " + std::to_string(n_missing) + " of the " +
                      std::to_string(n) + " DoFs; these rows were added without entries.");
}

std::vector<FileDoF> unite_by_labels(std::vector<RoleMatrix>& matrices, std::vector<std::string>& remarks) {
  std::vector<FileDoF> all;
  for (const RoleMatrix& matrix : matrices) {
    if (!has_labels(matrix))
      throw InvalidInput(
          matrix.source +
          " has no labels of its rows, and the labels of the other matrices differ, so that the "
          "order of its rows is unknown. Use files with labels for all matrices, or for none.");
    check_unique(matrix);
    if (matrix.role != MatrixRole::constraints)
      all.insert(all.end(), dofs_of(matrix).begin(), dofs_of(matrix).end());
  }
  all = sorted(std::move(all));
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (RoleMatrix& matrix : matrices) {
    for (const FileDoF& dof : dofs_of(matrix))
      if (!std::binary_search(all.begin(), all.end(), dof))
        throw InvalidInput(
            matrix.source + " has a column for " + described(dof) +
            ", which is not a DoF of the other matrices. Remove the column, or correct its label.");
    remark_missing_rows(matrix, all.size(), remarks);
    std::vector<Index> places;
    for (const FileDoF& dof : dofs_of(matrix))
      places.push_back(static_cast<Index>(std::lower_bound(all.begin(), all.end(), dof) - all.begin()));
    matrix.matrix.real = rearranged(matrix, places, static_cast<Index>(all.size()));
  }
  return all;
}

/// Enlarges matrices of files that do not state the size to n rows and columns, and adds a remark for each of
/// them.
void enlarge_by_empty_rows(std::vector<RoleMatrix>& matrices, Eigen::Index n,
                           std::vector<std::string>& remarks) {
  for (RoleMatrix& matrix : matrices) {
    Sparse& A = matrix.matrix.real;
    const Eigen::Index n_missing = n - A.rows();
    if (!matrix.has_size_from_largest_index || matrix.role == MatrixRole::constraints || n_missing <= 0)
      continue;
    A.conservativeResize(n, n);
    remarks.push_back(matrix.source + " lists no entry in the last " + std::to_string(n_missing) +
                      " of the " + std::to_string(n) + " rows; these rows were added without entries.");
  }
}

void check_sizes(const std::vector<RoleMatrix>& matrices, const RoleMatrix& reference) {
  const Eigen::Index n = reference.matrix.real.cols();
  for (const RoleMatrix& matrix : matrices)
    if (matrix.matrix.real.cols() != n)
      throw InvalidInput(matrix.source + " is " + shape_text(matrix.matrix.real) + ", but " +
                         reference.source + " is " + shape_text(reference.matrix.real) +
                         ". Both matrices must have one column for each DoF.");
}

/// Rejects a combination of matrices whose order of rows follows from labels alone with matrices without
/// labels.
void check_orders_agree(const std::vector<RoleMatrix>& matrices) {
  const RoleMatrix *ordered = nullptr, *unlabelled = nullptr;
  for (const RoleMatrix& matrix : matrices) {
    if (!has_labels(matrix)) unlabelled = &matrix;
    if (has_labels(matrix) && matrix.is_ordered_by_labels) ordered = &matrix;
  }
  if (ordered != nullptr && unlabelled != nullptr && ordered->matrix.real.cols() > 1)
    throw InvalidInput(
        ordered->source +
        " has labels of its rows, which were sorted in ascending order of node and component, but " +
        unlabelled->source +
        " has no labels, so that the order of its rows is unknown. Give the node and component of each of "
        "its rows by --dofs FILE, or use files with labels for all matrices.");
}

Index largest_size(const std::vector<RoleMatrix>& matrices) {
  Eigen::Index n = 0;
  for (const RoleMatrix& matrix : matrices)
    if (!has_labels(matrix)) n = std::max(n, matrix.matrix.real.cols());
  return static_cast<Index>(n);
}

std::string name_of(const FileDoF& dof) {
  return std::to_string(dof.node) + ":" + std::to_string(dof.component);
}

/// Returns the position of each DoF of the matrix in the list.
std::vector<Index> places_in(const RoleMatrix& matrix, const DoFFinder& list,
                             const std::filesystem::path& file) {
  std::vector<Index> places;
  for (const FileDoF& dof : dofs_of(matrix)) {
    try {
      places.push_back(list.find(name_of(dof)));
    } catch (const InvalidInput&) {
      throw InvalidInput(matrix.source + " has a row for " + described(dof) + ", which " +
                         printable(file.string()) +
                         " does not list exactly once. The list needs one line for each DoF of the model, "
                         "with the same nodes and components as the matrices.");
    }
  }
  return places;
}

bool contains(const DoFFinder& list, const FileDoF& dof) {
  try {
    list.find(name_of(dof));
    return true;
  } catch (const InvalidInput&) {
    return false;
  }
}

bool are_same_labels(const DoFLabels& a, const DoFLabels& b) {
  if (a.node != b.node) return false;
  for (std::size_t i = 0; i < a.node.size(); ++i)
    if (a.component_name(static_cast<Index>(i)) != b.component_name(static_cast<Index>(i))) return false;
  return true;
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
  check_orders_agree(matrices);
  const std::vector<FileDoF> dofs = labelled == nullptr ? std::vector<FileDoF>() : dofs_of(*labelled);
  enlarge_by_empty_rows(matrices, largest->matrix.real.cols(), remarks);
  check_sizes(matrices, *largest);
  return dofs;
}

DoFLabels unite_by_list(std::vector<RoleMatrix>& matrices, const std::filesystem::path& list,
                        std::vector<std::string>& remarks) {
  const auto follows_labels = [](const RoleMatrix& matrix) {
    return has_labels(matrix) && matrix.is_ordered_by_labels;
  };
  const bool all_have_labels = std::all_of(matrices.begin(), matrices.end(), has_labels);
  Index n = largest_size(matrices);
  if (all_have_labels || std::none_of(matrices.begin(), matrices.end(), follows_labels)) {
    // The correspondence of the rows of different matrices is known without the list.
    const std::vector<FileDoF> dofs = unite(matrices, remarks);
    if (!dofs.empty()) n = static_cast<Index>(dofs.size());
    const DoFLabels labels = read_dof_labels(list, n);
    if (dofs.empty() || are_same_labels(labels, labels_of(dofs))) return labels;
    const DoFFinder finder(labels);
    if (std::none_of(dofs.begin(), dofs.end(), [&](const FileDoF& dof) { return contains(finder, dof); })) {
      remarks.push_back("The labels of " + printable(list.string()) +
                        " replace the labels of the matrices, row by row, because the list contains none "
                        "of the labels of the matrices.");
      return labels;
    }
    for (RoleMatrix& matrix : matrices)
      (matrix.role == MatrixRole::constraints ? matrix.matrix.columns : matrix.matrix.rows) = dofs;
  }
  DoFLabels labels = read_dof_labels(list, n);
  const DoFFinder finder(labels);
  for (RoleMatrix& matrix : matrices) {
    check_square(matrix);
    if (!has_labels(matrix)) continue;
    check_unique(matrix);
    const std::vector<Index> places = places_in(matrix, finder, list);
    remark_missing_rows(matrix, static_cast<std::size_t>(n), remarks);
    matrix.matrix.real = rearranged(matrix, places, n);
  }
  enlarge_by_empty_rows(matrices, n, remarks);
  for (const RoleMatrix& matrix : matrices)
    if (matrix.matrix.real.cols() != n)
      throw InvalidInput(matrix.source + " is " + shape_text(matrix.matrix.real) + ", but " +
                         printable(list.string()) + " lists " + std::to_string(n) + " DoFs.");
  return labels;
}

}  // namespace halfdof::internal
