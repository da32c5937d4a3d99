// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/verification/verification.h>

#include "case_file.h"
#include "model.h"
#include <optional>

namespace halfdof::cli {

/// Number of samples of a run, so that pulses of formulas are found that last at least 1/samples_of_run of
/// the run.
constexpr double samples_of_run = 4096;

/// Tolerances of the verification of a run, and whether the run is repeated.
struct CaseVerification {
  double kept;   ///< tolerance for the checks that the method fulfils exactly
  double step;   ///< tolerance for the error of a time step, relative to the motion
  bool repeats;  ///< whether the run is repeated with half the step
};

/// Prints the results of --verify, and which of them exceed their tolerances.
/// @param begin time at which the verified part begins, if it is not the start
/// @return whether all checks that the method fulfils exactly, and the error of a step, are within their
///     tolerances
bool passes_verification(const CaseFile& given, const Verification<Engine>& verification,
                         const NonsmoothIntegrator<Engine>& method, std::optional<double> begin,
                         const CaseVerification& asked);

}  // namespace halfdof::cli
