// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "chain.h"

/// The displacements v_1 ... v_n at given times.
struct Motion {
  std::vector<double> times;
  std::vector<halfdof::Vector> v;

  /// Returns the largest difference from another motion with the same times, relative to the largest
  /// displacement of this motion.
  double distance(const Motion& other) const;
};

/// Returns the times 0, interval, 2 interval, ..., end.
std::vector<double> evenly_spaced(double interval, double end);

/// Integrates the motion from rest by implicit Euler of the library, with n_substeps steps between two of the
/// evenly spaced times.
Motion by_implicit_euler(const ChainModel& model, const std::vector<double>& times, int n_substeps);

/// Integrates the same motion by the reduction and the scheme (5.2) of Bastien and Lamarque, as printed in
/// the paper.
Motion by_printed_scheme(const Chain& chain, const std::vector<double>& times, int n_substeps);

/// The errors of the library and of the printed scheme for several step sizes.
struct Convergence {
  halfdof::Vector step, error, printed_error;

  /// Returns the order of convergence, the slope of a least-squares line in logarithmic scales.
  static double order(const halfdof::Vector& step, const halfdof::Vector& error);
};
Convergence convergence(const ChainModel& model, const Motion& exact);

/**
 * Checks whether the steps of implicit Euler of the library satisfy (5.3c), which means that X_{n+1}
 * minimizes
 * @f[ J(x) = \phi(x) + \tfrac{1}{2h} \| x - Z_n \|_{\mathsf M}^2, \qquad
 *     Z_n = X_n + h\,\mathcal G(t_{n+1}, X_{n+1}), @f]
 * where h F' is replaced by F_{n+1} - F_n. J is strongly convex, so that the minimizer is the only point with
 * @f[ \frac{J(x) - J(X_{n+1})}{\| x - X_{n+1} \|_{\mathsf M}^2 / 2h} \ge 1 \quad \text{for all } x. @f]
 * @return The smallest of these quotients for random points x at different distances in 100 steps
 */
double smallest_quotient(const ChainModel& model);

/// Returns the largest violation of balance of momentum, admissible reactions, kinematics, laws and
/// variational inequalities in 200 steps of implicit Euler. The class Verification computes the violations
/// from M, C, K and the laws alone.
double largest_violation(const ChainModel& model);
