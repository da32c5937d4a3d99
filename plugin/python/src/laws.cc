// SPDX-License-Identifier: LGPL-2.1-or-later
#include "laws.h"

#include <algorithm>
#include <array>
#include <limits>

namespace halfdof::python {

namespace {

constexpr std::array all_states{ContactState::stick, ContactState::slip_forward, ContactState::slip_back,
                                ContactState::slip,  ContactState::open,         ContactState::closed};

/// A law that is written in Python: an object of a class that derives from halfdof.Law. The values of its
/// properties that are constant are read once.
class PythonLaw final : public Law {
 public:
  explicit PythonLaw(const py::object& of_python)
      : law_(of_python),
        name_(of_python.attr("name").cast<std::string>()),
        support_(scalar_function(of_python.attr("support"))),
        lipschitz_(of_python.attr("one_sided_lipschitz_constant").cast<double>()),
        is_autonomous_(of_python.attr("is_autonomous").cast<bool>()),
        is_homogeneous_(of_python.attr("is_positively_homogeneous").cast<bool>()) {
    for (const py::handle level : of_python.attr("levels"))
      levels_.push_back(level.cast<std::string>() == "gap" ? LawLevel::gap : LawLevel::rate);
  }

  std::string name() const override { return name_; }
  Index dimension() const override { return static_cast<Index>(levels_.size()); }
  LawLevel level(Index column) const override { return levels_[static_cast<std::size_t>(column)]; }
  const ScalarFunction& support(Index column) const override {
    return column == 0 ? support_ : Law::support(column);
  }
  double one_sided_lipschitz_constant() const override { return lipschitz_; }
  bool is_autonomous() const override { return is_autonomous_; }
  bool is_positively_homogeneous() const override { return is_homogeneous_; }

  LawParameters parameters(double time, ContactState before) const override {
    const py::gil_scoped_acquire gil;
    const auto given = call("parameters", time, name_of(before)).cast<std::vector<double>>();
    LawParameters parameters{};
    if (given.size() > parameters.size())
      throw InvalidInput("The law \"" + name_ + "\" returns " + std::to_string(given.size()) +
                         " parameters. At most " + std::to_string(parameters.size()) + " are possible.");
    std::copy(given.begin(), given.end(), parameters.begin());
    return parameters;
  }

  void resolvent(const LawParameters& parameters, double rho, LocalConstView z, LocalView r) const override {
    const py::gil_scoped_acquire gil;
    r = reaction("resolvent", parameters, rho, Vector(z));
  }

  void project(const LawParameters& parameters, LocalConstView reaction_before, LocalView r) const override {
    const py::gil_scoped_acquire gil;
    r = reaction("project", parameters, Vector(reaction_before));
  }

  ContactState state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                     double tolerance) const override {
    const py::gil_scoped_acquire gil;
    return contact_state_from(call("state", parameters, Vector(w), Vector(r), tolerance).cast<std::string>());
  }

  LocalVector reaction_at(const LawParameters& parameters, LocalConstView w,
                          LocalConstView preferred) const override {
    const py::gil_scoped_acquire gil;
    if (!py::hasattr(law_.get(), "reaction_at")) return Law::reaction_at(parameters, w, preferred);
    return reaction("reaction_at", parameters, Vector(w), Vector(preferred));
  }

  std::optional<Interval> rest_interval(const LawParameters& parameters) const override {
    const py::gil_scoped_acquire gil;
    if (!py::hasattr(law_.get(), "rest_interval")) return std::nullopt;
    const auto [lower, upper] = call("rest_interval", parameters).cast<std::pair<double, double>>();
    return Interval{lower, upper};
  }

 private:
  template <class... Arguments>
  py::object call(const char* method, const Arguments&... arguments) const {
    return law_.get().attr(method)(arguments...);
  }

