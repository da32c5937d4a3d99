#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/obstacle_jump.h>
#include <halfdof/integrators/run_times.h>

#include <cmath>

namespace halfdof {

std::optional<TimeJump> jump_between(const std::function<double(double)>& function, double begin,
                                     double end) {
  // A smooth function leaves about half of its change in each half, a jump all of it in one.
  constexpr double shrinks = 0.75;
  double at_begin = function(begin), at_end = function(end);
  while (at_begin != at_end) {
    const double middle = begin + 0.5 * (end - begin);
    if (middle <= begin || middle >= end) return TimeJump{end, at_end - at_begin};
    const double change = std::abs(at_end - at_begin), at_middle = function(middle);
    const bool is_first = std::abs(at_middle - at_begin) > std::abs(at_end - at_middle);
    (is_first ? end : begin) = middle;
    (is_first ? at_end : at_begin) = at_middle;
    if (std::abs(at_end - at_begin) <= shrinks * change) return std::nullopt;
  }
  return std::nullopt;
}

void require_no_jump(const std::string& name, const std::function<double(double)>& prescribed, double begin,
                     double end, double gap, bool touches) {
  if (!touches || !(end > begin)) return;
  const std::optional<TimeJump> jump = jump_between(prescribed, begin, end);
  if (!jump || jump->size >= 0 || gap + jump->size >= 0) return;
  throw InvalidInput("The obstacle of \"" + name + "\" jumps by " + number_text(-jump->size) + " at " +
                     seconds(jump->time) +
                     " into the contact, which has mass and would have to follow with infinite speed. Give "
                     "the obstacle a ramp in the place of the jump.");
}

}  // namespace halfdof
