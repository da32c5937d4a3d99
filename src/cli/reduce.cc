// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/excluded_loads.h>
#include <halfdof/reduction/state_space.h>
#include <halfdof/spectrum/small_spectrum.h>

#include "case_argument.h"
#include "checks.h"
#include "exit_code.h"
#include "file_lock.h"
#include "model.h"
#include "verbs.h"
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

namespace halfdof::cli {

using namespace internal;

namespace {

/// The DoFs of an option --observe...
struct NamedOutputs {
  std::string option;
  OutputQuantity quantity;
  std::vector<std::string> dofs;
};

struct ReduceOptions {
  CaseArgument of_case;
  ModelOptions model;
  std::filesystem::path output;
  std::string form = "automatic";
  double max_dense_megabytes = 100;
  StateSpaceFileOptions files;
  std::vector<NamedOutputs> outputs;
};

const std::map<std::string, StateSpaceForm>& forms() {
  static const std::map<std::string, StateSpaceForm> all = {{"automatic", StateSpaceForm::automatic},
                                                            {"dense", StateSpaceForm::dense},
                                                            {"pencil", StateSpaceForm::pencil}};
  return all;
}

/// Declares --observe, --observe-rate, ..., which add outputs in the order in which they are given.
void add_outputs(CLI::App& verb, std::vector<NamedOutputs>& outputs) {
  const auto add = [&](const char* option, OutputQuantity quantity, const char* text) {
    verb.add_option_function<std::vector<std::string>>(
            option,
            [&outputs, option, quantity](const std::vector<std::string>& dofs) {
              outputs.push_back({option, quantity, dofs});
            },
            text)
        ->group(
            "Outputs (C_o, D_o). Without any: the displacements of all DoFs except multipliers (dense form); "
            "none (pencil form)")
        ->type_name("DOF");
  };
  add("--observe", OutputQuantity::displacement, "displacements of these DoFs");
  add("--observe-rate", OutputQuantity::rate, "rates");
  add("--observe-acceleration", OutputQuantity::acceleration, "accelerations");
  add("--observe-reaction", OutputQuantity::reaction, "reactions of constrained DoFs");
}

/// Writes the matrices; messages about limits also name the options of the program.
WrittenStateSpace write(const std::filesystem::path& folder, const ReducedSystem<Engine>& reduced,
                        const StateSpaceFileOptions& options) {
  try {
    return write_state_space(folder, reduced, options);
  } catch (const BeyondLimit& reason) {
    throw BeyondLimit(std::string(reason.what()) + " Here --max-dense and --max-fill set the limits.");
  }
}

/// Checks the folder, which may be missing; its parent folder must exist.
void check_folder(const ReduceOptions& options, const ModelSource& source) {
  if (options.output.empty())
    throw InvalidInput("--output is empty. Give the name of a folder, or . for this one.");
  std::vector<OutputFile> files;
  std::error_code ignored;
  if (!std::filesystem::exists(options.output, ignored))
    files.push_back({"--output", (options.output.lexically_normal() / "").parent_path()});
  else
    for (const std::string& name : state_space_file_names())
      files.push_back({"--output", options.output / name});
  check_outputs(source.files(), files);
  check_state_space_folder(options.output);
}

/// Prints the errors of the transfer functions of the written matrices, compared with those of the model.
void report_errors(const WrittenStateSpace& written) {
  const TransferErrors& errors = written.errors;
  if (!errors.not_compared.empty()) {
    std::cerr << "halfdof: warning: the transfer functions of the written matrices were not compared with "
                 "those of the model: "
              << errors.not_compared << '\n';
    return;
  }
  const std::vector<Index> inaccurate = inaccurate_outputs(errors, transfer_accuracy);
  if (inaccurate.empty()) {
    std::cout << "Transfer functions of the written matrices and of the model differ by at most "
              << largest_relative_error(errors) << " of the largest one of the same output.\n";
    return;
  }
  const Index o = inaccurate.front();
  const Output& output = written.outputs[static_cast<std::size_t>(o)];
  std::cerr << "halfdof: warning: the transfer functions of " << inaccurate.size()
            << (inaccurate.size() == 1 ? " output" : " outputs") << " have an error of more than "
            << transfer_accuracy << " of their largest: that of output " << o << ", " << describe(output)
            << ", is " << errors.error[o] << " where the largest is " << errors.largest[o]
            << ", at s = " << errors.s[o]
            << " 1/s. A value that is not larger than its error may be zero; outputs.csv lists all errors.\n";
}

/// Reports the eigenvalues and transfer functions of the model that the written matrices do not reproduce.
ExitCode report_lost(const WrittenStateSpace& written) {
  const std::string lost = describe_lost(written.errors, written.outputs);
  if (lost.empty()) return agreed;
  std::cout.flush();
  std::cerr << "halfdof: the files were written, but do not represent the model. " << lost << '\n';
  return falls_short;
}

ExitCode run(ReduceOptions options) {
  const ModelSource source = source_of(options.of_case, options.model);
  check_folder(options, source);
  const FileLock lock(options.output, FileLock::Kind::folder);
  const AssembledSystem<Engine> assembled = source.read();
  for (const NamedOutputs& named : options.outputs)
    for (const GlobalIndex dof : dofs_named(named.dofs, assembled, named.option))
      options.files.outputs.push_back({named.quantity, dof});
  const ReducedSystem<Engine> reduced = reduce(assembled, reduction_options(source.options));
  std::cout << source.unused();
  print_warnings(std::cerr, reduced);
  if (const std::string excluded = describe_excluded_loads(reduced); !excluded.empty())
    std::cerr << "halfdof: warning: " << excluded << '\n';
  reduced.print_summary(std::cout);
  const bool has_dropped = reduced.classification().n_dropped_columns() > 0;
  if (const auto lost = has_dropped ? std::nullopt : lost_eigenvalue(reduced)) {
    std::cout.flush();
    std::cerr << "halfdof: the model has the eigenvalue " << lost->real();
    if (lost->imag() != 0) std::cerr << (lost->imag() < 0 ? " - " : " + ") << std::abs(lost->imag()) << 'i';
    std::cerr
        << " 1/s, but the reduced system does not have it, because rounding in the elimination has changed "
           "or dropped parts that are small compared with others. Nothing was written. `halfdof modes --all` "
           "lists what is lost. Write the model in parts, or set entries to zero that should be zero.\n";
    return falls_short;
  }
  options.files.form = forms().at(options.form);
  options.files.dense.max_bytes = 1e6 * options.max_dense_megabytes;
  const WrittenStateSpace written = write(options.output, reduced, options.files);
  std::cout << "Wrote the " << (written.form == StateSpaceForm::dense ? "dense form" : "sparse pencil")
            << " to " << options.output.string() << "; its README.md describes the files.\n";
  if (written.outputs.empty())
    std::cout
        << "Transfer functions were not compared with those of the model: --observe names no outputs.\n";
  else
    report_errors(written);
  return report_lost(written);
}

}  // namespace

void add_reduce(CLI::App& program, int& exit_code) {
  CLI::App* const verb =
      program.add_subcommand("reduce", "Eliminate them exactly and write the regular state-space system");
  const auto options = std::make_shared<ReduceOptions>();
  add_case(*verb, options->of_case, "a case of `halfdof simulate` instead of these options: its [system]");
  add_model_options(*verb, options->model);
  verb->add_option("--output", options->output, "folder for A.mtx, B.mtx, state_space.mat, README.md, ...")
      ->required()
      ->type_name("DIR")
      ->check(file_name());
  std::vector<std::string> names;
  for (const auto& [name, form] : forms())
    names.push_back(name);
  verb->add_option("--form", options->form,
                   "dense: y' = A y + B f; pencil: E y' = A y + B f, sparse; automatic: dense up to 10 MB, "
                   "above it the smaller one")
      ->check(CLI::IsMember(names))
      ->type_name("NAME")
      ->capture_default_str();
  verb->add_option("--max-dense", options->max_dense_megabytes,
                   "limit of A, B, C_o and D_o together where they are dense [MB]")
      ->check(above_zero())
      ->capture_default_str();
  verb->add_option("--max-fill", options->files.pencil.max_fill,
                   "limit of the pencil's entries, relative to the assembled columns")
      ->check(above_zero())
      ->capture_default_str();
  add_outputs(*verb, options->outputs);
  verb->footer(
      "Example:\n"
      "  halfdof reduce --mass M.mtx --damping C.mtx --stiffness K.mtx --output reduced --observe 0 17\n"
      "  halfdof reduce CASE.toml --set omega=2 --output reduced_2");
  verb->callback([options, verb, &exit_code] {
    check_case_or_model(*verb);
    exit_code = run(*options);
  });
}

}  // namespace halfdof::cli
