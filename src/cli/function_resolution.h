#pragma once

#include <halfdof/inclusions/inclusions.h>

#include "case_file.h"
#include "model.h"
#include <limits>
#include <string>
#include <vector>

namespace halfdof::cli {

/// The functions of time of all [[load]].
std::vector<ScalarFunction> functions_of_loads(const CaseFile& given);

/**
 * One sentence for each formula of the loads and inclusions that a run does not resolve: within one step it
 * turns more often than a polynomial of degree seven can follow, or its pieces are so many that no run
 * follows them.
 * @param step [s]; infinite where the method chooses its own
 */
std::vector<std::string> resolution_warnings(const CaseFile& given, const Inclusions<Engine>& inclusions,
                                             double step = std::numeric_limits<double>::infinity());

}  // namespace halfdof::cli
