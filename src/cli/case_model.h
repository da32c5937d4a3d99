#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth_start.h>

#include "case_file.h"
#include "checks.h"
#include "model.h"
#include <iosfwd>
#include <vector>

namespace halfdof::cli {

/// All files that a case reads, itself the first.
std::vector<InputFile> files_read(const CaseModel& given);

/// The places of the scalar loads of a case, and their functions of time. Shape: n_dofs x n_loads
struct CaseLoads {
  MultiVector places;
  std::vector<ScalarFunction> functions;
};

CaseLoads read_loads(const CaseModel& given, GlobalIndex n_dofs);

/// The assembled system with its loads. @throws FileError, InvalidInput
AssembledSystem<Engine> read_system(const CaseModel& given);

ReductionOptions reduction_options(const CaseModel& given);
ReducedSystem<Engine> reduce_case(const CaseModel& given);

Inclusions<Engine> read_inclusions(const CaseModel& given, const ReducedSystem<Engine>& reduced);

/// What they become. @throws FileError with the line of the law that does not fit the model
InclusionOutcome outcome_of(const CaseModel& given, const Inclusions<Engine>& inclusions);

/// The start of the run, made consistent. @throws FileError with the line of what does not fit
NonsmoothStart start_of(const CaseModel& given, const Inclusions<Engine>& inclusions,
                        const InclusionOutcome& outcome);

/// What was changed in the initial values; nothing if they were taken as they are.
void print(std::ostream& out, const NonsmoothStart& start);

}  // namespace halfdof::cli
