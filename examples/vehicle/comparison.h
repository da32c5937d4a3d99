// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "motion.h"
#include <vector>

/// The cost and the error of one run with the data of the first table.
struct Trial {
  double parameter;  ///< lambda [s^2], or the step [s]
  double step;       ///< time step [s]
  double error;      ///< largest error until 0.3 s [m]
  double seconds;    ///< computing time
};

/// Runs the penalty method of Paoli and Schatzman for smaller and smaller penalty parameters lambda, each
/// with the time step 0.05 sqrt(lambda).
std::vector<Trial> compare_penalties(const VehicleOnRoad& vehicle, const Reference& reference);

/// Runs the penalty method with the lambda of the reference and the time step 0.02 sqrt(lambda). Returns the
/// error [m] from the reference until the time `last` [s].
double penalty_error(const VehicleOnRoad& vehicle, const PenaltyReference& reference, double last);

/// Runs the Moreau-Jean method with shorter and shorter steps.
std::vector<Trial> compare_steps(const VehicleOnRoad& vehicle, const Reference& reference);

/// Returns the trials whose parameter is smaller than the given value.
std::vector<Trial> trials_below(double parameter, const std::vector<Trial>& trials);

/// Returns the order of convergence, the exponent p of error = c parameter^p, by least squares.
double order_of(const std::vector<Trial>& trials);
