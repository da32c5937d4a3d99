// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <vector>

/// Displacements at an instant [s, m].
struct ReferenceSample {
  double time, wheel, vehicle, head;
};

/// An integration of the vehicle with three vertebrae that is independent of halfdof: exact flow of the three
/// masses (Taylor series), impacts by Newton's method, all with 33 digits.
struct Reference {
  double shortest_flight;             ///< a rebound that comes back earlier ends at rest [s]; 0: none does
  int n_impacts;                      ///< until 1 s
  std::vector<double> first_impacts;  ///< [s]
  std::vector<double> first_rates;    ///< of the gap, before them [m/s]
  double landing;                     ///< the impact that ends the longest flight [s]
  std::vector<ReferenceSample> samples;
};

Reference first_reference();
Reference second_reference();

/// The first vehicle on the penalty of Paoli and Schatzman with this lambda [s^2], started behind the road:
/// Runge-Kutta steps of 0.25 µs.
struct PenaltyReference {
  double lambda;
  std::vector<ReferenceSample> samples;
};

std::vector<PenaltyReference> penalty_references();
