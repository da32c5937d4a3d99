// SPDX-License-Identifier: LGPL-2.1-or-later
#include "systems.h"

#include "responses.h"
#include "state_force.h"
#include <algorithm>
#include <array>

namespace halfdof::python {

namespace {

/// Returns a prescribed motion. Each entry is a function of time, which is differentiated, or a list of three:
/// value, rate and acceleration.
PrescribedMotion prescribed_motion(const py::object& given) {
  if (given.is_none()) return {};
  using Entry = std::array<ScalarFunction, 3>;
  std::vector<Entry> functions;
  std::vector<bool> is_differentiated;
  for (const py::handle entry : given.cast<py::list>()) {
    if (py::isinstance<py::list>(entry)) {
      const auto parts = entry.cast<py::list>();
      functions.push_back({scalar_function(parts[0]), scalar_function(parts[1]), scalar_function(parts[2])});
      is_differentiated.push_back(false);
    } else {
      functions.push_back({scalar_function(py::reinterpret_borrow<py::object>(entry)), {}, {}});
      is_differentiated.push_back(true);
    }
  }
  const auto derivative = [=](std::size_t order) -> TimeFunction {
    return [=](double time) {
      Vector values(static_cast<Index>(functions.size()));
      for (std::size_t i = 0; i < functions.size(); ++i) {
        const ScalarFunction& function = functions[i][0];
        values[static_cast<Index>(i)] = !is_differentiated[i] ? functions[i][order](time)
                                        : order == 0          ? function(time)
                                        : order == 1          ? function.derivative(time)
                                                              : function.second_derivative(time);
      }
      return values;
    };
  };
  return {derivative(0), derivative(1), derivative(2)};
}

AdditionalConstraints<Engine> constraints_from(const py::tuple& given) {
  AdditionalConstraints<Engine> constraints;
  if (!given[0].is_none()) constraints.position = matrix_from(given[0]);
  if (!given[1].is_none()) constraints.rate = matrix_from(given[1]);
  constraints.right_side = prescribed_motion(given[2]);
  return constraints;
}

std::optional<EigenMatrix> optional_matrix(const py::object& given) {
  return given.is_none() ? std::nullopt : std::optional(matrix_from(given));
}

ReductionMethod method_from(const std::string& name) {
  for (const ReductionMethod method :
       {ReductionMethod::automatic, ReductionMethod::null_columns, ReductionMethod::kernel,
        ReductionMethod::constraints, ReductionMethod::weierstrass})
    if (name == name_of(method)) return method;
  throw InvalidInput(
      "There is no method \"" + name +
      "\" of reduction. The methods are auto, null-columns, kernel, constraints and weierstrass.");
}

py::array dofs_of_kind(const Reduced& reduced, DoFKind kind) {
  const std::vector<DoFKind>& kinds = reduced.classification().kinds();
  Eigen::Matrix<GlobalIndex, Eigen::Dynamic, 1> dofs(std::count(kinds.begin(), kinds.end(), kind));
  Eigen::Index n = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i] == kind) dofs[n++] = static_cast<GlobalIndex>(i);
  return owned_array(std::move(dofs));
}

/// Returns the names of the matrices with several entries off the diagonal, all on one side of it, as a
/// symmetric matrix has of which one triangle was stored. A single entry may be a coupling that acts one way.
std::vector<std::string> triangular_matrices(const Assembled& system) {
  std::vector<std::string> names;
  const auto add = [&](const char* name, const EigenMatrix& matrix) {
    if (matrix.is_symmetric()) return;
    Index n_upper = 0, n_lower = 0;
    for (Index j = 0; j < matrix.entries().cols(); ++j)
      for (EigenMatrix::Entries::InnerIterator entry(matrix.entries(), j); entry; ++entry) {
        n_upper += entry.row() < j && entry.value() != 0.;
        n_lower += entry.row() > j && entry.value() != 0.;
        if (n_upper > 0 && n_lower > 0) return;
      }
    if (n_upper + n_lower > 1) names.emplace_back(name);
  };
  add("mass", system.M());
  add("damping", system.C());
  add("stiffness", system.K());
  return names;
}

