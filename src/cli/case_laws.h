#pragma once

#include <halfdof/inclusions/inclusion.h>

#include "case_keys.h"
#include "case_section.h"
#include <vector>

namespace halfdof::cli {

/// "dry-friction", ..., as `law` names them.
std::vector<Explained> explained_laws();

/// "exponential", ..., as `curve` names how friction weakens.
std::vector<Explained> explained_curves();

/// One [[inclusion]] of the case. @param start [s], when its thresholds and coefficients have to be in their
/// ranges @throws FileError naming file and line
Inclusion read_inclusion(const CaseSection& section, GlobalIndex n_dofs, double start);

}  // namespace halfdof::cli
