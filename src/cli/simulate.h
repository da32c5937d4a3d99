// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/outcome.h>

#include "case_file.h"

namespace halfdof::cli {

/// Returns the outcome with the tolerance for laws of the case. It is raised, with a message, to what
/// rounding allows.
InclusionOutcome with_law_tolerance(const CaseFile& given, InclusionOutcome outcome);

}  // namespace halfdof::cli
