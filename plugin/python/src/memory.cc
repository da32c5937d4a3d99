// SPDX-License-Identifier: LGPL-2.1-or-later
#include "python.h"
#include <optional>

namespace halfdof::python {

namespace {

/// Returns the equation with memory of a structure at contacts along directions.
MemoryEquation memory_equation(const Reduced& reduced, const std::vector<WeightedDoFs>& directions,
                               Index n_eigenvalues) {
  // The laws do not matter: the equation is that of the structure.
  std::vector<Inclusion> contacts;
  for (std::size_t i = 0; i < directions.size(); ++i)
    contacts.push_back(inclusion("contact " + std::to_string(i), std::make_shared<DryFriction>(-1., 1.),
                                 direction(directions[i])));
  StructureModesOptions options;
  options.n_eigenvalues = n_eigenvalues;
  return reduced.compute([&] {
    const Inclusions<Engine> inclusions(reduced.with_load({}), contacts);
    return MemoryEquation(structure_modes(inclusions, {}, {}, options).modes);
  });
}

/// Evaluates a matrix function at several times, to an array times x rows x columns.
template <class Evaluate>
py::array at_times(const std::vector<double>& times, const Evaluate& evaluate) {
  std::vector<MultiVector> values;
  for (const double time : times)
    values.push_back(evaluate(time));
  const auto n_rows = values.empty() ? 0 : values.front().rows(),
             n_columns = values.empty() ? 0 : values.front().cols();
  py::array_t<double> all({static_cast<py::ssize_t>(values.size()), n_rows, n_columns});
  auto entries = all.mutable_unchecked<3>();
  for (std::size_t k = 0; k < values.size(); ++k)
    for (Eigen::Index i = 0; i < n_rows; ++i)
      for (Eigen::Index j = 0; j < n_columns; ++j)
        entries(static_cast<py::ssize_t>(k), i, j) = values[k](i, j);
  return std::move(all);
}

}  // namespace

void bind_memory(py::module_& core) {
  py::class_<MemoryEquation>(core, "MemoryEquation")
      .def(py::init(&memory_equation))
      .def_property_readonly("A", [](const MemoryEquation& equation) { return equation.A(); })
      .def_property_readonly("L_inf", [](const MemoryEquation& equation) { return equation.L_inf(); })
      .def("L_0",
           [](const MemoryEquation& equation, const std::vector<double>& times) {
             return at_times(times, [&](double time) { return equation.L_0(time); });
           })
      .def("L_1",
           [](const MemoryEquation& equation, const std::vector<double>& times) {
             return at_times(times, [&](double time) { return equation.L_1(time); });
           })
      .def("regularity", [](const MemoryEquation& equation) {
        std::vector<std::string> all;
        for (const ContactRegularity& contact : contact_regularity(equation.modes()))
          all.push_back(text_of([&](std::ostream& out) { out << contact; }));
        return all;
      });
}

}  // namespace halfdof::python
