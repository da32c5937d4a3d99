// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/constraint_rows.h>
#include <halfdof/diagnosis/structural_reduction.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/reduction/reduced_system.h>

#include <CLI/CLI.hpp>

#include "prony_branches.h"
#include "structural_damping.h"
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace halfdof::cli {

using Engine = EigenEngine;

/// Options that every verb has: files of the assembled system, and the method of its reduction.
struct ModelOptions {
  std::vector<std::filesystem::path> files;  ///< all matrices, instead of the next three; empty: not given
  std::filesystem::path mass, damping, stiffness, constrained;  ///< empty: not given
  std::filesystem::path dofs;                                   ///< labels of the DoFs; empty: not given
  std::filesystem::path constraint_position, constraint_rate;   ///< files of A_2 and A_1; empty: not given
  std::vector<StructuralDampingTerm> structural_damping;        ///< added to that of the matrices
  std::vector<PronyPart> prony;
  double null_tolerance = 0;
  Solver solver = Solver::automatic;
  ReductionMethod method = ReductionMethod::automatic;
};

/// Declares the options for a verb.
void add_model_options(CLI::App& verb, ModelOptions& options);

/// Checks that the files of a model are given in one way: all by --model, or each by its option. CLI11 does
/// not check this, since it would report it before a misspelt option.
void check_model_options(const CLI::App& verb);

/// What the files of a model say.
struct FilesRead {
  SystemDescription<Engine> description;
  std::vector<RelaxingPart> prony;
  std::optional<Eigen::SparseMatrix<double>> constraint_position, constraint_rate;    ///< A_2 and A_1
  std::optional<Eigen::SparseMatrix<double>> imaginary_stiffness, imaginary_damping;  ///< K_i and C_i

  bool has_structural_damping() const { return imaginary_stiffness || imaginary_damping; }
};

/// The model of a verb. With structural damping, the verb computes with its real embedding.
struct Model {
  std::optional<StructurallyDampedSystem<Engine>> structural;  ///< no value: the matrices are real
  AssembledSystem<Engine> assembled;                           ///< the system that is reduced

  /// The system in the DoFs of the files.
  const AssembledSystem<Engine>& application() const {
    return structural ? structural->real_part() : assembled;
  }
  /// Number of DoFs of the system that is reduced for each DoF of the files.
  Index n_copies() const { return structural ? 2 : 1; }
};

/// Reads all files. @throws InvalidInput naming file, line and reason
FilesRead read_files(const ModelOptions& options);
/// Adds the branches of Prony series and the constraints of the files, with one multiplier for each as a new
/// DoF, and dummy derivatives where multipliers couple many DoFs. @param right_side b; empty: zero
/// @param keep DoFs that inclusions act on
SystemDescription<Engine> with_constraints_read(FilesRead files, const ModelOptions& options,
                                                Vector right_side, const std::vector<Index>& keep);
/// Returns the model that files and options describe; arguments as for with_constraints_read().
Model model_of(FilesRead files, const ModelOptions& options, Vector right_side,
               const std::vector<Index>& keep);
Model read_model(const ModelOptions& options);
ReducedSystem<Engine> reduce(const Model& model, const ReductionOptions& options);

/// A model with its reduction.
struct ReducedModel {
  Model model;
  ReducedSystem<Engine> reduced;
};
ReducedModel reduced_model(Model model, const ReductionOptions& options);

/// Returns the names of the formats of the files that hold matrices.
std::vector<std::string> formats_of(const ModelOptions& options);

/// Returns the DoFs that an option names by index, or by node and component as in 12:x. @throws InvalidInput
std::vector<GlobalIndex> dofs_named(const std::vector<std::string>& names,
                                    const AssembledSystem<Engine>& assembled, const std::string& option);

ReductionOptions reduction_options(const ModelOptions& options);

/// Returns the method for "auto", "null-columns", "kernel" or "constraints". @throws InvalidInput for other
/// names
ReductionMethod method_from_name(const std::string& name);

/// Returns warnings about the reduction for the user, one sentence each.
std::vector<std::string> warnings(const Classification& classification);
std::vector<std::string> warnings(const ReducedSystem<Engine>& reduced);
std::vector<std::string> warnings(const Model& model, const ReducedSystem<Engine>& reduced);
void print_warnings(std::ostream& out, const ReducedSystem<Engine>& reduced);
void print_warnings(std::ostream& out, const Model& model, const ReducedSystem<Engine>& reduced);

}  // namespace halfdof::cli
