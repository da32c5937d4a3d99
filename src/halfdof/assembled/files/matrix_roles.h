// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/model_files.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace halfdof::internal {

/// What a matrix is in the equation of motion.
enum class MatrixRole { mass, damping, stiffness, structural_damping, imaginary_damping, constraints };

/// Returns a name for messages: "mass", "structural damping", "constraints".
const char* name_of(MatrixRole role);

/// Returns the member of a model that has this role.
std::optional<Eigen::SparseMatrix<double>>& member(ModelMatrices& model, MatrixRole role);

/// Returns the role of a matrix with such a name; none if the name says nothing.
std::optional<MatrixRole> role_of_name(std::string_view name);

/// Returns the role that the name and the extension of a file say: the extension, the last part of the name
/// (its digits at the end left out), or whole words such as mass or stiffness anywhere in it.
/// @throws InvalidInput if they say different roles
std::optional<MatrixRole> role_of_file(const std::filesystem::path& file);

/// Returns sentences that say which names are known, and what to do with others.
std::string roles_known();

}  // namespace halfdof::internal
