// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/dof_finder.h>

#include <optional>
#include <string>

namespace halfdof::cli {

/// The DoFs of a model, which cases name by index or by node and component.
class ModelDoFs {
 public:
  /// @param labels Outlives this object
  ModelDoFs(GlobalIndex n, const DoFLabels& labels) : n_(n), labels_(labels) {}

  GlobalIndex size() const { return n_; }
  /// Returns the index of a DoF such as "12:x". @throws InvalidInput if there is none, or several
  GlobalIndex find(const std::string& name) const {
    if (!finder_) finder_.emplace(labels_);
    return finder_->find(name);
  }

 private:
  GlobalIndex n_;
  const DoFLabels& labels_;
  mutable std::optional<internal::DoFFinder> finder_;  ///< made when the first name is looked up
};

}  // namespace halfdof::cli
