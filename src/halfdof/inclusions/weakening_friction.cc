// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/inclusions/laws.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace halfdof {
namespace {

void check_curve(double at_rest, double kinetic, double v_0) {
  if (0 <= kinetic && kinetic <= at_rest && std::isfinite(at_rest) && v_0 > 0 && std::isfinite(v_0)) return;
  std::ostringstream message;
  message << "The parameters of a curve of weakening friction are: force at rest = " << at_rest
          << ", kinetic force = " << kinetic << ", reference speed v_0 = " << v_0
          << ". All three must be finite, with 0 <= kinetic force <= force at rest and v_0 > 0.";
  throw InvalidInput(message.str());
}

}  // namespace

FrictionCurve FrictionCurve::exponential(double at_rest, double kinetic, double v_0) {
  check_curve(at_rest, kinetic, v_0);
  const double drop = at_rest - kinetic;
  return {[=](double v) { return kinetic + drop * std::exp(-v / v_0); },
          [=](double v) { return -drop / v_0 * std::exp(-v / v_0); }, drop / v_0};
}

FrictionCurve FrictionCurve::hyperbolic(double at_rest, double kinetic, double v_0) {
  check_curve(at_rest, kinetic, v_0);
  const double drop = at_rest - kinetic;
  return {[=](double v) { return kinetic + drop / (1 + v / v_0); },
          [=](double v) { return -drop / v_0 / ((1 + v / v_0) * (1 + v / v_0)); }, drop / v_0};
}

// The steepest decrease -f'(v) is at the speed at which f'' = 0, that is, at v^2 = v_0^2 / 2.
FrictionCurve FrictionCurve::gaussian(double at_rest, double kinetic, double v_0) {
  check_curve(at_rest, kinetic, v_0);
  const double drop = at_rest - kinetic;
  return {[=](double v) { return kinetic + drop * std::exp(-(v / v_0) * (v / v_0)); },
          [=](double v) { return -2 * drop / v_0 * (v / v_0) * std::exp(-(v / v_0) * (v / v_0)); },
          std::sqrt(2 / std::exp(1.)) * drop / v_0};
}

WeakeningFriction::WeakeningFriction(FrictionCurve curve, ScalarFunction support)
    : curve_(std::move(curve)), support_(std::move(support)) {
  if (!curve_.force || !curve_.slope)
    throw InvalidInput(
        "The force f(v) or the slope f'(v) of a weakening friction is missing. Give both functions of the "
        "sliding speed v.");
  const double l = curve_.steepest_decrease;
  const double at_rest = curve_.force(0.);
  if (!(at_rest >= 0 && std::isfinite(at_rest) && l >= 0 && std::isfinite(l))) {
    std::ostringstream message;
    message << "The curve of a weakening friction has the force " << at_rest
            << " at rest, and its steepest decrease is given as " << l
            << ". Both must be finite and not negative.";
    throw InvalidInput(message.str());
  }
  slope(0.);
  for (int eighth = -96; eighth < 96; ++eighth) {
    const double v = std::pow(10., eighth / 8.);
    slope(v);
    check_decrease_between(v, std::pow(10., (eighth + 1) / 8.));
  }
}

/// Checks that f is not negative at two speeds, and falls between them no faster than its steepest decrease.
void WeakeningFriction::check_decrease_between(double slower, double faster) const {
  const double f = curve_.force(slower), then = curve_.force(faster), l = curve_.steepest_decrease;
  const bool is_positive = f >= 0 && then >= 0 && std::isfinite(f) && std::isfinite(then);
  if (is_positive && f - then <= l * (faster - slower) + 1e-12 * f) return;
  std::ostringstream message;
  message << "The curve of a weakening friction has the forces " << f << " and " << then << " at the speeds "
          << slower << " and " << faster
          << (is_positive ? ". The force decreases more steeply than the given steepest decrease l = "
                          : ". Forces must be finite and not negative. The given steepest decrease is l = ")
          << l << (is_positive ? ". Give the largest -f'(v) of all speeds." : ".");
  throw InvalidInput(message.str());
}

