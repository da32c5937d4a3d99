// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/event_driven/support_motion.h>
#include <halfdof/integrators/radau_nodes.h>

#include <cmath>
#include <limits>

namespace halfdof::internal {

namespace {

/// Largest error, relative to its range, of a polynomial that approximates a smooth function. A larger error
/// shows a kink or an interval that is too long.
constexpr double smoothness = 1e-6;

/// The ratio in which intervals are divided in the search for kinks. The middle is avoided, because kinks are
/// often in the middle.
constexpr double golden_section = 0.3819660112501051;

/// Returns the support function of a direction if it depends on time and its derivatives are known, and null
/// otherwise.
const ScalarFunction* differentiable_support(const CondensedInclusions& condensed, Index j) {
  const ScalarFunction& h = condensed.direction(j).law->support(condensed.direction(j).component);
  return h.is_differentiated_exactly() && !h.is_constant() ? &h : nullptr;
}

/// Returns the prescribed motion p without the support functions whose derivatives are known.
Vector part_without_derivatives(const CondensedInclusions& condensed, double time) {
  Vector rest = condensed.prescribed_by_dofs(time);
  for (Index j = 0; j < rest.size(); ++j)
    if (differentiable_support(condensed, j) == nullptr)
      rest[j] -= condensed.direction(j).law->support(condensed.direction(j).component)(time);
  return rest;
}

MultiVector sampled_part(const CondensedInclusions& condensed, double begin, double length) {
  MultiVector rest(condensed.n_directions(), RadauNodes::n_nodes);
  for (Index i = 0; i < RadauNodes::n_nodes; ++i)
    rest.col(i) = part_without_derivatives(condensed, begin + RadauNodes::get().nodes()[i] * length);
  return rest;
}

Vector range_of(const MultiVector& p) {
  return p.rowwise().maxCoeff() - p.rowwise().minCoeff();
}

/// Returns whether the polynomials through the nodes of an interval approximate the part of the prescribed
/// motion whose derivatives are not known.
bool is_smooth(const CondensedInclusions& condensed, double begin, double end) {
  const RadauNodes& radau = RadauNodes::get();
  const double length = end - begin;
  const MultiVector p = sampled_part(condensed, begin, length);
  const Vector allowed = smoothness * range_of(p) + 1e2 * rounding_of(p, begin, length);
  for (Index i = 1; i < RadauNodes::n_nodes; ++i) {
    const double middle = 0.5 * (radau.nodes()[i - 1] + radau.nodes()[i]);
    const Vector away =
        part_without_derivatives(condensed, begin + middle * length) - p * radau.basis(middle);
    if (!(away.array().abs() <= allowed.array()).all()) return false;
  }
  return true;
}

}  // namespace

Vector rounding_of(const MultiVector& values, double begin, double length) {
  return std::numeric_limits<double>::epsilon() *
         (range_of(values) * (std::abs(begin) / length) + values.cwiseAbs().rowwise().maxCoeff());
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

namespace {

/// Returns the rounding errors of functions of time. The rounding error of a constant function is zero.
Vector noise_of(const MultiVector& rest, double begin, double length) {
  return (range_of(rest).array() > 0).select(rounding_of(rest, begin, length), 0.);
}

/// The derivatives from the right, at one instant, of the part of the prescribed motion whose derivatives are
/// not known.
struct PartDerivatives {
  Vector rate, second;
  Vector rate_noise;
};

PartDerivatives derivatives_of_part(const CondensedInclusions& condensed, double time,
                                    const NumericalDifferentiation& differentiation) {
  double begin = time, length = differentiation.reach;
  if (const auto kink = first_kink(condensed, time, time + length, differentiation.shortest_ramp)) {
    if (kink->before - time > differentiation.shortest_ramp)
      length = kink->before - time;
    else
      begin = kink->after;
  }
  const MultiVector rest = sampled_part(condensed, begin, length);
  const MultiVector& derivative = RadauNodes::get().derivative();
  const MultiVector rate = (rest.colwise() - Vector(rest.col(0))) * derivative / length;
  return {rate.col(0), rate * derivative.col(0) / length, noise_of(rest, begin, length) / length};
}

}  // namespace

bool has_unknown_derivatives(const CondensedInclusions& condensed) {
  for (Index j = 0; j < condensed.n_directions(); ++j) {
    const ScalarFunction& h = condensed.direction(j).law->support(condensed.direction(j).component);
    if (condensed.direction(j).is_driven || !h.is_differentiated_exactly()) return true;
  }
  return false;
}

SupportMotion support_motion(const CondensedInclusions& condensed, double begin, double length,
                             const NumericalDifferentiation& differentiation) {
  const Index m = condensed.n_directions();
  const Vector& nodes = RadauNodes::get().nodes();
  SupportMotion motion{MultiVector(m, RadauNodes::n_nodes), {}, {}, {}};
  for (Index i = 0; i < RadauNodes::n_nodes; ++i)
    motion.value.col(i) = condensed.prescribed(begin + nodes[i] * length);
  if (length < differentiation.shortest_step) {
    const PartDerivatives rest = derivatives_of_part(condensed, begin, differentiation);
    motion.rate = (rest.second * length * nodes.transpose()).colwise() + rest.rate;
    motion.second = rest.second.replicate(1, RadauNodes::n_nodes);
    motion.rate_noise = rest.rate_noise;
  } else {
    const MultiVector rest = sampled_part(condensed, begin, length);
    const MultiVector& derivative = RadauNodes::get().derivative();
    motion.rate = (rest.colwise() - Vector(rest.col(0))) * derivative / length;
    motion.second = motion.rate * derivative / length;
    motion.rate_noise = noise_of(rest, begin, length) / length;
  }
  for (Index j = 0; j < m; ++j)
    if (const ScalarFunction* h = differentiable_support(condensed, j))
      for (Index i = 0; i < RadauNodes::n_nodes; ++i) {
        const double time = begin + nodes[i] * length;
        // A kink at the end belongs to the next step, so that derivatives are those just before the end.
        const double before = i < RadauNodes::n_stages ? time : std::nextafter(time, begin);
        motion.rate(j, i) -= h->derivative(before);
        motion.second(j, i) -= h->second_derivative(before);
      }
  return motion;
}

SupportDerivatives support_derivatives(const CondensedInclusions& condensed, double time,
                                       const NumericalDifferentiation& differentiation) {
  PartDerivatives rest = derivatives_of_part(condensed, time, differentiation);
  for (Index j = 0; j < condensed.n_directions(); ++j)
    if (const ScalarFunction* h = differentiable_support(condensed, j)) {
      rest.rate[j] -= h->derivative(time);
      rest.second[j] -= h->second_derivative(time);
    }
  return {condensed.prescribed(time), rest.rate, rest.second};
}

}  // namespace halfdof::internal
