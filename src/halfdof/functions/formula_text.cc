// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/functions/formula_text.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

namespace halfdof::internal {

namespace {

/// Appends a full stop if the text does not end with one.
std::string with_full_stop(std::string text) {
  if (text.empty() || text.back() != '.') text += '.';
  return text;
}

/// Removes the position from a message of muParser, which counts characters from zero.
std::string without_position(const std::string& text) {
  static const std::regex position(
      "( found| starting)? at( expression)? position [0-9]+| [(]position: [0-9]+[)]");
  return std::regex_replace(text, position, "");
}

/// Returns the advice " Write 0.2*t." if a name follows a number without an operator, as in "0.2t", and an
/// empty text otherwise.
std::string advice_on_missing_product(const std::string& formula, const mu::Parser::exception_type& error) {
  static const std::regex number("([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$");
  const std::string name = error.GetToken();
  const bool is_inside = error.GetPos() > 0 && static_cast<std::size_t>(error.GetPos()) < formula.size();
  if (!is_inside || name.empty() || std::isalpha(static_cast<unsigned char>(name.front())) == 0) return "";
  const auto end = static_cast<std::size_t>(error.GetPos());
  // Only the last characters are searched, because the time of std::regex_search grows with the third power
  // of the length.
  constexpr std::size_t longest = 24;
  const std::string before = formula.substr(end > longest ? end - longest : 0, std::min(end, longest));
  std::smatch factor;
  if (formula.compare(end, name.size(), name) != 0 || !std::regex_search(before, factor, number) ||
      factor.length() == static_cast<std::ptrdiff_t>(longest))
    return "";
  return " Write " + factor.str() + "*" + name + (formula[end + name.size()] == '(' ? "(...)." : ".");
}

/// Returns whether the formula contains an assignment, which is an = that is not part of ==, !=, <= or >=.
/// The formula "t = 1" would change the time in muParser.
bool contains_assignment(const std::string& formula) {
  for (std::size_t i = 0; i < formula.size(); ++i) {
    if (formula[i] != '=') continue;
    if (i + 1 < formula.size() && formula[i + 1] == '=')
      ++i;
    else if (i == 0 || std::string("!<>").find(formula[i - 1]) == std::string::npos)
      return true;
  }
  return false;
}

}  // namespace

void read_formula(mu::Parser& parser, const std::string& formula, double& time) {
  try {
    parser.DefineConst("pi", 3.141592653589793238463);
    parser.DefineConst("e", 2.718281828459045235360);
    parser.DefineVar("t", &time);
    parser.SetExpr(formula);
    parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    std::ostringstream message;
    message << "The formula \"" << formula << "\" cannot be read";
    if (error.GetPos() >= 0 && static_cast<std::size_t>(error.GetPos()) <= formula.size()) {
      message << " from character " << error.GetPos() + 1;
    }
    message
        << ": " << with_full_stop(without_position(error.GetMsg()))
        << advice_on_missing_product(formula, error)
        << " It may use t [s], numbers, pi, e, + - * / ^, comparisons, c ? a : b and muParser's functions "
           "(sin, cos, exp, ln, sqrt, abs, sign, min, max, ...).";
    throw InvalidInput(message.str());
  }
  if (contains_assignment(formula)) {
    throw InvalidInput("The formula \"" + formula +
                       "\" assigns a value to a name. Give a formula without =, or write == to compare.");
  }
  if (parser.GetNumResults() != 1) {
    throw InvalidInput(
        "The formula \"" + formula + "\" has " + std::to_string(parser.GetNumResults()) +
        " values, separated by commas. Give one value, and write numbers with a decimal point.");
  }
}

}  // namespace halfdof::internal
