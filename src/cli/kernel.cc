// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/base/text_table.h>
#include <halfdof/memory/contact_modes.h>
#include <halfdof/memory/kernel_terms.h>
#include <halfdof/memory/memory_hypotheses.h>
#include <halfdof/memory/structure_modes.h>
#include <halfdof/output/result_files.h>
#include <halfdof/plots/plot.h>

#include "case_argument.h"
#include "case_file.h"
#include "case_model.h"
#include "checks.h"
#include "exit_code.h"
#include "json_file.h"
#include "memory_simulation.h"
#include "verbs.h"
#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof::cli {

using namespace internal;

namespace {

struct KernelOptions {
  CaseArgument of_case;
  std::filesystem::path csv, constants, exponentials, json, plot;
  std::optional<Index> n_eigenvalues;
  Index n_points = 1000;
  double length = 0;  ///< length of the samples [s]; 0: ten periods of the slowest mode
};

std::string entry_name(const std::string& matrix, Index i, Index j) {
  return matrix + "[" + std::to_string(i) + "][" + std::to_string(j) + "]";
}

/// Returns the requested length, or ten periods or relaxation times of the slowest motion.
double length_of(const MemoryEquation& equation, double asked) {
  if (asked > 0) return asked;
  double slowest = std::numeric_limits<double>::infinity();
  for (const Complex& value : equation.modes().eigenvalues())
    if (value != 0.) slowest = std::min(slowest, std::abs(value));
  return std::isinf(slowest) ? 1. : 20 * pi / slowest;
}

void print(std::ostream& out, const Inclusions<Engine>& inclusions, const StructureModes& found,
           const MemoryEquation& equation) {
  const MemoryHypotheses hypotheses = memory_hypotheses(found.modes);
  const Index m = found.modes.n_contacts();
  out << found.modes.n_coordinates() - found.n_fast << " eigenvalues, of which " << equation.n_resolved()
      << " belong to the resolved modes.\n"
      << "Largest real part " << hypotheses.largest_real_part << " 1/s, smallest damping ratio "
      << hypotheses.smallest_damping_ratio << ", residuals: eigenvectors " << found.residual << ", range W "
      << invariance_residual(equation) << ".\n";
  if (!std::isinf(found.slowest_omitted))
    out << "Omitted: eigenvalues of modulus " << found.slowest_omitted
        << " 1/s or more. Their static compliance, " << found.omitted_compliance << " displacement/force, is "
        << (found.keeps_compliance ? "kept as W_K"
                                   : "neglected, because a law weakens or has a coefficient of restitution")
        << ".\n";
  const std::vector<ContactRegularity> regularity = contact_regularity(found.instantaneous_responses);
  TextTable table({"contact", "L^inf", "L^1(0+)", "W_K", "contact case"});
  for (Index j = 0; j < m; ++j) {
    const ContactRegularity& of = regularity[static_cast<std::size_t>(j)];
    table.add_row({inclusions.direction_name(j), equation.L_inf()(m + j, j), equation.L_1(0)(m + j, j),
                   found.modes.W_K(j, j), std::string(name_of(of.which))});
  }
  out << '\n' << table << '\n';
  for (Index j = 0; j < m; ++j)
    out << inclusions.direction_name(j) << ": " << regularity[static_cast<std::size_t>(j)] << ".\n";
}

/// Returns L^1 for all tau, without the rows of displacements, which are zero.
MultiVector samples(const MemoryEquation& equation, const Vector& tau) {
  const Index m = equation.modes().n_contacts(), n = equation.n_resolved() - m;
  MultiVector all(tau.size(), n * m);
  for (Eigen::Index k = 0; k < tau.size(); ++k)
    all.row(k) = equation.L_1(tau[k]).bottomRows(n).reshaped().transpose();
  return all;
}

void write_samples(const KernelOptions& options, const MemoryEquation& equation, double length) {
  if (options.csv.empty() && options.plot.empty()) return;
  const StageTimer stage("samples of kernels");
  const Index m = equation.modes().n_contacts();
  const Vector tau = Vector::LinSpaced(options.n_points, 0, length);
  const MultiVector L_1 = samples(equation, tau);
  std::vector<std::string> names = {"tau"};
  for (Index j = 0; j < m; ++j)
    for (Index i = 0; i < equation.n_resolved() - m; ++i)
      names.push_back(entry_name("L1", i, j));
  if (!options.csv.empty()) {
    CsvTable table(options.csv, names);
    for (Eigen::Index k = 0; k < tau.size(); ++k) {
      std::vector<TableCell> row = {tau[k]};
      for (Eigen::Index c = 0; c < L_1.cols(); ++c)
        row.emplace_back(L_1(k, c) + 0.);
      table.add_row(row);
    }
  }
  if (options.plot.empty()) return;
  CurvePanel panel{"", {"tau [s]"}, {"L^1 [rate/force]"}};
  for (Eigen::Index c = 0; c < L_1.cols(); ++c)
    panel.curves.push_back({names[static_cast<std::size_t>(c) + 1], tau, L_1.col(c)});
  Plot plot;
  plot.title = "Memory of the contacts";
  plot.panels.emplace_back(std::move(panel));
  write_picture(plot, options.plot);
}

/// Writes the matrices A and L^inf of MemoryEquation and W_C, W_K of ContactModes, one matrix entry in each
/// row of the table.
void write_constants(const KernelOptions& options, const StructureModes& found,
                     const MemoryEquation& equation) {
  if (options.constants.empty()) return;
  CsvTable table(options.constants, {"matrix", "row", "column", "value"});
  const auto add = [&](const std::string& name, const MultiVector& matrix) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      for (Eigen::Index j = 0; j < matrix.cols(); ++j)
        table.add_row({name, i, j, matrix(i, j) + 0.});
  };
  add("A", equation.A());
  add("Linf", equation.L_inf());
  add("WC", found.modes.W_C());
  add("WK", found.modes.W_K);
}

