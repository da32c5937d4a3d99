#pragma once

#include <halfdof/inclusions/inclusions.h>

#include <array>

namespace halfdof {

/**
 * The prescribed motion p = H_D^T q_D - h(t) of all directions over a step from t_n to t_{n+1} = t_n + h. The
 * rates at its ends are those of the parabola through both ends and the middle, one-sided, of second order,
 * exact for constant accelerations:
 * @f[ h\,\dot p(t_n) = -3 p_n + 4 p_{n+1/2} - p_{n+1}, \qquad
 *     h\,\dot p(t_{n+1}) = p_n - 4 p_{n+1/2} + 3 p_{n+1}. @f]
 * A kink inside the step moves the values at its quarters off that parabola, by at least an eighth of the
 * second difference. Both rates are that behind the kink then. Where that of a gap is above the mean rate, so
 * that the obstacle leaves what it has struck within the step, they are the mean rate: no ramp within a step
 * passes through a mass. A kink in the last quarter is left to the next step, in whose first rate it shows;
 * that of a gap only if the motion goes on there. No derivative of a motion is needed.
 */
struct PrescribedStep {
  Vector begin, end;            ///< p. Shape: m
  Vector begin_rate, end_rate;  ///< p'
};

/// The rates of a motion at both ends of a step, as PrescribedStep has them.
struct EndRates {
  double begin, end;
  bool has_kink = false;
};

/// @param values at the ends of the quarters of the step @param length of the step [s] @param level what the
/// law of the direction constrains
EndRates end_rates(const std::array<double, 5>& values, double length, LawLevel level);

/// |H_D|^T |q_D(t)| and the terms of h(t) of all directions: what rounding of p is relative to. Shape: m.
/// Collective.
template <class Engine>
Vector prescribed_size(const Inclusions<Engine>& inclusions, double time);

/// Collective.
template <class Engine>
PrescribedStep prescribed_step(const Inclusions<Engine>& inclusions, double begin, double end);

}  // namespace halfdof
