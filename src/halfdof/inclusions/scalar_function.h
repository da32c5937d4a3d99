#pragma once

#include <halfdof/base/undefined_function.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace halfdof {

/// Where, from an instant on, a function of time is smooth.
struct SmoothInterval {
  double end;                  ///< [s]; as far as one polynomial of degree seven follows it
  double next;                 ///< [s]; the same, or what lies behind a kink or jump
  bool ends_abruptly = false;  ///< with a kink or a jump

  /// The shorter one.
  static SmoothInterval shorter(const SmoothInterval& a, const SmoothInterval& b);
};

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
 * ScalarFunction still = 2.5;
 * ScalarFunction road = ScalarFunction::expression("max(0, 0.05*sin(10*pi*t))");
 * ScalarFunction ramp = ScalarFunction::table({0., 1.}, {0., 3.});
 * ScalarFunction own = [](double t) { return t * t; };
 * @endcode
 *
 * Times are in seconds. Copies share what they evaluate, which is not meant for two threads at a time.
 */
class ScalarFunction {
 public:
  /// The constant, zero by default. @throws InvalidInput unless it is finite.
  ScalarFunction(double constant = 0.);

  /// A function, and its derivative from the right where that is known. @throws InvalidInput if it is empty
  ScalarFunction(std::function<double(double)> value, std::function<double(double)> derivative);

  template <class Function, std::enable_if_t<std::is_invocable_r_v<double, Function, double> &&
                                                 !std::is_same_v<std::decay_t<Function>, ScalarFunction>,
                                             int> = 0>
  ScalarFunction(Function value) : ScalarFunction(std::function<double(double)>(std::move(value)), nullptr) {}

  /**
   * Straight lines between (times[i], values[i]).
   * @throws InvalidInput if the lengths differ or are zero, a number is not finite, the times do not increase
   *     strictly, or a table to repeat does not end where it starts
   */
  static ScalarFunction table(std::vector<double> times, std::vector<double> values,
                              BeyondTable beyond = BeyondTable::hold);

  /**
   * A formula in t, read by muParser: + - * / ^, comparisons, c ? a : b, sin, cos, exp, ln, sqrt, abs, sign,
   * min, max, ..., and the constants pi and e (_pi and _e as well).
   * @throws InvalidInput with the place of the first thing that cannot be understood
   */
  static ScalarFunction expression(const std::string& formula);

  /// @throws UndefinedFunction if the value is not finite, or the time lies outside a table that says
  /// `refuse`
  double operator()(double time) const;

  /**
   * The derivative from the right: exact for constants, tables, formulas and functions that were given with
   * theirs.
   * Others by forward differences with steps from 0.08 s to 1e-13 s, extrapolated to none: about eight
   * digits up to 1e7 rad/s, less what values lose to rounding. In other units than seconds, give them with
   * their derivative.
   * @throws UndefinedFunction if it is not finite, or the time lies outside a table that says `refuse`
   */
  double derivative(double time) const;

  /// The second derivative from the right, of functions that are differentiated exactly. @throws as
  /// derivative()
  double second_derivative(double time) const;

  /// The rounding error of the value is about epsilon times this, which is 1 for "1 + tanh(t)" at t = -50 and
  /// grows with the phase of a wave. For constants and functions in C++ it is the absolute value, for tables
  /// the larger entry beside the time. @throws as the value
  double size(double time) const;

  /// Whether this is a constant, a table or a formula.
  bool is_differentiated_exactly() const;

  /// True for a number given as such (and for nothing else, be it as flat as it may).
  bool is_constant() const;

  /// Whether this is `factor` times the other at all times, up to rounding, as far as their origins tell:
  /// numbers and tables are compared entry by entry; copies of one function and equal formulas are equal, and
  /// nothing is known of their multiples.
  bool is_multiple_of(const ScalarFunction& other, double factor) const;

  /**
   * How far from an instant on the function is smooth, and how far a polynomial of degree seven through
   * eight points is certain to follow it to 1e-6 of its largest value there, so that no pulse is passed over.
   * Of functions in C++ nothing is known: they are taken to be smooth. Kinks and jumps of formulas are found
   * to the last digit.
   * @param end [s] The interval goes no further. @param shortest [s] What is not smooth within less is
   * passed over.
   */
  SmoothInterval smooth_interval(double begin, double end, double shortest) const;

  /// The same, whose errors begin with where it was given: "case.toml:12: [load] expression".
  ScalarFunction placed_at(std::string place) const;

  /// "2.5", "max(0, t)", "a table of 12 values", "a function": for reports and messages.
  const std::string& description() const;

  /// How a function is evaluated; each origin has its own.
  class Implementation;

 private:
  explicit ScalarFunction(std::shared_ptr<const Implementation> implementation);
  template <class Evaluation>
  auto evaluated(const Evaluation& evaluation) const;
  /// The number, if it is one. @param what "The ", "The derivative of the "
  double finite(double number, const char* what, double time) const;
  [[noreturn]] void refuse(const std::string& reason) const;

  std::shared_ptr<const Implementation> implementation_;
  std::string place_;  ///< "" where none was told
};

}  // namespace halfdof
