// SPDX-License-Identifier: LGPL-2.1-or-later
#include "python.h"

namespace halfdof::python {

namespace {

py::object labels_to(const DoFLabels& labels) {
  if (labels.node.empty() && labels.component.empty()) return py::none();
  return py::make_tuple(labels.component_names, labels.component, labels.node, labels.point,
                        labels.dimension);
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
  core.def("read_vector", [](const std::string& file) { return read_vector(file); });
  core.def("read_dof_list", [](const std::string& file, std::optional<GlobalIndex> n_dofs) {
    return read_dof_list(file, n_dofs);
  });
}

}  // namespace halfdof::python
