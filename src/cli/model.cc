// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model.h"

#include <halfdof/assembled/constraint_rows.h>
#include <halfdof/assembled/files/calculix.h>
#include <halfdof/assembled/files/dof_finder.h>
#include <halfdof/assembled/files/file_format.h>
#include <halfdof/assembled/files/matrix_market.h>
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/base/printable.h>
#include <halfdof/linear_algebra/dense/blas.h>
#include <halfdof/reduction/mixed_column_matrix.h>

#include "checks.h"
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <utility>

namespace halfdof::cli {

using namespace internal;

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

/// Warns if the stiffness has entries in one triangle only, which a file probably meant for both.
void warn_of_one_triangle(const ModelOptions& options, const ModelMatrices& model) {
  const Eigen::SparseMatrix<double>& K = *model.stiffness;
  bool has_lower = false, has_upper = false;
  for (Eigen::Index column = 0; column < K.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(K, column); entry; ++entry) {
      has_lower = has_lower || (entry.row() > column && entry.value() != 0);
      has_upper = has_upper || (entry.row() < column && entry.value() != 0);
    }
  if (has_lower == has_upper) return;
  const bool is_market =
      std::count(model.formats.begin(), model.formats.end(), name_of(FileFormat::matrix_market)) > 0;
  std::cerr << "halfdof: warning: "
            << (options.stiffness.empty() ? "The stiffness" : printable(options.stiffness.string()))
            << " has entries " << (has_lower ? "below" : "above") << " its diagonal and none "
            << (has_lower ? "above" : "below")
            << " it. If the file holds one triangle of a symmetric matrix, "
            << (is_market ? "its first line has to say \"symmetric\" instead of \"general\".\n"
                          : "write all of its entries.\n");
}

bool has_negative_diagonal(const Eigen::SparseMatrix<double>& A) {
  return A.rows() == A.cols() && (Vector(A.diagonal()).array() < 0).any();
}

bool is_diagonal(const Eigen::SparseMatrix<double>& A) {
  for (Eigen::Index column = 0; column < A.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(A, column); entry; ++entry)
      if (entry.row() != column && entry.value() != 0) return false;
  return true;
}

/// Returns for each row whether it has an entry that is not zero.
std::vector<bool> occupied_rows(const Eigen::SparseMatrix<double>& A) {
  std::vector<bool> occupied(static_cast<std::size_t>(A.rows()));
  for (Eigen::Index column = 0; column < A.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(A, column); entry; ++entry)
      if (entry.value() != 0) occupied[static_cast<std::size_t>(entry.row())] = true;
  return occupied;
}

/// Warns of a mass that is missing in --model, and of signs that mass and stiffness may be exchanged.
void warn_of_mass(const ModelOptions& options, const ModelMatrices& model) {
  if (!model.mass) {
    if (!options.files.empty())
      std::cerr << "halfdof: warning: No file of --model holds a mass matrix, so that the model has no "
                   "inertia. The name of a mass is M, MASS, MAAX or *.mas.\n";
    return;
  }
  const char* const hint = " Make sure that mass and stiffness are not exchanged.\n";
  if (has_negative_diagonal(*model.mass))
    std::cerr << "halfdof: warning: The mass matrix has negative entries on its diagonal, so that some "
                 "kinetic energies are negative."
              << hint;
  // Lumped masses are diagonal and stiffnesses are not. Other models may have free masses.
  if (is_diagonal(*model.mass) || !is_diagonal(*model.stiffness)) return;
  const std::vector<bool> in_mass = occupied_rows(*model.mass),
                          in_stiffness = occupied_rows(*model.stiffness);
  std::int64_t n_without_stiffness = 0, n_without_mass = 0;
  for (std::size_t i = 0; i < std::min(in_mass.size(), in_stiffness.size()); ++i) {
    n_without_stiffness += in_mass[i] && !in_stiffness[i] ? 1 : 0;
    n_without_mass += in_stiffness[i] && !in_mass[i] ? 1 : 0;
  }
  if (n_without_stiffness > 0 && n_without_mass == 0)
    std::cerr << "halfdof: warning: " << n_without_stiffness
              << (n_without_stiffness == 1 ? " row of the stiffness is" : " rows of the stiffness are")
              << " empty where the mass has entries, and no row of the mass is empty where the stiffness has "
                 "entries."
              << hint;
}

}  // namespace

