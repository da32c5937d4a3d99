#pragma once

#include <halfdof/integrators/verification.h>

#include "case_file.h"
#include "model.h"
#include <optional>

namespace halfdof::cli {

/// Prints what --verify found of a run, and says what it finds too large.
/// @param begin of what was seen, where that is not the start @return whether all that the method keeps exactly is within the tolerance
bool passes_verification(const CaseFile& given, const Verification<Engine>& verification,
                         const NonsmoothIntegrator<Engine>& method, std::optional<double> begin,
                         double tolerance);

}  // namespace halfdof::cli
