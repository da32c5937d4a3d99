// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/model_files.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace halfdof::internal {

/// The role of a matrix in the equation of motion.
enum class MatrixRole { mass, damping, stiffness, structural_damping, imaginary_damping, constraints };

/// Returns a name for messages, such as "mass" or "structural damping".
const char* name_of(MatrixRole role);

/// Returns the member of a model that has this role.
std::optional<Eigen::SparseMatrix<double>>& member(ModelMatrices& model, MatrixRole role);

/// Returns the role that the name of a matrix means. The result has no value if the name is not known.
std::optional<MatrixRole> role_of_name(std::string_view name);

/// Returns the role that the name of a file means. The extension, the last part of the name (without digits
/// at the end), and whole words such as mass or stiffness anywhere in the name are compared with known names.
/// @throws InvalidInput if two parts of the name mean different roles
std::optional<MatrixRole> role_of_file(const std::filesystem::path& file);

/// Returns sentences for messages that list the known names, and say how to give files with other names.
std::string known_names_of_roles();

}  // namespace halfdof::internal