  /// Calls a method that returns a reaction, one number for each column.
  template <class... Arguments>
  Vector reaction(const char* method, const Arguments&... arguments) const {
    const auto result =
        py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(call(method, arguments...));
    if (!result) {
      PyErr_Clear();
      throw InvalidInput("The method " + std::string(method) + "() of the law \"" + name_ +
                         "\" does not return numbers.");
    }
    const Vector r = Eigen::Map<const Vector>(result.data(), result.size());
    if (r.size() != dimension())
      throw InvalidInput("The method " + std::string(method) + "() of the law \"" + name_ + "\" returns " +
                         std::to_string(r.size()) + " numbers instead of " + std::to_string(dimension()) +
                         ".");
    return r;
  }

  HeldObject law_;
  std::string name_;
  ScalarFunction support_;
  double lipschitz_;
  bool is_autonomous_, is_homogeneous_;
  std::vector<LawLevel> levels_;
};

using SharedLaw = std::shared_ptr<const Law>;

/// The curve of a tuple (kind, force at rest, kinetic force, v_0), or of a tuple (force, slope, steepest
/// decrease) with two Python functions of the sliding speed.
FrictionCurve curve_from(const py::tuple& given) {
  if (given.size() == 3) {
    const auto function = [](py::object of_python) {
      return [of_python = HeldObject(std::move(of_python))](double speed) {
        const py::gil_scoped_acquire gil;
        return of_python.get()(speed).cast<double>();
      };
    };
    return {function(given[0]), function(given[1]), given[2].cast<double>()};
  }
  const auto kind = given[0].cast<std::string>();
  const auto at_rest = given[1].cast<double>(), kinetic = given[2].cast<double>(),
             v_0 = given[3].cast<double>();
  if (kind == "hyperbolic") return FrictionCurve::hyperbolic(at_rest, kinetic, v_0);
  if (kind == "gaussian") return FrictionCurve::gaussian(at_rest, kinetic, v_0);
  return FrictionCurve::exponential(at_rest, kinetic, v_0);
}

}  // namespace

ContactState contact_state_from(const std::string& name) {
  const auto found = std::find_if(all_states.begin(), all_states.end(),
                                  [&](ContactState state) { return name == name_of(state); });
  if (found == all_states.end())
    throw InvalidInput("There is no contact state \"" + name +
                       "\". The states are stick, slip forward, slip back, slip, open and closed.");
  return *found;
}

void bind_laws(py::module_& core) {
  py::class_<Law, std::shared_ptr<Law>>(core, "Law")
      .def_property_readonly("name", &Law::name)
      .def_property_readonly("dimension", &Law::dimension);

  core.def("dry_friction", [](const py::object& lower, const py::object& upper, const py::object& support) {
    return std::shared_ptr<Law>(std::make_shared<DryFriction>(scalar_function(lower), scalar_function(upper),
                                                              scalar_function(support)));
  });
  core.def("static_kinetic",
           [](const py::object& at_rest, const py::object& kinetic, const py::object& support) {
             return std::shared_ptr<Law>(std::make_shared<StaticKineticFriction>(
                 scalar_function(at_rest), scalar_function(kinetic), scalar_function(support)));
           });
  core.def("weakening", [](const py::tuple& curve, const py::object& support) {
    return std::shared_ptr<Law>(
        std::make_shared<WeakeningFriction>(curve_from(curve), scalar_function(support)));
  });
  core.def("contact", [](const py::object& obstacle, std::optional<double> restitution) {
    return std::shared_ptr<Law>(std::make_shared<UnilateralContact>(scalar_function(obstacle), restitution));
  });
  core.def("coulomb", [](const py::object& friction, const py::object& obstacle,
                         const std::vector<py::object>& tangential, std::optional<double> restitution) {
    std::vector<ScalarFunction> supports;
    for (const py::object& function : tangential)
      supports.push_back(scalar_function(function));
    return std::shared_ptr<Law>(std::make_shared<CoulombFriction>(
        scalar_function(friction), scalar_function(obstacle), std::move(supports), restitution));
  });
  core.def("python_law", [](const py::object& of_python) {
    return std::shared_ptr<Law>(std::make_shared<PythonLaw>(of_python));
  });
}

}  // namespace halfdof::python
