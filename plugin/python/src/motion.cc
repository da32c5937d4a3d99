// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion.h"

#include "laws.h"
#include "systems.h"
#include <optional>

namespace halfdof::python {

namespace {

ImpactLaw impact_law_from(const std::string& name) {
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson, ImpactLaw::sequential})
    if (name == name_of(law)) return law;
  throw InvalidInput("There is no impact law \"" + name + "\". The laws are newton, poisson and sequential.");
}

/// The options of an integrator, by name; the package has filled in all of its method.
struct MethodOptions {
  py::dict given;
  template <class T>
  T get(const char* name) const {
    return given[name].cast<T>();
  }
};

using Make = ControlledStep<Engine>::Make;

Make stage_method(const std::string& name, const MethodOptions& options) {
  if (name == "generalized-alpha") {
    NonsmoothAlphaOptions of_method;
    of_method.spectral_radius = options.get<double>("spectral_radius");
    return [of_method](const Inclusions<Engine>& of, const InclusionOutcome& its, double step) {
      return std::make_unique<NonsmoothAlpha<Engine>>(of, its, step, of_method);
    };
  }
  MoreauJeanOptions of_method;
  of_method.theta = options.get<double>("theta");
  of_method.impact_law = impact_law_from(options.get<std::string>("impact_law"));
  of_method.corrects_positions = options.get<bool>("position_correction");
  return [of_method](const Inclusions<Engine>& of, const InclusionOutcome& its, double step) {
    return std::make_unique<MoreauJean<Engine>>(of, its, step, of_method);
  };
}

/// A function that makes a method without the GIL.
using MakeMethod = std::function<Method(const Inclusions<Engine>&, const InclusionOutcome&)>;

MakeMethod event_driven(const MethodOptions& options, const std::vector<ScalarFunction>& functions) {
  EventDrivenOptions of_method;
  of_method.relative_tolerance = options.get<double>("relative_tolerance");
  of_method.absolute_tolerance = options.get<double>("absolute_tolerance");
  of_method.largest_step = options.get<double>("largest_step");
  of_method.shortest_flight = options.get<double>("shortest_flight");
  of_method.breakpoints = options.get<std::vector<double>>("breakpoints");
  of_method.run_length = options.get<double>("run_length");
  of_method.max_states = options.get<Index>("max_states");
  of_method.impact_law = impact_law_from(options.get<std::string>("impact_law"));
  of_method.functions = functions;
  return [of_method](const Inclusions<Engine>& of, const InclusionOutcome& its) {
    return std::make_unique<EventDriven<Engine>>(of, its, of_method);
  };
}

/// The equation with memory, whose loads are functions of single DoFs: pairs (DoF, function) in `loads`.
MakeMethod with_memory(const MethodOptions& options) {
  std::vector<Index> dofs;
  std::vector<ScalarFunction> functions;
  for (const py::handle entry : options.get<py::list>("loads")) {
    const auto pair = entry.cast<py::tuple>();
    dofs.push_back(pair[0].cast<Index>());
    functions.push_back(scalar_function(pair[1]));
  }
  StructureModesOptions of_modes;
  of_modes.n_eigenvalues = options.get<Index>("n_eigenvalues");
  const auto step = options.get<double>("step");
  return [=](const Inclusions<Engine>& of, const InclusionOutcome& its) {
    MultiVector places = MultiVector::Zero(static_cast<Index>(of.reduced().assembled().n_dofs()),
                                           static_cast<Index>(dofs.size()));
    for (std::size_t k = 0; k < dofs.size(); ++k)
      places(dofs[k], static_cast<Index>(k)) = 1;
    return std::make_unique<MemoryMethod<Engine>>(of, its, structure_modes(of, places, {}, of_modes), step,
                                                  functions);
  };
}

MakeMethod with_controlled_steps(const Make& make, const MethodOptions& options,
                                 const std::vector<ScalarFunction>& functions) {
  ControlledStepOptions of_control;
  of_control.relative_tolerance = options.get<double>("relative_tolerance");
  of_control.run_length = options.get<double>("run_length");
  of_control.functions = functions;
  return [=](const Inclusions<Engine>& of, const InclusionOutcome& its) {
    return std::make_unique<ControlledStep<Engine>>(of, its, make, of_control);
  };
}

MakeMethod method_maker(const std::string& name, const MethodOptions& options,
                        const std::vector<ScalarFunction>& functions) {
  if (name == "memory") return with_memory(options);
  if (name == "event-driven") return event_driven(options, functions);
  if (options.given["step"].is_none())
    return with_controlled_steps(stage_method(name, options), options, functions);
  const auto step = options.get<double>("step");
  if (name == "implicit-euler")
    return [step](const auto& of, const auto& its) {
      return std::make_unique<NonsmoothEuler<Engine>>(of, its, step);
    };
  if (name == "set-valued-euler")
    return [step](const auto& of, const auto& its) {
      return std::make_unique<SetValuedEuler<Engine>>(of, its, step);
    };
  if (name == "set-valued-runge-kutta")
    return [step](const auto& of, const auto& its) {
      return std::make_unique<SetValuedRungeKutta<Engine>>(of, its, step);
    };
  if (name == "paoli-schatzman")
    return [step, lambda = options.get<double>("penalty")](const auto& of, const auto& its) {
      return std::make_unique<YosidaPenalty<Engine>>(of, its, step, lambda);
    };
  return [make = stage_method(name, options), step](const auto& of, const auto& its) {
    return make(of, its, step);
  };
}

