// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <vector>

/// Gravity [m/s^2].
constexpr double gravity = 9.81;

struct Matrices {
  halfdof::MultiVector M, C, K;
};

/**
 * A vehicle whose driver has a spine (Dumont, Goeleven, Rochdi 2001, example 5.3). A wheel of mass m carries
 * the vehicle M by a spring k_1 and a damper c_1; on the vehicle, a column of n vertebrae carries the mass B.
 * Each vertebra is a spring and a damper; springs are joined to springs, dampers to dampers, by joints
 * without mass. Displacements, upwards:
 *
 * q_0 wheel, q_1 vehicle, q_2i and q_2i+1 the i-th joint of springs and of dampers (0 < i < n), q_2n the mass
 * B.
 *
 * The paper has n = 3, and counts from q_1.
 */
struct Vehicle {
  double M = 1460, m = 35, B = 25;  ///< [kg]
  double k_1, c_1;                  ///< [N/m], [N s/m]
  std::vector<double> k, c;         ///< of the vertebrae, from below [N/m], [N s/m]

  halfdof::Index n_vertebrae() const { return static_cast<halfdof::Index>(k.size()); }
  halfdof::Index n_dofs() const { return 2 * n_vertebrae() + 1; }
  halfdof::Index head() const { return n_dofs() - 1; }

  Matrices matrices() const;
  /// Displacements at which the wheel stands on a flat road; joints of dampers level with those of springs.
  halfdof::Vector standing() const;
  /// What the road carries [N].
  double weight() const { return (M + m + B) * gravity; }
};

/// The two tables of data. For n other than 3 the column has other vertebrae, which get softer upwards as
/// those of the tables do, but as a whole the same stiffness and the same damping: wheel, vehicle and B move
/// as for n = 3.
Vehicle first_table(halfdof::Index n_vertebrae);
Vehicle second_table(halfdof::Index n_vertebrae);

/// h(t) = max(0, 0.05 sin(10 pi t)) for 0.2 < t < 0.3, otherwise 0 [m, s], and the instants of its kinks. The
/// rate is that from the right.
double road(double time);
double road_rate(double time);
constexpr double road_begins = 0.2, road_ends = 0.3;

/// The vehicle on the road: 0 <= q_0 - h, r >= 0, complementary, with the restitution 1 of the paper.
struct VehicleOnRoad {
  explicit VehicleOnRoad(const Vehicle& vehicle);

  Vehicle vehicle;
  halfdof::Inclusions<halfdof::EigenEngine> inclusions;
  halfdof::InclusionOutcome outcome;

  /// At rest.
  halfdof::NonsmoothState start(double time = 0) const;
  /// At rest on a penalty of stiffness m/lambda, which carries the weight only behind the road. @param lambda
  /// [s^2]
  halfdof::NonsmoothState start_behind_road(double lambda, double time = 0) const;
};

/// A table of what the contact becomes for a wheel with mass, for one without, and for a tyre without mass
/// below it.
void print_what_contacts_become(const Vehicle& vehicle);
