// SPDX-License-Identifier: LGPL-2.1-or-later
#include "python.h"
#include <map>

namespace halfdof::python {

namespace {

BeyondTable beyond_from(const std::string& name) {
  static const std::map<std::string, BeyondTable> names = {
      {"hold", BeyondTable::hold}, {"repeat", BeyondTable::repeat}, {"refuse", BeyondTable::refuse}};
  return names.at(name);
}

std::function<double(double)> python_function(py::object function) {
  return [function = HeldObject(std::move(function))](double time) {
    const py::gil_scoped_acquire gil;
    const py::object value = function.get()(time);
    const double number = PyFloat_AsDouble(value.ptr());
    if (number == -1. && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw InvalidInput("A function of time returned an object of the type " +
                         py::str(py::type::of(value).attr("__name__")).cast<std::string>() +
                         " at t = " + std::to_string(time) + ". It has to return a number.");
    }
    return number;
  };
}

}  // namespace

ScalarFunction scalar_function(const py::object& given) {
  if (py::isinstance<py::str>(given)) return ScalarFunction::expression(given.cast<std::string>());
  if (py::isinstance<py::tuple>(given)) {
    const auto parts = given.cast<py::tuple>();
    if (parts.size() == 2) return ScalarFunction(python_function(parts[0]), python_function(parts[1]));
    return ScalarFunction::table(parts[0].cast<std::vector<double>>(), parts[1].cast<std::vector<double>>(),
                                 beyond_from(parts[2].cast<std::string>()));
  }
  if (PyCallable_Check(given.ptr()) != 0) return ScalarFunction(python_function(given));
  return ScalarFunction(given.cast<double>());
}

TimeFunction time_function(py::object function) {
  if (function.is_none()) return {};
  return [function = HeldObject(std::move(function))](double time) {
    const py::gil_scoped_acquire gil;
    return function.get()(time).cast<Vector>();
  };
}

Direction direction(const WeightedDoFs& entries) {
  std::vector<WeightedDoF> weighted;
  for (const auto& [dof, weight] : entries)
    weighted.push_back({dof, weight});
  return Direction(std::move(weighted));
}

EigenMatrix matrix_from(const py::tuple& csc) {
  const auto starts = csc[0].cast<py::array_t<int>>();
  const auto rows = csc[1].cast<py::array_t<int>>();
  const auto values = csc[2].cast<py::array_t<double>>();
  const auto [n_rows, n_columns] = csc[3].cast<std::pair<Index, Index>>();
  if (starts.size() != n_columns + 1 || rows.size() != values.size())
    throw InvalidInput("A matrix with " + std::to_string(n_columns) + " columns has " +
                       std::to_string(starts.size()) + " starts of columns, " + std::to_string(rows.size()) +
                       " rows and " + std::to_string(values.size()) +
                       " values. It needs one start more than columns, and as many " + "rows as values.");
  const auto owner = std::make_shared<HeldObject>(py::make_tuple(starts, rows, values));
  return EigenMatrix(
      EigenMatrix::Entries(n_rows, n_columns, values.size(), starts.data(), rows.data(), values.data()),
      owner);
}

py::tuple matrix_to(const EigenMatrix::Entries& matrix) {
  return py::make_tuple(py::array_t<int>(matrix.outerSize() + 1, matrix.outerIndexPtr()),
                        py::array_t<int>(matrix.nonZeros(), matrix.innerIndexPtr()),
                        py::array_t<double>(matrix.nonZeros(), matrix.valuePtr()),
                        py::make_tuple(matrix.rows(), matrix.cols()));
}

py::object matrix_to(const std::optional<Eigen::SparseMatrix<double>>& matrix) {
  return matrix ? py::object(matrix_to(EigenMatrix(*matrix).entries())) : py::object(py::none());
}

DoFLabels labels_from(const py::object& given) {
  DoFLabels labels;
  if (given.is_none()) return labels;
  const auto parts = given.cast<py::tuple>();
  labels.component_names = parts[0].cast<std::vector<std::string>>();
  labels.component = parts[1].cast<std::vector<Index>>();
  labels.node = parts[2].cast<std::vector<GlobalIndex>>();
  labels.point = parts[3].cast<std::vector<std::array<double, 3>>>();
  labels.dimension = parts[4].cast<int>();
  return labels;
}

}  // namespace halfdof::python