double WeakeningFriction::slope(double speed) const {
  const double value = curve_.slope(speed), l = curve_.steepest_decrease;
  // The tolerance admits rounding errors of l, which may be computed by another formula than the slope.
  if (-value <= l * (1 + 1e-12) && std::isfinite(value)) return value;
  std::ostringstream message;
  message << "The curve of a weakening friction has the slope f'(v) = " << value
          << " at the speed v = " << speed << ", but the given steepest decrease is l = " << l
          << ". Give the largest -f'(v) of all speeds, because l decides whether rates would jump.";
  throw InvalidInput(message.str());
}

LawParameters WeakeningFriction::parameters(double /*time*/, ContactState /*before*/) const {
  return {curve_.force(0.)};
}

double WeakeningFriction::force(double speed) const {
  const double value = curve_.force(speed);
  if (value >= 0) return value;
  std::ostringstream message;
  message << "The force of a weakening friction is " << value << " at the sliding speed " << speed
          << ", but must never be negative, because the law would add energy to the structure. Correct the "
             "curve.";
  throw InvalidInput(message.str());
}

// Returns the sliding speed v, the zero of the increasing function rho v + f(v) - pull between 0 and
// pull/rho, by Newton's method. A bisection replaces a step that would leave the interval.
double WeakeningFriction::sliding_speed(double rho, double pull) const {
  double low = 0, high = pull / rho;
  double v = std::max(0., (pull - curve_.force(0.)) / rho);
  for (int iteration = 0; iteration < 200; ++iteration) {
    const double excess = rho * v + force(v) - pull;
    if (std::abs(excess) <= 2e-16 * pull) return v;
    (excess > 0 ? high : low) = v;
    double next = v - excess / (rho + slope(v));
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - v) <= 1e-16 * v || next == low || next == high) return next;
    v = next;
  }
  return v;
}

void WeakeningFriction::resolvent(const LawParameters& parameters, double rho, LocalConstView z,
                                  LocalView r) const {
  const double l = curve_.steepest_decrease, pull = z[0];
  if (!(rho > l)) {
    std::ostringstream message;
    message << "The steepest decrease of a weakening friction is l = " << l
            << ", and the Delassus matrix of the step has the entry W = " << 1 / rho << ": l W = " << l / rho
            << " is not below 1, so that the rate would have to jump. If the inclusion acts on mass, W grows "
               "with the time step: multiply the time step by less than "
            << rho / l << ". Otherwise add mass, or reduce the slope with which the friction weakens.";
    throw NotAvailable(message.str());
  }
  if (std::abs(pull) <= parameters[0]) {
    r[0] = pull;
    return;
  }
  const double speed = sliding_speed(rho, std::abs(pull));
  r[0] = std::copysign(force(speed), pull);
}

void WeakeningFriction::project(const LawParameters& parameters, LocalConstView reaction, LocalView r) const {
  r[0] = std::clamp(reaction[0], -parameters[0], parameters[0]);
}

LocalVector WeakeningFriction::reaction_at(const LawParameters& parameters, LocalConstView w,
                                           LocalConstView preferred) const {
  if (w[0] == 0) return LocalVector::Constant(1, std::clamp(preferred[0], -parameters[0], parameters[0]));
  return LocalVector::Constant(1, -std::copysign(force(std::abs(w[0])), w[0]));
}

SlidingReaction WeakeningFriction::sliding(const LawParameters& parameters, ContactState state,
                                           double w) const {
  const double sign = state == ContactState::slip_forward ? 1. : -1., speed = sign * w;
  const double f_slope = slope(std::max(0., speed));
  const double f = speed > 0 ? force(speed) : parameters[0] + f_slope * speed;
  return {-sign * f, -f_slope};
}

ContactState WeakeningFriction::state(const LawParameters& /*parameters*/, LocalConstView w,
                                      LocalConstView /*r*/, double tolerance) const {
  if (std::abs(w[0]) <= tolerance) return ContactState::stick;
  return w[0] > 0 ? ContactState::slip_forward : ContactState::slip_back;
}

}  // namespace halfdof
