// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/functions/formula_operations.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace halfdof::internal {

namespace {

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

}  // namespace

const std::map<std::string, Operation>& formula_functions() {
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

const std::vector<std::map<std::string, Operation>>& formula_operators() {
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

Operation formula_choice() {
  return operation([](const auto& x) { return conditional_value(x[0], x[1], x[2]); });
}

}  // namespace halfdof::internal
