#pragma once

#include <halfdof/memory/structure_modes.h>

#include "case_file.h"
#include "case_verification.h"
#include "exit_code.h"
#include "model.h"
#include <optional>

namespace halfdof::cli {

/// Which eigenvalues the memory of a case has: those asked for (0: all), and the compliance of the others
/// unless a law weakens or has a restitution.
StructureModesOptions memory_options(const Inclusions<Engine>& inclusions, Index n_eigenvalues);

/// Runs a case with method = "memory": its contacts alone, by the eigenvalues of the structure. Other
/// displacements are put back for the rows of the table, or, where the run is to be verified, after every
/// step. @param asked by --verify; absent:
/// it is not @throws FileError with the line of what does not fit
ExitCode simulate_with_memory(const CaseFile& given, bool resumes,
                              const std::optional<CaseVerification>& asked);

}  // namespace halfdof::cli
