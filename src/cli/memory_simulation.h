// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/memory/structure_modes.h>

#include "case_file.h"
#include "case_verification.h"
#include "exit_code.h"
#include "model.h"
#include <optional>

namespace halfdof::cli {

/// Returns options for structure_modes() in a case with memory: the given number of eigenvalues (0: all), and
/// the compliance of the others unless a law weakens or has a restitution.
StructureModesOptions memory_options(const Inclusions<Engine>& inclusions, Index n_eigenvalues);

/// Runs a case with method = "memory", which integrates the contacts only, using eigenvalues of the
/// structure. Other displacements are reconstructed for the rows of the table or, if the run is verified,
/// after every step. @param asked tolerances of --verify; absent: the run is not verified
/// @throws FileError with the line of the wrong input
ExitCode simulate_with_memory(const CaseFile& given, bool resumes,
                              const std::optional<CaseVerification>& asked);

}  // namespace halfdof::cli
