// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>
#include <halfdof/assembled/files/matrix_roles.h>

#include <string>
#include <vector>

namespace halfdof::internal {

/// A matrix of a model with its role, before the DoFs of all matrices are brought to the same order.
struct RoleMatrix {
  MatrixRole role;
  std::string source;                ///< the file, or "Matrix NAME of FILE"
  bool has_size_from_largest_index;  ///< whether the file does not state the size of the matrix
  bool is_ordered_by_labels;         ///< whether the order of the rows follows from the labels alone
  FileMatrix matrix;
};

/**
 * Rearranges matrices so that all of them have the same degrees of freedom in the same order. If all lists of
 * labels are equal, or if no matrix has labels, the order is kept. Different lists are merged in ascending
 * order of node and component; rows that a matrix does not have are added without entries, and a remark gives
 * their number. The columns of constraints are rearranged in the same order.
 * @return The labels of the rows; empty if no file has labels
 * @throws InvalidInput if a matrix is not square, if sizes differ, if lists of labels differ and one list is
 *     missing or names a degree of freedom twice, or if the order of one matrix follows from its labels and
 *     another matrix has no labels
 */
std::vector<FileDoF> unite(std::vector<RoleMatrix>& matrices, std::vector<std::string>& remarks);

/// Rearranges matrices in the order of a list of labels (see read_model()), and returns the labels of the
/// list.
DoFLabels unite_by_list(std::vector<RoleMatrix>& matrices, const std::filesystem::path& list,
                        std::vector<std::string>& remarks);

}  // namespace halfdof::internal
