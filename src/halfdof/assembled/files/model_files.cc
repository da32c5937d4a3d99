// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/calculix.h>
#include <halfdof/assembled/files/dof_labels.h>
#include <halfdof/assembled/files/file_format.h>
#include <halfdof/assembled/files/matrix_roles.h>
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/assembled/files/model_remarks.h>
#include <halfdof/assembled/files/united_matrices.h>
#include <halfdof/base/printable.h>

#include <algorithm>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

std::string names_of(const std::vector<FileMatrix>& matrices) {
  std::string names;
  for (const FileMatrix& matrix : matrices)
    names += (names.empty() ? "" : ", ") + printable(matrix.name);
  return names;
}

/// Returns the role of the imaginary part of a matrix. @throws InvalidInput if it has none
MatrixRole role_of_imaginary_part(const std::string& source, MatrixRole role) {
  if (role == MatrixRole::stiffness) return MatrixRole::structural_damping;
  if (role == MatrixRole::damping) return MatrixRole::imaginary_damping;
  throw InvalidInput(
      source + " is complex, and it is the " + name_of(role) +
      ". Only the stiffness and the damping may be complex: a lag behind the acceleration is damping, whose "
      "matrix is C. Write the real part of this matrix alone.");
}

/// Takes a matrix and, if it is complex, its imaginary part as a matrix of its own.
void take(FileMatrix matrix, const std::string& source, FileFormat format, MatrixRole role,
          std::vector<RoleMatrix>& taken) {
  const auto add = [&](MatrixRole its_role, FileMatrix its_matrix) {
    for (const RoleMatrix& other : taken)
      if (other.role == its_role)
        throw InvalidInput(other.source + " and " + source + " are both the " + name_of(its_role) + ". " +
                           roles_known());
    taken.push_back({its_role, source, format == FileFormat::abaqus_coordinate, std::move(its_matrix)});
  };
  if (matrix.imaginary.size() > 0) {
    const MatrixRole imaginary_role = role_of_imaginary_part(source, role);
    FileMatrix damping;
    damping.rows = matrix.rows;
    damping.columns = matrix.columns;
    damping.real.swap(matrix.imaginary);
    matrix.imaginary.resize(0, 0);
    add(imaginary_role, std::move(damping));
  }
  add(role, std::move(matrix));
}

/// The roles of the matrices of a file; none where the name fits no role.
std::vector<std::optional<MatrixRole>> roles_of(const FileContent& content) {
  std::vector<std::optional<MatrixRole>> roles;
  for (const FileMatrix& matrix : content.matrices) {
    roles.push_back(role_of_name(matrix.name));
    if (!roles.back() && content.matrices.size() == 1) roles.back() = role_of_file(content.file);
  }
  return roles;
}

std::string source_of(const FileContent& content, const FileMatrix& matrix) {
  const std::string file = printable(content.file.string());
  return content.matrices.size() == 1 && content.name.empty()
             ? file
             : "Matrix " + printable(matrix.name) + " of " + file;
}

void check_is_beside_a_matrix(const std::filesystem::path& dofs,
                              const std::vector<std::filesystem::path>& files) {
  for (const std::filesystem::path& file : files)
    if (!is_list_of_dofs(file) && list_of_dofs_of(file) == dofs) return;
  throw InvalidInput(printable(dofs.string()) +
                     " is a list of DoFs, but none of the other files has the same name with "
                     "the extension .sti or .mas. Name the list by --dofs FILE.");
}

/// E is the damping if M and K are given and no other damping is.
void decide_about_E(const std::vector<FileContent>& contents,
                    std::vector<std::vector<std::optional<MatrixRole>>>& roles) {
  const auto is_given = [&roles](MatrixRole role) {
    return std::any_of(roles.begin(), roles.end(), [role](const auto& of_file) {
      return std::find(of_file.begin(), of_file.end(), role) != of_file.end();
    });
  };
  if (!is_given(MatrixRole::mass) || !is_given(MatrixRole::stiffness) || is_given(MatrixRole::damping))
    return;
  for (std::size_t f = 0; f < contents.size(); ++f)
    for (std::size_t k = 0; k < contents[f].matrices.size(); ++k) {
      const std::string& name = contents[f].matrices[k].name;
      const std::string stem = contents[f].file.stem().string();
      if (!roles[f][k] && (name == "E" || name == "e" || (name.empty() && (stem == "E" || stem == "e"))))
        roles[f][k] = MatrixRole::damping;
    }
}

