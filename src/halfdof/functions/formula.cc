// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/characters.h>
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

/// Bound of the product of the distances of a point in the unit interval to the eight nodes of RadauNodes:
/// the largest error of the interpolating polynomial for an eighth Taylor coefficient of one.
constexpr double remainder_factor = 1e-4;
constexpr double resolution = 1e-6;  ///< allowed error relative to the largest value

}  // namespace

class Formula::Node {
 public:
  virtual ~Node() = default;
  virtual Instant at(double time) const = 0;
  virtual Enclosure over(const NumberRange& times) const = 0;
  virtual WithRounding with_rounding(double time) const = 0;
};

namespace {

using NodePointer = std::shared_ptr<const Formula::Node>;

class Number final : public Formula::Node {
 public:
  explicit Number(double value) : value_(value) {}
  Instant at(double /*time*/) const override { return {value_}; }
  Enclosure over(const NumberRange& /*times*/) const override { return {value_}; }
  WithRounding with_rounding(double /*time*/) const override { return {value_}; }

 private:
  double value_;
};

class Time final : public Formula::Node {
 public:
  Instant at(double time) const override { return Instant::time(time); }
  Enclosure over(const NumberRange& times) const override { return Enclosure::time(times); }
  WithRounding with_rounding(double time) const override { return WithRounding::time(time); }
};

class Composite final : public Formula::Node {
 public:
  Composite(Operation operation, std::vector<NodePointer> parts)
      : operation_(std::move(operation)), parts_(std::move(parts)) {}
  Instant at(double time) const override {
    return operation_.at_instant(of_parts<Instant>([&](const Node& part) { return part.at(time); }));
  }
  Enclosure over(const NumberRange& times) const override {
    return operation_.over_interval(of_parts<Enclosure>([&](const Node& part) { return part.over(times); }));
  }
  WithRounding with_rounding(double time) const override {
    WithRounding result = operation_.with_rounding(
        of_parts<WithRounding>([&](const Node& part) { return part.with_rounding(time); }));
    const NumberRange value = result.c[0];
    const double epsilon = std::numeric_limits<double>::epsilon();
    result.c[0] = {value.lower() - epsilon * std::abs(value.lower()),
                   value.upper() + epsilon * std::abs(value.upper())};
    return result;
  }

 private:
  template <class Series, class Evaluation>
  Arguments<Series> of_parts(const Evaluation& evaluation) const {
    Arguments<Series> arguments;
    for (const NodePointer& part : parts_)
      arguments.push_back(evaluation(*part));
    return arguments;
  }

  Operation operation_;
  std::vector<NodePointer> parts_;
};

/// A recursive descent parser with one function for each kind of term.
class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  NodePointer whole() {
    NodePointer root = conditional();
    skip();
    if (place_ != text_.size()) fail();
    return root;
  }

 private:
  void skip() {
    while (place_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[place_])))
      ++place_;
  }
  bool takes(const std::string& token) {
    skip();
    if (text_.compare(place_, token.size(), token) != 0) return false;
    place_ += token.size();
    return true;
  }
  void expect(const std::string& token) {
    if (!takes(token)) fail();
  }
  [[noreturn]] void fail() const {
    throw InvalidInput("The formula \"" + text_ + "\" cannot be differentiated: the part \"" +
                       text_.substr(place_) + "\" is not understood. Write it with other functions.");
  }

  NodePointer conditional() {
    NodePointer condition = of_level(0);
    if (!takes("?")) return condition;
    NodePointer yes = conditional();
    expect(":");
    NodePointer no = conditional();
    return std::make_shared<Composite>(
        formula_choice(), std::vector<NodePointer>{std::move(condition), std::move(yes), std::move(no)});
  }

  NodePointer of_level(std::size_t level) {
    if (level == formula_operators().size()) return with_sign();
    NodePointer left = of_level(level + 1);
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      // In the reversed order of the map, "<=" precedes "<".
      for (auto entry = formula_operators()[level].rbegin();
           !goes_on && entry != formula_operators()[level].rend(); ++entry) {
        if (!takes(entry->first)) continue;
        left = std::make_shared<Composite>(entry->second,
                                           std::vector<NodePointer>{std::move(left), of_level(level + 1)});
        goes_on = true;
      }
    }
    return left;
  }

  NodePointer with_sign() {
    if (takes("+")) return with_sign();
    if (takes("-"))
      return std::make_shared<Composite>(unary([](const auto& x) { return -x; }),
                                         std::vector<NodePointer>{with_sign()});
    return power();
  }

  NodePointer power() {
    NodePointer base = operand();
    if (!takes("^")) return base;
    return std::make_shared<Composite>(binary([](const auto& a, const auto& b) { return pow(a, b); }),
                                       std::vector<NodePointer>{std::move(base), with_sign()});
  }

  NodePointer operand() {
    if (takes("(")) {
      NodePointer inner = conditional();
      expect(")");
      return inner;
    }
    const char first = place_ < text_.size() ? text_[place_] : ' ';
    if (is_digit(first) || first == '.') return read_number();
    if (is_letter(first) || first == '_') return read_name();
    fail();
  }

  NodePointer read_number() {
    char* end = nullptr;
    const double value = std::strtod(text_.c_str() + place_, &end);
    const auto next = static_cast<std::size_t>(end - text_.c_str());
    if (next == place_) fail();
    place_ = next;
    return std::make_shared<Number>(value);
  }

  NodePointer read_name() {
    const std::size_t begin = place_;
    while (place_ < text_.size() &&
           (is_letter(text_[place_]) || is_digit(text_[place_]) || text_[place_] == '_'))
      ++place_;
    const std::string name = text_.substr(begin, place_ - begin);
    if (name == "t") return std::make_shared<Time>();
    if (name == "pi" || name == "_pi") return std::make_shared<Number>(std::acos(-1.));
    if (name == "e" || name == "_e") return std::make_shared<Number>(std::exp(1.));
    const auto found = formula_functions().find(name);
    if (found == formula_functions().end() || !takes("(")) {
      place_ = begin;
      fail();
    }
    std::vector<NodePointer> arguments;
    do
      arguments.push_back(conditional());
    while (takes(","));
    expect(")");
    return std::make_shared<Composite>(found->second, std::move(arguments));
  }

  const std::string& text_;
  std::size_t place_ = 0;
};

}  // namespace

Formula::Formula(const std::string& text) : root_(Reader(text).whole()) {}

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
