// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/mesh_file.h>

#include <filesystem>
#include <string>
#include <vector>

namespace halfdof::internal {

/// Values at the nodes of a mesh.
struct NodalField {
  std::string name;
  MultiVector values;  ///< one column for each node: one row for a scalar, three for a vector
};

/// Writes a mesh with fields as a file of VTK (UnstructuredGrid in XML, as text), which ParaView opens. The
/// file appears under its name only when it is complete.
void write_vtu(const std::filesystem::path& file, const Mesh& mesh, const std::vector<NodalField>& fields);

}  // namespace halfdof::internal
