#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/integrators/nonsmooth_start.h>

#include "case_section.h"
#include "checks.h"
#include "model.h"
#include <vector>

namespace halfdof::cli {

/// All files that a case reads, itself the first.
std::vector<InputFile> files_read(const CaseFile& given);

/// The assembled system with its loads. @throws FileError, InvalidInput
AssembledSystem<Engine> read_system(const CaseFile& given);

ReducedSystem<Engine> reduce_case(const CaseFile& given);

Inclusions<Engine> read_inclusions(const CaseFile& given, const ReducedSystem<Engine>& reduced);

/// The start of the run, made consistent.
NonsmoothStart start_of(const CaseFile& given, const Inclusions<Engine>& inclusions,
                        const InclusionOutcome& outcome);

}  // namespace halfdof::cli