py::tuple motion_to(AssembledMotion motion) {
  return py::make_tuple(owned_array(std::move(motion.displacement)), owned_array(std::move(motion.rate)),
                        owned_array(std::move(motion.acceleration)));
}

py::tuple report_to(const ConsistencyReport& report) {
  return py::make_tuple(report.n_changed, text_of([&](std::ostream& out) { out << report; }));
}

}  // namespace

std::vector<Output> outputs_from(const std::vector<std::pair<std::string, GlobalIndex>>& given) {
  std::vector<Output> outputs;
  for (const auto& [quantity, dof] : given)
    outputs.push_back({quantity_from(quantity), dof});
  return outputs;
}

OutputQuantity quantity_from(const std::string& name) {
  for (const OutputQuantity quantity : {OutputQuantity::displacement, OutputQuantity::rate,
                                        OutputQuantity::acceleration, OutputQuantity::reaction})
    if (name == name_of(quantity)) return quantity;
  throw InvalidInput("There is no quantity \"" + name +
                     "\". The quantities are displacement, rate, acceleration and reaction.");
}

Load load_from(const py::object& given, GlobalIndex n_dofs) {
  Load load;
  if (given.is_none()) return load;
  const auto n = static_cast<Index>(n_dofs);
  if (py::isinstance<py::list>(given)) {
    std::vector<std::pair<Index, ScalarFunction>> entries;
    for (const py::handle entry : given.cast<py::list>()) {
      const auto pair = entry.cast<py::tuple>();
      entries.emplace_back(pair[0].cast<Index>(), scalar_function(pair[1]));
      load.functions.push_back(entries.back().second);
    }
    load.value = [n, entries](double time) {
      Vector f = Vector::Zero(n);
      for (const auto& [dof, function] : entries)
        f[dof] += function(time);
      return f;
    };
    load.rate = [n, entries](double time) {
      Vector f = Vector::Zero(n);
      for (const auto& [dof, function] : entries)
        f[dof] += function.derivative(time);
      return f;
    };
    return load;
  }
  // Multipliers, which follow the DoFs of the application, have no load.
  const auto enlarged = [n](TimeFunction function) -> TimeFunction {
    if (!function) return {};
    return [n, function](double time) {
      Vector f = function(time);
      if (f.size() < n) {
        const Index n_given = static_cast<Index>(f.size());
        f.conservativeResize(n);
        f.tail(n - n_given).setZero();
      }
      return f;
    };
  };
  const auto parts = given.cast<py::tuple>();
  load.value = enlarged(time_function(parts[0]));
  load.rate = enlarged(time_function(parts[1]));
  return load;
}

