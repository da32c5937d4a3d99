// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/run_checks.h>

#include <cmath>
#include <sstream>

namespace halfdof::internal {

std::string seconds(double time) {
  std::ostringstream text;
  text.precision(10);
  text << time << " s";
  return text.str();
}

void check_end_time(const std::string& integrator, double from, double end_time) {
  if (std::isfinite(end_time) && end_time >= from) return;
  throw InvalidInput("The end time " + seconds(end_time) + " of the " + integrator +
                     " run is not finite, or before the time of the state, " + seconds(from) +
                     ". Give a finite end time that is not before the time of the state.");
}

void check_output_times(const std::string& integrator, double from, const std::vector<double>& output_times) {
  for (const double time : output_times) {
    if (!std::isfinite(time) || time < from)
      throw InvalidInput("The output time " + seconds(time) + " of the " + integrator +
                         " run is not finite, or before the previous output time or the time of the state, " +
                         seconds(from) +
                         ". Give finite output times in ascending order that are not before the time "
                         "of the state.");
    from = time;
  }
}

void check_time_step(const std::string& integrator, double time_step) {
  if (time_step > 0 && std::isfinite(time_step)) return;
  throw InvalidInput("The time step of " + integrator + " is " + number_text(time_step) +
                     " s. Give a positive, finite time step.");
}

}  // namespace halfdof::internal