/// Writes the terms of L^0, one in each row, for the rows of the rates.
void write_exponentials(const KernelOptions& options, const MemoryEquation& equation) {
  if (options.exponentials.empty()) return;
  const Index m = equation.modes().n_contacts();
  std::vector<std::string> names = {"re", "im", "power"};
  for (Index j = 0; j < m; ++j)
    for (Index i = 0; i < equation.n_resolved() - m; ++i)
      names.insert(names.end(), {"re " + entry_name("R", i, j), "im " + entry_name("R", i, j)});
  CsvTable table(options.exponentials, names);
  for (const KernelTerm& term : kernel_terms(equation)) {
    std::vector<TableCell> row = {term.eigenvalue.real() + 0., term.eigenvalue.imag() + 0., term.power};
    for (Index j = 0; j < m; ++j)
      for (Index i = 0; i < equation.n_resolved() - m; ++i) {
        const Complex residue = term.residue(m + i, j);
        row.insert(row.end(), {residue.real() + 0., residue.imag() + 0.});
      }
    table.add_row(row);
  }
}

void write_report(const KernelOptions& options, const StructureModes& found, const MemoryEquation& equation) {
  if (options.json.empty()) return;
  const Index m = found.modes.n_contacts();
  const MemoryHypotheses hypotheses = memory_hypotheses(found.modes);
  Json regularity = Json::array();
  for (const ContactRegularity& of : contact_regularity(found.instantaneous_responses))
    regularity.push_back({{"case", name_of(of.which)}, {"alpha", of.alpha}, {"L_1_plus", of.L_1_plus}});
  write_json(options.json, {{"n_contacts", m},
                            {"n_eigenvalues", found.modes.n_coordinates()},
                            {"n_resolved", equation.n_resolved()},
                            {"A", rows_of(equation.A())},
                            {"L_inf", rows_of(equation.L_inf())},
                            {"W_C", rows_of(found.modes.W_C())},
                            {"W_K", rows_of(found.modes.W_K)},
                            {"eigenvalues", pairs(found.modes.eigenvalues())},
                            {"largest_real_part", hypotheses.largest_real_part},
                            {"smallest_damping_ratio", hypotheses.smallest_damping_ratio},
                            {"residual", found.residual},
                            {"slowest_omitted", found.slowest_omitted},
                            {"omitted_compliance", found.omitted_compliance},
                            {"contact_regularity", regularity}});
}

