// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/functions/formula.h>
#include <halfdof/functions/formula_operations.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

namespace halfdof::internal {

namespace {

/// An upper bound of the product of the distances of a point in the unit interval to the eight nodes of
/// RadauNodes. The bound is the largest error of the interpolating polynomial of a function whose eighth
/// Taylor coefficient is at most one.
constexpr double remainder_factor = 1e-4;
constexpr double resolution = 1e-6;  ///< Allowed error of the polynomial, relative to the largest value.

}  // namespace

class Formula::Node {
 public:
  virtual ~Node() = default;
  virtual Instant at(double time) const = 0;
  virtual Enclosure over(const NumberRange& times) const = 0;
  virtual RoundingEnclosure with_rounding(double time) const = 0;
};

namespace {

using NodePointer = std::shared_ptr<const Formula::Node>;

class Number final : public Formula::Node {
 public:
  explicit Number(double value) : value_(value) {}
  Instant at(double /*time*/) const override { return {value_}; }
  Enclosure over(const NumberRange& /*times*/) const override { return {value_}; }
  RoundingEnclosure with_rounding(double /*time*/) const override { return {value_}; }

 private:
  double value_;
};

class Time final : public Formula::Node {
 public:
  Instant at(double time) const override { return Instant::time(time); }
  Enclosure over(const NumberRange& times) const override { return Enclosure::time(times); }
  RoundingEnclosure with_rounding(double time) const override { return RoundingEnclosure::time(time); }
};

class Composite final : public Formula::Node {
 public:
  Composite(Operation operation, std::vector<NodePointer> parts)
      : operation_(std::move(operation)), arguments_(std::move(parts)) {}
  Instant at(double time) const override {
    return operation_.at_instant(
        evaluate_arguments<Instant>([&](const Node& part) { return part.at(time); }));
  }
  Enclosure over(const NumberRange& times) const override {
    return operation_.over_interval(
        evaluate_arguments<Enclosure>([&](const Node& part) { return part.over(times); }));
  }
  RoundingEnclosure with_rounding(double time) const override {
    RoundingEnclosure result = operation_.with_rounding(
        evaluate_arguments<RoundingEnclosure>([&](const Node& part) { return part.with_rounding(time); }));
    const NumberRange value = result.c[0];
    const double epsilon = std::numeric_limits<double>::epsilon();
    result.c[0] = {value.lower() - epsilon * std::abs(value.lower()),
                   value.upper() + epsilon * std::abs(value.upper())};
    return result;
  }

 private:
  template <class Series, class Evaluation>
  Arguments<Series> evaluate_arguments(const Evaluation& evaluation) const {
    Arguments<Series> arguments;
    for (const NodePointer& part : arguments_)
      arguments.push_back(evaluation(*part));
    return arguments;
  }

  Operation operation_;
  std::vector<NodePointer> arguments_;
};

/// A recursive descent parser with one function for each kind of term.
class FormulaParser {
 public:
  explicit FormulaParser(const std::string& text) : text_(text) {}

  NodePointer parse() {
    NodePointer root = parse_conditional();
    skip_spaces();
    if (place_ != text_.size()) throw_syntax_error();
    return root;
  }

 private:
  void skip_spaces() {
    while (place_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[place_])))
      ++place_;
  }
  bool accept_token(const std::string& token) {
    skip_spaces();
    if (text_.compare(place_, token.size(), token) != 0) return false;
    place_ += token.size();
    return true;
  }
  void require_token(const std::string& token) {
    if (!accept_token(token)) throw_syntax_error();
  }
  [[noreturn]] void throw_syntax_error() const {
    throw InvalidInput("The formula \"" + text_ + "\" cannot be differentiated: the part \"" +
                       text_.substr(place_) + "\" is not supported. Write this part with other functions.");
  }

  NodePointer parse_conditional() {
    NodePointer condition = parse_binary_operators(0);
    if (!accept_token("?")) return condition;
    NodePointer yes = parse_conditional();
    require_token(":");
    NodePointer no = parse_conditional();
    return std::make_shared<Composite>(
        formula_choice(), std::vector<NodePointer>{std::move(condition), std::move(yes), std::move(no)});
  }

