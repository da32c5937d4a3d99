// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/dof_finder.h>
#include <halfdof/assembled/files/dof_labels.h>
#include <halfdof/assembled/files/fortran_fields.h>
#include <halfdof/base/text_scanner.h>

#include <optional>

namespace halfdof::internal {

namespace {

std::string key_of(GlobalIndex node, const std::string& component) {
  return std::to_string(node) + ":" + component;
}

}  // namespace

DoFFinder::DoFFinder(const DoFLabels& labels) : labels_(labels) {
  for (std::size_t i = 0; i < labels.node.size() && i < labels.component.size(); ++i) {
    const auto index = static_cast<Index>(i);
    LabelledDoFs& found = found_[key_of(labels.node[i], labels.component_name(index))];
    if (found.n++ == 0) found.first = index;
  }
}

Index DoFFinder::find(std::string_view node_and_component) const {
  const std::string text = shown(node_and_component);
  const std::size_t colon = node_and_component.find(':');
  const std::optional<GlobalIndex> node = whole_number(node_and_component.substr(0, colon));
  if (!node || colon == std::string_view::npos)
    throw InvalidInput(text +
                       " is no DoF. Give its index, counted from 0, or its node and component as in 12:x.");
  if (found_.empty())
    throw InvalidInput(
        text +
        " names a DoF by node and component, but the model has no labels of its DoFs. Give the "
        "index of the DoF, counted from 0, or give the labels by --dofs FILE.");
  const std::string component = component_of(node_and_component.substr(colon + 1));
  const auto place =
      found_.find(*node < 0 ? key_of(-1, in_internal_node(*node, component)) : key_of(*node, component));
  if (place == found_.end()) {
    std::string components;
    for (std::size_t i = 0; i < labels_.node.size(); ++i)
      if (labels_.node[i] == *node && *node >= 0 && components.size() < 80)
        components += (components.empty() ? "" : ", ") + labels_.component_name(static_cast<Index>(i));
    throw InvalidInput(text + " is no DoF of the model: node " + std::to_string(*node) +
                       (components.empty() ? " has no DoFs." : " has the components " + components + "."));
  }
  if (place->second.n > 1)
    throw InvalidInput(text + " is the label of " + std::to_string(place->second.n) +
                       " DoFs, the first of which is " + std::to_string(place->second.first) +
                       ". Give the index of the DoF, counted from 0.");
  return place->second.first;
}

GlobalIndex dof_index(std::string_view text, const DoFFinder& finder) {
  if (const std::optional<GlobalIndex> index = whole_number(text)) return *index;
  return finder.find(trimmed(text));
}

}  // namespace halfdof::internal