MemoryEquation equation_of(const StructureModes& found) {
  try {
    return MemoryEquation(found.modes);
  } catch (const InvalidInput& error) {
    throw NotAvailable(
        "There is no equation of the contacts only: they move together (on one DoF, or on DoFs that follow "
        "it), or too few eigenvalues are kept. Leave all of them except one out of the case; simulate can "
        "run the case unchanged. (" +
        std::string(error.what()) + ")");
  }
}

ExitCode run(const KernelOptions& options) {
  const CaseModel given = read_case_model(options.of_case.file, options.of_case.changed());
  check_outputs(files_read(given), {{"--csv", options.csv},
                                    {"--constants", options.constants},
                                    {"--exponentials", options.exponentials},
                                    {"--json", options.json},
                                    {"--plot", options.plot}});
  const Inclusions<Engine> inclusions = read_inclusions(given, reduce_case(given));
  print_warnings(std::cerr, inclusions.reduced());
  const CaseLoads loads = read_loads(given, inclusions.reduced().assembled());
  const StructureModes found =
      structure_modes(inclusions, loads.places, {},
                      memory_options(inclusions, options.n_eigenvalues.value_or(given.n_eigenvalues)));
  const MemoryEquation equation = equation_of(found);
  print(std::cout, inclusions, found, equation);
  write_samples(options, equation, length_of(equation, options.length));
  write_constants(options, found, equation);
  write_exponentials(options, equation);
  write_report(options, found, equation);
  return agreed;
}

}  // namespace

void add_kernel(CLI::App& program, int& exit_code) {
  CLI::App* const verb = program.add_subcommand(
      "kernel",
      "Memory kernel of a structure at the contacts of a case: L^inf, samples of L^1, and the exponential "
      "terms of L^0");
  const auto options = std::make_shared<KernelOptions>();
  add_case(*verb, options->of_case,
           "[system], [[load]], [[inclusion]] and the eigenvalues of [integrator] of a case for "
           "simulate, a TOML file");
  verb->get_option("case")->required();
  verb->add_option("--eigenvalues", options->n_eigenvalues,
                   "number of eigenvalues to keep, those nearest the origin; 0: all; default: the number in "
                   "[integrator], or all. The static compliance of the omitted modes is kept too, unless a "
                   "law weakens with the rate or has a coefficient of restitution")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--length", options->length, "of the samples; 0: ten periods of the slowest mode")
      ->type_name("S")
      ->check(at_least_zero())
      ->capture_default_str();
  verb->add_option("--points", options->n_points, "how many samples")
      ->check(CLI::Range(2, 10000000))
      ->capture_default_str();
  verb->add_option("--csv", options->csv, "samples: tau, L1[i][j]")->type_name("FILE")->check(file_name());
  verb->add_option("--constants", options->constants, "A, Linf, WC and WK: matrix, row, column, value")
      ->type_name("FILE")
      ->check(file_name());
  verb->add_option(
          "--exponentials", options->exponentials,
          "terms of L^0: the eigenvalue re, im, the power of tau, and residues R[i][j] of contact i, "
          "force j")
      ->type_name("FILE")
      ->check(file_name());
  verb->add_option("--json", options->json, "A, L_inf, W_C, W_K, eigenvalues and their residuals")
      ->type_name("FILE")
      ->check(file_name());
  verb->add_option("--plot", options->plot, "picture of L^1 (.png or .svg, by gnuplot)")
      ->type_name("FILE")
      ->check(picture_name());
  verb->footer(
      "y' = A y + L^inf r + int d[L^1] r'(t - tau) is an equation of the contacts only (Szalai 2014). y are\n"
      "their displacements and rates and, where A has more rows, further coordinates of the resolved modes;\n"
      "W_K r is subtracted where forces move contacts without delay. A and Linf have the rows of y; L1 and\n"
      "R have only the rows from the rates on, since those of displacements are zero. `simulate` with\n"
      "method = \"memory\" integrates this equation for any contacts.\n\n"
      "Example:\n"
      "  halfdof kernel CASE.toml --csv L1.csv --constants Linf.csv --exponentials terms.csv --plot L1.png");
  verb->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace halfdof::cli
