// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "case_model.h"
#include "json_file.h"

namespace halfdof::cli {

/// Prints the types of the inclusions of a case, their Delassus matrices and their initial states, and adds
/// them to the JSON object. If the initial state is refused, the reason is printed.
void describe_inclusions(const CaseModel& given, const ReducedSystem<Engine>& reduced, Json& json);

}  // namespace halfdof::cli
