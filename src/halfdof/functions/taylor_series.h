// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <boost/numeric/interval.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace halfdof::internal {

/// An interval of real numbers, without outward rounding. If a function is undefined somewhere in its
/// argument, the result is NaN.
using NumberRange = boost::numeric::interval<
    double,
    boost::numeric::interval_lib::policies<boost::numeric::interval_lib::save_state_nothing<
                                               boost::numeric::interval_lib::rounded_transc_exact<double>>,
                                           boost::numeric::interval_lib::checking_base<double>>>;

/**
 * The first n Taylor coefficients @f$ c_k = f^{(k)}/k! @f$ of a function of time, and the arithmetic of such
 * series (Griewank and Walther 2008, chapter 13). With T = double the coefficients belong to one instant, and
 * a branch (abs, min, c ? a : b) is the one that is valid just after this instant. With T = NumberRange they
 * enclose the coefficients at all instants of an interval; if a branch changes within the interval, all
 * coefficients are NaN.
 */
template <class T, std::size_t n>
struct TaylorSeries {
  std::array<T, n> c;

  TaylorSeries(const T& constant = T(0.)) {
    c.fill(T(0.));
    c[0] = constant;
  }
  static TaylorSeries time(const T& t) {
    TaylorSeries series(t);
    series.c[1] = T(1.);
    return series;
  }
  static TaylorSeries undefined() {
    TaylorSeries series;
    series.c.fill(T(std::numeric_limits<double>::quiet_NaN()));
    return series;
  }
};

/// The sign of a function just after an instant (T = double), or in a whole interval (T = NumberRange).
struct SeriesSign {
  bool is_known = false;
  int sign = 0;              ///< The sign -1, 0 or 1 of the function.
  bool may_be_zero = false;  ///< Whether the enclosure of the values contains zero.
};

template <std::size_t n>
SeriesSign sign_of(const TaylorSeries<double, n>& x) {
  for (const double c : x.c) {
    if (std::isnan(c)) return {};
    if (c != 0) return {true, c > 0 ? 1 : -1, false};
  }
  return {true, 0, true};
}

template <std::size_t n>
SeriesSign sign_of(const TaylorSeries<NumberRange, n>& x) {
  const double lower = x.c[0].lower(), upper = x.c[0].upper();
  if (lower == 0 && upper == 0) return {true, 0, true};
  if (lower >= 0) return {true, 1, lower == 0};
  if (upper <= 0) return {true, -1, upper == 0};
  return {};
}

template <class T, std::size_t n>
TaylorSeries<T, n> operator+(TaylorSeries<T, n> a, const TaylorSeries<T, n>& b) {
  for (std::size_t k = 0; k < n; ++k)
    a.c[k] += b.c[k];
  return a;
}

template <class T, std::size_t n>
TaylorSeries<T, n> operator-(TaylorSeries<T, n> a, const TaylorSeries<T, n>& b) {
  for (std::size_t k = 0; k < n; ++k)
    a.c[k] -= b.c[k];
  return a;
}

template <class T, std::size_t n>
TaylorSeries<T, n> operator-(const TaylorSeries<T, n>& a) {
  return TaylorSeries<T, n>() - a;
}

template <class T, std::size_t n>
TaylorSeries<T, n> operator*(const TaylorSeries<T, n>& a, const TaylorSeries<T, n>& b) {
  TaylorSeries<T, n> product;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i <= k; ++i)
      product.c[k] += a.c[i] * b.c[k - i];
  return product;
}

inline bool is_infinite(double x) {
  return std::isinf(x);
}
inline bool is_infinite(const NumberRange& x) {
  return std::isinf(x.lower()) && x.lower() == x.upper();
}
/// Returns whether every |x| of the one interval is at most machine epsilon times the smaller bound of the
/// other interval b, in absolute value.
inline bool is_negligible_compared_with(const NumberRange& x, const NumberRange& b) {
  return boost::numeric::norm(x) <=
         std::numeric_limits<double>::epsilon() * std::min(std::abs(b.lower()), std::abs(b.upper()));
}

template <class T, std::size_t n>
TaylorSeries<T, n> operator/(const TaylorSeries<T, n>& a, const TaylorSeries<T, n>& b) {
  const SeriesSign sign = sign_of(TaylorSeries<T, n>(b.c[0]));
  if (!sign.is_known || sign.may_be_zero) return TaylorSeries<T, n>::undefined();
  TaylorSeries<T, n> quotient;
  // If b has overflowed to infinity, the quotient is zero for every a that is negligible compared with b.
  if (std::any_of(b.c.begin(), b.c.end(), [](const T& c) { return is_infinite(c); }))
    return std::all_of(a.c.begin(), a.c.end(),
                       [&](const T& c) { return is_negligible_compared_with(c, b.c[0]); })
               ? quotient
               : TaylorSeries<T, n>::undefined();
  for (std::size_t k = 0; k < n; ++k) {
    T sum = a.c[k];
    for (std::size_t i = 1; i <= k; ++i)
      sum -= b.c[i] * quotient.c[k - i];
    quotient.c[k] = sum / b.c[0];
  }
  return quotient;
}

