#pragma once

#include <halfdof/base/types.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace halfdof {

/// A cell of a mesh with one value: a polygon (3 corners or more, in order) or a bar (2 corners).
struct MeshCell {
  std::vector<std::array<double, 3>> corners = {};
  double value = 0;
};

enum class ColorScale {
  sequential,  ///< dark to bright, from the smallest to the largest value
  diverging,   ///< blue for negative, red for positive values, white in the middle
};

/// Lines between the cells.
enum class MeshEdges {
  automatic,  ///< shown up to 2000 cells
  shown,
  hidden,
};

/**
 * Cells coloured by their values, to scale: a mode shape, a field. In two dimensions x points to the right
 * and y up; in three the mesh is seen from afar, z up, and what lies nearer hides what lies behind (exact for
 * the faces of a mesh of similar cells, because faces are sorted by their centres).
 */
struct MeshPanel {
  std::string title = {};
  std::string value_label = {};  ///< beside the colour bar, with its unit
  std::vector<MeshCell> cells = {};
  std::vector<MeshCell> outline = {};  ///< drawn as thin grey lines, behind; for the undeformed mesh
  int dimension = 2;
  std::array<double, 2> view = {
      -60, 25};  ///< in three dimensions: azimuth of the eye from x to y, elevation [degree]
  ColorScale colors = ColorScale::sequential;
  std::optional<std::array<double, 2>> range = {};  ///< of the colour bar; absent: that of the values
  MeshEdges edges = MeshEdges::automatic;
};

}  // namespace halfdof
