#pragma once

#include "case_model.h"
#include "json_file.h"

namespace halfdof::cli {

/// Prints what the inclusions of a case have become, their Delassus matrices and how they start, and adds it
/// to the object. A start that is refused is described.
void describe_inclusions(const CaseModel& given, const ReducedSystem<Engine>& reduced, Json& json);

}  // namespace halfdof::cli
