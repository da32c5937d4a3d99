// SPDX-License-Identifier: LGPL-2.1-or-later
#include "case_argument.h"

#include <halfdof/assembled/files/calculix.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/letter_case.h>
#include <halfdof/base/printable.h>
#include <halfdof/output/matrix_files.h>

#include "case_model.h"
#include "number_from.h"

namespace halfdof::cli {

using namespace internal;

namespace {

/// Returns whether the extension of a file is one of matrices.
bool is_named_as_matrix(const std::filesystem::path& file) {
  const std::string extension = lower_case(without_gz(file).extension().string());
  for (const char* const other : {".npy", ".rb", ".rua", ".rsa", ".hb", ".psa", ".bin", ".dof"})
    if (extension == other) return true;
  return format_by_extension(without_gz(file)).has_value();
}

}  // namespace

Parameters CaseArgument::changed() const {
  if (file.empty() && !settings.empty())
    throw InvalidInput("--set changes parameters of a case, but no case is given. Name a TOML file.");
  Parameters changed;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InvalidInput("--set " + setting + " is no setting. Write NAME=NUMBER, for example omega=7.");
    const std::string text = setting.substr(equals + 1);
    const std::optional<double> value = number_from(text);
    if (!value)
      throw InvalidInput("--set " + setting + ": \"" + text + "\" is no number. Write NAME=NUMBER.");
    const auto [place, is_new] = changed.try_emplace(setting.substr(0, equals), *value);
    if (!is_new) throw InvalidInput("--set names the parameter " + place->first + " twice. Name it once.");
  }
  return changed;
}

void add_settings(CLI::App& verb, CaseArgument& argument) {
  verb.add_option("--set", argument.settings, "give a parameter of the case another value")
      ->allow_extra_args(false)
      ->type_name("NAME=NUMBER");
}

void add_case(CLI::App& verb, CaseArgument& argument, const std::string& text) {
  verb.add_option("case", argument.file, text)->type_name("CASE.toml")->check(file_name());
  add_settings(verb, argument);
}

CLI::Option* add_sweep(CLI::App& verb, std::vector<std::string>& texts) {
  return verb
      .add_option(
          "--sweep", texts,
          "values of a parameter of the case: NAME=FROM:TO:STEP, NAME=A,B,C or NAME=log:FROM:TO:NUMBER; "
          "given twice: all pairs of values")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUES");
}

void check_case_or_model(const CLI::App& verb) {
  if (verb.count("case") == 0) {
    if (verb.count("--stiffness") == 0 && verb.count("--model") == 0)
      throw InvalidInput("--stiffness is required: the file of K. Or give a case, a TOML file, or --model.");
    check_model_options(verb);
    return;
  }
  for (const char* const name :
       {"--model", "--mass", "--damping", "--stiffness", "--dofs", "--constrained", "--constraint-position",
        "--constraint-rate", "--structural-damping", "--prony", "--null-tolerance", "--solver", "--method"})
    if (verb.count(name) > 0)
      throw InvalidInput(
          std::string(name) +
          " is given in addition to a case, whose [system] defines the model. Leave out one of them.");
}

std::vector<InputFile> ModelSource::files() const {
  return of_case ? files_read(*of_case) : input_files(options);
}

Model ModelSource::read() const {
  return of_case ? CaseSystem(*of_case).at() : read_model(options);
}

ModelSource source_of(const CaseArgument& argument, const ModelOptions& options) {
  const Parameters changed = argument.changed();
  if (argument.file.empty()) return {options, {}};
  if (is_named_as_matrix(argument.file))
    throw InvalidInput("The argument " + printable(argument.file.string()) +
                       " would be a case, a TOML file, but it has the name of a matrix. Give matrices by "
                       "options: --mass M.mtx --damping C.mtx --stiffness K.mtx, or all files by --model.");
  CaseModel given = read_case_model(argument.file, changed);
  ModelOptions of_case = given.options;
  return {std::move(of_case), std::make_shared<const CaseModel>(std::move(given))};
}

std::string ModelSource::unused() const {
  std::string text;
  if (!of_case) return text;
  if (!of_case->inclusions.empty())
    text = "The inclusions of the case are left out: the model moves as without friction and contact.";
  if (!of_case->elements.empty())
    text += (text.empty() ? "" : " ") +
            std::string("Its nonlinear elements are linearized at rest, at zero displacements.");
  return text.empty() ? text : text + '\n';
}

}  // namespace halfdof::cli
