// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/condensed_inclusions.h>

#include <optional>

namespace halfdof::internal {

/// Intervals for the numerical differentiation of prescribed motions without known derivatives, which are
/// sampled and approximated by polynomials.
struct NumericalDifferentiation {
  /// In shorter steps, and at an instant, an interval of the length `reach` is sampled instead of the step
  /// [s].
  double shortest_step;
  double reach;          ///< The length of that interval, which ends at a kink within it [s].
  double shortest_ramp;  ///< If a kink is nearer than this, derivatives are those after the kink [s].
};

/// The prescribed motions p of all directions (see CondensedInclusions) at the eight RadauNodes of an
/// interval, one column each. Formulas and tables are differentiated exactly.
struct SupportMotion {
  MultiVector value, rate, second;
  Vector rate_noise;  ///< Rounding errors of rates that are computed by differences; zero for others.
};

/// Returns the errors, by rounding of the times and of the values, of functions whose values at the nodes are
/// the rows of a matrix.
Vector rounding_of(const MultiVector& values, double begin, double length);

SupportMotion support_motion(const CondensedInclusions& condensed, double begin, double length,
                             const NumericalDifferentiation& differentiation);

/// Returns whether the prescribed motion of any direction may have no known derivatives.
bool has_unknown_derivatives(const CondensedInclusions& condensed);

/// Two instants between which a kink lies, as close together as rounding permits [s].
struct Kink {
  double before, after;
};

/**
 * Finds the first kink in an interval of prescribed motions without known derivatives, by dividing the
 * interval. At a kink the polynomials through the RadauNodes are inaccurate in every interval around it,
 * however short.
 * @param shortest an inaccurate interval shorter than this [s] is taken to contain a kink; nothing is
 * returned if all intervals that are longer become accurate by division
 */
std::optional<Kink> first_kink(const CondensedInclusions& condensed, double begin, double end,
                               double shortest);

/// The prescribed motion p and its derivatives at an instant, from the right.
struct SupportDerivatives {
  Vector value, rate, second;
};

SupportDerivatives support_derivatives(const CondensedInclusions& condensed, double time,
                                       const NumericalDifferentiation& differentiation);

}  // namespace halfdof::internal
