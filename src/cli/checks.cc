// SPDX-License-Identifier: LGPL-2.1-or-later
#include "checks.h"

#include <halfdof/assembled/files/file_format.h>
#include <halfdof/base/atomic_file.h>

#include "number_from.h"
#include <cmath>

namespace halfdof::cli {

using namespace internal;

namespace {

namespace fs = std::filesystem;

/// Returns the number written as `text`; NaN if it is not a number.
double number(const std::string& text) {
  return number_from(text).value_or(std::nan(""));
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored) ||
         fs::weakly_canonical(fs::absolute(a), ignored) == fs::weakly_canonical(fs::absolute(b), ignored);
}

void check_not_read(const std::vector<InputFile>& read, const OutputFile& output) {
  for (const InputFile& input : read)
    if (!input.path.empty() && is_same_file(output.path, input.path))
      throw InvalidInput(output.option + " would replace " + output.path.string() + ", which " +
                         input.option + " reads. Give another name.");
}

/// Checks that the file can be written, by creating and removing a temporary file. Missing folders are not
/// created, since their names may be mistyped.
void check_writable(const OutputFile& output) {
  if (!output.path.has_filename())
    throw FileError(output.path, output.option + " needs the name of a file, not of a folder.");
  const fs::path folder = output.path.parent_path();
  std::error_code ignored;
  if (!folder.empty() && !fs::exists(folder, ignored))
    throw FileError(folder, "there is no such folder, where " + output.option + " would write " +
                                output.path.filename().string() + ". Make it, or correct the name.");
  const fs::file_status status = fs::status(output.path, ignored);
  const bool is_device = fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
  if (!is_device) AtomicFile file(output.path);
}

}  // namespace

CLI::Validator file_name() {
  const auto check = [](const std::string& text) {
    return text.compare(0, 2, "--") == 0
               ? "a file name is missing before " + text + " (a file of this name would be ./" + text + ")."
               : std::string();
  };
  return CLI::Validator(check, "");
}

bool is_picture(const std::filesystem::path& file) {
  return file.extension() == ".png" || file.extension() == ".svg";
}

CLI::Validator picture_name() {
  const auto check = [](const std::string& text) {
    return is_picture(text) ? std::string()
                            : "pictures are PNG or SVG files, but " + text + " does not end in .png or .svg.";
  };
  return file_name() & CLI::Validator(check, "");
}

CLI::Validator svg_name() {
  const auto check = [](const std::string& text) {
    return fs::path(text).extension() == ".svg"
               ? std::string()
               : "this picture is an SVG file, but " + text + " does not end in .svg.";
  };
  return file_name() & CLI::Validator(check, "");
}

void write_picture(const Plot& plot, const std::filesystem::path& file) {
  if (file.extension() == ".svg")
    write_svg(plot, file);
  else
    write_png(plot, file);
}

CLI::Validator at_least_zero() {
  const auto check = [](const std::string& text) {
    const double value = number(text);
    return value >= 0 && std::isfinite(value) ? std::string() : text + " is no finite number from zero.";
  };
  return CLI::Validator(check, "");
}

CLI::Validator above_zero() {
  const auto check = [](const std::string& text) {
    const double value = number(text);
    return value > 0 && std::isfinite(value) ? std::string() : text + " is no finite number above zero.";
  };
  return CLI::Validator(check, "");
}

std::vector<InputFile> input_files(const ModelOptions& model) {
  std::vector<InputFile> all = {{"--mass", model.mass},
                                {"--damping", model.damping},
                                {"--stiffness", model.stiffness},
                                {"--dofs", model.dofs},
                                {"--constrained", model.constrained},
                                {"--constraint-position", model.constraint_position},
                                {"--constraint-rate", model.constraint_rate}};
  for (const std::filesystem::path& file : model.files)
    all.push_back({"--model", file});
  for (const StructuralDampingTerm& term : model.structural_damping)
    all.push_back({"--structural-damping", term.file});
  for (const PronyPart& part : model.prony) {
    all.push_back({"--prony", part.series});
    all.push_back({"--prony", part.stiffness});
  }
  std::string name;
  for (InputFile& file : all)
    file.path = without_matrix_name(file.path, name);
  return all;
}

void check_outputs(const ModelOptions& model, const std::vector<OutputFile>& files) {
  check_outputs(input_files(model), files);
}

void check_outputs(const std::vector<InputFile>& read, const std::vector<OutputFile>& files) {
  for (auto output = files.begin(); output != files.end(); ++output) {
    if (output->path.empty()) continue;
    check_not_read(read, *output);
    for (auto other = files.begin(); other != output; ++other)
      if (!other->path.empty() && is_same_file(output->path, other->path) &&
          !fs::is_character_file(output->path))
        throw InvalidInput(other->option + " and " + output->option + " name the same file, " +
                           output->path.string() + ". Give two names.");
    check_writable(*output);
  }
}

}  // namespace halfdof::cli
