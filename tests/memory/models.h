// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/memory/contact_modes.h>

#include "systems.h"
#include <cmath>

namespace halfdof::test {

constexpr double pi = 3.14159265358979323846;

/// Random modes at m contacts; damping ratios on both sides of one.
inline ClassicalModes random_modes(Index m, Index n, unsigned seed) {
  RandomNumbers random(seed);
  ClassicalModes modes;
  modes.frequency.resize(n);
  modes.damping_ratio.resize(n);
  for (Index k = 0; k < n; ++k) {
    modes.frequency[k] = 1.5 * k + 2 + random();
    modes.damping_ratio[k] = 0.05 + 0.6 * (1 + random());
  }
  modes.at_contacts = random.matrix(m, n);
  return modes;
}

/// Coordinates that act on each other only by blocks, without classical modes, whose contacts move at once.
inline ContactModes random_blocks(Index m, unsigned seed) {
  RandomNumbers random(seed);
  ContactModes modes;
  for (const Index size : {1, 2, 1, 3, 2, 1, 2, 2}) {
    MultiVector J = random.matrix(size, size);
    J -= (J.norm() + 0.1) * MultiVector::Identity(size, size);
    modes.J.push_back(2 * J);
  }
  const Index n = modes.first_coordinates().back();
  modes.B = random.matrix(n, m);
  modes.B_f = random.matrix(n, 1);
  modes.C = random.matrix(m, n);
  modes.W_K = MultiVector::Zero(m, m);
  modes.W_f = MultiVector::Zero(m, 1);
  modes.observed = {MultiVector(0, n), MultiVector(0, m), MultiVector(0, 1)};
  return modes;
}

}  // namespace halfdof::test
