#pragma once

#include <halfdof/inclusions/inclusion.h>

#include "case_keys.h"
#include "case_section.h"
#include <vector>

namespace halfdof::cli {

/// "dry-friction", ..., as `law` names them.
std::vector<Explained> explained_laws();

/// One [[inclusion]] of the case. @throws FileError naming file and line
Inclusion read_inclusion(const CaseSection& section, GlobalIndex n_dofs);

}  // namespace halfdof::cli
