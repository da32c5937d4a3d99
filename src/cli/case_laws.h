#pragma once

#include <halfdof/inclusions/inclusion.h>

#include "case_section.h"
#include <string>
#include <vector>

namespace halfdof::cli {

/// "dry-friction", ..., as `law` names them.
std::vector<std::string> law_names();

/// One [[inclusion]] of the case. @throws FileError naming file and line
Inclusion read_inclusion(const CaseSection& section, GlobalIndex n_dofs);

}  // namespace halfdof::cli
