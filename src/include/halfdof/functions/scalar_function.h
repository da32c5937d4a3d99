// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace halfdof {

/// The interval after an instant in which a function of time is smooth.
struct SmoothInterval {
  double end;   ///< a polynomial of degree seven approximates the function up to this time [s]
  double next;  ///< start of the next interval [s]; after `end` if a kink or a jump is enclosed between them
  bool ends_abruptly = false;  ///< whether the interval ends at a kink or a jump

  /// Returns the interval that ends first.
  static SmoothInterval shorter(const SmoothInterval& a, const SmoothInterval& b);
};

/// The continuation of a table of values before its first and after its last time.
enum class BeyondTable {
  hold,    ///< the first and the last value continue
  repeat,  ///< the table is one period; its first and last value must be equal
  refuse,  ///< evaluation there is an error
};

/**
 * A scalar function of time only: a threshold, the motion of an obstacle or of a support, a load.
 *
 * @code
 * ScalarFunction still = 2.5;
 * ScalarFunction road = ScalarFunction::expression("max(0, 0.05*sin(10*pi*t))");
 * ScalarFunction ramp = ScalarFunction::table({0., 1.}, {0., 3.});
 * ScalarFunction own = [](double t) { return t * t; };
 * @endcode
 *
 * Times are in seconds. Copies share the function that they evaluate; they must not be evaluated by two
 * threads at a time.
 */
class ScalarFunction {
 public:
  /// Constructs a constant function. @throws InvalidInput if the constant is not finite
  ScalarFunction(double constant = 0.);

  /// Constructs the function from its value and its derivative from the right, which may be empty if it is
  /// unknown.
  /// @throws InvalidInput if `value` is empty
  ScalarFunction(std::function<double(double)> value, std::function<double(double)> derivative);

  template <class Function, std::enable_if_t<std::is_invocable_r_v<double, Function, double> &&
                                                 !std::is_same_v<std::decay_t<Function>, ScalarFunction>,
                                             int> = 0>
  ScalarFunction(Function value) : ScalarFunction(std::function<double(double)>(std::move(value)), nullptr) {}

  /**
   * Interpolates linearly between the points (times[i], values[i]).
   * @throws InvalidInput if the lengths differ or are zero, a number is not finite, the times do not increase
   *     strictly, or the first and the last value of a repeated table differ
   */
  static ScalarFunction table(std::vector<double> times, std::vector<double> values,
                              BeyondTable beyond = BeyondTable::hold);

  /**
   * Returns the function of a formula in t, which muParser reads: + - * / ^, comparisons, c ? a : b, sin,
   * cos, exp, ln, sqrt, abs, sign, min, max, ..., and the constants pi and e (_pi and _e as well).
   * @throws InvalidInput with the position of the first error in the formula
   */
  static ScalarFunction expression(const std::string& formula);

  /// Returns the value. @throws UndefinedFunction if the value is not finite, or the time lies outside a
  /// table with BeyondTable::refuse
  double operator()(double time) const;

  /**
   * Returns the derivative from the right. The derivative is exact for constants, tables and formulas, and
   * for C++ functions that were given with their derivative. For other functions the derivative is computed
   * by forward differences with steps from 0.08 s to 1e-13 s that are extrapolated to step zero. About eight
   * digits are correct for frequencies up to 1e7 rad/s, less the digits that the values lose to rounding. If
   * times are not in seconds, functions should be given with their derivative.
   * @throws UndefinedFunction if it is not finite, or the time lies outside a table with BeyondTable::refuse
   */
  double derivative(double time) const;

  /// Returns the second derivative from the right. Throws like derivative(), and also if
  /// is_differentiated_exactly() is false.
  double second_derivative(double time) const;

  /// Returns the magnitude of the terms from which the value is computed: the rounding error of the value is
  /// about machine epsilon times this magnitude. The magnitude of "1 + tanh(t)" at t = -50 is 1, although the
  /// value is nearly zero; the magnitude of "sin(omega*t)" grows with the phase. The magnitude of constants
  /// and C++ functions is the absolute value, that of tables the larger absolute value of the two
  /// neighbouring entries. Throws like operator().
  double size(double time) const;

  /// Returns whether the function is a constant, a table or a formula.
  bool is_differentiated_exactly() const;

  /// Returns whether the function was constructed from a number. The result is false for all tables, formulas
  /// and C++ functions, even if their values are constant.
  bool is_constant() const;

  /// Returns whether this function is certainly `factor` times the other at all times, up to rounding.
  /// Numbers and tables are compared entry by entry. Copies of one C++ function and equal formulas are
  /// recognized only for a factor of one.
  bool is_multiple_of(const ScalarFunction& other, double factor) const;

  /**
   * Finds the interval after `begin` in which the function is smooth and a polynomial of degree seven through
   * eight points is certain to approximate the function to 1e-6 of its largest value, so that no pulse is
   * missed. C++ functions are assumed to be smooth, because nothing is known about them. Kinks and jumps of
   * formulas are located to the last digit.
   * @param begin Start of the interval [s]
   * @param end Latest possible end of the interval [s]
   * @param shortest Shortest interval [s]; no smoothness is required within it
   */
  SmoothInterval smooth_interval(double begin, double end, double shortest) const;

  /// Returns a copy whose error messages begin with `place`, where the function was defined: for example
  /// "case.toml:12: [load] expression".
  ScalarFunction placed_at(std::string place) const;

  /// A description for reports and messages: "2.5", "max(0, t)", "a table of 12 values", "a function".
  const std::string& description() const;

  /// Base class of the evaluation of constants, tables, formulas and C++ functions.
  class Implementation;

 private:
  explicit ScalarFunction(std::shared_ptr<const Implementation> implementation);
  template <class Evaluation>
  auto evaluate_with_place(const Evaluation& evaluation) const;
  /// Returns the number if it is finite, and throws UndefinedFunction otherwise.
  /// @param what Start of the message, such as "The derivative of the "
  double require_finite(double number, const char* what, double time) const;
  [[noreturn]] void throw_undefined(const std::string& reason) const;

  std::shared_ptr<const Implementation> implementation_;
  std::string place_;  ///< Where the function was defined, for messages; empty if this is unknown.
};

}  // namespace halfdof
