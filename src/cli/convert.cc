// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/calculix.h>
#include <halfdof/assembled/files/dof_labels.h>
#include <halfdof/assembled/files/file_format.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/printable.h>
#include <halfdof/output/matrix_files.h>

#include "checks.h"
#include "exit_code.h"
#include "verbs.h"
#include <iostream>
#include <memory>
#include <utility>

namespace halfdof::cli {

using namespace internal;

namespace {

struct ConvertOptions {
  std::vector<std::filesystem::path> files;
  std::filesystem::path output, dofs, dofs_output;
  std::string format;
  std::vector<std::string> names;
};

FileFormat format_asked(const ConvertOptions& options) {
  std::string names;
  for (const WrittenFormat& known : written_formats()) {
    if (options.format == known.name) return known.format;
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  }
  if (const auto format = format_by_extension(options.output)) return *format;
  throw InvalidInput("The name of --output, " + printable(options.output.string()) +
                     ", does not say the format. Give it by --format: " + names + ".");
}

std::vector<FileMatrix> matrices_of(const ConvertOptions& options) {
  std::vector<FileMatrix> all;
  for (const std::filesystem::path& file : options.files) {
    FileContent content = read_content(file);
    for (const SkippedVariable& variable : content.skipped)
      std::cerr << "halfdof: warning: Variable " << printable(variable.name) << " of "
                << printable(content.file.string()) << " was not written: " << printable(variable.reason)
                << ".\n";
    for (FileMatrix& matrix : content.matrices) {
      if (matrix.name.empty() && content.matrices.size() == 1) matrix.name = content.file.stem().string();
      all.push_back(std::move(matrix));
    }
  }
  if (!options.names.empty() && options.names.size() != all.size())
    throw InvalidInput("--names gives " + std::to_string(options.names.size()) + " names, but there are " +
                       std::to_string(all.size()) + " matrices.");
  for (std::size_t k = 0; k < options.names.size(); ++k)
    all[k].name = options.names[k];
  for (std::size_t k = 0; k < all.size(); ++k)
    for (std::size_t i = 0; i < k; ++i)
      if (all[i].name == all[k].name)
        throw InvalidInput("Two matrices have the name \"" + printable(all[k].name) +
                           "\". Give names by --names, one for each of the " + std::to_string(all.size()) +
                           " matrices.");
  return all;
}

/// Gives the matrices without labels those of a list.
void set_labels(std::vector<FileMatrix>& matrices, const std::filesystem::path& list) {
  if (list.empty()) return;
  bool is_used = false;
  for (FileMatrix& matrix : matrices)
    if (matrix.rows.empty()) {
      matrix.rows = file_dofs_of(read_dof_labels(list, static_cast<GlobalIndex>(matrix.real.rows())));
      is_used = true;
    }
  if (!is_used)
    throw InvalidInput("--dofs is given, but all matrices have labels of their own. Leave it out.");
}

void write_labels(const std::vector<FileMatrix>& matrices, const std::filesystem::path& file) {
  const std::vector<FileDoF>& dofs = matrices[0].rows;
  for (const FileMatrix& matrix : matrices)
    if (matrix.rows.empty() || matrix.rows != dofs)
      throw InvalidInput("--dofs-output asks for the labels of the rows, but Matrix " +
                         printable(matrix.name) +
                         (matrix.rows.empty() ? " has none." : " has others than the first one."));
  write_dof_labels(file, dofs);
}

ExitCode run(const ConvertOptions& options) {
  const FileFormat format = format_asked(options);
  std::vector<InputFile> read = {{"--dofs", options.dofs}};
  std::string ignored;
  for (const std::filesystem::path& file : options.files)
    read.push_back({"FILES", without_matrix_name(file, ignored)});
  std::vector<OutputFile> written = {{"--output", options.output}, {"--dofs-output", options.dofs_output}};
  if (format == FileFormat::calculix)
    written.push_back({"--output (list of DoFs)", without_gz(options.output).replace_extension(".dof")});
  check_outputs(read, written);
  std::vector<FileMatrix> matrices = matrices_of(options);
  set_labels(matrices, options.dofs);
  if (!options.dofs_output.empty()) write_labels(matrices, options.dofs_output);
  for (const std::string& remark : write_matrices(options.output, format, matrices))
    std::cerr << "halfdof: warning: " << remark << '\n';
  for (const FileMatrix& matrix : matrices)
    std::cout << "Wrote " << printable(matrix.name) << ", " << matrix.real.rows() << " x "
              << matrix.real.cols() << " with " << matrix.real.nonZeros() << " entries, to "
              << printable(options.output.string()) << ".\n";
  return agreed;
}

}  // namespace

void add_convert(CLI::App& program, int& exit_code) {
  CLI::App* const verb =
      program.add_subcommand("convert", "Write matrices of files in the format of another program");
  const auto options = std::make_shared<ConvertOptions>();
  verb->add_option("files", options->files,
                   "files of matrices in any format that is read; FILE:NAME takes one of several in a file")
      ->required()
      ->type_name("FILES");
  verb->add_option("--output", options->output,
                   "file to write; its extension says the format without --format")
      ->required()
      ->type_name("FILE")
      ->check(file_name());
  std::vector<std::string> names;
  for (const WrittenFormat& format : written_formats())
    names.emplace_back(format.name);
  verb->add_option("--format", options->format, "format of the output")
      ->check(CLI::IsMember(names))
      ->type_name("NAME");
  verb->add_option("--names", options->names, "names of the matrices in the output, one for each")
      ->type_name("NAME");
  verb->add_option("--dofs", options->dofs,
                   "labels of the rows of matrices without any: a node and a component a line")
      ->type_name("FILE")
      ->check(file_name());
  verb->add_option("--dofs-output", options->dofs_output,
                   "write the labels of the rows to this file, as --dofs reads it")
      ->type_name("FILE")
      ->check(file_name());
  verb->footer(
      "Extensions: .mtx, .npz, .mat, .hb, .petsc, .sti and .mas (CalculiX), .inp (Abaqus matrix input), .pch "
      "(DMIG),\n"
      ".op4. MATLAB files of version 7.3, for variables beyond 2 GiB: --format mat-7.3. Names of nodes and "
      "components go to CalculiX (.dof), Abaqus matrix input and DMIG.\n\n"
      "Example:\n"
      "  halfdof convert model_STIF1.mtx model_MASS1.mtx --output model.mat --names K M --dofs-output "
      "dofs.txt");
  verb->callback([=, &exit_code] { exit_code = run(*options); });
}

}  // namespace halfdof::cli
