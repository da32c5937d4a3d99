// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/parameters/parametric_system.h>

#include "case_file.h"
#include "checks.h"
#include "model.h"
#include <iosfwd>
#include <optional>
#include <vector>

namespace halfdof::cli {

/// Returns the DoFs of a system, which outlives them.
ModelDoFs dofs_of(const AssembledSystem<Engine>& assembled);

/// Returns all files that a case reads; the case file is the first one.
std::vector<InputFile> files_read(const CaseModel& given);

/// The scalar loads of a case: columns of forces for a unit of each load, and functions of time. Shape:
/// n_dofs x n_loads
struct CaseLoads {
  MultiVector places;
  std::vector<ScalarFunction> functions;
};

CaseLoads read_loads(const CaseModel& given, const AssembledSystem<Engine>& assembled);

/// The model of a case at any values of its parameters; its files were read once.
class CaseSystem {
 public:
  /// @param given It has to exist as long as this object. @throws FileError, InvalidInput
  explicit CaseSystem(const CaseModel& given);

  const Parameters& parameters() const { return matrices_.parameters(); }
  bool has_structural_damping() const {
    return files_.has_structural_damping() || !losses_.empty() || !damping_losses_.empty();
  }
  /// Returns whether a factor of a matrix or of structural damping uses a parameter.
  bool depends_on(const std::string& parameter) const;
  /// Returns the model; it has the loads of the case unless there is structural damping. @param changed
  /// Parameters of matrices with other values than those of the case; functions of time keep the values of
  /// the case
  Model at(const Parameters& changed = {}) const;

 private:
  /// A term of an imaginary part: one of the structural damping, or of a sum whose matrix is complex.
  struct Loss {
    CaseTerm term;
    Eigen::SparseMatrix<double> matrix;  ///< empty: the term is a loss factor of the stiffness
  };

  ParametricSystem<Engine> read_terms();
  std::vector<StructuralDampingTerm> structural_damping_at(const Parameters& values) const;

  const CaseModel& given_;
  std::vector<Loss> losses_, damping_losses_;  ///< of the stiffness, and of the damping
  FilesRead files_;  ///< without the description and the parts of sums, which are in the other members
  ParametricSystem<Engine> matrices_;
  Vector constraint_value_;
};

/// Reads the assembled system with its loads. @throws FileError, InvalidInput; NotAvailable if it has
/// structural damping, to which no motion belongs
AssembledSystem<Engine> read_system(const CaseModel& given);

ReductionOptions reduction_options(const CaseModel& given);
ReducedSystem<Engine> reduce_case(const CaseModel& given);

Inclusions<Engine> read_inclusions(const CaseModel& given, const ReducedSystem<Engine>& reduced);

/// Determines the types of the inclusions. @throws FileError with the line of a law that the model does not
/// admit
InclusionOutcome outcome_of(const CaseModel& given, const Inclusions<Engine>& inclusions);

/// Returns a consistent initial state of the run. @throws FileError with the line of the wrong input
NonsmoothStart start_of(const CaseModel& given, const Inclusions<Engine>& inclusions,
                        const InclusionOutcome& outcome);

/// Prints the changes of the initial values; it prints nothing if they were not changed.
void print(std::ostream& out, const NonsmoothStart& start);

}  // namespace halfdof::cli