  NodePointer parse_binary_operators(std::size_t level) {
    if (level == formula_operators().size()) return parse_signed();
    NodePointer left = parse_binary_operators(level + 1);
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      // The reversed order of the map makes sure that "<=" is tried before "<".
      for (auto entry = formula_operators()[level].rbegin();
           !goes_on && entry != formula_operators()[level].rend(); ++entry) {
        if (!accept_token(entry->first)) continue;
        left = std::make_shared<Composite>(
            entry->second, std::vector<NodePointer>{std::move(left), parse_binary_operators(level + 1)});
        goes_on = true;
      }
    }
    return left;
  }

  NodePointer parse_signed() {
    if (accept_token("+")) return parse_signed();
    if (accept_token("-"))
      return std::make_shared<Composite>(unary([](const auto& x) { return -x; }),
                                         std::vector<NodePointer>{parse_signed()});
    return parse_power();
  }

  NodePointer parse_power() {
    NodePointer base = parse_operand();
    if (!accept_token("^")) return base;
    return std::make_shared<Composite>(binary([](const auto& a, const auto& b) { return pow(a, b); }),
                                       std::vector<NodePointer>{std::move(base), parse_signed()});
  }

  NodePointer parse_operand() {
    if (accept_token("(")) {
      NodePointer inner = parse_conditional();
      require_token(")");
      return inner;
    }
    const char first = place_ < text_.size() ? text_[place_] : ' ';
    if (std::isdigit(static_cast<unsigned char>(first)) || first == '.') return parse_number();
    if (std::isalpha(static_cast<unsigned char>(first)) || first == '_') return parse_name();
    throw_syntax_error();
  }

  NodePointer parse_number() {
    char* end = nullptr;
    const double value = std::strtod(text_.c_str() + place_, &end);
    const auto next = static_cast<std::size_t>(end - text_.c_str());
    if (next == place_) throw_syntax_error();
    place_ = next;
    return std::make_shared<Number>(value);
  }

  NodePointer parse_name() {
    const std::size_t begin = place_;
    while (place_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[place_])) || text_[place_] == '_'))
      ++place_;
    const std::string name = text_.substr(begin, place_ - begin);
    if (name == "t") return std::make_shared<Time>();
    if (name == "pi" || name == "_pi") return std::make_shared<Number>(std::acos(-1.));
    if (name == "e" || name == "_e") return std::make_shared<Number>(std::exp(1.));
    const auto found = formula_functions().find(name);
    if (found == formula_functions().end() || !accept_token("(")) {
      place_ = begin;
      throw_syntax_error();
    }
    std::vector<NodePointer> arguments;
    do
      arguments.push_back(parse_conditional());
    while (accept_token(","));
    require_token(")");
    return std::make_shared<Composite>(found->second, std::move(arguments));
  }

  const std::string& text_;
  std::size_t place_ = 0;
};

}  // namespace

Formula::Formula(const std::string& text) : root_(FormulaParser(text).parse()) {}

TimeDerivatives Formula::derivatives(double time) const {
  const Instant series = root_->at(time);
  return {series.c[0], series.c[1], 2 * series.c[2]};
}

/// Near a jump or a pole, the width of the interval is not finite, and the result is zero.
double Formula::rounding(double time) const {
  const double width = boost::numeric::width(root_->with_rounding(time).c[0]);
  return std::isfinite(width) ? 0.5 * width : 0.;
}

bool Formula::is_resolved(double begin, double end) const {
  const Enclosure series = root_->over({begin, end});
  const double h = end - begin;
  double allowed = 0;
  for (const double time : {begin, begin + 0.5 * h, end})
    allowed = std::max({allowed, resolution * std::abs(root_->at(time).c[0]), 2 * rounding(time)});
  double remainder = boost::numeric::norm(series.c[n_coefficients - 1]);
  for (std::size_t k = 1; k < n_coefficients; ++k)
    remainder *= h;
  return remainder_factor * remainder <= allowed;
}

}  // namespace halfdof::internal