std::vector<Inclusion> inclusions_from(const py::list& given) {
  std::vector<Inclusion> all;
  for (const py::handle entry : given) {
    const auto parts = entry.cast<py::tuple>();
    Inclusion inclusion{parts[0].cast<std::string>(), parts[1].cast<std::shared_ptr<Law>>(), {}};
    for (const auto& entries : parts[2].cast<std::vector<WeightedDoFs>>())
      inclusion.directions.push_back(direction(entries));
    all.push_back(std::move(inclusion));
  }
  return all;
}

/// Returns what is dubious about the step of an explicit method.
std::vector<std::string> warnings_of(const Motion& motion, const std::string& name,
                                     const py::object& given_step) {
  std::vector<std::string> all;
  if (name != "set-valued-euler" && name != "set-valued-runge-kutta" && name != "paoli-schatzman") return all;
  const auto step = given_step.cast<double>();
  const double limit =
      motion.lock().compute([&] { return largest_stable_step(motion.inclusions().reduced()); });
  if (step > limit)
    all.push_back(
        "A step of " + text_of([&](std::ostream& out) { out << step; }) + " s is above " +
        text_of([&](std::ostream& out) { out << limit; }) +
        " s, up to which the classical Runge-Kutta method is stable for this model: rounding errors will "
        "grow. Take a shorter step, or an implicit method.");
  if (const auto* const penalty = dynamic_cast<const YosidaPenalty<Engine>*>(&motion.method()))
    all.insert(all.end(), penalty->warnings().begin(), penalty->warnings().end());
  return all;
}

py::dict verified(const Motion& motion, const Recorder& recorder, double tolerance, double step_tolerance) {
  const VerificationReport report = recorder.verification->report();
  py::dict violations;
  bool passed = report.step_error.value <= step_tolerance;
  for (std::size_t i = 0; i < n_checks; ++i)
    violations[name_of(static_cast<Check>(i))] = report.violations[i].value;
  for (const Check check : motion.method().kept_exactly())
    passed = passed && report[check].value <= tolerance;
  py::dict all;
  all["violations"] = violations;
  all["step_error"] = report.step_error.value;
  all["passed"] = passed;
  all["text"] = text_of([&](std::ostream& out) { out << report; });
  return all;
}

std::vector<std::string> names_of_acting(const Motion& motion) {
  std::vector<std::string> names;
  for (const Inclusion& inclusion : motion.inclusions().acting())
    names.push_back(inclusion.name);
  return names;
}

std::vector<std::string> names_of_directions(const Motion& motion) {
  std::vector<std::string> names;
  for (Index j = 0; j < motion.inclusions().n_directions(); ++j)
    names.push_back(motion.inclusions().direction_name(j));
  return names;
}

/// Returns pairs (name, number of directions) of the inclusions as given.
std::vector<std::pair<std::string, std::size_t>> given_inclusions(const Motion& motion) {
  std::vector<std::pair<std::string, std::size_t>> all;
  for (const Inclusion& inclusion : motion.inclusions().given())
    all.emplace_back(inclusion.name, inclusion.directions.size());
  return all;
}

py::tuple packed(const NonsmoothState& state) {
  std::vector<int> contacts;
  for (const ContactState contact : state.contacts)
    contacts.push_back(static_cast<int>(contact));
  return py::make_tuple(state.time, state.y, state.r, state.w, state.g, state.impulse, contacts,
                        state.dissipated, state.dissipated_by, state.grid.origin, state.grid.n_steps,
                        state.carried, state.method);
}

NonsmoothState unpacked(const py::tuple& packed_state) {
  NonsmoothState state;
  state.time = packed_state[0].cast<double>();
  state.y = packed_state[1].cast<Vector>();
  state.r = packed_state[2].cast<Vector>();
  state.w = packed_state[3].cast<Vector>();
  state.g = packed_state[4].cast<Vector>();
  state.impulse = packed_state[5].cast<Vector>();
  for (const int contact : packed_state[6].cast<std::vector<int>>())
    state.contacts.push_back(static_cast<ContactState>(contact));
  state.dissipated = packed_state[7].cast<double>();
  state.dissipated_by = packed_state[8].cast<Vector>();
  state.grid.origin = packed_state[9].cast<double>();
  state.grid.n_steps = packed_state[10].cast<std::int64_t>();
  state.carried = packed_state[11].cast<Vector>();
  state.method = packed_state[12].cast<std::string>();
  return state;
}

