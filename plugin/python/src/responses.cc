// SPDX-License-Identifier: LGPL-2.1-or-later
#include "responses.h"

#include <limits>

namespace halfdof::python {

namespace {

/// Copies matrices outputs x inputs, one for each frequency, to an array frequencies x outputs x inputs.
/// Entries of frequencies without a matrix are NaN.
template <class Scalar>
py::array stacked(const std::vector<DenseMatrix<Scalar>>& matrices, std::size_t n_outputs,
                  std::size_t n_inputs) {
  py::array_t<Scalar> all({matrices.size(), n_outputs, n_inputs});
  auto entries = all.template mutable_unchecked<3>();
  for (std::size_t k = 0; k < matrices.size(); ++k)
    for (std::size_t o = 0; o < n_outputs; ++o)
      for (std::size_t i = 0; i < n_inputs; ++i)
        entries(static_cast<py::ssize_t>(k), static_cast<py::ssize_t>(o), static_cast<py::ssize_t>(i)) =
            matrices[k].size() > 0 ? matrices[k](static_cast<Index>(o), static_cast<Index>(i))
                                   : Scalar(std::numeric_limits<double>::quiet_NaN());
  return std::move(all);
}

}  // namespace

std::vector<DirectedOutput> outputs_along(const DirectedOutputs& given) {
  std::vector<DirectedOutput> outputs;
  for (const auto& [quantity, entries] : given)
    outputs.push_back({quantity_from(quantity), direction(entries)});
  return outputs;
}

BaseMotion base_motion(const std::vector<WeightedDoFs>& directions, const std::string& quantity) {
  BaseMotion base;
  for (const WeightedDoFs& entries : directions)
    base.directions.push_back(direction(entries));
  base.quantity = quantity_from(quantity);
  return base;
}

py::dict arrays_of(std::size_t n_outputs, std::size_t n_inputs, const FrequencyResponse& response) {
  py::list missing;
  for (const MissingResponse& frequency : response.missing)
    missing.append(py::make_tuple(frequency.frequency, frequency.reason));
  py::dict all;
  all["before"] = stacked(response.before, n_outputs, n_inputs);
  all["after"] = stacked(response.after, n_outputs, n_inputs);
  all["rounding"] = stacked(response.rounding, n_outputs, n_inputs);
  all["missing"] = missing;
  all["max_difference"] = response.max_relative_difference;
  return all;
}

void bind_responses(py::module_& core) {
  core.def("with_resonances", &with_resonances);
}

}  // namespace halfdof::python