void add_model_options(CLI::App& verb, ModelOptions& options) {
  const auto add_file = [&verb](const char* name, std::filesystem::path& file, const char* text) {
    verb.add_option(name, file, text)->type_name("FILE")->check(file_name())->group(files);
  };
  verb.add_option(
          "--model", options.files,
          "files of all matrices; their names, or those of the matrices in them, say which is which (M, K, "
          "*.mas, *.sti, MASS1, KAAX, ...)")
      ->type_name("FILE")
      ->check(file_name())
      ->group(files);
  add_file(
      "--mass", options.mass,
      "M; Matrix Market, CalculiX, Abaqus, Nastran (DMIG, OP4) or Harwell-Boeing; FILE:NAME takes one of "
      "several in a file; left out: no inertia");
  add_file("--damping", options.damping, "C; left out: no damping");
  add_file("--stiffness", options.stiffness, "K");
  verb.add_option_function<std::vector<std::string>>(
          "--structural-damping",
          [&options](const std::vector<std::string>& texts) {
            for (const std::string& text : texts)
              options.structural_damping.push_back(structural_damping_from(text, "--structural-damping"));
          },
          "imaginary stiffness K_i of K + i K_i: a loss factor (then K_i is this times K), a file, or "
          "FACTOR*FILE; several are added, also to the imaginary part of a complex K and to K4 or DMPS of "
          "--model")
      ->type_name("ETA|FILE")
      ->group(files);
  verb.add_option_function<std::vector<std::string>>(
          "--prony",
          [&options](const std::vector<std::string>& texts) {
            for (const std::string& text : texts)
              options.prony.push_back(prony_part_from(text, "--prony"));
          },
          "the stiffness relaxes with a series of `halfdof prony`, or with SERIES*STIFFNESS a part of it; "
          "internal DoFs follow those of the files")
      ->type_name("SERIES")
      ->group(files);
  add_file("--dofs", options.dofs,
           "labels of the DoFs: a node and a component (x, y, z, rx, ry, rz or 1 to 6) a line");
  add_file("--constrained", options.constrained,
           "constrained DoFs: one 0-based assembled index, or node:component, a line, # begins a comment");
  add_file("--constraint-position", options.constraint_position,
           "A_2 of constraints A_1 q' + A_2 q = b, a matrix; left out: zero; messages count its rows from 0");
  add_file("--constraint-rate", options.constraint_rate,
           "A_1 of these constraints, a matrix; left out: zero");
  verb.add_option("--null-tolerance", options.null_tolerance,
                  "columns of M and C up to this times the largest one count as null")
      ->check(at_least_zero())
      ->group(reduction)
      ->capture_default_str();
  const auto set_solver = [&options](const std::string& name) { options.solver = solver_from_name(name); };
  verb.add_option_function<std::string>(
          "--solver", set_solver,
          "direct solver of the elimination: automatic, diagonal, cholmod, ldlt, umfpack, klu")
      ->check(CLI::IsMember({"automatic", "diagonal", "cholmod", "ldlt", "umfpack", "klu"}))
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

void check_model_options(const CLI::App& verb) {
  if (verb.count("--model") == 0) {
    if (verb.count("--stiffness") == 0)
      throw InvalidInput("--stiffness is required: the file of K. Or name all files of a model by --model.");
    return;
  }
  for (const char* const name : {"--mass", "--damping", "--stiffness"})
    if (verb.count(name) > 0)
      throw InvalidInput(
          std::string(name) +
          " is given in addition to --model, which names the files of all matrices. Leave out one of "
          "them.");
}

FilesRead read_files(const ModelOptions& options) {
  ModelMatrices model = options.files.empty()
                            ? read_matrices({options.mass, options.damping, options.stiffness, options.dofs})
                            : halfdof::read_model(options.files, options.dofs);
  if (!model.stiffness)
    throw InvalidInput(
        "No file of --model holds the stiffness K. Its name should be K, STIF, KAAX or *.sti.");
  if (check_counted_once(options.structural_damping, model.structural_damping.has_value(), options.prony))
    warn_of_added_losses();
  add_structural_damping(options.structural_damping, *model.stiffness, model.labels,
                         model.structural_damping);
  if (model.constraints && model.constraints->rows() >= model.stiffness->rows())
    throw InvalidInput("The matrix A or G of --model is taken as constraints G q = 0, but with " +
                       std::to_string(model.constraints->rows()) + " rows for " +
                       std::to_string(model.stiffness->rows()) +
                       " degrees of freedom, these constraints permit no motion. If the matrix A or G is no "
                       "matrix of constraints, name the matrices of the model by --mass, --damping and "
                       "--stiffness FILE:NAME.");
  if (model.constraints)
    model.remarks.push_back("The matrix A or G of --model is taken as " +
                            std::to_string(model.constraints->rows()) + " constraints G q = 0.");
  warn_of_one_triangle(options, model);
  warn_of_mass(options, model);
  for (const std::string& remark : model.remarks)
    std::cerr << "halfdof: warning: " << remark << '\n';
  FilesRead read;
  SystemDescription<Engine>& description = read.description;
  description.stiffness = EigenMatrix(std::move(*model.stiffness));
  if (model.mass) description.mass = EigenMatrix(std::move(*model.mass));
  if (model.damping) description.damping = EigenMatrix(std::move(*model.damping));
  const GlobalIndex n_dofs = description.stiffness.rows().n_global();
  description.labels = std::move(model.labels);
  if (!options.constrained.empty())
    description.constrained = read_dof_list(options.constrained, n_dofs, description.labels);
  const auto n = static_cast<Eigen::Index>(n_dofs);
  read.prony = read_prony_parts(options.prony, description.labels, n);
  if (!options.constraint_rate.empty())
    read.constraint_rate = read_constraint_rows(description.labels, n, options.constraint_rate);
  if (!options.constraint_position.empty())
    read.constraint_position = read_constraint_rows(description.labels, n, options.constraint_position);
  if (model.constraints && (read.constraint_position || read.constraint_rate))
    throw InvalidInput(
        "The files of --model hold constraints, and --constraint-position or --constraint-rate names other "
        "constraints. "
        "Leave out one of them.");
  if (model.constraints) read.constraint_position = std::move(model.constraints);
  read.imaginary_stiffness = std::move(model.structural_damping);
  read.imaginary_damping = std::move(model.imaginary_damping);
  return read;
}

SystemDescription<Engine> with_constraints_read(FilesRead files_read, const ModelOptions& options,
                                                Vector right_side, const std::vector<Index>& keep) {
  const GlobalIndex n_given = files_read.description.stiffness.rows().n_global();
  SystemDescription<Engine> description =
      with_prony_branches(std::move(files_read.description), files_read.prony);
  const auto n = static_cast<Eigen::Index>(description.stiffness.rows().n_global());
  // Constraints do not act on internal DoFs.
  const auto enlarged = [n, n_given](std::optional<Eigen::SparseMatrix<double>>& rows) {
    if (rows->cols() == n_given) rows->conservativeResize(rows->rows(), n);
    return EigenMatrix(std::move(*rows));
  };
  AdditionalConstraints<Engine> constraints;
  if (files_read.constraint_rate) constraints.rate = enlarged(files_read.constraint_rate);
  if (files_read.constraint_position) constraints.position = enlarged(files_read.constraint_position);
  constraints.constant = std::move(right_side);
  description = with_constraints(description, constraints);
  if (options.method != ReductionMethod::automatic || files_read.has_structural_damping()) return description;
  auto solved = with_dummy_derivatives(description, {DummyDerivativeOptions::worthwhile, keep});
  if (!solved.dependent.empty())
    std::cout
        << "Constraints tie more than " << DummyDerivativeOptions::worthwhile
        << " DoFs together: each of the " << solved.dependent.size()
        << " independent ones is solved for a DoF, whose acceleration becomes a new DoF after the others.\n";
  return std::move(solved.description);
}

Model model_of(FilesRead files_read, const ModelOptions& options, Vector right_side,
               const std::vector<Index>& keep) {
  const bool is_structural = files_read.has_structural_damping();
  auto K_i = files_read.imaginary_stiffness, C_i = files_read.imaginary_damping;
  SystemDescription<Engine> description =
      with_constraints_read(std::move(files_read), options, std::move(right_side), keep);
  if (!is_structural) return {{}, AssembledSystem<Engine>(std::move(description))};
  ImaginaryParts<Engine> imaginary;
  const auto n = static_cast<Eigen::Index>(description.stiffness.rows().n_global());
  const auto enlarged = [n](Eigen::SparseMatrix<double>& part) {
    part.conservativeResize(n, n);  // multipliers follow the DoFs of the files
    return EigenMatrix(std::move(part));
  };
  if (K_i) imaginary.stiffness = enlarged(*K_i);
  if (C_i) imaginary.damping = enlarged(*C_i);
  const StructurallyDampedSystem<Engine> structural(description, imaginary);
  return {structural, structural.embedding()};
}

Model read_model(const ModelOptions& options) {
  return model_of(read_files(options), options, {}, {});
}

ReducedSystem<Engine> reduce(const Model& model, const ReductionOptions& options) {
  return model.structural ? reduce(*model.structural, options) : reduce(model.assembled, options);
}

ReducedModel reduced_model(Model model, const ReductionOptions& options) {
  ReducedSystem<Engine> reduced = reduce(model, options);
  return {std::move(model), std::move(reduced)};
}

std::vector<std::string> formats_of(const ModelOptions& options) {
  std::vector<std::filesystem::path> files = options.files;
  if (files.empty()) files = {options.mass, options.damping, options.stiffness};
  std::vector<std::string> formats;
  for (const std::filesystem::path& file : files) {
    std::string name;
    if (!file.empty() && !is_list_of_dofs(file))
      formats.push_back(name_of(format_of(without_matrix_name(file, name))));
  }
  return formats;
}

std::vector<GlobalIndex> dofs_named(const std::vector<std::string>& names,
                                    const AssembledSystem<Engine>& assembled, const std::string& option) {
  const DoFFinder finder(assembled.labels());
  std::vector<GlobalIndex> dofs;
  for (const std::string& name : names) {
    try {
      dofs.push_back(dof_index(name, finder));
    } catch (const InvalidInput& error) {
      throw InvalidInput(option + ": " + error.what());
    }
  }
  return dofs;
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
    all.push_back("There are " + std::to_string(rest) + " more nearly null columns, which were kept, too.");
  if (blas_in_use().is_reference)
    all.push_back(
        "The BLAS in use is the reference one, several times slower than others. Install "
        "libopenblas0-pthread.");
  return all;
}

namespace {

void warn_of_condition(const ReducedSystem<Engine>& reduced, std::vector<std::string>& all) {
  if (reduced.elimination().is_badly_conditioned()) {
    std::ostringstream text;
    text << "The elimination is badly conditioned: about " << std::setprecision(2)
         << reduced.elimination().condition()
         << " after equilibration. Look for half degrees of freedom that "
         << "are nearly free.";
    all.push_back(text.str());
  }
}

void print(std::ostream& out, const std::vector<std::string>& all) {
  for (const std::string& warning : all)
    out << "halfdof: warning: " << warning << '\n';
}

}  // namespace

std::vector<std::string> warnings(const ReducedSystem<Engine>& reduced) {
  std::vector<std::string> all = warnings(reduced.classification());
  warn_of_condition(reduced, all);
  return all;
}

std::vector<std::string> warnings(const Model& model, const ReducedSystem<Engine>& reduced) {
  if (!model.structural || reduced.method() != ReductionMethod::null_columns) return warnings(reduced);
  std::vector<std::string> all = warnings(application_kinds(*model.structural, reduced));
  warn_of_condition(reduced, all);
  return all;
}

void print_warnings(std::ostream& out, const ReducedSystem<Engine>& reduced) {
  print(out, warnings(reduced));
}

void print_warnings(std::ostream& out, const Model& model, const ReducedSystem<Engine>& reduced) {
  print(out, warnings(model, reduced));
}

}  // namespace halfdof::cli
