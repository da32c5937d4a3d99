// SPDX-License-Identifier: LGPL-2.1-or-later
#include "responses.h"
#include <optional>

namespace halfdof::python {

namespace {

/// A system with structural damping, and the reduction of its real embedding.
struct ReducedStructural {
  StructurallyDampedSystem<Engine> system;
  ReducedSystem<Engine> of_embedding;
  SystemLock lock = {};
};

ReducedStructural reduced_structural(const py::object& mass, const py::object& damping,
                                     const py::tuple& stiffness, const py::object& imaginary_stiffness,
                                     const py::object& imaginary_damping,
                                     const std::vector<Index>& constrained, const py::object& labels) {
  SystemDescription<Engine> description;
  if (!mass.is_none()) description.mass = matrix_from(mass);
  if (!damping.is_none()) description.damping = matrix_from(damping);
  description.stiffness = matrix_from(stiffness);
  description.constrained = constrained;
  description.labels = labels_from(labels);
  ImaginaryParts<Engine> imaginary;
  if (!imaginary_stiffness.is_none()) imaginary.stiffness = matrix_from(imaginary_stiffness);
  if (!imaginary_damping.is_none()) imaginary.damping = matrix_from(imaginary_damping);
  const py::gil_scoped_release release;
  StructurallyDampedSystem<Engine> system(description, imaginary);
  ReducedSystem<Engine> of_embedding = reduce(system);
  return {std::move(system), std::move(of_embedding)};
}

py::dict structural_modes(const ReducedStructural& reduced, Index count, Complex shift, bool all_modes) {
  std::optional<SpectrumComparison> comparison;
  std::optional<StructurallyDampedModes> modes;
  reduced.lock.compute([&] {
    ComparisonOptions options;
    options.shift = shift;
    // Each mode has four eigenvalues of the embedding near the shift or its negative: its own, that of the
    // conjugate matrix, and the conjugates of both.
    comparison = all_modes ? compare_all(reduced.of_embedding, options)
                           : compare_spectra(reduced.of_embedding, 4 * count, options);
    modes = structurally_damped_modes(reduced.system, reduced.of_embedding, *comparison);
    if (!all_modes) modes->keep_nearest(count, shift);
  });
  std::vector<Complex> eigenvalues;
  std::vector<double> loss_factors, errors;
  for (const StructurallyDampedMode& mode : modes->modes) {
    eigenvalues.push_back(mode.mode.eigenvalue);
    loss_factors.push_back(mode.loss_factor);
    errors.push_back(mode.uncertainty);
  }
  py::dict all;
  all["eigenvalues"] = py::array(py::cast(eigenvalues));
  all["loss_factors"] = py::array(py::cast(loss_factors));
  all["errors"] = py::array(py::cast(errors));
  all["shapes"] = owned_array(std::move(modes->shapes));
  all["unphysical"] = py::array(py::cast(modes->unphysical));
  all["passed"] = comparison->passed;
  return all;
}

}  // namespace

void bind_structural(py::module_& core) {
  py::class_<ReducedStructural>(core, "ReducedStructural")
      .def(py::init(&reduced_structural))
      .def_property_readonly("n_dofs",
                             [](const ReducedStructural& reduced) { return reduced.system.n_dofs(); })
      .def("describe", [](const ReducedStructural& reduced,
                          Index dof) { return reduced.system.real_part().describe(dof); })
      .def("summary",
           [](const ReducedStructural& reduced) {
             return reduced.lock.compute([&] {
               return text_of(
                   [&](std::ostream& out) { print_summary(out, reduced.system, reduced.of_embedding); });
             });
           })
      .def("modes", &structural_modes)
      .def("frequency_response",
           [](const ReducedStructural& reduced, const std::vector<double>& frequencies,
              const MultiVector& loads, const DirectedOutputs& outputs) {
             return response_to(reduced.lock, outputs.size(), static_cast<std::size_t>(loads.cols()), [&] {
               return frequency_response(reduced.system, reduced.of_embedding, frequencies,
                                         HarmonicLoads{loads}, outputs_along(outputs));
             });
           })
      .def("base_response", [](const ReducedStructural& reduced, const std::vector<double>& frequencies,
                               const std::vector<WeightedDoFs>& directions, const std::string& quantity,
                               const DirectedOutputs& outputs) {
        return response_to(reduced.lock, outputs.size(), directions.size(), [&] {
          return base_response(reduced.system, reduced.of_embedding, frequencies,
                               base_motion(directions, quantity), outputs_along(outputs));
        });
      });
}

}  // namespace halfdof::python
