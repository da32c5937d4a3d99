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

  /// Returns the index of a DoF. @throws InvalidInput if the model has no labels, no DoF with this label, or
  /// several DoFs with this label
  Index find(std::string_view node_and_component) const;

 private:
  /// The DoFs that have the same label.
  struct LabelledDoFs {
    Index first = 0;  ///< the first DoF with the label
    Index n = 0;      ///< number of DoFs with the label
  };

  const DoFLabels& labels_;
  std::unordered_map<std::string, LabelledDoFs> found_;  ///< by "node:component"
};

/// Returns the index of the DoF that a text names, either by the index itself or by node:component. An index
/// is not checked and may lie outside the model.
/// @throws InvalidInput if the text has neither form, or as DoFFinder::find()
GlobalIndex dof_index(std::string_view text, const DoFFinder& finder);

}  // namespace halfdof::internal