void bind_observed_point(py::module_& core) {
  const auto motion = [](const ObservedPoint& point, Vector AssembledMotion::*part) {
    return point.now().lift().*part;
  };
  py::class_<ObservedPoint, std::shared_ptr<ObservedPoint>>(core, "ObservedPoint")
      .def_property_readonly("t", [](const ObservedPoint& point) { return point.now().time(); })
      .def_property_readonly(
          "q", [motion](const ObservedPoint& point) { return motion(point, &AssembledMotion::displacement); })
      .def_property_readonly(
          "v", [motion](const ObservedPoint& point) { return motion(point, &AssembledMotion::rate); })
      .def_property_readonly(
          "a", [motion](const ObservedPoint& point) { return motion(point, &AssembledMotion::acceleration); })
      .def_property_readonly("y", [](const ObservedPoint& point) { return point.now().state().y; })
      .def_property_readonly("reactions",
                             [](const ObservedPoint& point) {
                               std::vector<double> all;
                               for (const Vector& r : point.now().reactions())
                                 all.insert(all.end(), r.data(), r.data() + r.size());
                               return py::array(py::cast(all));
                             })
      .def_property_readonly("contacts",
                             [](const ObservedPoint& point) {
                               std::vector<std::string> names;
                               for (const ContactState state : point.now().contacts())
                                 names.emplace_back(name_of(state));
                               return names;
                             })
      .def_property_readonly("dissipated",
                             [](const ObservedPoint& point) { return point.now().dissipated(); });
}

}  // namespace

void bind_motion(py::module_& core) {
  bind_observed_point(core);

  py::class_<NonsmoothState>(core, "MotionState")
      .def_readonly("t", &NonsmoothState::time)
      .def_property_readonly("y", [](const NonsmoothState& state) { return state.y; })
      .def_property_readonly("r", [](const NonsmoothState& state) { return state.r; })
      .def_readonly("method", &NonsmoothState::method)
      .def("copy", [](const NonsmoothState& state) { return NonsmoothState(state); })
      .def(py::pickle(&packed, &unpacked));

  py::class_<Recorder>(core, "Recorder")
      .def(py::init([](const std::vector<Index>& dofs, bool accelerations, const std::vector<double>& times,
                       Index every, const py::object& observer) {
        return std::make_unique<Recorder>(RecorderOptions{dofs, accelerations, times, every}, observer);
      }))
      .def("recorded", &Recorder::recorded);

  py::class_<Motion>(core, "Motion")
      .def(py::init([](const Reduced& reduced, const py::list& given, double law_tolerance) {
        const std::vector<Inclusion> of_python = inclusions_from(given);
        return reduced.compute([&] {
          const Inclusions<Engine> inclusions(reduced, of_python);
          InclusionOutcome outcome = classify_inclusions(inclusions);
          outcome.options.law_tolerance = law_tolerance;
          return std::make_unique<Motion>(inclusions, std::move(outcome), reduced.lock());
        });
      }))
      .def("choose",
           [](Motion& motion, const std::string& name, const py::dict& options, const py::list& functions) {
             std::vector<ScalarFunction> of_time;
             for (const py::handle function : functions)
               of_time.push_back(scalar_function(py::reinterpret_borrow<py::object>(function)));
             const MakeMethod make = method_maker(name, {options}, of_time);
             motion.set_method(
                 motion.lock().compute([&] { return make(motion.inclusions(), motion.outcome()); }));
             return warnings_of(motion, name, options["step"]);
           })
      .def("start",
           [](const Motion& motion, const Vector& displacement, const Vector& rate, double time, bool strict,
              bool project) {
             NonsmoothStartOptions options;
             if (strict) options.consistency.mode = ConsistencyOptions::Mode::strict;
             if (project) options.inadmissible = InadmissibleReactions::project;
             return start_to(motion.lock().compute([&] {
               return nonsmooth_start(motion.inclusions(), motion.outcome(), displacement, rate, time,
                                      options);
             }));
           })
      .def("verify", &Motion::verify)
      .def("run", &Motion::run)
      .def("verified", &verified)
      .def_property_readonly("names", &names_of_acting)
      .def_property_readonly("direction_names", &names_of_directions)
      .def_property_readonly("given", &given_inclusions)
      .def_property_readonly(
          "outcome",
          [](const Motion& motion) { return text_of([&](std::ostream& out) { out << motion.outcome(); }); })
      .def_property_readonly("method", [](const Motion& motion) { return motion.method().name(); })
      .def_property_readonly("largest_residual",
                             [](const Motion& motion) { return motion.method().largest_residual(); });
}

py::tuple start_to(const NonsmoothStart& start) {
  std::vector<std::string> projected;
  for (const ProjectedPlay& play : start.projected)
    projected.push_back(play.name);
  return py::make_tuple(static_cast<const NonsmoothState&>(start), start.report.n_changed,
                        text_of([&](std::ostream& out) { out << start.report; }), projected);
}

}  // namespace halfdof::python
