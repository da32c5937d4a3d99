// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <vector>

/// The reference solution at one time.
struct ChainSample {
  double time;
  std::array<double, 5> v;
  std::array<double, 5> friction;  ///< friction of nodes without mass; at nodes with mass not the friction
  double dissipated;               ///< dissipated energy
};

/// The reference solution of one case.
struct ChainReference {
  std::vector<double> first_events;  ///< times at which nodes begin to slip or to stick
  std::vector<ChainSample> samples;
};

/// Returns the reference solutions of five nodes from rest, in the order of seven_cases(). An independent
/// program integrated the modes exactly from event to event (24 to 42 events until t = 10). The errors are
/// about 1e-11.
const std::vector<ChainReference>& reference_of_five();
