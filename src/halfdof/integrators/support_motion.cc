#include <halfdof/integrators/radau_nodes.h>
#include <halfdof/integrators/support_motion.h>

#include <cmath>
#include <limits>

namespace halfdof {

namespace {

/// Polynomials that are off by more than this part of their range have a kink, or want a shorter interval.
constexpr double smoothness = 1e-6;

/// Where intervals are divided in the search for kinks: not in the middle, where some of them are.
constexpr double golden_section = 0.3819660112501051;

MultiVector values_at_nodes(const CondensedInclusions& condensed, double begin, double length) {
  MultiVector p(condensed.n_directions(), RadauNodes::n_nodes);
  for (Index i = 0; i < RadauNodes::n_nodes; ++i)
    p.col(i) = condensed.prescribed(begin + RadauNodes::get().nodes()[i] * length);
  return p;
}

Vector range_of(const MultiVector& p) {
  return p.rowwise().maxCoeff() - p.rowwise().minCoeff();
}

bool is_smooth(const CondensedInclusions& condensed, double begin, double end) {
  const RadauNodes& radau = RadauNodes::get();
  const double length = end - begin;
  const MultiVector p = values_at_nodes(condensed, begin, length);
  const Vector allowed = smoothness * range_of(p) + 1e2 * rounding_of(p, begin, length);
  for (Index i = 1; i < RadauNodes::n_nodes; ++i) {
    const double middle = 0.5 * (radau.nodes()[i - 1] + radau.nodes()[i]);
    const Vector away = condensed.prescribed(begin + middle * length) - p * radau.basis(middle);
    if (!(away.array().abs() <= allowed.array()).all()) return false;
  }
  return true;
}

}  // namespace

Vector rounding_of(const MultiVector& values, double begin, double length) {
  return std::numeric_limits<double>::epsilon() *
         (range_of(values) * (std::abs(begin) / length) + values.cwiseAbs().rowwise().maxCoeff());
}

SupportMotion support_motion(const CondensedInclusions& condensed, double begin, double length) {
  const Index m = condensed.n_directions();
  SupportMotion motion;
  motion.value = values_at_nodes(condensed, begin, length);
  MultiVector rest = motion.value, rate = MultiVector::Zero(m, RadauNodes::n_nodes), second = rate;
  for (Index j = 0; j < m; ++j) {
    const ScalarFunction& h = condensed.place(j).law->support(condensed.place(j).component);
    if (!h.is_differentiated_exactly() || h.is_constant()) continue;
    for (Index i = 0; i < RadauNodes::n_nodes; ++i) {
      const double time = begin + RadauNodes::get().nodes()[i] * length;
      // A kink at the end belongs to the next step.
      const double before = i < RadauNodes::n_stages ? time : std::nextafter(time, begin);
      rest(j, i) += h(time);
      rate(j, i) = h.derivative(before);
      second(j, i) = h.second_derivative(before);
    }
  }
  const MultiVector& derivative = RadauNodes::get().derivative();
  const MultiVector rest_rate = (rest.colwise() - Vector(rest.col(0))) * derivative / length;
  motion.rate = rest_rate - rate;
  motion.second = rest_rate * derivative / length - second;
  motion.noise = (range_of(rest).array() > 0).select(rounding_of(rest, begin, length), 0.);
  return motion;
}

std::optional<Kink> first_kink(const CondensedInclusions& condensed, double begin, double end,
                               double shortest) {
  if (condensed.n_directions() == 0 || is_smooth(condensed, begin, end)) return std::nullopt;
  for (;;) {
    const double middle = begin + golden_section * (end - begin);
    if (middle <= begin || middle >= end) break;
    if (!is_smooth(condensed, begin, middle))
      end = middle;
    else if (!is_smooth(condensed, middle, end))
      begin = middle;
    else
      break;
  }
  if (end - begin > shortest) return std::nullopt;
  return Kink{begin, end};
}

SupportDerivatives support_derivatives(const CondensedInclusions& condensed, double time, double reach,
                                       double shortest) {
  double begin = time, length = reach;
  if (const auto kink = first_kink(condensed, time, time + reach, shortest)) {
    if (kink->before - time > shortest)
      length = kink->before - time;
    else
      begin = kink->after;
  }
  const SupportMotion p = support_motion(condensed, begin, length);
  return {condensed.prescribed(time), p.rate.col(0), p.second.col(0), p.noise / length};
}

}  // namespace halfdof
