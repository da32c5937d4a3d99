// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/assembled_system.h>

#include <cmath>
#include <sstream>

namespace halfdof {

std::string DoFLabels::component_name(Index local) const {
  const auto i = static_cast<std::size_t>(local);
  return i < component.size() ? component_names.at(static_cast<std::size_t>(component[i])) : std::string();
}

std::string DoFLabels::describe(Index local, GlobalIndex global) const {
  const auto i = static_cast<std::size_t>(local);
  std::ostringstream known;
  const auto separator = [&] { return known.tellp() > 0 ? ", " : ""; };

  if (i < node.size() && node[i] >= 0) known << "node " << node[i];
  if (const std::string name = component_name(local); !name.empty()) known << separator() << name;
  if (i < point.size() && dimension > 0 && !std::isnan(point[i][0])) {
    known << separator() << "at (" << point[i][0];
    for (int d = 1; d < dimension; ++d)
      known << ", " << point[i][static_cast<std::size_t>(d)];
    known << ")";
  }

  if (i < constraint.size() && constraint[i] >= 0) known << separator() << "constraint " << constraint[i];

  const std::string label = known.str();
  return "DoF " + std::to_string(global) + (label.empty() ? "" : " (" + label + ")");
}

}  // namespace halfdof
