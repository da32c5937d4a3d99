// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "chain.h"

/// v_1 ... v_n at certain times.
struct Motion {
  std::vector<double> times;
  std::vector<halfdof::Vector> v;

  /// Largest difference to a motion with the same times, relative to the largest displacement of this one.
  double distance(const Motion& other) const;
};

/// 0, interval, 2 interval ... end
std::vector<double> evenly_spaced(double interval, double end);

/// From rest by implicit Euler with n_substeps between one of the times, evenly spaced, and the next.
Motion by_implicit_euler(const ChainModel& model, const std::vector<double>& times, int n_substeps);

/// The same by Bastien and Lamarque's reduction and scheme (5.2), as printed.
Motion by_printed_scheme(const Chain& chain, const std::vector<double>& times, int n_substeps);

/// Errors over the step.
struct Convergence {
  halfdof::Vector step, error, printed_error;

  /// Slope in the logarithms, least squares.
  static double order(const halfdof::Vector& step, const halfdof::Vector& error);
};
Convergence convergence(const ChainModel& model, const Motion& exact);

/**
 * Whether implicit Euler on the generic model makes the very steps that (5.3c) defines: X_{n+1} minimizes
 * @f[ J(x) = \phi(x) + \tfrac{1}{2h} \| x - Z_n \|_{\mathsf M}^2, \qquad
 *     Z_n = X_n + h\,\mathcal G(t_{n+1}, X_{n+1}), @f]
 * with h F' as F_{n+1} - F_n. J is strongly convex, so the minimizer is the one point with
 * @f[ \frac{J(x) - J(X_{n+1})}{\| x - X_{n+1} \|_{\mathsf M}^2 / 2h} \ge 1 \quad \text{for all } x. @f]
 * @return the smallest of these quotients at random points x, near and far, along 100 steps
 */
double smallest_quotient(const ChainModel& model);

/// The largest violation that verify() finds in 200 steps of implicit Euler, from M, C, K and the laws alone:
/// balance of momentum, reactions in their sets, laws, variational inequalities.
double verified(const ChainModel& model);
