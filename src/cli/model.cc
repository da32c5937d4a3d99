#include "model.h"

#include <halfdof/assembled/dof_list.h>
#include <halfdof/assembled/dummy_derivatives.h>
#include <halfdof/assembled/matrix_market.h>
#include <halfdof/base/printable.h>
#include <halfdof/linear_algebra/blas.h>

#include "checks.h"
#include <iomanip>
#include <iostream>
#include <sstream>
#include <utility>

namespace halfdof::cli {

namespace {

constexpr const char* files = "Assembled system";
constexpr const char* reduction = "Reduction";

std::string description(const NearlyNullColumn& column) {
  std::ostringstream text;
  text << "The column of " << column.description << " in " << column.matrix << " is nearly null ("
       << std::setprecision(3) << column.relative_norm
       << " of the largest column) and was kept. A null tolerance of " << column.relative_norm * 1.01
       << " would drop it: --null-tolerance, or null_tolerance in [system] of a case.";
  return text.str();
}

/// Warns where a file that says "general" seems to hold one triangle of a symmetric stiffness matrix.
void warn_of_one_triangle(const std::filesystem::path& file, const Eigen::SparseMatrix<double>& matrix) {
  bool has_lower = false, has_upper = false;
  for (Eigen::Index column = 0; column < matrix.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, column); entry; ++entry) {
      has_lower = has_lower || (entry.row() > column && entry.value() != 0);
      has_upper = has_upper || (entry.row() < column && entry.value() != 0);
    }
  if (has_lower == has_upper) return;
  std::cerr << "halfdof: warning: " << printable(file.string()) << " has entries "
            << (has_lower ? "below" : "above") << " its diagonal and none " << (has_lower ? "above" : "below")
            << " it. If the file holds one triangle of a symmetric matrix, its first line has to say "
               "\"symmetric\" instead of \"general\".\n";
}

}  // namespace

void add_model_options(CLI::App& verb, ModelOptions& options) {
  verb.add_option("--mass", options.mass, "M, a Matrix Market file; left out: no inertia")
      ->type_name("FILE")
      ->check(file_name())
      ->group(files);
  verb.add_option("--damping", options.damping, "C, a Matrix Market file; left out: no damping")
      ->type_name("FILE")
      ->check(file_name())
      ->group(files);
  verb.add_option("--stiffness", options.stiffness, "K, a Matrix Market file")
      ->type_name("FILE")
      ->check(file_name())
      ->required()
      ->group(files);
  verb.add_option("--constrained", options.constrained,
                  "constrained DoFs: one 0-based assembled index a line, # begins a comment")
      ->type_name("FILE")
      ->check(file_name())
      ->group(files);
  verb.add_option(
          "--constraint-position", options.constraint_position,
          "A_2 of constraints A_1 q' + A_2 q = b, a Matrix Market file; left out: zero; messages count its "
          "rows from 0")
      ->type_name("FILE")
      ->check(file_name())
      ->group(files);
  verb.add_option("--constraint-rate", options.constraint_rate,
                  "A_1 of these constraints, a Matrix Market file; left out: zero")
      ->type_name("FILE")
      ->check(file_name())
      ->group(files);
  verb.add_option("--null-tolerance", options.null_tolerance,
                  "columns of M and C up to this times the largest one count as null")
      ->check(at_least_zero())
      ->group(reduction)
      ->capture_default_str();
  const auto set_solver = [&options](const std::string& name) { options.solver = solver_from_name(name); };
  verb.add_option_function<std::string>(
          "--solver", set_solver,
          "direct solver of the elimination: automatic, diagonal, cholmod, umfpack, klu")
      ->check(CLI::IsMember({"automatic", "diagonal", "cholmod", "umfpack", "klu"}))
      ->type_name("NAME")
      ->group(reduction)
      ->default_str(name_of(Solver::automatic));
  const auto set_method = [&options](const std::string& name) { options.method = method_from_name(name); };
  verb.add_option_function<std::string>(
          "--method", set_method,
          "how half DoFs are found: auto, null-columns, kernel (of M and C), "
          "constraints (with multipliers in K), weierstrass (dense, any index); "
          "auto: the first that suffices")
      ->check(CLI::IsMember({"auto", "null-columns", "kernel", "constraints", "weierstrass"}))
      ->type_name("NAME")
      ->group(reduction)
      ->default_str(name_of(ReductionMethod::automatic));
}

