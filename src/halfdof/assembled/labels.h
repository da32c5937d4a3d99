#pragma once

#include <halfdof/base/types.h>

#include <array>
#include <string>
#include <vector>

namespace halfdof {

/**
 * What an application knows of its degrees of freedom, for reports and errors. Every part is optional
 * (empty); a part that is given holds one entry for each local assembled DoF.
 */
struct DoFLabels {
  std::vector<std::string> component_names;  ///< "x", "y", "phi", ...
  std::vector<Index> component;              ///< index into component_names
  std::vector<GlobalIndex> node;             ///< number of the node or vertex; -1: none
  std::vector<std::array<double, 3>> point;  ///< support points; unused coordinates zero, NaN: none
  int dimension = 0;                         ///< how many coordinates of a point are shown
  std::vector<Index> constraint = {};        ///< row of the constraint that a multiplier belongs to; -1: none

  /// "DoF 17 (node 6, x, at (0.1, 0.2))", "DoF 18 (multiplier, constraint 0)". @param local,global The same
  /// assembled DoF in both numberings.
  std::string describe(Index local, GlobalIndex global) const;

  /// Name of the component of a local DoF, or "" where unknown.
  std::string component_name(Index local) const;
};

}  // namespace halfdof
