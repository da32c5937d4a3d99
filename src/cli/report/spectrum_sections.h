// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/frequency_response.h>
#include <halfdof/spectrum/structurally_damped_modes.h>

#include "../case_file.h"
#include "../model.h"
#include "findings.h"
#include <optional>
#include <string>
#include <vector>

namespace halfdof::cli {

/// Both spectra in the complex plane, the table of modes, and how far they agree. The numbers are those of
/// `modes`.
void add_spectra(Findings& report, const SpectrumComparison& comparison);

/// The same of a system with structural damping. @param of_embedding The comparison
void add_spectra(Findings& report, const SpectrumComparison& of_embedding,
                 const StructurallyDampedModes& modes);

/// Loads of a frequency response and the displacements that are shown.
struct ResponseRequest {
  HarmonicLoads loads;
  std::vector<std::string> load_names;  ///< "f_0", "load 1"
  std::vector<GlobalIndex> outputs;
  std::string explanation;  ///< why these, a sentence
};

/// Returns the free DoF with the largest diagonal entry of M (of C or K if M or both are zero) as load and
/// output. Precondition: a DoF is free.
ResponseRequest collocated(const AssembledSystem<Engine>& assembled);

/// Returns the first two loads of a case, and the first two displacements of its output or, without any, the
/// DoF on which each load is largest. Precondition: the case has a load.
ResponseRequest response_of_case(const CaseModel& given, const std::vector<GlobalIndex>& displacements,
                                 const AssembledSystem<Engine>& assembled);

/// Frequency responses before and after the elimination, over the frequencies of the lowest modes.
void add_response(Findings& report, const Model& model, const ReducedSystem<Engine>& reduced,
                  const SpectrumComparison& comparison, const ResponseRequest& request);

}  // namespace halfdof::cli