void bind_systems(py::module_& core) {
  py::class_<Assembled>(core, "Assembled")
      .def(py::init([](const py::object& mass, const py::object& damping, const py::object& stiffness,
                       const std::vector<Index>& constrained, const py::object& prescribed,
                       const py::object& labels, const py::object& constraints,
                       const py::object& state_force) {
             SystemDescription<Engine> description;
             description.mass = optional_matrix(mass);
             description.damping = optional_matrix(damping);
             description.stiffness = matrix_from(stiffness);
             description.constrained = constrained;
             description.prescribed = prescribed_motion(prescribed);
             description.labels = labels_from(labels);
             if (!state_force.is_none()) description.state_force = state_force_from(state_force);
             if (!constraints.is_none())
               description = with_constraints(description, constraints_from(constraints));
             return without_gil([&] { return Assembled(std::move(description)); });
           }),
           py::arg("mass"), py::arg("damping"), py::arg("stiffness"), py::arg("constrained"),
           py::arg("prescribed"), py::arg("labels"), py::arg("constraints"), py::arg("state_force"))
      .def_property_readonly("triangular", &triangular_matrices);

  py::class_<Reduced>(core, "Reduced")
      .def(py::init([](const Assembled& assembled, const std::string& method, double null_tolerance,
                       double nearly_null) {
             ReductionOptions options;
             options.method = method_from(method);
             options.classification.null_tolerance = null_tolerance;
             options.classification.nearly_null = nearly_null;
             return Reduced(without_gil([&] { return reduce(assembled, options); }));
           }),
           py::arg("assembled"), py::arg("method"), py::arg("null_tolerance"), py::arg("nearly_null"))
      .def("with_load",
           [](const Reduced& reduced, const py::object& given) {
             Load load = load_from(given, reduced.assembled().n_dofs());
             return Reduced(reduced.compute([&] { return reduced.with_load(load.value, load.rate); }),
                            reduced.lock());
           })
      .def_property_readonly("n_dofs", [](const Reduced& reduced) { return reduced.assembled().n_dofs(); })
      .def_property_readonly("n_states", &Reduced::n_states)
      .def_property_readonly("method", [](const Reduced& reduced) { return name_of(reduced.method()); })
      .def_property_readonly("reason", &Reduced::reason)
      .def_property_readonly("inertial", [](const Reduced& r) { return dofs_of_kind(r, DoFKind::inertial); })
      .def_property_readonly("viscous", [](const Reduced& r) { return dofs_of_kind(r, DoFKind::viscous); })
      .def_property_readonly("algebraic",
                             [](const Reduced& r) { return dofs_of_kind(r, DoFKind::algebraic); })
      .def_property_readonly("constrained",
                             [](const Reduced& r) { return dofs_of_kind(r, DoFKind::constrained); })
      .def_property_readonly("warnings",
                             [](const Reduced& reduced) {
                               std::vector<std::string> all;
                               for (const NearlyNullColumn& column : reduced.classification().nearly_null())
                                 all.push_back(column.description);
                               return all;
                             })
      .def_property_readonly("n_dropped_columns",
                             [](const Reduced& r) { return r.classification().n_dropped_columns(); })
      .def_property_readonly("redundant_constraints",
                             [](const Reduced& reduced) {
                               std::vector<std::string> all;
                               for (const RedundantConstraints& redundant : reduced.constraints().redundant)
                                 all.push_back(redundant.text);
                               return all;
                             })
      .def("summary",
           [](const Reduced& reduced) {
             return reduced.compute(
                 [&] { return text_of([&](std::ostream& out) { reduced.print_summary(out); }); });
           })
      .def("describe", [](const Reduced& reduced, Index dof) { return reduced.assembled().describe(dof); })
      .def("apply",
           [](const Reduced& reduced, double time, const Vector& y) {
             return owned_array(reduced.compute([&] { return reduced.apply(State{time, y}); }));
           })
      .def("lift",
           [](const Reduced& reduced, double time, const Vector& y) {
             return motion_to(reduced.compute([&] { return reduced.lift({time, y}); }));
           })
      .def("consistent_state",
           [](const Reduced& reduced, const Vector& displacement, const Vector& rate, double time,
              bool strict) {
             ConsistencyOptions options;
             options.mode = strict ? ConsistencyOptions::Mode::strict : ConsistencyOptions::Mode::adjust;
             ConsistentState state = reduced.compute(
                 [&] { return consistent_state(reduced, displacement, rate, time, options); });
             return py::make_tuple(state.time, owned_array(std::move(state.y)), report_to(state.report));
           })
      .def("equilibrium",
           [](const Reduced& reduced, const Vector& load, double time) {
             State state = reduced.compute([&] { return equilibrium(reduced, load, time); });
             return py::make_tuple(state.time, owned_array(std::move(state.y)));
           })
      .def("about",
           [](const Reduced& reduced, double time, const Vector& y) {
             return Reduced(reduced.compute([&] { return reduced.about(State{time, y}); }), reduced.lock());
           })
      .def("state_matrix",
           [](const Reduced& reduced, double max_bytes) {
             return owned_array(reduced.compute([&] { return dense_state_matrix(reduced, {max_bytes}); }));
           })
      .def("input_matrix",
           [](const Reduced& reduced, double max_bytes) {
             return owned_array(reduced.compute([&] { return dense_input_matrix(reduced, {max_bytes}); }));
           })
      .def("output_matrices",
           [](const Reduced& reduced, const std::vector<std::pair<std::string, GlobalIndex>>& outputs,
              double max_bytes) {
             auto all = reduced.compute([&] {
               const OutputMap<Engine> map(reduced, outputs_from(outputs), {max_bytes});
               return std::array<MultiVector, 3>{map.state_matrix(), map.feed_through(),
                                                 map.rate_feed_through()};
             });
             return py::make_tuple(owned_array(std::move(all[0])), owned_array(std::move(all[1])),
                                   owned_array(std::move(all[2])));
           })
      .def("sparse_pencil",
           [](const Reduced& reduced, double max_fill) {
             const SparsePencil pencil = reduced.compute([&] { return sparse_pencil(reduced, {max_fill}); });
             return py::make_tuple(matrix_to(pencil.E.entries()), matrix_to(pencil.A.entries()),
                                   matrix_to(pencil.B.entries()));
           })
      .def("write_state_space",
           [](const Reduced& reduced, const std::string& folder,
              const std::vector<std::pair<std::string, GlobalIndex>>& outputs,
              const std::vector<std::string>& formats) {
             StateSpaceFileOptions options;
             options.outputs = outputs_from(outputs);
             for (const std::string& format : formats) {
               if (format == "abcde") options.formats.push_back(StateSpaceFormat::abcde);
               if (format == "npz") options.formats.push_back(StateSpaceFormat::npz);
               if (format == "octave") options.formats.push_back(StateSpaceFormat::octave);
             }
             const WrittenStateSpace written =
                 reduced.compute([&] { return write_state_space(folder, reduced, options); });
             return py::make_tuple(largest_relative_error(written.errors),
                                   describe_lost(written.errors, written.outputs));
           })
      .def("diagnosis",
           [](const Reduced& reduced, Index max_dense) {
             return diagnosis_to(reduced.compute([&] { return diagnose(reduced, max_dense); }));
           })
      .def("frequency_response",
           [](const Reduced& reduced, const std::vector<double>& frequencies, const MultiVector& loads,
              const DirectedOutputs& outputs) {
             return response_to(reduced.lock(), outputs.size(), static_cast<std::size_t>(loads.cols()), [&] {
               return frequency_response(reduced, frequencies, HarmonicLoads{loads}, outputs_along(outputs));
             });
           })
      .def("base_response", [](const Reduced& reduced, const std::vector<double>& frequencies,
                               const std::vector<WeightedDoFs>& directions, const std::string& quantity,
                               const DirectedOutputs& outputs) {
        return response_to(reduced.lock(), outputs.size(), directions.size(), [&] {
          return base_response(reduced, frequencies, base_motion(directions, quantity),
                               outputs_along(outputs));
        });
      });

  core.def("check_table",
           [](std::vector<double> times, std::vector<double> values, const std::string& beyond) {
             scalar_function(py::make_tuple(std::move(times), std::move(values), beyond));
           });
  core.def("check_direction", [](const WeightedDoFs& entries) { direction(entries); });
  core.def("has_ascending_rows", [](const py::tuple& csc) {
    const auto starts = csc[0].cast<py::array_t<int>>();
    const auto rows = csc[1].cast<py::array_t<int>>();
    const int* const first = starts.data();
    const int* const row = rows.data();
    for (py::ssize_t j = 0; j + 1 < starts.size(); ++j)
      for (py::ssize_t k = first[j] + 1; k < first[j + 1] && k < rows.size(); ++k)
        if (row[k] <= row[k - 1]) return false;
    return true;
  });
  core.def("is_symmetric", [](const py::tuple& csc) { return matrix_from(csc).is_symmetric(); });

  core.def("diagnose", [](const Assembled& assembled, Index max_dense) {
    DiagnosisOptions options;
    options.max_dense = max_dense;
    return diagnosis_to(without_gil([&] { return diagnose(assembled, options); }));
  });
}

py::dict diagnosis_to(const Diagnosis& diagnosis) {
  const py::object part = py::module_::import("halfdof.errors").attr("SingularPart");
  py::list problems;
  for (const SingularPart& found : diagnosis.problems)
    problems.append(part(found.block, py::tuple(py::cast(found.dofs)), py::tuple(py::cast(found.names)),
                         found.cause, found.remedy));
  py::dict all;
  all["is_regular"] = diagnosis.is_regular;
  all["method"] = name_of(diagnosis.method);
  all["n_finite"] = diagnosis.n_finite;
  all["n_infinite"] = diagnosis.n_infinite;
  all["index"] = diagnosis.index;
  all["problems"] = py::tuple(problems);
  all["text"] = text_of([&](std::ostream& out) { out << diagnosis; });
  return all;
}

}  // namespace halfdof::python
