#pragma once

#include <halfdof/integrators/condensed_inclusions.h>

#include <optional>

namespace halfdof {

/// Where prescribed motions without known derivatives are sampled for the polynomial that is differentiated.
struct NumericalDifferentiation {
  double shortest_step;  ///< [s] Shorter steps, and instants, use values within `reach` instead of the step.
  double reach;          ///< [s] The length of that interval. A kink within it ends it.
  double shortest_ramp;  ///< [s] A kink nearer than this is passed over: derivatives are those behind it.
};

/// The prescribed motions p of all directions (see CondensedInclusions) at the eight RadauNodes of an
/// interval, one column each. Formulas and tables are differentiated exactly.
struct SupportMotion {
  MultiVector value, rate, second;
  Vector rate_noise;  ///< what rounding makes of rates by differences; zero where there are none
};

/// What rounding of the times, and of the values, makes of functions whose values at the nodes are rows.
Vector rounding_of(const MultiVector& values, double begin, double length);

SupportMotion support_motion(const CondensedInclusions& condensed, double begin, double length,
                             const NumericalDifferentiation& differentiation);

/// Whether the prescribed motion of a direction may have no known derivatives.
bool has_unknown_derivatives(const CondensedInclusions& condensed);

/// A kink lies between these instants, as close together as rounding lets them be [s].
struct Kink {
  double before, after;
};

/**
 * The first kink in an interval of what has no known derivatives: a place that polynomials through the
 * RadauNodes miss in however short an interval around it. The search divides the interval.
 * @param shortest [s] Intervals that must be divided further hold a kink; those that need not were only long.
 */
std::optional<Kink> first_kink(const CondensedInclusions& condensed, double begin, double end,
                               double shortest);

/// p and its derivatives at an instant, from the right.
struct SupportDerivatives {
  Vector value, rate, second;
};

SupportDerivatives support_derivatives(const CondensedInclusions& condensed, double time,
                                       const NumericalDifferentiation& differentiation);

}  // namespace halfdof
