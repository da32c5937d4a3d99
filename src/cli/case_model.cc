// SPDX-License-Identifier: LGPL-2.1-or-later
#include "case_model.h"

#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/assembled/files/file_format.h>
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/base/number_text.h>

#include "case_laws.h"
#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>
#include <utility>

namespace halfdof::cli {

using namespace internal;

namespace {

/// One [[load]]: g(t) on one DoF, or g(t) times a vector.
struct Load {
  GlobalIndex dof;
  Vector vector;  ///< empty: the load acts on the DoF only
  ScalarFunction factor;

  void add_to(Vector& f, double value) const {
    if (vector.size() > 0)
      f += value * vector;
    else
      f[static_cast<Eigen::Index>(dof)] += value;
  }
};

ModelDoFs dofs_of_description(const SystemDescription<Engine>& description) {
  return {description.stiffness.rows().n_global(), description.labels};
}

/// @param time start of the run, at which the load must be finite
Load read_load(const CaseSection& section, const ModelDoFs& dofs, double time) {
  if (section.has("dof") == section.has("vector"))
    section.fail(section.has("dof") ? "vector" : "dof",
                 section.has("dof") ? "is given in addition to dof. Give only one of the two."
                                    : "is missing, and vector too. Give one of the two.");
  Load load{0, {}, section.function("expression")};
  if (section.has("dof"))
    load.dof = section.dof("dof", dofs);
  else
    load.vector = section.vector("vector", dofs.size());
  load.factor(time);
  return load;
}

/// Adds the loads of the case.
SystemDescription<Engine> with_loads(const CaseModel& given, SystemDescription<Engine> description) {
  if (given.loads.empty()) return description;
  const GlobalIndex n_dofs = description.stiffness.rows().n_global();
  const ModelDoFs dofs = dofs_of_description(description);
  const auto loads = std::make_shared<std::vector<Load>>();
  for (const CaseSection& section : given.loads)
    loads->push_back(read_load(section, dofs, given.begin));
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
  return description;
}

NonlinearElement read_element(const CaseSection& section, const ModelDoFs& dofs) {
  const double cubic = section.number("cubic"), quadratic = section.number("quadratic");
  NonlinearElement element{
      section.dof("dof", dofs), section.has("other") ? section.dof("other", dofs) : ground,
      [=](double x, double rate) { return cubic * x * x * x + quadratic * rate * std::abs(rate); },
      [=](double x, double /*rate*/) { return 3 * cubic * x * x; }};
  if (element.a == element.b)
    section.fail("other", "is DoF " + std::to_string(element.b) + ", as dof. Give another one, or none.");
  if (quadratic > 0)
    element.damping = [=](double /*x*/, double rate) { return 2 * quadratic * std::abs(rate); };
  return element;
}

SystemDescription<Engine> with_elements(const CaseModel& given, SystemDescription<Engine> description) {
  if (given.elements.empty()) return description;
  const ModelDoFs dofs = dofs_of_description(description);
  LumpedElements elements;
  for (const CaseSection& section : given.elements)
    elements.nonlinear.push_back(read_element(section, dofs));
  return with_lumped_elements(description, elements);
}

/// Reads initial values. Multipliers and dummy derivatives, which are the last DoFs, have none.
Vector initial(const CaseSection& section, const char* key, const AssembledSystem<Engine>& system) {
  const GlobalIndex n_dofs = system.n_dofs() - system.multipliers().n_global();
  Vector all = Vector::Zero(static_cast<Eigen::Index>(system.n_dofs()));
  if (section.has(key)) all.head(static_cast<Eigen::Index>(n_dofs)) = section.vector(key, n_dofs);
  return all;
}

std::vector<Index> dofs_of_inclusions(const CaseModel& given, const ModelDoFs& of_model) {
  std::vector<Index> dofs;
  for (const CaseSection& section : given.inclusions)
    for (const Direction& direction : read_inclusion(section, of_model, given.begin).directions)
      for (const WeightedDoF& entry : direction.entries())
        dofs.push_back(static_cast<Index>(entry.dof));
  return dofs;
}

/// One more term of a matrix; the imaginary part is empty if the term is real.
struct TermRead {
  EigenMatrix real;
  Eigen::SparseMatrix<double> imaginary;
};

/// Reads a term in the order of DoFs of the model.
TermRead read_term(const std::filesystem::path& file, const ModelOptions& options, const DoFLabels& labels) {
  if (labels.node.empty()) {
    FileMatrix matrix = read_only_matrix(file);
    return {EigenMatrix(std::move(matrix.real)), std::move(matrix.imaginary)};
  }
  // Files with labels may order or leave out DoFs in their own way: they are united with those of K.
  ModelMatrices read = read_matrices({{}, file, options.stiffness, options.dofs});
  if (read.labels.node != labels.node || read.labels.component != labels.component)
    throw InvalidInput("The matrix " + file.string() +
                       " labels other DoFs than the first terms of the mass, the damping and the stiffness. "
                       "Write all matrices for the same nodes and components.");
  return {EigenMatrix(std::move(*read.damping)),
          read.imaginary_damping ? std::move(*read.imaginary_damping) : Eigen::SparseMatrix<double>()};
}

/// Returns the description in the files with the constrained DoFs of the case.
SystemDescription<Engine> with_constrained(const CaseModel& given, SystemDescription<Engine> description) {
  if (given.system.has("constrained") && !given.system.is_file("constrained"))
    for (const GlobalIndex dof : given.system.dofs("constrained", dofs_of_description(description)))
      description.constrained.push_back(static_cast<Index>(dof));
  return description;
}

}  // namespace

ModelDoFs dofs_of(const AssembledSystem<Engine>& assembled) {
  return {assembled.n_dofs(), assembled.labels()};
}

std::vector<InputFile> files_read(const CaseModel& given) {
  std::vector<InputFile> files = {{"the command line", given.file}};
  const auto add = [&files](const CaseSection& section, const std::string& name, const char* key) {
    std::string matrix;
    if (section.is_file(key))
      files.push_back({name + " " + key, without_matrix_name(section.input(key), matrix)});
  };
  for (const char* const key : {"mass", "damping", "stiffness", "dofs", "constrained", "constraint_position",
                                "constraint_rate", "constraint_value"})
    add(given.system, "[system]", key);
  std::string matrix;
  for (const auto* const terms :
       {&given.terms.mass, &given.terms.damping, &given.terms.stiffness, &given.terms.structural_damping})
    for (const CaseTerm& term : *terms)
      if (!term.file.empty()) files.push_back({"[system] file", without_matrix_name(term.file, matrix)});
  for (const std::filesystem::path& file : given.system.inputs("model"))
    files.push_back({"[system] model", without_matrix_name(file, matrix)});
  for (const PronyPart& part : given.options.prony)
    for (const std::filesystem::path& file : {part.series, part.stiffness})
      if (!file.empty()) files.push_back({"[system] prony", without_matrix_name(file, matrix)});
  for (const char* const key : {"displacement", "velocity"})
    add(given.initial, "[initial]", key);
  const auto add_tables = [&files](const CaseSection& section, const std::string& name) {
    for (const std::filesystem::path& table : section.function_files())
      files.push_back({name + " file", table});
  };
  for (const CaseSection& load : given.loads) {
    add(load, "[[load]]", "vector");
    add_tables(load, "[[load]]");
  }
  for (const CaseSection& inclusion : given.inclusions)
    add_tables(inclusion, "[[inclusion]]");
  return files;
}

CaseLoads read_loads(const CaseModel& given, const AssembledSystem<Engine>& assembled) {
  const ModelDoFs dofs = dofs_of(assembled);
  CaseLoads loads{MultiVector::Zero(static_cast<Eigen::Index>(dofs.size()),
                                    static_cast<Eigen::Index>(given.loads.size())),
                  {}};
  for (std::size_t k = 0; k < given.loads.size(); ++k) {
    const Load load = read_load(given.loads[k], dofs, given.begin);
    Vector place = Vector::Zero(loads.places.rows());
    load.add_to(place, 1);
    loads.places.col(static_cast<Eigen::Index>(k)) = place;
    loads.functions.push_back(load.factor);
  }
  return loads;
}

CaseSystem::CaseSystem(const CaseModel& given)
    : given_(given), files_(read_files(given.options)), matrices_(read_terms()) {
  if (given.system.has("constraint_value"))
    constraint_value_ = read_vector(given.system.input("constraint_value"));
  for (const char* const key : {"displacement", "velocity"})
    if (!given.options.prony.empty() && given.initial.has(key))
      given.initial.fail(key,
                         "is given beside prony in [system], whose internal DoFs have initial values, too. "
                         "Start from rest, and move the model by loads.");
}

/// Reads the terms of sums and the losses, and leaves nothing but imaginary parts that are no sums in files_.
ParametricSystem<Engine> CaseSystem::read_terms() {
  const CaseTerms& of_case = given_.terms;
  const bool is_complex = files_.imaginary_stiffness.has_value();
  SystemDescription<Engine> description = with_constrained(given_, std::exchange(files_.description, {}));
  for (const CaseTerm& term : of_case.structural_damping)
    losses_.push_back({term, given_.system.with_line("structural_damping", [&] {
                         return term.file.empty() ? Eigen::SparseMatrix<double>()
                                                  : read_losses_in_order_of(
                                                        description.labels,
                                                        description.stiffness.entries().rows(), term.file);
                       })});
  MatrixTerms<Engine> terms;
  const auto add = [&](const std::vector<CaseTerm>& some, const EigenMatrix& first,
                       std::optional<Eigen::SparseMatrix<double>>* imaginary_of_first,
                       std::vector<MatrixTerm<Engine>>& matrix, std::vector<Loss>& losses) {
    for (const CaseTerm& term : some) {
      TermRead read;
      if (!matrix.empty())
        read = read_term(term.file, given_.options, description.labels);
      else if (read.real = first; imaginary_of_first && *imaginary_of_first)
        read.imaginary = *std::exchange(*imaginary_of_first, {});
      if (!imaginary_of_first) check_is_real(read.imaginary, term.file);
      if (read.imaginary.size() > 0) losses.push_back({term, std::move(read.imaginary)});
      matrix.push_back({std::move(read.real), term.factor});
    }
  };
  std::vector<Loss> none;
  if (!of_case.mass.empty())
    add(of_case.mass, *std::exchange(description.mass, {}), nullptr, terms.mass, none);
  if (!of_case.damping.empty())
    add(of_case.damping, *std::exchange(description.damping, {}), &files_.imaginary_damping, terms.damping,
        damping_losses_);
  if (!of_case.stiffness.empty())
    add(of_case.stiffness, description.stiffness, &files_.imaginary_stiffness, terms.stiffness, losses_);
  // read_files() has warned already if the matrices are complex.
  if (check_counted_once(structural_damping_at(given_.parameters), false, given_.options.prony) &&
      !is_complex)
    warn_of_added_losses();
  // Harmonic motions with structural damping need no functions of time, so that loads are left out of them.
  if (!has_structural_damping()) description = with_loads(given_, std::move(description));
  if (!of_case.stiffness.empty()) description.stiffness = {};
  return given_.system.with_line(of_case.damping.empty() ? "stiffness" : "damping", [&] {
    return ParametricSystem<Engine>(std::move(description), std::move(terms), given_.parameters);
  });
}

bool CaseSystem::depends_on(const std::string& parameter) const {
  // The factors of damping_losses_ are those of terms of the damping.
  return matrices_.depends_on(parameter) ||
         std::any_of(losses_.begin(), losses_.end(), [&](const Loss& loss) {
           const std::vector<std::string>& words = loss.term.factor.parameters();
           return std::find(words.begin(), words.end(), parameter) != words.end();
         });
}

std::vector<StructuralDampingTerm> CaseSystem::structural_damping_at(const Parameters& values) const {
  std::vector<StructuralDampingTerm> all;
  for (const Loss& loss : losses_) {
    all.push_back({loss.term.factor(values), loss.term.file});
    if (loss.term.file.empty() && all.back().factor < 0)
      given_.system.fail("structural_damping", "has the loss factor " + number_text(all.back().factor) +
                                                   " of the whole stiffness, which must not be negative.");
  }
  return all;
}

Model CaseSystem::at(const Parameters& changed) const {
  FilesRead files = files_;
  SystemDescription<Engine>& description = files.description;
  description = matrices_.describe(changed);
  Parameters values = changed;
  values.insert(given_.parameters.begin(), given_.parameters.end());
  if (!damping_losses_.empty()) {
    Eigen::SparseMatrix<double> sum(damping_losses_.front().matrix.rows(),
                                    damping_losses_.front().matrix.cols());
    for (const Loss& loss : damping_losses_)
      sum += loss.term.factor(values) * loss.matrix;
    files.imaginary_damping = std::move(sum);
  }
  if (!losses_.empty()) {
    const std::vector<StructuralDampingTerm> terms = structural_damping_at(values);
    const Eigen::SparseMatrix<double> K = description.stiffness.entries();
    Eigen::SparseMatrix<double> sum(K.rows(), K.cols());
    for (std::size_t k = 0; k < terms.size(); ++k)
      sum += terms[k].factor * (terms[k].file.empty() ? K : losses_[k].matrix);
    files.imaginary_stiffness = files_.imaginary_stiffness ? *files_.imaginary_stiffness + sum : sum;
  }
  // The tangents of elements are zero at rest, about which harmonic motions are computed.
  if (!files.has_structural_damping()) description = with_elements(given_, std::move(description));
  const std::vector<Index> keep = dofs_of_inclusions(given_, dofs_of_description(description));
  return model_of(std::move(files), given_.options, constraint_value_, keep);
}

AssembledSystem<Engine> read_system(const CaseModel& given) {
  Model model = CaseSystem(given).at();
  if (model.structural) throw NotAvailable(no_motion_of_a_case);
  return std::move(model.assembled);
}

ReductionOptions reduction_options(const CaseModel& given) {
  return reduction_options(given.options);
}

ReducedSystem<Engine> reduce_case(const CaseModel& given) {
  return reduce(read_system(given), reduction_options(given));
}

Inclusions<Engine> read_inclusions(const CaseModel& given, const ReducedSystem<Engine>& reduced) {
  std::vector<Inclusion> inclusions;
  const ModelDoFs dofs = dofs_of(reduced.assembled());
  for (const CaseSection& section : given.inclusions) {
    inclusions.push_back(read_inclusion(section, dofs, given.begin));
    for (std::size_t i = 0; i + 1 < inclusions.size(); ++i)
      if (inclusions[i].name == inclusions.back().name)
        section.fail("name", "is \"" + inclusions.back().name +
                                 "\", as that of another inclusion. Give every one a name of its own.");
  }
  return Inclusions<Engine>(reduced, std::move(inclusions));
}

InclusionOutcome outcome_of(const CaseModel& given, const Inclusions<Engine>& inclusions) {
  DelassusOptions options;
  options.max_dense = static_cast<Index>(given.system.whole_number("max_dense"));
  try {
    return classify_inclusions(inclusions, options);
  } catch (const InvalidInput&) {
    // A law that the model does not admit is refused also without the other inclusions.
    for (std::size_t i = 0; i < given.inclusions.size(); ++i)
      given.inclusions[i].with_line("law", [&] {
        return classify_inclusions(Inclusions<Engine>(inclusions.reduced(), {inclusions.given()[i]}),
                                   options);
      });
    throw;
  }
}

NonsmoothStart start_of(const CaseModel& given, const Inclusions<Engine>& inclusions,
                        const InclusionOutcome& outcome) {
  const AssembledSystem<Engine>& system = inclusions.reduced().assembled();
  NonsmoothStartOptions options;
  options.inadmissible = given.initial.text("inadmissible_friction") == "project"
                             ? InadmissibleReactions::project
                             : InadmissibleReactions::refuse;
  const Vector displacement = initial(given.initial, "displacement", system),
               velocity = initial(given.initial, "velocity", system);
  return given.initial.with_line("displacement", [&] {
    try {
      return nonsmooth_start(inclusions, outcome, displacement, velocity, given.begin, options);
    } catch (const InvalidInput& error) {
      // The error concerns parameters of a law, not the initial values.
      for (const CaseSection& section : given.inclusions)
        if (std::string(error.what()).rfind("Inclusion \"" + section.text("name") + "\":", 0) == 0)
          section.with_line("law", [] { throw; });
      throw;
    }
  });
}

void print(std::ostream& out, const NonsmoothStart& start) {
  if (start.report.n_changed > 0) out << "The initial values were made consistent.\n" << start.report << '\n';
  for (const ProjectedPlay& play : start.projected)
    out << "Inclusion \"" << play.name
        << "\" cannot hold the given displacements: it slipped immediately by [" << play.slip.transpose()
        << "] and has the reactions [" << play.taken.transpose() << "].\n";
}

}  // namespace halfdof::cli
