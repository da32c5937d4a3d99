#pragma once

#include <halfdof/assembled/constraint_rows.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/reduction/reduced_system.h>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace halfdof::cli {

using Engine = EigenEngine;

/// The options that every verb takes: the assembled system and how it is reduced.
struct ModelOptions {
  std::filesystem::path mass, damping, stiffness, constrained;  ///< empty: not given
  std::filesystem::path constraint_position, constraint_rate;   ///< A_2 and A_1; empty: not given
  double null_tolerance = 0;
  Solver solver = Solver::automatic;
  ReductionMethod method = ReductionMethod::automatic;
};

/// Declares them on a verb.
void add_model_options(CLI::App& verb, ModelOptions& options);

/// Reads the files. @throws InvalidInput naming file, line and reason
SystemDescription<Engine> read_description(const ModelOptions& options);
/// Adds the constraints of the files, each with a multiplier as a further DoF, and dummy derivatives where
/// they tie many DoFs together. @param right_side b; empty: zero @param keep DoFs that inclusions act on
SystemDescription<Engine> with_constraints_read(SystemDescription<Engine> description,
                                                const ModelOptions& options, Vector right_side,
                                                const std::vector<Index>& keep);
AssembledSystem<Engine> read_model(const ModelOptions& options);

ReductionOptions reduction_options(const ModelOptions& options);

/// "auto", "null-columns", "kernel", "constraints". @throws InvalidInput for others
ReductionMethod method_from_name(const std::string& name);

/// What a user should know of this reduction, one sentence each.
std::vector<std::string> warnings(const Classification& classification);
std::vector<std::string> warnings(const ReducedSystem<Engine>& reduced);
void print_warnings(std::ostream& out, const ReducedSystem<Engine>& reduced);

}  // namespace halfdof::cli
