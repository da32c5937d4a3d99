// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/assembled_system.h>
#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include "triplets.h"
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace halfdof::benchmark {

enum class NodesOfChain {
  with_mass,
  /// Those with odd numbers have neither mass nor damping: friction on them becomes a rate-independent play.
  every_second_massless
};

/**
 * A chain of nodes along which waves travel, each on a spring to ground and on springs to its neighbours,
 * damped to ground, with dry friction on some of the nodes with odd numbers. The load shakes each with a
 * phase of its own, so that some stick while others slip.
 */
struct FrictionChain {
  int n_nodes, n_frictions;
  NodesOfChain nodes = NodesOfChain::with_mass;

  static constexpr double mass = 1, to_ground = 100, to_neighbour = 1000, damping = 1, load = 20,
                          friction = 5;
  static constexpr double time_step = 1e-3;

  bool has_mass(int node) const { return nodes == NodesOfChain::with_mass || node % 2 == 0; }

  AssembledSystem<EigenEngine> assemble() const {
    Triplets of_M, of_C, of_K;
    for (int i = 0; i < n_nodes; ++i) {
      if (has_mass(i)) {
        of_M.emplace_back(i, i, mass);
        of_C.emplace_back(i, i, damping);
      }
      of_K.emplace_back(i, i, to_ground + 2 * to_neighbour);
      if (i > 0) of_K.emplace_back(i, i - 1, -to_neighbour);
      if (i + 1 < n_nodes) of_K.emplace_back(i, i + 1, -to_neighbour);
    }
    SystemDescription<EigenEngine> description;
    description.mass = matrix_of(of_M, n_nodes);
    description.damping = matrix_of(of_C, n_nodes);
    description.stiffness = matrix_of(of_K, n_nodes);
    description.load = [phases = Vector(Vector::LinSpaced(n_nodes, 0, 0.3 * (n_nodes - 1)))](double t) {
      return Vector(load * std::min(1., 20 * t) * (phases.array() + 20 * t).sin());  // begins at rest
    };
    return AssembledSystem<EigenEngine>(std::move(description));
  }

  std::vector<Inclusion> frictions() const {
    const auto law = std::make_shared<DryFriction>(-friction, friction);
    std::vector<Inclusion> all;
    for (int k = 0; k < n_frictions; ++k) {
      const auto pair = static_cast<Index>((2LL * k + 1) * (n_nodes / 2) / (2LL * n_frictions));
      all.push_back(inclusion("friction " + std::to_string(k), law, Direction({{2 * pair + 1, 1.}})));
    }
    return all;
  }
};

}  // namespace halfdof::benchmark
