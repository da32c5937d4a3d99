// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <vector>

/// The displacements [m] at a time [s].
struct ReferenceSample {
  double time, wheel, vehicle, head;
};

/// A reference solution for the vehicle with three vertebrae, computed independently of halfdof with 33
/// digits. The motion of the three masses between impacts is exact (Taylor series), and the times of impacts
/// are found by Newton's method.
struct Reference {
  double shortest_flight;             ///< a rebound with a shorter flight is replaced by lasting contact [s]
  int n_impacts;                      ///< number of impacts until 1 s
  std::vector<double> first_impacts;  ///< times of the first impacts [s]
  std::vector<double> first_rates;    ///< rates of the gap before the first impacts [m/s]
  double landing;                     ///< time of the impact that ends the longest flight [s]
  std::vector<ReferenceSample> samples;
};

Reference first_reference();
Reference second_reference();

/// A reference solution of the penalty method of Paoli and Schatzman with the parameter lambda [s^2] for the
/// first table. The start is in equilibrium with a penetration of the road. The solution was computed by
/// Runge-Kutta steps of 0.25 µs.
struct PenaltyReference {
  double lambda;
  std::vector<ReferenceSample> samples;
};

std::vector<PenaltyReference> penalty_references();
