// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/dof_labels.h>
#include <halfdof/output/matrix_files.h>

#include "python.h"

namespace halfdof::python {

namespace {

py::object labels_to(const DoFLabels& labels) {
  if (labels.node.empty() && labels.component.empty()) return py::none();
  return py::make_tuple(labels.component_names, labels.component, labels.node, labels.point,
                        labels.dimension);
}

/// Returns the format with a name, or that of the extension of a file.
FileFormat format_from(const std::string& name, const std::filesystem::path& file) {
  std::string names;
  for (const internal::WrittenFormat& known : internal::written_formats()) {
    if (name == known.name) return known.format;
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  }
  if (!name.empty())
    throw InvalidInput("There is no format \"" + name + "\". The formats are: " + names + ".");
  if (const auto format = internal::format_by_extension(file)) return *format;
  throw InvalidInput("The name " + file.string() + " does not say the format. Give one of: " + names + ".");
}

/// Writes matrices (name, columns), and returns remarks about what the format cannot hold.
std::vector<std::string> write(const std::string& path, const std::string& format,
                               const std::vector<std::pair<std::string, py::tuple>>& matrices,
                               const py::object& labels) {
  std::vector<internal::FileDoF> rows;
  if (!labels.is_none()) rows = internal::file_dofs_of(labels_from(labels));
  std::vector<internal::FileMatrix> all;
  for (const auto& [name, csc] : matrices)
    all.push_back({name, matrix_from(csc).entries(), {}, rows, {}});
  const FileFormat of_file = format_from(format, path);
  const py::gil_scoped_release release;
  return internal::write_matrices(path, of_file, all);
}

}  // namespace

void bind_files(py::module_& core) {
  core.def("read_model", [](const std::vector<std::string>& files, const std::string& dofs) {
    const std::vector<std::filesystem::path> paths(files.begin(), files.end());
    std::optional<ModelMatrices> model;
    {
      const py::gil_scoped_release release;
      model = read_model(paths, dofs);
    }
    py::dict all;
    all["mass"] = matrix_to(model->mass);
    all["damping"] = matrix_to(model->damping);
    all["stiffness"] = matrix_to(model->stiffness);
    all["structural_damping"] = matrix_to(model->structural_damping);
    all["imaginary_damping"] = matrix_to(model->imaginary_damping);
    all["constraints"] = matrix_to(model->constraints);
    all["labels"] = labels_to(model->labels);
    all["formats"] = model->formats;
    all["remarks"] = model->remarks;
    return all;
  });
  core.def("read_matrix", [](const std::string& file) {
    std::optional<Eigen::SparseMatrix<double>> matrix;
    {
      const py::gil_scoped_release release;
      matrix = read_matrix(file);
    }
    return matrix_to(matrix);
  });
  core.def("write_matrices", &write);
  core.def("read_vector", [](const std::string& file) { return read_vector(file); });
  core.def("read_dof_list", [](const std::string& file, std::optional<GlobalIndex> n_dofs) {
    return read_dof_list(file, n_dofs);
  });
}

}  // namespace halfdof::python
