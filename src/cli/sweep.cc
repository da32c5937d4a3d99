// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sweep.h"

#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>

#include "case_keys.h"
#include "number_from.h"
#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>

namespace halfdof::cli {

using namespace internal;

namespace {

constexpr int most_values = 100000;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);)
    parts.push_back(part);
  if (!text.empty() && text.back() == separator) parts.emplace_back();
  return parts;
}

[[noreturn]] void refuse(const std::string& text, const std::string& reason) {
  throw InvalidInput("--sweep " + text + " " + reason +
                     " Write NAME=FROM:TO:STEP, a list NAME=A,B,C, or NAME=log:FROM:TO:NUMBER, for example "
                     "omega=0:100:5.");
}

double number_of(const std::string& part, const std::string& text) {
  const std::optional<double> value = number_from(part);
  if (!value || !std::isfinite(*value)) refuse(text, "has \"" + part + "\" where a finite number belongs.");
  return *value;
}

std::vector<double> even_steps(double from, double to, double step, const std::string& text) {
  const double n = (to - from) / step;
  if (step == 0 || n < 0) refuse(text, "does not reach its end: its step has the wrong sign, or is zero.");
  if (n > most_values) refuse(text, "has more than " + std::to_string(most_values) + " values.");
  // A last step that is short by rounding only counts as a whole one.
  constexpr double rounding = 1e-9;
  const auto n_steps = static_cast<int>(std::floor(n + rounding));
  std::vector<double> values;
  for (int k = 0; k <= n_steps; ++k)
    values.push_back(k == n_steps && std::abs(n - n_steps) <= rounding ? to : from + k * step);
  if (values.back() != to)
    std::cerr << "halfdof: warning: --sweep " << text << " ends at " << number_text(values.back())
              << ": its steps do not reach " << number_text(to) << ".\n";
  return values;
}

std::vector<double> logarithmic_steps(double from, double to, double number, const std::string& text) {
  if (!(from > 0 && to > 0)) refuse(text, "is logarithmic, but does not run from above zero to above zero.");
  if (number != std::floor(number) || number < 2 || number > most_values)
    refuse(text, "has " + number_text(number) + " values, but a whole number from 2 on is needed.");
  std::vector<double> values;
  const auto n = static_cast<int>(number);
  for (int k = 0; k < n; ++k)
    values.push_back(k == 0       ? from
                     : k + 1 == n ? to
                                  : std::exp(std::log(from) + std::log(to / from) * k / (n - 1)));
  return values;
}

}  // namespace

Sweep sweep_from(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) refuse(text, "names no parameter.");
  const std::string range = text.substr(equals + 1);
  Sweep sweep{text.substr(0, equals), {}};
  std::vector<std::string> parts = split(range, ':');
  if (parts.size() == 1) {
    for (const std::string& part : split(range, ','))
      sweep.values.push_back(number_of(part, text));
    for (std::size_t k = 1; k < sweep.values.size(); ++k)
      if ((sweep.values[k] - sweep.values[k - 1]) * (sweep.values.back() - sweep.values.front()) <= 0)
        refuse(text, "neither ascends nor descends.");
  } else if (parts.size() == 4 && parts[0] == "log") {
    sweep.values = logarithmic_steps(number_of(parts[1], text), number_of(parts[2], text),
                                     number_of(parts[3], text), text);
  } else if (parts.size() == 3) {
    sweep.values =
        even_steps(number_of(parts[0], text), number_of(parts[1], text), number_of(parts[2], text), text);
  }
  if (sweep.values.empty()) refuse(text, "has no values in a form that is known.");
  return sweep;
}

std::vector<Sweep> sweeps_of(const CaseArgument& argument, const std::vector<std::string>& texts) {
  if (argument.file.empty())
    throw InvalidInput("--sweep needs parameters, which a case has. Name a TOML file with [parameters].");
  if (texts.size() > 2)
    throw InvalidInput("--sweep is given " + std::to_string(texts.size()) +
                       " times, but at most two parameters are swept together. Leave out some.");
  const Parameters changed = argument.changed();
  std::vector<Sweep> sweeps;
  for (const std::string& text : texts) {
    sweeps.push_back(sweep_from(text));
    if (changed.count(sweeps.back().parameter) > 0)
      throw InvalidInput("--set gives " + sweeps.back().parameter +
                         " a value, and --sweep others. Leave out one of them.");
  }
  if (sweeps.size() == 2 && sweeps[0].parameter == sweeps[1].parameter)
    throw InvalidInput("Both --sweep are over " + sweeps[0].parameter +
                       ". Give one of them, or two parameters.");
  return sweeps;
}

SweptCase::SweptCase(const CaseArgument& argument, const ModelSource& source,
                     const std::vector<std::string>& texts)
    : source_(source), sweeps_(sweeps_of(argument, texts)), system_(*source.of_case) {
  for (const Sweep& sweep : sweeps_) {
    const Parameters& parameters = system_.parameters();
    std::vector<std::string> names;
    for (const auto& parameter : parameters)
      names.push_back(parameter.first);
    if (parameters.count(sweep.parameter) == 0)
      throw InvalidInput("--sweep is over \"" + sweep.parameter + "\", but the case has no such parameter" +
                         (names.empty() ? ": it has no [parameters]." : ". It has: " + joined(names) + "."));
    if (!system_.depends_on(sweep.parameter))
      throw InvalidInput(
          "--sweep is over \"" + sweep.parameter +
          "\", which no factor of a matrix or of structural damping uses: the result would be the "
          "same at all values.");
  }
}

std::vector<Parameters> points_of(const std::vector<Sweep>& sweeps) {
  std::vector<Parameters> all = {{}};
  for (const Sweep& sweep : sweeps) {
    std::vector<Parameters> more;
    for (const Parameters& point : all)
      for (const double value : sweep.values) {
        more.push_back(point);
        more.back()[sweep.parameter] = value;
      }
    all = std::move(more);
  }
  return all;
}

ReducedModel SweptCase::reduced_at(const Parameters& point) const {
  try {
    return reduced_model(system_.at(point), reduction_options(source_.options));
  } catch (const Error&) {
    std::cerr << "halfdof: at " << text_of(point) << ":\n";
    throw;
  }
}

std::string text_of(const Parameters& point) {
  std::string text;
  for (const auto& [name, value] : point)
    text += (text.empty() ? "" : ", ") + name + " = " + number_text(value);
  return text;
}

}  // namespace halfdof::cli
