// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/functions/parameters.h>

#include "checks.h"
#include "model.h"
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * A case as the argument of a verb that needs a model only, in place of options that name its files.
 */
namespace halfdof::cli {

struct CaseModel;

/// The case of a verb and the parameters that --set changes.
struct CaseArgument {
  std::filesystem::path file;         ///< empty: the model is given by options
  std::vector<std::string> settings;  ///< texts such as "omega=7"

  /// Returns the values of the settings. @throws InvalidInput if one is not NAME=NUMBER, or a name repeats
  Parameters changed() const;
};

/// Declares --set for a verb that takes a case.
void add_settings(CLI::App& verb, CaseArgument& argument);

/// Declares the case as an argument, and --set. @param text Explanation of the argument
void add_case(CLI::App& verb, CaseArgument& argument, const std::string& text);

/// Declares --sweep. @param texts Receives the texts of the option, for sweep_from()
CLI::Option* add_sweep(CLI::App& verb, std::vector<std::string>& texts);

/// Checks that either a case or the files of a model are given. @throws InvalidInput otherwise
void check_case_or_model(const CLI::App& verb);

/// The model of a verb: that of a case, or that of its options.
struct ModelSource {
  ModelOptions options;
  std::shared_ptr<const CaseModel> of_case;  ///< absent: the model is given by options

  std::vector<InputFile> files() const;
  AssembledSystem<Engine> read() const;
  /// Returns a line about what verbs for linear models do not use of the case; empty if there is nothing.
  std::string unused() const;
};

/// Returns the source of the model. @throws FileError, InvalidInput if the case is wrong
ModelSource source_of(const CaseArgument& argument, const ModelOptions& options);

}  // namespace halfdof::cli
