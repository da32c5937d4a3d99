// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cmath>
#include <vector>

namespace halfdof::benchmark {

/**
 * A chain of n equal masses that move across it, each on a spring to ground and on springs and dampers to its
 * neighbours, the first and the last to walls. It falls under gravity, with initial velocities that differ,
 * on obstacles beneath some of the masses, and rebounds.
 */
struct ContactChain {
  int n_masses, n_contacts;
  double to_neighbour = 1000, time_step = 1e-3;

  static constexpr double mass = 1, to_ground = 100, damping = 1, gravity = 10, gap = 0.01, restitution = 0.5;

  /// h^2 k / m = 100: the waves along the chain are not resolved.
  static ContactChain stiff(int n_masses, int n_contacts) { return {n_masses, n_contacts, 1e4, 0.1}; }
  bool is_stiff() const { return time_step * time_step * to_neighbour / mass > 1; }

  /// The mass above an obstacle; these are spread evenly.
  int mass_of(int contact) const {
    return static_cast<int>((2LL * contact + 1) * n_masses / (2LL * n_contacts));
  }
  double initial_velocity(int i) const { return 0.1 * std::sin(3. * i); }

  /// Calls add(i, j, value) for each entry of K, then once for each of C.
  template <class Add>
  void add_stiffness(const Add& add) const {
    add_tridiagonal(to_ground, to_neighbour, add);
  }
  template <class Add>
  void add_damping(const Add& add) const {
    add_tridiagonal(0, damping, add);
  }

 private:
  template <class Add>
  void add_tridiagonal(double own, double coupling, const Add& add) const {
    for (int i = 0; i < n_masses; ++i) {
      if (i > 0) add(i, i - 1, -coupling);
      add(i, i, own + 2 * coupling);
      if (i + 1 < n_masses) add(i, i + 1, -coupling);
    }
  }
};

}  // namespace halfdof::benchmark
