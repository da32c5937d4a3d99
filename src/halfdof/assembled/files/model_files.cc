// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/calculix.h>
#include <halfdof/assembled/files/column_storage.h>
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

/// Returns the role of the imaginary part of a matrix with the given role.
/// @throws InvalidInput if a matrix with this role must be real
MatrixRole role_of_imaginary_part(const std::string& source, MatrixRole role) {
  if (role == MatrixRole::stiffness) return MatrixRole::structural_damping;
  if (role == MatrixRole::damping) return MatrixRole::imaginary_damping;
  throw InvalidInput(source + " is complex, but its role is the " + name_of(role) +
                     ". Only the stiffness and the damping may be complex. Write only the real "
                     "part of this matrix to the file.");
}

/// Rejects a matrix with an entry that is NaN or infinite. Readers of files with several variables do not
/// check the entries.
void require_finite(const FileMatrix& matrix, const std::filesystem::path& file) {
  check_finite(matrix, 1, [&](const std::string& reason) {
    throw FileError(file, (matrix.name.empty() ? "" : "matrix " + printable(matrix.name) + ": ") + reason);
  });
}

/// The origin of a matrix.
struct Source {
  std::filesystem::path file;
  FileFormat format;
  std::string description;  ///< the file, or "Matrix NAME of FILE"
};

/// Appends a matrix with its role to `assigned`. The imaginary part of a complex matrix is appended as a
/// matrix of its own.
void assign_role(FileMatrix matrix, const Source& source, MatrixRole role,
                 std::vector<RoleMatrix>& assigned) {
  require_finite(matrix, source.file);
  const auto add = [&](MatrixRole its_role, FileMatrix its_matrix) {
    for (const RoleMatrix& other : assigned)
      if (other.role == its_role)
        throw InvalidInput(other.source + " and " + source.description + " are both the " +
                           name_of(its_role) + ", but a model has only one. " + known_names_of_roles());
    const bool is_ordered_by_labels =
        source.format == FileFormat::nastran_dmig || source.format == FileFormat::abaqus_matrix_input;
    assigned.push_back({its_role, source.description, source.format == FileFormat::abaqus_coordinate,
                        is_ordered_by_labels, std::move(its_matrix)});
  };
  if (matrix.imaginary.size() > 0) {
    const MatrixRole imaginary_role = role_of_imaginary_part(source.description, role);
    FileMatrix damping;
    damping.rows = matrix.rows;
    damping.columns = matrix.columns;
    damping.real.swap(matrix.imaginary);
    matrix.imaginary.resize(0, 0);
    add(imaginary_role, std::move(damping));
  }
  add(role, std::move(matrix));
}

/// Rejects a file of several matrices if none of them has a name.
void check_has_names(const FileContent& content) {
  const auto has_name = [](const FileMatrix& matrix) { return !matrix.name.empty(); };
  if (content.matrices.size() > 1 && std::none_of(content.matrices.begin(), content.matrices.end(), has_name))
    throw FileError(content.file, "the file holds " + std::to_string(content.matrices.size()) +
                                      " matrices without names, so that none of them can be chosen. Write "
                                      "each matrix to a file of its own.");
}

/// Returns the only matrix of a file. @throws FileError if the file has several matrices
FileMatrix only_matrix(FileContent& content) {
  check_has_names(content);
  if (content.matrices.size() != 1)
    throw FileError(content.file,
                    "the file holds " + std::to_string(content.matrices.size()) +
                        " matrices. Name one of them as FILE:NAME: " + names_of(content.matrices) + ".");
  return std::move(content.matrices[0]);
}

/// Returns the role of the only matrix of a file, according to the name of the matrix and the name of the
/// file. The result has no value if neither name is known.
std::optional<MatrixRole> role_of_only_matrix(const FileContent& content) {
  const std::string& name = content.matrices[0].name;
  const std::optional<MatrixRole> role = role_of_name(name);
  if (role && !content.name.empty()) return role;
  const std::optional<MatrixRole> of_file = role_of_file(content.file);
  if (role && of_file && *role != *of_file)
    throw InvalidInput("The name of the file " + printable(content.file.string()) + " means the " +
                       name_of(*of_file) + ", but the name of the matrix in the file, " + printable(name) +
                       ", means the " + name_of(*role) + ". " + known_names_of_roles());
  return role ? role : of_file;
}

/// Returns the role of each matrix of a file. A role has no value if the name of the matrix is not known.
std::vector<std::optional<MatrixRole>> roles_of(const FileContent& content) {
  if (content.matrices.size() == 1) return {role_of_only_matrix(content)};
  std::vector<std::optional<MatrixRole>> roles;
  for (const FileMatrix& matrix : content.matrices)
    roles.push_back(role_of_name(matrix.name));
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

/// Assigns the role damping to a matrix called E if a mass and a stiffness are given, but no other damping.
void assign_role_of_E(const std::vector<FileContent>& contents,
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
      const std::string stem = without_gz(contents[f].file).stem().string();
      if (!roles[f][k] && (name == "E" || name == "e" || (name.empty() && (stem == "E" || stem == "e"))))
        roles[f][k] = MatrixRole::damping;
    }
}

using Roles = std::vector<std::vector<std::optional<MatrixRole>>>;

/// Returns the number of DoFs, which is the size of the stiffness, or else of the mass, or else of the
/// damping. Matrices that are not square are ignored.
Index size_of_model(const std::vector<FileContent>& contents, const Roles& roles) {
  for (const MatrixRole role : {MatrixRole::stiffness, MatrixRole::mass, MatrixRole::damping})
    for (std::size_t f = 0; f < contents.size(); ++f)
      for (std::size_t k = 0; k < contents[f].matrices.size(); ++k) {
        const Eigen::SparseMatrix<double>& A = contents[f].matrices[k].real;
        if (roles[f][k] == role && A.rows() == A.cols()) return static_cast<Index>(A.rows());
      }
  return 0;
}

