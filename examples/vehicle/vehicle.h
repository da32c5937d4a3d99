// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <vector>

/// Acceleration of gravity [m/s^2].
constexpr double gravity = 9.81;

struct Matrices {
  halfdof::MultiVector M, C, K;
};

/**
 * A vehicle with a model of the spine of its driver (Dumont, Goeleven, Rochdi 2001, example 5.3). A wheel of
 * mass m carries the vehicle of mass M by a spring k_1 and a damper c_1. On the vehicle, a column of n
 * vertebrae carries the mass B. Each vertebra is a spring and a damper. Springs are connected to springs, and
 * dampers to dampers, by joints without mass. The upward displacements are
 *
 * q_0 of the wheel, q_1 of the vehicle, q_2i and q_2i+1 of the i-th joint of springs and of dampers (0 < i <
 * n), and q_2n of the mass B.
 *
 * In the paper n is 3, and the numbers of the displacements begin with 1.
 */
struct Vehicle {
  double M = 1460, m = 35, B = 25;  ///< [kg]
  double k_1, c_1;                  ///< [N/m], [N s/m]
  std::vector<double> k, c;         ///< coefficients of the vertebrae from bottom to top [N/m], [N s/m]

  halfdof::Index n_vertebrae() const { return static_cast<halfdof::Index>(k.size()); }
  halfdof::Index n_dofs() const { return 2 * n_vertebrae() + 1; }
  halfdof::Index head() const { return n_dofs() - 1; }

  Matrices matrices() const;
  /// Returns the displacements in equilibrium on a flat road. The joints of dampers have the same
  /// displacements as the joints of springs.
  halfdof::Vector standing() const;
  /// Returns the total weight, which is the contact force at rest [N].
  double weight() const { return (M + m + B) * gravity; }
};

/// Return the vehicles with the data of the two tables of the paper. For n other than 3, the coefficients of
/// the vertebrae decrease from bottom to top as in the tables, but the stiffness and the damping of the whole
/// column are the same, so that wheel, vehicle and B move as for n = 3.
Vehicle first_table(halfdof::Index n_vertebrae);
Vehicle second_table(halfdof::Index n_vertebrae);

/// Return the height of the road h(t) = max(0, 0.05 sin(10 pi t)) for 0.2 < t < 0.3, otherwise 0 [m, s], and
/// its rate. At the kinks, which are at road_begins and road_ends, the rate is the limit from the right.
double road(double time);
double road_rate(double time);
constexpr double road_begins = 0.2, road_ends = 0.3;

/// The vehicle on the road with the complementarity condition 0 <= q_0 - h, r >= 0, (q_0 - h) r = 0, and with
/// the coefficient of restitution 1 of the paper.
struct VehicleOnRoad {
  explicit VehicleOnRoad(const Vehicle& vehicle);

  Vehicle vehicle;
  halfdof::Inclusions<halfdof::EigenEngine> inclusions;
  halfdof::InclusionOutcome outcome;

  /// Returns the state at rest.
  halfdof::NonsmoothState start(double time = 0) const;
  /// Returns the state at rest for the penalty method, whose stiffness m/lambda carries the weight only if
  /// the wheel penetrates the road. @param lambda The penalty parameter [s^2]
  halfdof::NonsmoothState start_behind_road(double lambda, double time = 0) const;
};

/// Prints a table of the reduced laws of the contact for a wheel with mass, a wheel without mass, and a
/// massless tyre below a wheel.
void print_reduced_contact_laws(const Vehicle& vehicle);
