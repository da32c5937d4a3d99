// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/functions/scalar_function.h>

#include <map>
#include <string>
#include <vector>

/**
 * @file
 * Parameters are named numbers that formulas may use, such as the speed of a rotor or a coefficient of
 * friction.
 */
namespace halfdof {

/// A map from the names of all parameters of a model to their values.
using Parameters = std::map<std::string, double>;

/// Checks the name and the value of each parameter.
/// @throws InvalidInput if a name is no word of letters, digits and _ that begins with a letter, if formulas
///     use it already (t, pi, e, sin, ...), or if a value is not finite
void check_parameters(const Parameters& parameters);

/// Returns the words of a formula that are neither functions nor t, pi and e: the parameters that it needs.
/// Ascending, without repetition.
std::vector<std::string> parameters_in(const std::string& formula);

/**
 * Returns the function of time of a formula in t and in parameters, which have constant values:
 *
 * @code
 * const ScalarFunction unbalance = expression("0.01 * omega^2 * cos(omega*t)", {{"omega", 5.}});
 * @endcode
 *
 * The values are inserted into the formula, so that derivatives are exact as for ScalarFunction::expression()
 * and the description shows the values.
 * @throws InvalidInput with the position of the first error, or the word that is no parameter
 */
ScalarFunction expression(const std::string& formula, const Parameters& parameters);

/// A number that is computed by a formula in parameters, such as the factor "1 - 4*mu/3" of a matrix.
class ParameterFormula {
 public:
  /// A constant factor. @throws InvalidInput if it is not finite
  ParameterFormula(double constant = 1.);
  /// @throws InvalidInput if the formula cannot be read, or depends on t
  explicit ParameterFormula(const std::string& formula);

  /// Returns the value of the formula. @param parameters Values of at least the parameters that parameters()
  /// lists
  /// @throws InvalidInput if a parameter has no value, or the result is not finite
  double operator()(const Parameters& parameters) const;

  /// The parameters that the formula needs, ascending.
  const std::vector<std::string>& parameters() const { return parameters_; }
  /// The formula as it was given.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::string> parameters_;
};

}  // namespace halfdof
