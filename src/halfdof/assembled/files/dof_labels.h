// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/assembled/files/file_matrix.h>

#include <string>
#include <string_view>
#include <vector>

namespace halfdof::internal {

/// Returns the labels of degrees of freedom of a file. Components 1 to 6 are called x, y, z, rx, ry, rz,
/// component 0 is called "scalar", and component 11 is called "component 11". A negative number of a node
/// becomes part of the name of the component, "internal node -3, x", because a negative number means no node
/// in DoFLabels.
DoFLabels labels_of(const std::vector<FileDoF>& dofs);

/// Returns the nodes and the numbers of the components of labels, the inverse of labels_of().
/// @throws InvalidInput for a component name that labels_of() does not produce, or for DoFs without a node
std::vector<FileDoF> file_dofs_of(const DoFLabels& labels);

/// Returns the name of a component that a file gives as a number or as a word.
std::string component_of(std::string_view text);

/// Returns the name of a component of a node with a negative number: "internal node -3, x".
std::string in_internal_node(GlobalIndex node, const std::string& component);

/// Describes a degree of freedom of a file: "node 12, x".
std::string described(const FileDoF& dof);

}  // namespace halfdof::internal