/// Returns the series of a function f(x(t)) from its value at the instant, the series `slope` of df/dx and
/// the series x, by the chain rule df/dt = slope dx/dt.
template <class T, std::size_t n>
TaylorSeries<T, n> integrate_chain_rule(const T& value, const TaylorSeries<T, n>& slope,
                                        const TaylorSeries<T, n>& x) {
  TaylorSeries<T, n> f(value);
  for (std::size_t k = 1; k < n; ++k) {
    for (std::size_t i = 1; i <= k; ++i)
      f.c[k] += static_cast<double>(i) * x.c[i] * slope.c[k - i];
    f.c[k] /= static_cast<double>(k);
  }
  return f;
}

template <class T, std::size_t n>
TaylorSeries<T, n> exp(const TaylorSeries<T, n>& x) {
  using std::exp;
  TaylorSeries<T, n> f(exp(x.c[0]));
  for (std::size_t k = 1; k < n; ++k) {
    for (std::size_t i = 1; i <= k; ++i)
      f.c[k] += static_cast<double>(i) * x.c[i] * f.c[k - i];
    f.c[k] /= static_cast<double>(k);
  }
  return f;
}

/// Returns the series of sin x and cos x (sign = -1), or of sinh x and cosh x (sign = 1), from their values
/// `sine` and `cosine` at the instant.
template <class T, std::size_t n>
std::pair<TaylorSeries<T, n>, TaylorSeries<T, n>> sine_and_cosine(const TaylorSeries<T, n>& x, const T& sine,
                                                                  const T& cosine, double sign) {
  TaylorSeries<T, n> s(sine), c(cosine);
  for (std::size_t k = 1; k < n; ++k) {
    for (std::size_t i = 1; i <= k; ++i) {
      s.c[k] += static_cast<double>(i) * x.c[i] * c.c[k - i];
      c.c[k] += static_cast<double>(i) * x.c[i] * s.c[k - i];
    }
    s.c[k] /= static_cast<double>(k);
    c.c[k] *= sign / static_cast<double>(k);
  }
  return {s, c};
}

/// Returns the interval of the values of sin or cos over the interval x. The values at the ends of x are
/// those of std::sin or std::cos.
/// @param wave The function, sin or cos @param maximum An argument at which the function is one
inline NumberRange range_of_sin_or_cos(const NumberRange& x, double (*wave)(double), double maximum) {
  const double pi = std::acos(-1.), period = 2 * pi, a = wave(x.lower()), b = wave(x.upper());
  const auto contains = [&](double place) {
    return place + period * std::ceil((x.lower() - place) / period) <= x.upper();
  };
  if (std::isnan(a) || std::isnan(b)) return NumberRange(std::numeric_limits<double>::quiet_NaN());
  return {contains(maximum + pi) ? -1. : std::min(a, b), contains(maximum) ? 1. : std::max(a, b)};
}

inline std::pair<NumberRange, NumberRange> sine_and_cosine_of(const NumberRange& x) {
  return {range_of_sin_or_cos(x, std::sin, 0.5 * std::acos(-1.)), range_of_sin_or_cos(x, std::cos, 0.)};
}
inline std::pair<double, double> sine_and_cosine_of(double x) {
  return {std::sin(x), std::cos(x)};
}

template <class T, std::size_t n>
auto sin_and_cos(const TaylorSeries<T, n>& x) {
  const auto [sine, cosine] = sine_and_cosine_of(x.c[0]);
  return sine_and_cosine(x, sine, cosine, -1.);
}

template <class T, std::size_t n>
auto sinh_and_cosh(const TaylorSeries<T, n>& x) {
  using std::cosh;
  using std::sinh;
  return sine_and_cosine(x, sinh(x.c[0]), cosh(x.c[0]), 1.);
}

/// Returns tanh and its derivative. The derivative is computed as 1/cosh^2 and not as 1 - tanh^2, which would
/// lose digits where tanh is nearly one.
inline std::pair<double, double> tanh_and_slope(double x) {
  const double reciprocal = 1 / std::cosh(x);
  return {std::tanh(x), reciprocal * reciprocal};
}
inline std::pair<NumberRange, NumberRange> tanh_and_slope(const NumberRange& x) {
  const auto [lower, at_lower] = tanh_and_slope(x.lower());
  const auto [upper, at_upper] = tanh_and_slope(x.upper());
  const bool holds_zero = x.lower() <= 0 && x.upper() >= 0;
  return {{lower, upper}, {std::min(at_lower, at_upper), holds_zero ? 1. : std::max(at_lower, at_upper)}};
}

