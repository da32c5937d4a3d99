#pragma once

#include <halfdof/integrators/condensed_inclusions.h>

#include <optional>

namespace halfdof {

/// How what has no known derivatives is differentiated: by the polynomial through eight values.
struct Differences {
  double over;      ///< [s] The values lie within a step unless that is shorter.
  double reach;     ///< [s] Of short steps, and at an instant: within this time, or up to the next kink in it
  double shortest;  ///< [s] A kink that is nearer counts as being here.
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
                             const Differences& differences);

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
                                       const Differences& differences);

}  // namespace halfdof
