#pragma once

#include <halfdof/inclusions/law.h>

#include <functional>
#include <optional>
#include <string>

namespace halfdof {

/// A jump of a function of time.
struct TimeJump {
  double time;  ///< [s]
  double size;  ///< behind the jump less ahead of it
};

/// The jump that makes up most of the change of a function between two times: half of the interval after half
/// of the interval, the larger change is followed, which a jump does not let shrink. Nothing where there is
/// none. The interval is lengthened by 2^20 last digits of the time where the function has values there.
std::optional<TimeJump> jump_between(const std::function<double(double)>& function, double begin, double end);

/**
 * A contact with mass or damping whose obstacle jumps into it would have to follow with infinite speed.
 * @param prescribed Of its gap, what does not follow from the motion: H_D^T q_D - h(t)
 * @param begin,end of a step [s] at whose end the contact touches @param gap at its beginning
 * @param size of the terms that make `prescribed`, of which changes in the last digits are no jumps
 * @throws InvalidInput if that happens in the step
 */
void require_no_jump(const std::string& name, const std::function<double(double)>& prescribed, double begin,
                     double end, double gap, double size);

/**
 * Friction on mass or damping whose support jumps slides by as much at once, and takes work
 * for that, which a method does not see that meets rates at the ends of steps.
 * @param begin,end of a step [s] @throws InvalidInput if that happens in the step
 */
void require_no_jump_of_support(const std::string& name, const Law& law, double begin, double end);

}  // namespace halfdof
