// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/functions/taylor_series.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace halfdof::internal {

/// The number of Taylor coefficients: coefficients 0 to 7 belong to the polynomial of degree seven, and
/// coefficient 8 bounds its error.
constexpr std::size_t n_coefficients = 9;

using Instant = TaylorSeries<double, 3>;
using Enclosure = TaylorSeries<NumberRange, n_coefficients>;
/// An interval that contains the exact value at an instant, by bounds of the rounding errors. Its slope is
/// NaN near kinks.
using RoundingEnclosure = TaylorSeries<NumberRange, 2>;

template <class Series>
using Arguments = std::vector<Series>;

/// An operation on Taylor series at an instant, over an interval, and with bounds of rounding errors.
struct Operation {
  std::function<Instant(const Arguments<Instant>&)> at_instant;
  std::function<Enclosure(const Arguments<Enclosure>&)> over_interval;
  std::function<RoundingEnclosure(const Arguments<RoundingEnclosure>&)> with_rounding;
};

template <class Function>
Operation operation(Function function) {
  return {function, function, function};
}

template <class Function>
Operation unary(Function function) {
  return operation([function](const auto& x) { return function(x[0]); });
}

template <class Function>
Operation binary(Function function) {
  return operation([function](const auto& x) { return function(x[0], x[1]); });
}

/// Returns the built-in functions of muParser.
const std::map<std::string, Operation>& formula_functions();

/// Returns the binary operators by increasing precedence, without the power.
const std::vector<std::map<std::string, Operation>>& formula_operators();

/// Returns the operation c ? a : b of the arguments c, a, b.
Operation formula_choice();

}  // namespace halfdof::internal
