// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/parameters/eigenvalue_branches.h>

#include <string>
#include <vector>

namespace halfdof::internal {

/// Returns the DoFs whose kinds differ. @param before,after Classification::kinds() of systems that have the
/// DoFs of `system` at least
std::vector<KindDifference> kind_differences(const std::vector<DoFKind>& before,
                                             const std::vector<DoFKind>& after,
                                             const AssembledSystem<EigenEngine>& system);

/// Returns a line such as "DoF 1 is algebraic at omega = 0 and viscous at omega = 1.".
/// @param at_before,at_after Values of parameters as text
std::string describe_kinds(const KindDifference& difference, const std::string& at_before,
                           const std::string& at_after);

}  // namespace halfdof::internal
