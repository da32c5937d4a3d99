#pragma once

#include "case_file.h"
#include "exit_code.h"

namespace halfdof::cli {

/// Runs a case with method = "memory": its contacts alone, by the eigenvalues of the structure. Other displacements are put
/// back for the rows of the table. @throws FileError with the line of what does not fit
ExitCode simulate_with_memory(const CaseFile& given, bool resumes);

}  // namespace halfdof::cli
