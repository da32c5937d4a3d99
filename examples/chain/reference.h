// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <vector>

struct ChainSample {
  double time;
  std::array<double, 5> v;
  std::array<double, 5> friction;  ///< of nodes without mass; of others what they would need to have none
  double dissipated;
};

struct ChainReference {
  std::vector<double> first_events;  ///< instants at which nodes begin to slip or to stick
  std::vector<ChainSample> samples;
};

/// Five nodes from rest, the seven cases in the order of seven_cases(): an independent integration, event by
/// event (24 to 39 of them until t = 10) with exact modes, good to 1e-11.
const std::vector<ChainReference>& reference_of_five();
