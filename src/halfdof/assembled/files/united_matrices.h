// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/file_matrix.h>
#include <halfdof/assembled/files/matrix_roles.h>

#include <string>
#include <vector>

namespace halfdof::internal {

/// A matrix of a model.
struct RoleMatrix {
  MatrixRole role;
  std::string source;                ///< the file, or "Matrix NAME of FILE"
  bool has_size_from_largest_index;  ///< the file does not say how many rows the matrix has
  bool is_ordered_by_labels;         ///< the file says the order of its rows by labels alone
  FileMatrix matrix;
};

/**
 * Brings matrices to the same degrees of freedom in the same order. Equal lists of labels, and matrices
 * without any, keep their order. Different lists are united in ascending order of node and component; a
 * remark says how many rows a matrix did not have. Constraints are brought to the order of the columns of the
 * others.
 * @return The labels of the rows; empty if no file says them
 * @throws InvalidInput if a matrix is not square, if sizes differ, if lists differ and one of them is missing
 * or names a degree of freedom twice, or if the order of some matrix follows from its labels and others have
 * none
 */
std::vector<FileDoF> unite(std::vector<RoleMatrix>& matrices, std::vector<std::string>& remarks);

/// Brings matrices to the order of a list of labels (see read_model()), and returns these.
DoFLabels unite_by_list(std::vector<RoleMatrix>& matrices, const std::filesystem::path& list,
                        std::vector<std::string>& remarks);

}  // namespace halfdof::internal