ModelMatrices model_of(std::vector<RoleMatrix> taken, ModelMatrices model) {
  const std::vector<FileDoF> dofs = unite(taken, model.remarks);
  if (!dofs.empty()) model.labels = labels_of(dofs);
  for (RoleMatrix& matrix : taken)
    member(model, matrix.role) = std::move(matrix.matrix.real);
  add_remarks(model);
  return model;
}

}  // namespace

ModelMatrices read_model(const std::vector<std::filesystem::path>& files) {
  ModelMatrices model;
  std::vector<FileContent> contents;
  std::vector<std::vector<std::optional<MatrixRole>>> roles;
  for (const std::filesystem::path& file : files) {
    if (is_list_of_dofs(file)) {
      check_is_beside_a_matrix(file, files);  // its reader takes the list
      continue;
    }
    contents.push_back(read_content(file));
    roles.push_back(roles_of(contents.back()));
    model.formats.push_back(name_of(contents.back().format));
  }
  decide_about_E(contents, roles);
  std::vector<RoleMatrix> taken;
  for (std::size_t f = 0; f < contents.size(); ++f) {
    FileContent& content = contents[f];
    for (std::size_t k = 0; k < content.matrices.size(); ++k) {
      const std::string source = source_of(content, content.matrices[k]);
      if (roles[f][k])
        take(std::move(content.matrices[k]), source, content.format, *roles[f][k], taken);
      else if (content.matrices.size() == 1)
        throw InvalidInput(source +
                           ": neither the name of the matrix nor that of the file says what it is. " +
                           roles_known());
      else
        model.remarks.push_back(source + " fits no role and was not used.");
    }
    for (const SkippedVariable& variable : content.skipped)
      model.remarks.push_back("Variable " + printable(variable.name) + " of " +
                              printable(content.file.string()) + " was not used: " + variable.reason + ".");
  }
  return model_of(std::move(taken), std::move(model));
}

ModelMatrices read_matrices(const MatrixFiles& files) {
  ModelMatrices model;
  std::vector<RoleMatrix> taken;
  const auto read = [&](const std::filesystem::path& file, MatrixRole role) {
    if (file.empty()) return;
    FileContent content = read_content(file);
    model.formats.push_back(name_of(content.format));
    if (content.matrices.size() != 1)
      throw FileError(content.file,
                      "the file holds " + std::to_string(content.matrices.size()) +
                          " matrices. Name one of them as FILE:NAME: " + names_of(content.matrices) + ".");
    const std::string source = printable(file.string());
    take(std::move(content.matrices[0]), source, content.format, role, taken);
  };
  read(files.stiffness, MatrixRole::stiffness);
  read(files.mass, MatrixRole::mass);
  read(files.damping, MatrixRole::damping);
  return model_of(std::move(taken), std::move(model));
}

Eigen::SparseMatrix<double> read_matrix(const std::filesystem::path& file) {
  FileContent content = read_content(file);
  if (content.matrices.size() != 1)
    throw FileError(content.file,
                    "the file holds " + std::to_string(content.matrices.size()) +
                        " matrices. Name one of them as FILE:NAME: " + names_of(content.matrices) + ".");
  if (content.matrices[0].imaginary.size() > 0)
    throw FileError(
        content.file,
        "the matrix is complex, and a real one is expected. As the stiffness of a model, it is read as "
        "K + i K_i with structural damping K_i.");
  Eigen::SparseMatrix<double> matrix;
  matrix.swap(content.matrices[0].real);
  return matrix;
}

}  // namespace halfdof
