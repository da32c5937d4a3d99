// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "../case_file.h"
#include "../json_file.h"
#include "findings.h"
#include <cstdint>

namespace halfdof::cli {

/// What becomes of each inclusion. @param inspected the JSON of `inspect` for a case with inclusions
void add_inclusions(Findings& report, const Json& inspected);

/// Runs a case as `simulate` does, but for at most `most_steps` steps, writes no table, and verifies every
/// step.
void add_run(Findings& report, const CaseFile& given, const ReducedSystem<Engine>& reduced,
             std::int64_t most_steps);

}  // namespace halfdof::cli
