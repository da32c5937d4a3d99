// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model.h"
#include <string>
#include <vector>

namespace halfdof::cli {

/// The frequencies of a response, and why a root mean square over them would not be right.
struct Frequencies {
  std::vector<double> at;
  std::string doubt;  ///< whole sentences; empty: none
};

/// Returns the frequencies with those that resolve the resonances between them.
/// Modes beyond the range are taken into account up to six of its steps away.
/// @param grid The frequencies without those at which densities are given, which `at` has, too
Frequencies with_resonances_of(const Model& model, const ReducedSystem<Engine>& reduced,
                               const std::vector<double>& grid, const std::vector<double>& at, double step);

}  // namespace halfdof::cli
