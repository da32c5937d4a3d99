// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <Eigen/Geometry>

#include <cmath>
#include <vector>

namespace halfdof::benchmark {

/**
 * An elastic slab on a rough, slightly wavy floor: a lattice of nodes in space with springs along the edges
 * and across the faces of its cells and dampers beside them, a mass at every node but those of the lowest
 * layer, which touch the floor. It falls by a little, is pushed about in a circle and rocked, so that parts
 * of it stick, slip and lift off.
 */
struct Slab {
  int n_x, n_y, n_layers;

  static constexpr double mass = 1, spring = 1e4, damping_time = 1e-3, gravity = 10, friction = 0.4;

  int n_nodes() const { return n_x * n_y * n_layers; }
  int n_dofs() const { return 3 * n_nodes(); }
  /// Nodes of the lowest layer come first: contact i is at the DoFs 3 i, 3 i + 1 (along the floor) and 3 i +
  /// 2 (up).
  int n_contacts() const { return n_x * n_y; }

  /// Height of the floor beneath a contact [length].
  double floor(int contact) const {
    return 2e-3 * std::sin(0.7 * (contact % n_x)) * std::cos(0.9 * (contact / n_x)) - 2e-3;
  }

  /// Of a node, along the floor and up.
  Eigen::Vector3d load(int node, double time) const {
    if (node < n_contacts()) return Eigen::Vector3d::Zero();
    const double push = 0.3 * mass * gravity, lean = 2. * (node % n_x) / (n_x - 1.) - 1.;
    return {push * std::cos(9. * time), push * std::sin(9. * time),
            mass * gravity * (-1 + 0.6 * lean * std::sin(5. * time))};
  }

  /// Calls add(i, j, value) for each entry of K, C being damping_time K.
  template <class Add>
  void add_stiffness(const Add& add) const {
    for (int node = 0; node < n_nodes(); ++node)
      for (int along_x = -1; along_x <= 1; ++along_x)
        for (int along_y = -1; along_y <= 1; ++along_y)
          for (int up = 0; up <= 1; ++up)
            add_spring(node, Eigen::Vector3i(along_x, along_y, up), add);
  }

 private:
  template <class Add>
  void add_spring(int node, const Eigen::Vector3i& to, const Add& add) const {
    const bool is_first = to[2] > 0 || to[1] > 0 || (to[1] == 0 && to[0] > 0);
    const int length_squared = to.squaredNorm();
    const int x = node % n_x + to[0], y = node / n_x % n_y + to[1], layer = node / n_contacts() + to[2];
    if (!is_first || length_squared > 2 || x < 0 || x >= n_x || y < 0 || y >= n_y || layer >= n_layers)
      return;
    const int other = (layer * n_y + y) * n_x + x;
    const Eigen::Vector3d e = to.cast<double>() / std::sqrt(length_squared);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const double k = spring / length_squared * e[i] * e[j];
        if (k == 0) continue;
        add(3 * node + i, 3 * node + j, k);
        add(3 * other + i, 3 * other + j, k);
        add(3 * node + i, 3 * other + j, -k);
        add(3 * other + i, 3 * node + j, -k);
      }
  }
};

}  // namespace halfdof::benchmark
