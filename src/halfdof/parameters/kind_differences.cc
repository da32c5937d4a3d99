// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/parameters/kind_differences.h>

#include <algorithm>

namespace halfdof::internal {

std::vector<KindDifference> kind_differences(const std::vector<DoFKind>& before,
                                             const std::vector<DoFKind>& after,
                                             const AssembledSystem<EigenEngine>& system) {
  std::vector<KindDifference> all;
  for (std::size_t dof = 0; dof < static_cast<std::size_t>(system.n_dofs()); ++dof)
    if (before.at(dof) != after.at(dof))
      all.push_back(
          {static_cast<GlobalIndex>(dof), before[dof], after[dof], system.describe(static_cast<Index>(dof))});
  return all;
}

std::string describe_kinds(const KindDifference& difference, const std::string& at_before,
                           const std::string& at_after) {
  return difference.description + " is " + name_of(difference.before) + " at " + at_before + " and " +
         name_of(difference.after) + " at " + at_after + ".\n";
}

}  // namespace halfdof::internal
