// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>

#include <array>

namespace halfdof::internal {

/**
 * The prescribed motion p = H_D^T q_D - h(t) of all directions over a step from t_n to t_{n+1} = t_n + h. No
 * derivative of the motion is needed: the rates at both ends are the one-sided derivatives of the parabola
 * through both ends and the middle, of second order and exact for constant accelerations,
 * @f[ h\,\dot p(t_n) = -3 p_n + 4 p_{n+1/2} - p_{n+1}, \qquad
 *     h\,\dot p(t_{n+1}) = p_n - 4 p_{n+1/2} + 3 p_{n+1}. @f]
 * If the motion has a kink inside the step, the values at the quarters of the step differ from this parabola
 * by at least an eighth of the second difference. Both rates are then the same:
 * - If the kink is in the first three quarters, they are the rate after the kink. The exception is a gap
 *   whose rate after the kink is above the mean rate, so that the obstacle recedes within the step from the
 *   mass that it has struck. Both rates are then the mean rate, so that no ramp within a step passes through
 *   a mass.
 * - If the kink is in the last quarter, they are the rate before the kink, and the kink acts on the rate at
 *   the beginning of the next step. The exception is a gap whose motion does not continue after the end of
 *   the step with the new rate. Both rates are then the mean rate.
 */
struct PrescribedStep {
  Vector begin, end;            ///< Prescribed motion p at both ends of the step. Shape: m
  Vector begin_rate, end_rate;  ///< Rate p' of the prescribed motion at both ends of the step. Shape: m
};

/// The rates of one prescribed motion at both ends of a step, see PrescribedStep.
struct EndRates {
  double begin, end;
  bool has_kink = false;
};

/// Computes the rates of one direction, see PrescribedStep, without the exceptions for a kink in the last
/// quarter.
/// @param values p at the ends of the quarters of the step
/// @param length length of the step [s]
/// @param level the quantity that the law of the direction constrains, the rate or the gap
EndRates end_rates(const std::array<double, 5>& values, double length, LawLevel level);

/// Returns |H_D|^T |q_D(t)| plus the size of the terms of h(t) for all directions. The rounding errors of the
/// prescribed motion p are machine epsilon times this size. Shape: m. Collective.
template <class Engine>
Vector prescribed_size(const Inclusions<Engine>& inclusions, double time);

/// Computes the prescribed motion of all directions over a step. Collective.
template <class Engine>
PrescribedStep prescribed_step(const Inclusions<Engine>& inclusions, double begin, double end);

}  // namespace halfdof::internal
