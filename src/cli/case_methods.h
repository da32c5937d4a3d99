#pragma once

#include <halfdof/integrators/nonsmooth_integrator.h>
#include <halfdof/integrators/verification.h>

#include "case_section.h"
#include "model.h"
#include <memory>
#include <string>
#include <vector>

namespace halfdof::cli {

using CaseIntegrator = std::unique_ptr<NonsmoothIntegrator<Engine>>;

/// "implicit-euler", ..., as `method` names them.
std::vector<std::string> method_names();

/// The [integrator] of a case.
CaseIntegrator make_integrator(const CaseSection& section, const Inclusions<Engine>& inclusions,
                               const InclusionOutcome& outcome);

/// What a method keeps up to rounding. What else `verify` measures is the error of its steps.
std::vector<Check> kept_exactly(const std::string& method);

}  // namespace halfdof::cli
