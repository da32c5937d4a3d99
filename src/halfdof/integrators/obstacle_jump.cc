// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/functions/scalar_function.h>
#include <halfdof/integrators/obstacle_jump.h>
#include <halfdof/integrators/run_checks.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace halfdof::internal {

std::optional<TimeJump> find_jump(const std::function<double(double)>& function, double begin, double end) {
  // In the half of the interval with the larger change, a smooth function has about half of the whole change,
  // and a function with a jump has nearly the whole change.
  constexpr double change_of_smooth_function = 0.75;
  // The interval is extended at both ends, because a step may be as short as the rounding of the time, or end
  // just after the beginning of a ramp.
  const double extension = 0x1p20 * std::numeric_limits<double>::epsilon() * std::abs(end);
  const auto extended = [&](double time, double further) -> std::pair<double, double> {
    try {
      return {further, function(further)};
    } catch (const UndefinedFunction&) {
      return {time, function(time)};
    }
  };
  double at_begin = 0, at_end = 0;
  std::tie(begin, at_begin) = extended(begin, std::min(begin, end - extension));
  std::tie(end, at_end) = extended(end, end + extension);
  while (at_begin != at_end) {
    const double middle = begin + 0.5 * (end - begin);
    if (middle <= begin || middle >= end) return TimeJump{end, at_end - at_begin};
    const double change = std::abs(at_end - at_begin), at_middle = function(middle);
    const bool is_first = std::abs(at_middle - at_begin) > std::abs(at_end - at_middle);
    (is_first ? end : begin) = middle;
    (is_first ? at_end : at_begin) = at_middle;
    if (std::abs(at_end - at_begin) <= change_of_smooth_function * change) return std::nullopt;
  }
  return std::nullopt;
}

void require_no_jump_of_support(const std::string& name, const Law& law, double begin, double end) {
  for (Index k = 0; k < law.dimension(); ++k) {
    const ScalarFunction& support = law.support(k);
    if (law.level(k) != LawLevel::rate || support.is_constant()) continue;
    const double change = support(end) - support(begin),
                 by_rates = 0.5 * (end - begin) * (support.derivative(begin) + support.derivative(end));
    if (std::abs(change - by_rates) <= 0.5 * std::abs(change)) continue;
    const double rounding = 64 * std::numeric_limits<double>::epsilon() *
                            std::max(std::abs(support(begin)), std::abs(support(end)));
    const std::optional<TimeJump> jump = find_jump(std::cref(support), begin, end);
    if (!jump || std::abs(jump->size) <= rounding) continue;
    throw InvalidInput(
        "The support of \"" + name + "\" jumps by " + number_text(jump->size) + " at " + seconds(jump->time) +
        ", and this method, which evaluates rates only at the ends of steps, would omit the energy that "
        "friction dissipates at the jump. Give a ramp instead of the jump, or use "
        "the event-driven integrator.");
  }
}

void require_no_jump(const std::string& name, const std::function<double(double)>& prescribed, double begin,
                     double end, double gap, double size) {
  const std::optional<TimeJump> jump = find_jump(prescribed, begin, end);
  using Limits = std::numeric_limits<double>;
  // A function that underflows jumps from denormal numbers to zero. Such a change counts as rounding.
  const double rounding = 64 * Limits::epsilon() * size + Limits::min() / Limits::epsilon();
  if (!jump || jump->size >= -rounding || gap + jump->size >= 0) return;
  throw InvalidInput("The obstacle of \"" + name + "\", or the prescribed motion there, jumps by " +
                     number_text(-jump->size) + " at " + seconds(jump->time) +
                     " into the contact, whose mass or damping would have to follow with infinite speed. "
                     "Give a ramp instead of the jump.");
}

}  // namespace halfdof::internal
