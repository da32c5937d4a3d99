#pragma once

#include <halfdof/base/types.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace halfdof {

/// What a table of values means before its first and behind its last time.
enum class BeyondTable {
  hold,    ///< the first and the last value
  repeat,  ///< the table is one period; its first and last value must be equal
  refuse,  ///< an error
};

/**
 * A number that depends on time alone: a threshold, an obstacle, the motion of a support, a load.
 *
 * @code
 * TimeFunction still = 2.5;
 * TimeFunction road = TimeFunction::expression("max(0, 0.05*sin(10*pi*t))");
 * TimeFunction ramp = TimeFunction::table({0., 1.}, {0., 3.});
 * TimeFunction own = [](double t) { return t * t; };
 * @endcode
 *
 * Times are in seconds. Copies share what they evaluate, which is not meant for two threads at a time.
 */
class TimeFunction {
 public:
  /// The constant, zero by default. @throws InvalidInput unless it is finite.
  TimeFunction(double constant = 0.);

  /// A function, and its derivative from the right where that is known.
  TimeFunction(std::function<double(double)> value, std::function<double(double)> derivative);

  template <class Function, std::enable_if_t<std::is_invocable_r_v<double, Function, double> &&
                                                 !std::is_same_v<std::decay_t<Function>, TimeFunction>,
                                             int> = 0>
  TimeFunction(Function value) : TimeFunction(std::function<double(double)>(std::move(value)), nullptr) {}

  /**
   * Straight lines between (times[i], values[i]).
   * @throws InvalidInput if the lengths differ or are zero, a number is not finite, the times do not increase
   *     strictly, or a table to repeat does not end where it starts
   */
  static TimeFunction table(std::vector<double> times, std::vector<double> values,
                            BeyondTable beyond = BeyondTable::hold);

  /**
   * A formula in t, read by muParser: + - * / ^, comparisons, c ? a : b, sin, cos, exp, ln, sqrt, abs, sign,
   * min, max, ..., and the constants pi and e (_pi and _e as well).
   * @throws InvalidInput with the place of the first thing that cannot be understood
   */
  static TimeFunction expression(const std::string& formula);

  /// @throws InvalidInput if the value is not finite, or the time lies outside a table that says `refuse`
  double operator()(double time) const;

  /**
   * The derivative from the right: exact for constants, tables and functions that were given with theirs.
   * Formulas and functions without one are differentiated by forward differences with steps h, h/2, h/4, ...
   * extrapolated to h = 0; about eight digits of a smooth function.
   */
  double derivative(double time) const;

  /// True for a number given as such (and for nothing else, be it as flat as it may).
  bool is_constant() const;

  /// The first entry of a table behind this time: there the slope jumps. Infinity where none is known.
  double next_kink(double time) const;

  /// "2.5", "max(0, t)", "a table of 12 values", "a function": for reports and messages.
  const std::string& description() const;

  /// How a function is evaluated; each origin has its own.
  class Implementation;

 private:
  explicit TimeFunction(std::shared_ptr<const Implementation> implementation);

  std::shared_ptr<const Implementation> implementation_;
};

}  // namespace halfdof
