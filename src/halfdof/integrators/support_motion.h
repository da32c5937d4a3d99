#pragma once

#include <halfdof/integrators/condensed_inclusions.h>

#include <optional>

namespace halfdof {

/// The prescribed motions p of all directions (see CondensedInclusions) at the eight RadauNodes of an
/// interval, one column each.
struct SupportMotion {
  /// Formulas and tables are differentiated exactly, the rest as the polynomial through the values.
  MultiVector value, rate, second;
  Vector noise;  ///< rounding_of() that rest; zero where there is none
};

/// What rounding of the times, and of the values, makes of functions whose values at the nodes are rows.
Vector rounding_of(const MultiVector& values, double begin, double length);

SupportMotion support_motion(const CondensedInclusions& condensed, double begin, double length);

/// A kink lies between these instants, as close together as rounding lets them be [s].
struct Kink {
  double before, after;
};

/**
 * The first kink of a prescribed motion in an interval: a place that polynomials through the RadauNodes miss
 * in however short an interval around it. The search divides the interval.
 * @param shortest [s] Intervals that must be divided further hold a kink; those that need not were only long.
 */
std::optional<Kink> first_kink(const CondensedInclusions& condensed, double begin, double end,
                               double shortest);

/// p and its derivatives at an instant, from the right.
struct SupportDerivatives {
  Vector value, rate, second;
  Vector rate_noise;  ///< what rounding makes of the rate
};

/// @param reach [s] Derivatives are taken over this interval, or up to the next kink in it.
/// @param shortest [s] A kink that is nearer counts as being here.
SupportDerivatives support_derivatives(const CondensedInclusions& condensed, double time, double reach,
                                       double shortest);

}  // namespace halfdof