/// Returns the series y of tanh x, which is computed from the differential equation y' = (1 - y^2) x'.
template <class T, std::size_t n>
TaylorSeries<T, n> hyperbolic_tangent(const TaylorSeries<T, n>& x) {
  if (!(NumberRange(x.c[0]).lower() <= NumberRange(x.c[0]).upper())) return TaylorSeries<T, n>::undefined();
  const auto [value, slope_here] = tanh_and_slope(x.c[0]);
  TaylorSeries<T, n> y(value), slope(slope_here);
  for (std::size_t k = 1; k < n; ++k) {
    for (std::size_t i = 1; i <= k; ++i)
      y.c[k] += static_cast<double>(i) * x.c[i] * slope.c[k - i];
    y.c[k] /= static_cast<double>(k);
    for (std::size_t i = 0; i <= k; ++i)
      slope.c[k] -= y.c[i] * y.c[k - i];
  }
  return y;
}

template <class T, std::size_t n>
TaylorSeries<T, n> log(const TaylorSeries<T, n>& x) {
  using std::log;
  const SeriesSign sign = sign_of(TaylorSeries<T, n>(x.c[0]));
  if (!sign.is_known || sign.sign <= 0 || sign.may_be_zero) return TaylorSeries<T, n>::undefined();
  return integrate_chain_rule(log(x.c[0]), TaylorSeries<T, n>(T(1.)) / x, x);
}

/// Returns the series y of x^p for x > 0, which is computed from the differential equation x y' = p x' y.
template <class T, std::size_t n>
TaylorSeries<T, n> positive_power(const TaylorSeries<T, n>& x, double p) {
  using std::exp;
  using std::log;
  const SeriesSign sign = sign_of(TaylorSeries<T, n>(x.c[0]));
  if (!sign.is_known || sign.sign <= 0 || sign.may_be_zero) return TaylorSeries<T, n>::undefined();
  TaylorSeries<T, n> y(exp(p * log(x.c[0])));
  for (std::size_t k = 1; k < n; ++k) {
    for (std::size_t i = 1; i <= k; ++i) {
      const double weight = p * static_cast<double>(i) - static_cast<double>(k - i);
      y.c[k] += weight * x.c[i] * y.c[k - i];
    }
    y.c[k] /= static_cast<double>(k) * x.c[0];
  }
  return y;
}

/// Returns the series of x^p over an interval, for x > 0, or x = 0 in the whole interval and p > 0.
template <std::size_t n>
TaylorSeries<NumberRange, n> real_power(const TaylorSeries<NumberRange, n>& x, double p) {
  const SeriesSign sign = sign_of(x);
  return sign.is_known && sign.sign == 0 && p > 0 ? TaylorSeries<NumberRange, n>() : positive_power(x, p);
}

/// Returns the series of x^p at an instant. If the series of x begins with s^m, that of x^p begins with
/// s^(m p); coefficients that are infinite or undefined because m p is not an integer become NaN.
template <std::size_t n>
TaylorSeries<double, n> real_power(const TaylorSeries<double, n>& x, double p) {
  std::size_t m = 0;
  while (m < n && x.c[m] == 0)
    ++m;
  if (m == 0 || !(p > 0)) return positive_power(x, p);
  TaylorSeries<double, n> power, rest;
  if (m == n) return power;
  for (std::size_t k = m; k < n; ++k)
    rest.c[k - m] = x.c[k];
  const TaylorSeries<double, n> of_rest = positive_power(rest, p);
  const double first = p * static_cast<double>(m);
  for (std::size_t k = 0; k < n; ++k) {
    const double shift = static_cast<double>(k) - first;
    if (shift >= 0)
      power.c[k] = shift == std::nearbyint(shift) ? of_rest.c[static_cast<std::size_t>(shift)]
                                                  : std::numeric_limits<double>::quiet_NaN();
  }
  return power;
}

template <class T, std::size_t n>
TaylorSeries<T, n> integer_power(const TaylorSeries<T, n>& x, long exponent) {
  TaylorSeries<T, n> power(T(1.)), square = x;
  for (long left = std::labs(exponent); left > 0; left /= 2) {
    if (left % 2 == 1) power = power * square;
    square = square * square;
  }
  return exponent < 0 ? TaylorSeries<T, n>(T(1.)) / power : power;
}

inline bool is_equal_to(double x, double number) {
  return x == number;
}
inline bool is_equal_to(const NumberRange& x, double number) {
  return x.lower() == number && x.upper() == number;
}
inline double middle_of(double x) {
  return x;
}
inline double middle_of(const NumberRange& x) {
  return 0.5 * (x.lower() + x.upper());
}

template <class T, std::size_t n>
TaylorSeries<T, n> pow(const TaylorSeries<T, n>& x, const TaylorSeries<T, n>& y) {
  const double p = middle_of(y.c[0]);
  bool is_number = is_equal_to(y.c[0], p);
  for (std::size_t k = 1; k < n; ++k)
    is_number = is_number && is_equal_to(y.c[k], 0.);
  constexpr double largest_integer_exponent = 1024;
  if (!is_number) return exp(y * log(x));
  if (p == std::nearbyint(p) && std::abs(p) <= largest_integer_exponent)
    return integer_power(x, std::lround(p));
  return real_power(x, p);
}

}  // namespace halfdof::internal
