// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/characters.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/functions/formula_text.h>
#include <halfdof/functions/parameters.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <set>
#include <sstream>

namespace halfdof {

using namespace internal;

namespace {

bool begins_word(char c) {
  return is_letter(c) || c == '_';
}

/// Returns the end of the number that begins at a place of the formula: 1, .5, 2e-3.
std::size_t end_of_number(const std::string& formula, std::size_t place) {
  const auto at = [&](std::size_t i) { return i < formula.size() ? formula[i] : ' '; };
  while (is_digit(at(place)) || at(place) == '.')
    ++place;
  if (at(place) != 'e' && at(place) != 'E') return place;
  const std::size_t digits = place + (at(place + 1) == '+' || at(place + 1) == '-' ? 2 : 1);
  if (!is_digit(at(digits))) return place;
  place = digits;
  while (is_digit(at(place)))
    ++place;
  return place;
}

/// A part of a formula: a word, or what stands between words.
struct Part {
  std::string text;
  bool is_word;
};

std::vector<Part> parts_of(const std::string& formula) {
  std::vector<Part> parts;
  for (std::size_t begin = 0; begin < formula.size();) {
    std::size_t end = begin + 1;
    const bool is_word = begins_word(formula[begin]);
    if (is_word)
      while (end < formula.size() && (begins_word(formula[end]) || is_digit(formula[end])))
        ++end;
    else if (is_digit(formula[begin]) || formula[begin] == '.')
      end = end_of_number(formula, begin);
    parts.push_back({formula.substr(begin, end - begin), is_word});
    begin = end;
  }
  return parts;
}

/// Returns the words that formulas use already: constants, the time, and functions.
const std::set<std::string>& known_words() {
  static const std::set<std::string> all = [] {
    std::set<std::string> words = {"t", "pi", "e", "_pi", "_e"};
    const mu::Parser parser;
    for (const auto& function : parser.GetFunDef())
      words.insert(function.first);
    return words;
  }();
  return all;
}

std::string names_of(const Parameters& parameters) {
  std::string names;
  for (const auto& parameter : parameters)
    names += (names.empty() ? "" : ", ") + parameter.first;
  return names.empty() ? "There are no parameters." : "The parameters are: " + names + ".";
}

/// Reads the formula with these parameters as constants. @throws InvalidInput if it has an error
void check_formula(const std::string& formula, const Parameters& parameters) {
  for (const std::string& name : parameters_in(formula))
    if (parameters.count(name) == 0)
      throw InvalidInput("The formula \"" + formula + "\" uses \"" + name + "\", which is no parameter. " +
                         names_of(parameters) + " It may also use t, pi, e and functions.");
  mu::Parser parser;
  for (const auto& [name, value] : parameters)
    parser.DefineConst(name, value);
  double time = 0;
  read_formula(parser, formula, time);
}

/// Returns the formula with the values of the parameters in place of their names.
std::string with_values(const std::string& formula, const Parameters& parameters) {
  std::ostringstream text;
  text << std::setprecision(std::numeric_limits<double>::max_digits10);
  for (const Part& part : parts_of(formula)) {
    const auto parameter = part.is_word ? parameters.find(part.text) : parameters.end();
    if (parameter == parameters.end())
      text << part.text;
    else if (std::signbit(parameter->second))
      text << '(' << parameter->second << ')';
    else
      text << parameter->second;
  }
  return text.str();
}

}  // namespace

void check_parameters(const Parameters& parameters) {
  for (const auto& [name, value] : parameters) {
    const bool is_word =
        !name.empty() && is_letter(name[0]) &&
        std::all_of(name.begin(), name.end(), [](char c) { return begins_word(c) || is_digit(c); });
    if (!is_word)
      throw InvalidInput("The parameter \"" + name +
                         "\" cannot stand in a formula. Give it a name of letters, digits and _ that begins "
                         "with a letter.");
    if (known_words().count(name) > 0)
      throw InvalidInput("The parameter \"" + name + "\" has the name of " +
                         (name == "t"                   ? "the time"
                          : name == "e" || name == "pi" ? "a constant"
                                                        : "a function") +
                         " in formulas. Give it another name.");
    if (!std::isfinite(value))
      throw InvalidInput("The parameter " + name + " is " + number_text(value) +
                         ", but parameters are finite. Give a number.");
  }
}

std::vector<std::string> parameters_in(const std::string& formula) {
  std::set<std::string> names;
  for (const Part& part : parts_of(formula))
    if (part.is_word && known_words().count(part.text) == 0) names.insert(part.text);
  return {names.begin(), names.end()};
}

ScalarFunction expression(const std::string& formula, const Parameters& parameters) {
  check_parameters(parameters);
  check_formula(formula, parameters);
  return ScalarFunction::expression(with_values(formula, parameters));
}

ParameterFormula::ParameterFormula(double constant) {
  if (!std::isfinite(constant))
    throw InvalidInput("A factor is " + number_text(constant) + ", but must be finite. Give a number.");
  std::ostringstream text;
  text << std::setprecision(std::numeric_limits<double>::max_digits10) << constant;
  text_ = text.str();
}

ParameterFormula::ParameterFormula(const std::string& formula)
    : text_(formula), parameters_(parameters_in(formula)) {
  Parameters any;
  for (const std::string& name : parameters_)
    any[name] = 1;
  check_parameters(any);
  check_formula(formula, any);
  for (const Part& part : parts_of(formula))
    if (part.is_word && part.text == "t")
      throw InvalidInput(
          "The formula \"" + formula +
          "\" depends on the time t, but a factor of a matrix is constant. Use parameters only.");
}

double ParameterFormula::operator()(const Parameters& parameters) const {
  std::string values;
  for (const std::string& name : parameters_) {
    const auto parameter = parameters.find(name);
    if (parameter == parameters.end())
      throw InvalidInput("The formula \"" + text_ + "\" uses \"" + name + "\", which is no parameter. " +
                         names_of(parameters));
    values += (values.empty() ? " at " : ", ") + name + " = " + number_text(parameter->second);
  }
  check_parameters(parameters);
  check_formula(text_, parameters);
  mu::Parser parser;
  double time = 0;
  read_formula(parser, with_values(text_, parameters), time);
  const double value = parser.Eval();
  if (!std::isfinite(value))
    throw InvalidInput("The factor \"" + text_ + "\" is " + number_text(value) + values +
                       ", but factors are finite. Take other values of the parameters.");
  return value;
}

}  // namespace halfdof
