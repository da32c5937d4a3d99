#pragma once

#include <halfdof/integrators/nonsmooth_integrator.h>

#include "case_file.h"
#include "case_keys.h"
#include "model.h"
#include <memory>
#include <string>
#include <vector>

namespace halfdof::cli {

/// The [integrator] of a case, and what a user should know before it runs.
struct CaseIntegrator {
  std::unique_ptr<NonsmoothIntegrator<Engine>> method;
  std::vector<std::string> warnings;
};

/// "implicit-euler", ..., as `method` names them.
std::vector<Explained> explained_methods();
/// Those whose steps have one length, which has to be given.
std::vector<std::string> methods_with_a_step();
/// Those whose steps have one length, or are chosen by a tolerance.
std::vector<std::string> controlled_methods();

/// The relative tolerance by which steps are chosen, as refined. Of event-driven, and of controlled methods
/// without a `step`.
double tolerance_of(const CaseFile& given);

/// @throws FileError with the line of the method where it does not fit the model
CaseIntegrator make_integrator(const CaseFile& given, const Inclusions<Engine>& inclusions,
                               const InclusionOutcome& outcome);

}  // namespace halfdof::cli
