// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/functions/formula.h>
#include <halfdof/functions/taylor_series.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace halfdof::internal {

namespace {

/// The number of Taylor coefficients: coefficients 0 to 7 belong to the polynomial of degree seven, and
/// coefficient 8 bounds its error.
constexpr std::size_t n_coefficients = 9;

/// An upper bound of the product of the distances of a point in the unit interval to the eight nodes of
/// RadauNodes. The bound is the largest error of the interpolating polynomial of a function whose eighth
/// Taylor coefficient is at most one.
constexpr double remainder_factor = 1e-4;
constexpr double resolution = 1e-6;  ///< Allowed error of the polynomial, relative to the largest value.

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

template <class Series>
Series number(double value) {
  return Series(value);
}

template <class Series>
Series with_sign(const Series& x, int sign) {
  return sign >= 0 ? x : -x;
}

/// Returns a series with the values between two numbers and an unknown slope.
RoundingEnclosure enclosure_of(double lower, double upper) {
  RoundingEnclosure all = RoundingEnclosure::undefined();
  all.c[0] = {lower, upper};
  return all;
}

template <class Series>
Series absolute(const Series& x) {
  const SeriesSign sign = sign_of(x);
  if (sign.is_known) return with_sign(x, sign.sign);
  if constexpr (std::is_same_v<Series, RoundingEnclosure>)
    if (const double most = boost::numeric::norm(x.c[0]); !std::isnan(most)) return enclosure_of(0, most);
  return Series::undefined();
}

template <class Series>
Series smaller(const Series& a, const Series& b) {
  const SeriesSign sign = sign_of(a - b);
  if (sign.is_known) return sign.sign > 0 ? b : a;
  if constexpr (std::is_same_v<Series, RoundingEnclosure>)
    return enclosure_of(std::min(a.c[0].lower(), b.c[0].lower()), std::min(a.c[0].upper(), b.c[0].upper()));
  return Series::undefined();
}

template <class Series>
Series indicator(bool is_known, bool is_true) {
  return is_known ? number<Series>(is_true ? 1. : 0.) : Series::undefined();
}

/// Returns 1 for x > 0 and 0 otherwise. If x may be positive or zero, the result is undefined, because the
/// function jumps.
template <class Series>
Series is_positive(const Series& x) {
  const SeriesSign sign = sign_of(x);
  return indicator<Series>(sign.is_known && !(sign.sign > 0 && sign.may_be_zero), sign.sign > 0);
}

template <class Series>
Series is_zero(const Series& x) {
  const SeriesSign sign = sign_of(x);
  return indicator<Series>(sign.is_known && (sign.sign == 0 || !sign.may_be_zero), sign.sign == 0);
}

template <class Series>
Series negation(const Series& condition) {
  return is_zero(condition);
}

template <class Series>
Series conditional_value(const Series& condition, const Series& yes, const Series& no) {
  const SeriesSign sign = sign_of(is_zero(condition));
  return !sign.is_known ? Series::undefined() : sign.sign == 0 ? yes : no;
}

Instant rounded(const Instant& x) {
  return {std::rint(x.c[0])};
}
template <std::size_t n>
TaylorSeries<NumberRange, n> rounded(const TaylorSeries<NumberRange, n>& x) {
  const double lower = std::rint(x.c[0].lower());
  return lower == std::rint(x.c[0].upper()) ? TaylorSeries<NumberRange, n>(lower)
                                            : TaylorSeries<NumberRange, n>::undefined();
}

template <class Series>
Series square_root(const Series& x) {
  if constexpr (std::is_same_v<Series, RoundingEnclosure>)
    if (x.c[0].lower() <= 0 && x.c[0].upper() > 0) return enclosure_of(0, std::sqrt(x.c[0].upper()));
  return real_power(x, 0.5);
}

template <class Series>
Series one() {
  return number<Series>(1.);
}

/// Returns the series of a monotone function f(x) from its values and the series of its derivative.
template <class Series, class Slope>
Series from_slope(double (*value)(double), const Series& x, const Slope& slope) {
  if constexpr (std::is_same_v<Series, Instant>) {
    return integrate_chain_rule(value(x.c[0]), slope, x);
  } else {  // f is monotone
    const double a = value(x.c[0].lower()), b = value(x.c[0].upper());
    if (std::isnan(a) || std::isnan(b)) return Series::undefined();
    return integrate_chain_rule(NumberRange(std::min(a, b), std::max(a, b)), slope, x);
  }
}

template <class Series>
Series arc_tangent(const Series& x) {
  return from_slope<Series>(std::atan, x, one<Series>() / (one<Series>() + x * x));
}

/// Returns atan2(y, x). The result is undefined across the negative x axis, where atan2 jumps.
template <class Series>
Series arc_tangent_of_point(const Series& y, const Series& x) {
  const double half_pi = std::acos(0.);
  const SeriesSign of_x = sign_of(x), of_y = sign_of(y);
  if (of_x.is_known && of_x.sign > 0 && !of_x.may_be_zero) return arc_tangent(y / x);
  if (!of_y.is_known || of_y.sign == 0) return Series::undefined();
  return number<Series>(of_y.sign * half_pi) - arc_tangent(x / y);
}

template <class Series>
Series sum(const std::vector<Series>& x) {
  Series all = x[0];
  for (std::size_t k = 1; k < x.size(); ++k)
    all = all + x[k];
  return all;
}

template <class Series>
Series smallest(const std::vector<Series>& x) {
  Series least = x[0];
  for (std::size_t k = 1; k < x.size(); ++k)
    least = smaller(least, x[k]);
  return least;
}

template <class Series>
Series largest(const std::vector<Series>& x) {
  Series most = x[0];
  for (std::size_t k = 1; k < x.size(); ++k)
    most = -smaller(-most, -x[k]);
  return most;
}

template <class Series>
Series sign_function(const Series& x) {
  return is_positive(x) - is_positive(-x);
}

/// The built-in functions of muParser.
const std::map<std::string, Operation>& functions() {
  static const std::map<std::string, Operation> all = [] {
    std::map<std::string, Operation> f;
    f["sin"] = unary([](const auto& x) { return sin_and_cos(x).first; });
    f["cos"] = unary([](const auto& x) { return sin_and_cos(x).second; });
    f["tan"] = unary([](const auto& x) {
      const auto [sine, cosine] = sin_and_cos(x);
      return sine / cosine;
    });
    f["sinh"] = unary([](const auto& x) { return sinh_and_cosh(x).first; });
    f["cosh"] = unary([](const auto& x) { return sinh_and_cosh(x).second; });
    f["tanh"] = unary([](const auto& x) { return hyperbolic_tangent(x); });
    f["asin"] = unary([](const auto& x) {
      using Series = std::decay_t<decltype(x)>;
      return from_slope(std::asin, x, one<Series>() / square_root(one<Series>() - x * x));
    });
    f["acos"] = unary([](const auto& x) {
      using Series = std::decay_t<decltype(x)>;
      return from_slope(std::acos, x, -(one<Series>() / square_root(one<Series>() - x * x)));
    });
    f["atan"] = unary([](const auto& x) { return arc_tangent(x); });
    f["atan2"] = binary([](const auto& y, const auto& x) { return arc_tangent_of_point(y, x); });
    f["asinh"] = unary([](const auto& x) {
      using Series = std::decay_t<decltype(x)>;
      return from_slope(std::asinh, x, one<Series>() / square_root(x * x + one<Series>()));
    });
    f["acosh"] = unary([](const auto& x) {
      using Series = std::decay_t<decltype(x)>;
      return from_slope(std::acosh, x, one<Series>() / square_root(x * x - one<Series>()));
    });
    f["atanh"] = unary([](const auto& x) {
      using Series = std::decay_t<decltype(x)>;
      return from_slope(std::atanh, x, one<Series>() / (one<Series>() - x * x));
    });
    f["exp"] = unary([](const auto& x) { return exp(x); });
    f["ln"] = f["log"] = unary([](const auto& x) { return log(x); });
    f["log2"] = unary([](const auto& x) {
      using Series = std::decay_t<decltype(x)>;
      return log(x) / number<Series>(std::log(2.));
    });
    f["log10"] = unary([](const auto& x) {
      using Series = std::decay_t<decltype(x)>;
      return log(x) / number<Series>(std::log(10.));
    });
    f["sqrt"] = unary([](const auto& x) { return square_root(x); });
    f["sign"] = unary([](const auto& x) { return sign_function(x); });
    f["rint"] = unary([](const auto& x) { return rounded(x); });
    f["abs"] = unary([](const auto& x) { return absolute(x); });
    f["sum"] = operation([](const auto& x) { return sum(x); });
    f["avg"] = operation([](const auto& x) {
      using Series = std::decay_t<decltype(x[0])>;
      return sum(x) / number<Series>(static_cast<double>(x.size()));
    });
    f["min"] = operation([](const auto& x) { return smallest(x); });
    f["max"] = operation([](const auto& x) { return largest(x); });
    return f;
  }();
  return all;
}

/// The binary operators by increasing precedence.
const std::vector<std::map<std::string, Operation>>& operators() {
  static const std::vector<std::map<std::string, Operation>> all = {
      {{"||", binary([](const auto& a, const auto& b) { return negation(negation(a) * negation(b)); })}},
      {{"&&", binary([](const auto& a, const auto& b) { return negation(negation(a) + negation(b)); })}},
      {{"<=", binary([](const auto& a, const auto& b) { return negation(is_positive(a - b)); })},
       {">=", binary([](const auto& a, const auto& b) { return negation(is_positive(b - a)); })},
       {"==", binary([](const auto& a, const auto& b) { return is_zero(a - b); })},
       {"!=", binary([](const auto& a, const auto& b) { return negation(is_zero(a - b)); })},
       {"<", binary([](const auto& a, const auto& b) { return is_positive(b - a); })},
       {">", binary([](const auto& a, const auto& b) { return is_positive(a - b); })}},
      {{"+", binary([](const auto& a, const auto& b) { return a + b; })},
       {"-", binary([](const auto& a, const auto& b) { return a - b; })}},
      {{"*", binary([](const auto& a, const auto& b) { return a * b; })},
       {"/", binary([](const auto& a, const auto& b) { return a / b; })}}};
  return all;
}

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
        operation([](const auto& x) { return conditional_value(x[0], x[1], x[2]); }),
        std::vector<NodePointer>{std::move(condition), std::move(yes), std::move(no)});
  }

  NodePointer parse_binary_operators(std::size_t level) {
    if (level == operators().size()) return parse_signed();
    NodePointer left = parse_binary_operators(level + 1);
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      // The reversed order of the map makes sure that "<=" is tried before "<".
      for (auto entry = operators()[level].rbegin(); !goes_on && entry != operators()[level].rend();
           ++entry) {
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
    const auto found = functions().find(name);
    if (found == functions().end() || !accept_token("(")) {
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
