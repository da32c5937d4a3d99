// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>

#include "case_file.h"
#include "model.h"
#include <limits>
#include <string>
#include <vector>

namespace halfdof::cli {

/// Returns the functions of time of all [[load]].
std::vector<ScalarFunction> functions_of_loads(const CaseFile& given);

/**
 * Returns one sentence for each formula of the loads and inclusions that a run does not resolve: within one
 * step it oscillates more than a polynomial of degree seven can follow, or a run would need too many steps
 * to follow it.
 * @param step [s]; infinite if the method chooses its own steps
 */
std::vector<std::string> resolution_warnings(const CaseFile& given, const Inclusions<Engine>& inclusions,
                                             double step = std::numeric_limits<double>::infinity());

}  // namespace halfdof::cli
