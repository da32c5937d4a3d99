// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/law.h>

#include <functional>
#include <optional>
#include <string>

namespace halfdof::internal {

/// A jump of a function of time.
struct TimeJump {
  double time;  ///< Time of the jump [s].
  double size;  ///< The value after the jump minus the value before it.
};

/// Finds a jump that causes most of the change of a function between two times, and returns nothing if there
/// is no such jump. The interval is bisected, and the half with the larger change is kept: a jump is found if
/// this change does not decrease. Before the bisection the interval is extended at both ends by 2^20 rounding
/// errors of the time, if the function has values there.
std::optional<TimeJump> find_jump(const std::function<double(double)>& function, double begin, double end);

/**
 * Refuses an obstacle that jumps into a contact with mass or damping, since the contact would have to follow
 * with infinite speed.
 * @param prescribed H_D^T q_D - h(t), the part of the gap that does not depend on the free DoFs
 * @param begin,end the times of a step [s] at whose end the contact touches
 * @param gap the gap at the beginning of the step
 * @param size the size of the terms of `prescribed`; changes within the rounding errors of these terms are
 * not jumps
 * @throws InvalidInput if the obstacle jumps into the contact within the step
 */
void require_no_jump(const std::string& name, const std::function<double(double)>& prescribed, double begin,
                     double end, double gap, double size);

/**
 * Refuses a jump of the support of friction on DoFs with mass or damping. The friction slips by the size of
 * the jump at one instant and dissipates energy. A method that evaluates rates only at the ends of steps
 * would omit this energy.
 * @param begin,end the times of a step [s]
 * @throws InvalidInput if the support jumps within the step
 */
void require_no_jump_of_support(const std::string& name, const Law& law, double begin, double end);

}  // namespace halfdof::internal
