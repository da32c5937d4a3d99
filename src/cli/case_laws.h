// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>

#include "case_keys.h"
#include "case_section.h"
#include <vector>

namespace halfdof::cli {

/// Returns the values of the key `law`, "dry-friction", ..., with explanations.
std::vector<Explained> explained_laws();

/// Returns the values of the key `curve`, "exponential", ..., which describe how friction weakens, with
/// explanations.
std::vector<Explained> explained_curves();

/// Reads one [[inclusion]] of the case. @param start time at which thresholds and coefficients are checked
/// against their ranges [s] @throws FileError naming file and line
Inclusion read_inclusion(const CaseSection& section, const ModelDoFs& dofs, double start);

}  // namespace halfdof::cli
