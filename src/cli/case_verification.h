#pragma once

#include <halfdof/integrators/verification.h>

#include "case_file.h"
#include "model.h"
#include <optional>

namespace halfdof::cli {

/// Pulses of formulas that are as long as this part of a run are found.
constexpr double samples_of_run = 4096;

/// What a run may be wrong by, and whether it is repeated.
struct CaseVerification {
  double kept;   ///< of what the method keeps exactly
  double step;   ///< of a time step, relative to the motion
  bool repeats;  ///< with half the step besides
};

/// Prints what --verify found of a run, and says what it finds too large.
/// @param begin of what was seen, where that is not the start
/// @return whether all that the method keeps exactly, and the error of a step, are within their tolerances
bool passes_verification(const CaseFile& given, const Verification<Engine>& verification,
                         const NonsmoothIntegrator<Engine>& method, std::optional<double> begin,
                         const CaseVerification& asked);

}  // namespace halfdof::cli
