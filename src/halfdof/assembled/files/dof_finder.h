// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/base/types.h>

#include <string>
#include <string_view>
#include <unordered_map>

namespace halfdof::internal {

/// Finds degrees of freedom by node and component, such as 12:x, 12:1 or -3:rz.
class DoFFinder {
 public:
  explicit DoFFinder(const DoFLabels& labels);

  /// Returns the index of a DoF. @throws InvalidInput, as a clause without a full stop after "12:x ", if the
  /// model has no labels, no such DoF or several
  Index find(std::string_view node_and_component) const;

 private:
  struct Found {
    Index first = 0;
    Index n = 0;  ///< how many DoFs have the label
  };

  const DoFLabels& labels_;
  std::unordered_map<std::string, Found> found_;  ///< by "node:component"
};

/// Returns the index that a text means: a whole number, or node:component.
/// @throws InvalidInput if it is neither; a number may lie outside the model
GlobalIndex dof_index(std::string_view text, const DoFFinder& finder);

}  // namespace halfdof::internal