SystemDescription<Engine> read_description(const ModelOptions& options) {
  const auto read = [](const std::filesystem::path& file) { return EigenMatrix(read_matrix_market(file)); };
  const Eigen::SparseMatrix<double> stiffness = read_matrix_market(options.stiffness);
  warn_of_one_triangle(options.stiffness, stiffness);
  SystemDescription<Engine> description;
  description.stiffness = EigenMatrix(stiffness);
  if (!options.mass.empty()) description.mass = read(options.mass);
  if (!options.damping.empty()) description.damping = read(options.damping);
  if (!options.constrained.empty())
    description.constrained = read_dof_list(options.constrained, description.stiffness.rows().n_global());
  return description;
}

SystemDescription<Engine> with_constraints_read(SystemDescription<Engine> description,
                                                const ModelOptions& options, Vector right_side,
                                                const std::vector<Index>& keep) {
  ConstraintsBeside<Engine> constraints;
  if (!options.constraint_rate.empty())
    constraints.rate = EigenMatrix(read_matrix_market(options.constraint_rate));
  if (!options.constraint_position.empty())
    constraints.position = EigenMatrix(read_matrix_market(options.constraint_position));
  constraints.constant = std::move(right_side);
  description = with_constraints(description, constraints);
  if (options.method != ReductionMethod::automatic) return description;
  auto solved = with_dummy_derivatives(description, {DummyDerivativeOptions::worthwhile, keep});
  if (!solved.dependent.empty())
    std::cout
        << "Constraints tie more than " << DummyDerivativeOptions::worthwhile
        << " DoFs together: each of the " << solved.dependent.size()
        << " independent ones is solved for a DoF, whose acceleration becomes a DoF of its own, behind the "
           "others.\n";
  return std::move(solved.description);
}

AssembledSystem<Engine> read_model(const ModelOptions& options) {
  return AssembledSystem<Engine>(with_constraints_read(read_description(options), options, {}, {}));
}

ReductionOptions reduction_options(const ModelOptions& options) {
  ReductionOptions reduction;
  reduction.classification.null_tolerance = options.null_tolerance;
  reduction.elimination.factorization.solver = options.solver;
  reduction.method = options.method;
  return reduction;
}

ReductionMethod method_from_name(const std::string& name) {
  std::string names;
  for (const ReductionMethod method :
       {ReductionMethod::automatic, ReductionMethod::null_columns, ReductionMethod::kernel,
        ReductionMethod::constraints, ReductionMethod::weierstrass}) {
    if (name == name_of(method)) return method;
    names += std::string(names.empty() ? "" : ", ") + name_of(method);
  }
  throw InvalidInput("There is no method \"" + name + "\" of reduction. The methods are: " + names + ".");
}

std::vector<std::string> warnings(const Classification& classification) {
  std::vector<std::string> all;
  for (const NearlyNullColumn& column : classification.nearly_null())
    all.push_back(description(column));
  if (const GlobalIndex rest =
          classification.n_nearly_null() - static_cast<GlobalIndex>(classification.nearly_null().size());
      rest > 0)
    all.push_back("Nearly null are " + std::to_string(rest) + " more columns, which were kept, too.");
  if (blas_in_use().is_reference)
    all.push_back(
        "The BLAS in use is the reference one, several times slower than others. Install "
        "libopenblas0-pthread.");
  return all;
}

std::vector<std::string> warnings(const ReducedSystem<Engine>& reduced) {
  std::vector<std::string> all = warnings(reduced.classification());
  if (reduced.elimination().is_badly_conditioned()) {
    std::ostringstream text;
    text << "The elimination is badly conditioned: about " << std::setprecision(2)
         << reduced.elimination().condition()
         << " after equilibration. Look for half degrees of freedom that "
         << "are nearly free.";
    all.push_back(text.str());
  }
  return all;
}

void print_warnings(std::ostream& out, const ReducedSystem<Engine>& reduced) {
  for (const std::string& warning : warnings(reduced))
    out << "halfdof: warning: " << warning << '\n';
}

}  // namespace halfdof::cli
