// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/outcome.h>

#include "case_section.h"
#include "model.h"
#include <functional>
#include <optional>

namespace halfdof::cli {

struct CaseFile;
struct CaseIntegrator;
struct CaseMethod;

/// The values of [integrator].
struct IntegratorSettings {
  const CaseMethod* method;                  ///< the entry of the table of methods
  double end;                                ///< end of the run [s]
  std::optional<double> step;                ///< as given, before refinement [s]
  std::optional<double> relative_tolerance;  ///< as given or by default, before refinement
  std::optional<double> law_tolerance;       ///< as given
  /// Creates the integrator with the options that only this method has; empty for the method "memory", which
  /// has runs of its own: see memory_simulation.h.
  std::function<CaseIntegrator(const CaseFile&, const Inclusions<Engine>&, const InclusionOutcome&)> make;
};

/// Reads a section that was checked against the table of keys.
IntegratorSettings integrator_settings(const CaseSection& section);

}  // namespace halfdof::cli
