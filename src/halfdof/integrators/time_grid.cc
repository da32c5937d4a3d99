// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/time_grid.h>

#include <cmath>
#include <limits>

namespace halfdof {

using namespace internal;

TimeGrid::Step TimeGrid::next(const std::string& integrator, double time_step, double from,
                              double limit) const {
  const double end = origin + static_cast<double>(n_steps + 1) * time_step;
  if (!(end > from))
    throw InvalidInput("A " + integrator + " step of " + number_text(time_step) +
                       " s does not change the time " + number_text(from) +
                       " s in double precision. Give a longer step, or count the time from another origin.");

  // This bound covers the rounding errors of the times, and of a step length computed as (end - begin) / n.
  const double rounding = 1e-10 * time_step + 8 * std::numeric_limits<double>::epsilon() * std::abs(end);
  if (!(end > limit - rounding)) return {time_step, end, false};
  return {std::abs(end - limit) > rounding ? limit - from : time_step, limit, true};
}

TimeGrid TimeGrid::at(double from, double time_step) const {
  return origin + static_cast<double>(n_steps) * time_step == from ? *this : TimeGrid{from, 0};
}

TimeGrid TimeGrid::after(const Step& step) const {
  return step.is_last ? TimeGrid{step.end, 0} : TimeGrid{origin, n_steps + 1};
}

}  // namespace halfdof
