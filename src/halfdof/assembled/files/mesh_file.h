// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/types.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace halfdof::internal {

/// A cell of a mesh, as VTK numbers types and nodes (VTK User's Guide, Figures 19-20 and 19-21).
struct MeshCell {
  int type;                        ///< 10: tetrahedron, 12: hexahedron, 25: quadratic hexahedron, ...
  std::vector<GlobalIndex> nodes;  ///< positions in Mesh::numbers
};

/// Nodes and elements for pictures.
struct Mesh {
  std::vector<GlobalIndex> numbers;           ///< of the nodes
  std::vector<std::array<double, 3>> points;  ///< in the same order
  std::vector<MeshCell> cells;
  std::vector<std::string> skipped;  ///< types of elements that are not drawn, each once
};

/**
 * Reads nodes and elements of an input file of Abaqus or CalculiX (`*NODE`, `*ELEMENT`; no parts or
 * includes), a text result file of CalculiX (.frd), or a text file of Gmsh (.msh, 2.2 or 4.1). The format is
 * recognized by the content. Elements of Gmsh with nodes inside of faces, and its pyramid of 13 nodes (type
 * 19), are drawn by their corners. Coordinates of Abaqus must be rectangular: `*NODE, SYSTEM=C` is refused.
 * @throws FileError with the line for text that is none of these, for negative counts, for `*ELEMENT` without
 * a type, or for elements with unknown nodes
 */
Mesh read_mesh(const std::filesystem::path& file);

}  // namespace halfdof::internal
