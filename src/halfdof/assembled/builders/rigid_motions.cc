// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/model_builders.h>

#include <Eigen/Geometry>

#include <array>
#include <cmath>

namespace halfdof {

MultiVector rigid_motions(const DoFLabels& labels, Index n_local, Index first_component) {
  const Index dim = labels.dimension, n_components = static_cast<Index>(labels.component_names.size());
  if (dim < 1 || dim > 3 || first_component < 0 || first_component + dim > n_components)
    return MultiVector(n_local, 0);
  constexpr std::array<Index, 4> n_motions{0, 1, 3, 6};
  MultiVector motions = MultiVector::Zero(n_local, n_motions[static_cast<std::size_t>(dim)]);
  for (std::size_t i = 0; i < labels.component.size(); ++i) {
    const Index component = labels.component[i] - first_component, row = static_cast<Index>(i);
    if (component < 0 || component >= dim) continue;
    motions(row, component) = 1;
    if (i >= labels.point.size() || !std::isfinite(labels.point[i][0])) continue;
    const Eigen::Vector3d x(labels.point[i].data());
    for (Index rotation = dim; rotation < motions.cols(); ++rotation) {
      const Index axis = dim == 2 ? 2 : rotation - dim;
      motions(row, rotation) = Eigen::Vector3d::Unit(axis).cross(x)[component];
    }
  }
  return motions;
}

}  // namespace halfdof
