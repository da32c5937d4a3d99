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

/// Returns the index after the last character of the number, such as 1, .5 or 2e-3, that begins at `place`.
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

/// A part of a formula: a word, or the text between two words.
struct FormulaPart {
  std::string text;
  bool is_word;
};

std::vector<FormulaPart> split_formula(const std::string& formula) {
  std::vector<FormulaPart> parts;
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

/// Returns the words that have a meaning in every formula: constants, the time t, and functions.
const std::set<std::string>& reserved_words() {
  static const std::set<std::string> all = [] {
    std::set<std::string> words = {"t", "pi", "e", "_pi", "_e"};
    const mu::Parser parser;
    for (const auto& function : parser.GetFunDef())
      words.insert(function.first);
    return words;
  }();
  return all;
}

std::string list_of_names(const Parameters& parameters) {
  std::string names;
  for (const auto& parameter : parameters)
    names += (names.empty() ? "" : ", ") + parameter.first;
  return names.empty() ? "There are no parameters." : "The parameters are: " + names + ".";
}

/// Checks that the formula can be read if the parameters are constants. @throws InvalidInput otherwise
void check_formula(const std::string& formula, const Parameters& parameters) {
  for (const std::string& name : parameters_in(formula))
    if (parameters.count(name) == 0)
      throw InvalidInput("The formula \"" + formula + "\" uses \"" + name + "\", which is no parameter. " +
                         list_of_names(parameters) + " It may also use t, pi, e and functions.");
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
  for (const FormulaPart& part : split_formula(formula)) {
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
                         "\" cannot be used in a formula. Give the parameter a name of letters, digits and _ "
                         "that begins with a letter.");
    if (reserved_words().count(name) > 0)
      throw InvalidInput("The parameter \"" + name + "\" has the name of " +
                         (name == "t"                   ? "the time"
                          : name == "e" || name == "pi" ? "a constant"
                                                        : "a function") +
                         " in formulas. Give the parameter another name.");
    if (!std::isfinite(value))
      throw InvalidInput("The parameter " + name + " is " + number_text(value) +
                         ", but the values of parameters must be finite. Give a finite number.");
  }
}

std::vector<std::string> parameters_in(const std::string& formula) {
  std::set<std::string> names;
  for (const FormulaPart& part : split_formula(formula))
    if (part.is_word && reserved_words().count(part.text) == 0) names.insert(part.text);
  return {names.begin(), names.end()};
}

ScalarFunction expression(const std::string& formula, const Parameters& parameters) {
  check_parameters(parameters);
  check_formula(formula, parameters);
  return ScalarFunction::expression(with_values(formula, parameters));
}

ParameterFormula::ParameterFormula(double constant) {
  if (!std::isfinite(constant))
    throw InvalidInput("A constant factor of a matrix is " + number_text(constant) +
                       ", but factors must be finite. Give a finite number.");
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
  for (const FormulaPart& part : split_formula(formula))
    if (part.is_word && part.text == "t")
      throw InvalidInput(
          "The formula \"" + formula +
          "\" depends on the time t, but the factor of a matrix must be constant. Use parameters only.");
}

double ParameterFormula::operator()(const Parameters& parameters) const {
  std::string values;
  for (const std::string& name : parameters_) {
    const auto parameter = parameters.find(name);
    if (parameter == parameters.end())
      throw InvalidInput("The formula \"" + text_ + "\" uses \"" + name + "\", which is no parameter. " +
                         list_of_names(parameters));
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
                       ", but factors must be finite. Give other values of the parameters.");
  return value;
}

}  // namespace halfdof
