// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/condensed_inclusions.h>

#include <optional>

namespace halfdof::internal {

/// The intervals in which prescribed motions without known derivatives are sampled and approximated by
/// polynomials, whose derivatives are then used.
struct NumericalDifferentiation {
  /// The shortest step that is sampled itself [s]. In shorter steps, and at an instant, an interval of the
  /// length `reach` is sampled instead.
  double shortest_step;
  /// The length of the sampled interval after an instant [s]. The interval is shorter if it contains a kink.
  double reach;
  /// The shortest distance of a kink to which derivatives before the kink are computed [s]. If a kink is
  /// nearer, the derivatives after the kink are used.
  double shortest_ramp;
};

/// The prescribed motions p of all directions (see CondensedInclusions) at the eight RadauNodes of an
/// interval, one column each. Formulas and tables are differentiated exactly.
struct SupportMotion {
  MultiVector value, rate, second;
  Vector rate_noise;  ///< Rounding errors of rates computed by differences; zero for exact rates.
};

/// Returns the errors that rounding of the times and of the values causes in functions of time. Each row of
/// `values` contains the values of one function at the nodes.
Vector rounding_of(const MultiVector& values, double begin, double length);

/// Returns the prescribed motions of all directions and their derivatives at the nodes of an interval.
SupportMotion support_motion(const CondensedInclusions& condensed, double begin, double length,
                             const NumericalDifferentiation& differentiation);

/// Returns whether the prescribed motion of any direction may have no known derivatives.
bool has_unknown_derivatives(const CondensedInclusions& condensed);

/// Two instants that enclose a kink as closely as rounding permits [s].
struct Kink {
  double before, after;
};

/**
 * Finds the first kink of prescribed motions without known derivatives in an interval, by dividing the
 * interval. The polynomials through the RadauNodes are inaccurate in every interval around a kink, however
 * short the interval is.
 * @param shortest the length [s] below which an inaccurate interval counts as one with a kink
 * @return the kink, or nothing if division makes the polynomials accurate in all longer intervals
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
