// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/parameters/eigenvalue_branches.h>

#include "case_argument.h"
#include "exit_code.h"
#include <filesystem>
#include <string>
#include <vector>

namespace halfdof::cli {

/// What `modes --sweep` is asked for.
struct ModesSweepOptions {
  std::vector<std::string> sweeps;
  BranchOptions branches;
  double tolerance = 1e-6;  ///< of residuals and backward errors
  std::vector<double> orders;
  std::filesystem::path csv, plot;
};

/// Follows eigenvalues over the parameters of a case, prints the branches and writes the files.
ExitCode run_modes_sweep(const CaseArgument& argument, const ModelSource& source,
                         const ModesSweepOptions& options, const std::filesystem::path& json);

/// Draws frequencies, damping ratios or loss factors, and the root locus. @param name Of the parameter
/// @param orders n of lines f = n p / 2 pi, where the parameter is a speed in rad/s
void write_branch_plot(const std::filesystem::path& file, const EigenvalueBranches& branches,
                       const std::string& name, const std::vector<double>& orders);

}  // namespace halfdof::cli
