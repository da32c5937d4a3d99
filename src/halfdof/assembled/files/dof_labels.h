// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/assembled/files/file_matrix.h>

#include <string>
#include <string_view>
#include <vector>

namespace halfdof::internal {

/// Returns the labels of degrees of freedom: components 1 to 6 are x, y, z, rx, ry, rz, component 0 is
/// "scalar", and others are "component 11". A node with a negative number stands in the name of the
/// component, "internal node -3, x", since DoFLabels uses negative numbers for no node.
DoFLabels labels_of(const std::vector<FileDoF>& dofs);

/// Returns the nodes and numbers of components of labels whose components are of those that labels_of()
/// makes.
/// @throws InvalidInput for a component that has no number, or for DoFs without a node
std::vector<FileDoF> file_dofs_of(const DoFLabels& labels);

/// Returns the name of a component that is written as a number or as a word.
std::string component_of(std::string_view text);

/// Returns the name of a component in a node with a negative number.
std::string in_internal_node(GlobalIndex node, const std::string& component);

/// Describes a degree of freedom of a file: "node 12, x".
std::string described(const FileDoF& dof);

}  // namespace halfdof::internal
