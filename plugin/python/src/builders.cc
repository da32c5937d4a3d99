// SPDX-License-Identifier: LGPL-2.1-or-later
#include "python.h"

namespace halfdof::python {

namespace {

SystemDescription<Engine> description_from(const py::tuple& mass, const py::object& damping,
                                           const py::tuple& stiffness,
                                           const std::vector<Index>& constrained) {
  SystemDescription<Engine> description;
  description.mass = matrix_from(mass);
  if (!damping.is_none()) description.damping = matrix_from(damping);
  description.stiffness = matrix_from(stiffness);
  description.constrained = constrained;
  return description;
}

PronySeries series_from(const std::vector<std::pair<double, double>>& given) {
  PronySeries series;
  for (const auto& [g, tau] : given)
    series.push_back({g, tau});
  return series;
}

py::dict fit_to(const PronyFit& fit) {
  std::vector<std::pair<double, double>> series;
  for (const PronyTerm& term : fit.series)
    series.emplace_back(term.g, term.tau);
  py::dict all;
  all["long_term"] = fit.long_term;
  all["series"] = series;
  all["largest_loss_factor_error"] = fit.largest_loss_factor_error;
  all["largest_storage_error"] = fit.largest_storage_error;
  all["largest_relative_error"] = fit.largest_relative_error;
  return all;
}

}  // namespace

void bind_builders(py::module_& core) {
  core.def("with_viscoelastic_branches",
           [](const py::tuple& mass, const py::object& damping, const py::tuple& stiffness,
              const std::vector<Index>& constrained, const py::tuple& part,
              const std::vector<std::pair<double, double>>& series, bool symmetric) {
             const auto description = description_from(mass, damping, stiffness, constrained);
             const ViscoelasticPart<Engine> of_part{matrix_from(part), series_from(series),
                                                    symmetric ? BranchForm::symmetric : BranchForm::local};
             const auto extended = with_viscoelastic_branches(description, {of_part}).description;
             return py::make_tuple(matrix_to(extended.mass->entries()),
                                   matrix_to(extended.damping->entries()),
                                   matrix_to(extended.stiffness.entries()), extended.constrained);
           });
  core.def("with_massless_contact", [](const py::tuple& mass, const py::tuple& stiffness,
                                       const std::vector<Index>& constrained, const py::object& labels,
                                       const std::vector<GlobalIndex>& contact) {
    SystemDescription<Engine> description = description_from(mass, py::none(), stiffness, constrained);
    if (!labels.is_none()) description.labels = labels_from(labels);
    return matrix_to(with_massless_contact(description, contact).mass->entries());
  });
  core.def("fit_loss_factor", [](double loss_factor, double from, double to, Index n_branches) {
    return fit_to(fit_loss_factor({loss_factor, from, to}, n_branches));
  });
  core.def("fit_moduli", [](const Vector& frequencies, const ComplexVector& moduli, Index n_branches) {
    return fit_to(fit_moduli({frequencies, moduli}, n_branches));
  });
}

}  // namespace halfdof::python