/// Removes the roles of matrices whose shapes do not fit their roles, in files with several matrices, and
/// adds a remark for each of them.
void skip_matrices_of_other_shapes(const std::vector<FileContent>& contents, Roles& roles,
                                   std::vector<std::string>& remarks) {
  const Index n = size_of_model(contents, roles);
  for (std::size_t f = 0; f < contents.size(); ++f)
    for (std::size_t k = 0; k < contents[f].matrices.size() && contents[f].matrices.size() > 1; ++k) {
      const FileMatrix& matrix = contents[f].matrices[k];
      const Eigen::Index n_rows = matrix.real.rows(), n_columns = matrix.real.cols();
      const bool is_constraints = roles[f][k] == MatrixRole::constraints;
      const bool fits = is_constraints ? !matrix.rows.empty() || n_columns == n
                                       : n_rows == n_columns && matrix.columns.empty();
      if (!roles[f][k] || fits) continue;
      remarks.push_back(source_of(contents[f], matrix) + " is " + std::to_string(n_rows) + " x " +
                        std::to_string(n_columns) + " and was not used: the " + name_of(*roles[f][k]) +
                        (is_constraints ? " has one column" : " has one row and one column") +
                        " for each of the " + std::to_string(n) + " DoFs.");
      roles[f][k].reset();
    }
}

ModelMatrices model_of(std::vector<RoleMatrix> assigned, ModelMatrices model,
                       const std::filesystem::path& dofs) {
  model.labels =
      dofs.empty() ? labels_of(unite(assigned, model.remarks)) : unite_by_list(assigned, dofs, model.remarks);
  for (RoleMatrix& matrix : assigned)
    member(model, matrix.role) = std::move(matrix.matrix.real);
  add_remarks(model);
  return model;
}

}  // namespace

ModelMatrices read_model(const std::vector<std::filesystem::path>& files, const std::filesystem::path& dofs) {
  ModelMatrices model;
  std::vector<FileContent> contents;
  Roles roles;
  for (const std::filesystem::path& file : files) {
    if (is_list_of_dofs(file)) {
      check_is_beside_a_matrix(file, files);  // the list is read together with the matrix
      continue;
    }
    contents.push_back(read_content(file));
    check_has_names(contents.back());
    roles.push_back(roles_of(contents.back()));
    model.formats.push_back(name_of(contents.back().format));
  }
  assign_role_of_E(contents, roles);
  skip_matrices_of_other_shapes(contents, roles, model.remarks);
  std::vector<RoleMatrix> assigned;
  for (std::size_t f = 0; f < contents.size(); ++f) {
    FileContent& content = contents[f];
    for (std::size_t k = 0; k < content.matrices.size(); ++k) {
      const std::string source = source_of(content, content.matrices[k]);
      if (roles[f][k])
        assign_role(std::move(content.matrices[k]), {content.file, content.format, source}, *roles[f][k],
                    assigned);
      else if (content.matrices.size() == 1)
        throw InvalidInput(source +
                           ": the role of the matrix follows neither from its name "
                           "nor from the name of the file. " +
                           known_names_of_roles());
      else if (!role_of_name(content.matrices[k].name))
        model.remarks.push_back(source + " has no known role and was not used.");
    }
    for (const SkippedVariable& variable : content.skipped)
      model.remarks.push_back("Variable " + printable(variable.name) + " of " +
                              printable(content.file.string()) + " was not used: " + variable.reason + ".");
  }
  return model_of(std::move(assigned), std::move(model), dofs);
}

ModelMatrices read_matrices(const MatrixFiles& files) {
  ModelMatrices model;
  std::vector<RoleMatrix> assigned;
  const auto read = [&](const std::filesystem::path& file, MatrixRole role) {
    if (file.empty()) return;
    FileContent content = read_content(file);
    model.formats.push_back(name_of(content.format));
    assign_role(only_matrix(content), {content.file, content.format, printable(file.string())}, role,
                assigned);
  };
  read(files.stiffness, MatrixRole::stiffness);
  read(files.mass, MatrixRole::mass);
  read(files.damping, MatrixRole::damping);
  return model_of(std::move(assigned), std::move(model), files.dofs);
}

FileMatrix internal::read_only_matrix(const std::filesystem::path& file) {
  FileContent content = read_content(file);
  FileMatrix matrix = only_matrix(content);
  require_finite(matrix, content.file);
  return matrix;
}

void internal::check_is_real(const Eigen::SparseMatrix<double>& imaginary,
                             const std::filesystem::path& file) {
  std::string name;
  if (imaginary.size() > 0)
    throw FileError(
        without_matrix_name(file, name),
        "the matrix is complex, but a real matrix is expected. A complex matrix can be given only as the "
        "stiffness K + i K_i of a model, with structural damping K_i, or as its damping.");
}

Eigen::SparseMatrix<double> read_matrix(const std::filesystem::path& file) {
  FileMatrix matrix = read_only_matrix(file);
  check_is_real(matrix.imaginary, file);
  return std::move(matrix.real);
}

Vector read_vector(const std::filesystem::path& file) {
  const Eigen::SparseMatrix<double> matrix = read_matrix(file);
  if (matrix.cols() != 1)
    throw FileError(file, "a vector is expected, which has one column, but this matrix has " +
                              std::to_string(matrix.cols()) + " columns.");
  return Vector(matrix.col(0));
}

}  // namespace halfdof
