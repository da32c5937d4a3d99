#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/run_times.h>

#include <cmath>
#include <limits>
#include <sstream>

namespace halfdof {

std::string seconds(double time) {
  std::ostringstream text;
  text.precision(10);
  text << time << " s";
  return text.str();
}

void check_end_time(const std::string& integrator, double from, double end_time) {
  if (std::isfinite(end_time) && end_time >= from) return;
  throw InvalidInput("The end time " + seconds(end_time) + " of the " + integrator +
                     " run is not a time at or after that of the state, " + seconds(from) +
                     ". Give a finite, later one.");
}

void check_output_times(const std::string& integrator, double from, const std::vector<double>& output_times) {
  for (const double time : output_times) {
    if (!std::isfinite(time) || time < from)
      throw InvalidInput("The output time " + seconds(time) + " of the " + integrator + " run follows " +
                         seconds(from) +
                         ". Output times are finite, ascending and not before the time of the state.");
    from = time;
  }
}

void check_time_step(const std::string& integrator, double time_step) {
  if (time_step > 0 && std::isfinite(time_step)) return;
  throw InvalidInput("The time step of " + integrator + " is " + number_text(time_step) +
                     " s. Give a positive, finite one.");
}

TimeGrid::Step TimeGrid::next(const std::string& integrator, double time_step, double from,
                              double limit) const {
  const double end = origin + static_cast<double>(n_steps + 1) * time_step;
  if (!(end > from))
    throw InvalidInput("A " + integrator + " step of " + number_text(time_step) +
                       " s does not change the time " + number_text(from) +
                       " s in double precision. Give a longer step, or count the time from another origin.");

  // What rounding of the times, and of a step computed as (end - begin) / n, can amount to.
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
