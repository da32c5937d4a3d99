// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>

#include "case_file.h"
#include "case_keys.h"
#include "model.h"
#include <memory>
#include <string>
#include <vector>

namespace halfdof::cli {

/// The integrator of a case, and warnings that are printed before the run.
struct CaseIntegrator {
  std::unique_ptr<NonsmoothIntegrator<Engine>> method;
  std::vector<std::string> warnings;
};

/// Returns the values of the key `method`, "implicit-euler", ..., with explanations.
std::vector<Explained> explained_methods();
/// Returns the name of a method.
const std::string& name_of(const CaseMethod& method);
/// Returns the methods with steps of one given length.
std::vector<std::string> methods_with_a_step();
/// Returns the methods whose steps have one length, or are controlled by a tolerance.
std::vector<std::string> controlled_methods();

/// Returns the relative tolerance that controls the steps, after refinement. Only event-driven methods, and
/// controlled methods without a `step`, have one.
double tolerance_of(const CaseFile& given);

/// Creates the integrator. Precondition: the method is not "memory". @throws FileError with the line of the
/// method if it cannot integrate the model
CaseIntegrator make_integrator(const CaseFile& given, const Inclusions<Engine>& inclusions,
                               const InclusionOutcome& outcome);

}  // namespace halfdof::cli
