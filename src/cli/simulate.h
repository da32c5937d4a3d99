// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/outcome.h>

#include "case_file.h"

namespace halfdof::cli {

/// Returns the outcome with the value of law_tolerance that the case gives, if it gives one. A tolerance that
/// is smaller than rounding errors permit is raised to what they permit, and a message on standard error says
/// so.
InclusionOutcome with_law_tolerance(const CaseFile& given, InclusionOutcome outcome);

}  // namespace halfdof::cli
