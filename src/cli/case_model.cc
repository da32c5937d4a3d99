#include "case_model.h"

#include "case_laws.h"
#include <memory>
#include <utility>

namespace halfdof::cli {

namespace {

/// One [[load]]: g(t) on one DoF, or g(t) times a vector.
struct Load {
  GlobalIndex dof;
  Vector vector;  ///< empty: on the DoF alone
  ScalarFunction factor;

  void add_to(Vector& f, double value) const {
    if (vector.size() > 0)
      f += value * vector;
    else
      f[static_cast<Eigen::Index>(dof)] += value;
  }
};

Load read_load(const CaseSection& section, GlobalIndex n_dofs) {
  if (section.has("dof") == section.has("vector"))
    section.fail(section.has("dof") ? "vector" : "dof",
                 section.has("dof") ? "stands beside dof. Give one of the two."
                                    : "is missing, and vector too. Give one of the two.");
  Load load{0, {}, section.function("expression")};
  if (section.has("dof"))
    load.dof = section.dof("dof", n_dofs);
  else
    load.vector = section.vector("vector", n_dofs);
  return load;
}

void add_loads(const std::vector<CaseSection>& sections, SystemDescription<Engine>& description) {
  if (sections.empty()) return;
  const GlobalIndex n_dofs = description.stiffness.rows().n_global();
  const auto loads = std::make_shared<std::vector<Load>>();
  for (const CaseSection& section : sections)
    loads->push_back(read_load(section, n_dofs));
  description.load = [loads, n_dofs](double time) {
    Vector f = Vector::Zero(static_cast<Eigen::Index>(n_dofs));
    for (const Load& load : *loads)
      load.add_to(f, load.factor(time));
    return f;
  };
  description.load_rate = [loads, n_dofs](double time) {
    Vector f = Vector::Zero(static_cast<Eigen::Index>(n_dofs));
    for (const Load& load : *loads)
      load.add_to(f, load.factor.derivative(time));
    return f;
  };
}

ModelOptions model_options(const CaseSection& system) {
  ModelOptions options;
  options.mass = system.path("mass");
  options.damping = system.path("damping");
  options.stiffness = system.path("stiffness");
  if (system.is_file("constrained")) options.constrained = system.path("constrained");
  options.null_tolerance = system.number("null_tolerance");
  options.solver = solver_from_name(system.text("solver"));
  return options;
}

Vector initial(const CaseSection& section, const char* key, GlobalIndex n_dofs) {
  return section.has(key) ? section.vector(key, n_dofs)
                          : Vector(Vector::Zero(static_cast<Eigen::Index>(n_dofs)));
}

}  // namespace

std::vector<InputFile> files_read(const CaseFile& given) {
  std::vector<InputFile> files = {{"the command line", given.file}};
  const auto add = [&files](const CaseSection& section, const std::string& name, const char* key) {
    if (section.is_file(key)) files.push_back({name + " " + key, section.path(key)});
  };
  for (const char* const key : {"mass", "damping", "stiffness", "constrained"})
    add(given.system, "[system]", key);
  for (const char* const key : {"displacement", "velocity"})
    add(given.initial, "[initial]", key);
  for (const CaseSection& load : given.loads)
    add(load, "[[load]]", "vector");
  return files;
}

AssembledSystem<Engine> read_system(const CaseFile& given) {
  SystemDescription<Engine> description = read_description(model_options(given.system));
  if (given.system.has("constrained") && !given.system.is_file("constrained"))
    for (const GlobalIndex dof : given.system.dofs("constrained", description.stiffness.rows().n_global()))
      description.constrained.push_back(static_cast<Index>(dof));
  add_loads(given.loads, description);
  return AssembledSystem<Engine>(std::move(description));
}

ReducedSystem<Engine> reduce_case(const CaseFile& given) {
  return reduce(read_system(given), reduction_options(model_options(given.system)));
}

Inclusions<Engine> read_inclusions(const CaseFile& given, const ReducedSystem<Engine>& reduced) {
  std::vector<Inclusion> inclusions;
  for (const CaseSection& section : given.inclusions) {
    inclusions.push_back(read_inclusion(section, reduced.assembled().n_dofs()));
    for (std::size_t i = 0; i + 1 < inclusions.size(); ++i)
      if (inclusions[i].name == inclusions.back().name)
        section.fail("name", "is \"" + inclusions.back().name +
                                 "\", as that of another inclusion. Give every one a name of its own.");
  }
  return Inclusions<Engine>(reduced, std::move(inclusions));
}

NonsmoothStart start_of(const CaseFile& given, const Inclusions<Engine>& inclusions,
                        const InclusionOutcome& outcome) {
  const GlobalIndex n_dofs = inclusions.reduced().assembled().n_dofs();
  NonsmoothStartOptions options;
  options.outside = given.initial.text("outside") == "project" ? OutsideSet::project : OutsideSet::refuse;
  return nonsmooth_start(inclusions, outcome, initial(given.initial, "displacement", n_dofs),
                         initial(given.initial, "velocity", n_dofs), given.initial.number("time"), options);
}

}  // namespace halfdof::cli
