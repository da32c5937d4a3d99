// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/memory/memory_integrator.h>

#include <string>

namespace halfdof::internal {

/// Checks that a state has the sizes of the states that start() of an integrator returns: n_coordinates
/// entries of x, n_contacts reactions, rates and gaps, and one contact state for each law. @throws
/// InvalidInput unless all sizes are equal
void check_sizes(const std::string& integrator, const MemoryState& state, Index n_coordinates,
                 Index n_contacts, std::size_t n_laws);

}  // namespace halfdof::internal
