#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The times of a run: where it may end, where output is due, where steps of fixed length end.
namespace halfdof {

/// "0.125 s"
std::string seconds(double time);

/// @throws InvalidInput unless it is finite and not before `from`
void check_end_time(const std::string& integrator, double from, double end_time);
/// @throws InvalidInput unless they are finite, ascending and not before `from`
void check_output_times(const std::string& integrator, double from, const std::vector<double>& output_times);
/// @throws InvalidInput unless it is positive and finite
void check_time_step(const std::string& integrator, double time_step);

/// Where the steps of one length end: origin + h, origin + 2 h, ... (multiplied, not added up).
struct TimeGrid {
  double origin = 0;         ///< [s]
  std::int64_t n_steps = 0;  ///< taken since then

  struct Step {
    double length, end;
    bool is_last;  ///< whether it ends at the limit: a new grid begins there
  };

  /**
   * The next step, of length h, or shortened to hit the limit exactly. A limit that misses the grid by
   * rounding alone is hit with a step of length h.
   * @throws InvalidInput if a step of this length does not change the time `from` in double precision
   */
  Step next(const std::string& integrator, double time_step, double from, double limit) const;

  /// This grid if it has come to the time `from`, otherwise one that begins there.
  TimeGrid at(double from, double time_step) const;

  /// The grid after that step.
  TimeGrid after(const Step& step) const;
};

}  // namespace halfdof
