// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/event_driven/event_location.h>
#include <halfdof/integrators/radau_nodes.h>

#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace halfdof::internal {

namespace {

constexpr std::size_t n_samples = 24;
/// Error of a rate in a step of length 1 that an error of 1 in the prescribed motion causes.
constexpr double noise_of_rate = 3000;
constexpr double rounding_of_values =
    1e-13;  ///< Rounding error of values, relative to the largest value in the step.
/// Speed of Coulomb friction that counts as rest, relative to its terms. Below this speed the direction of
/// slip is not determined.
constexpr double speed_at_rest = 1e-9;
/// Rounding error of displacements whose terms cancel, in units of machine epsilon times the changes that
/// rates and forces cause in the step.
constexpr double rounding_of_steps = 1e3;
/// Largest violation of constraints of held directions, relative to their terms. A larger violation shows
/// that the constraints contradict each other.
constexpr double contradiction_tolerance = 1e-11;

/// A function of the time tau in a step, whose argument is RadauNodes::basis(tau). The function is not
/// negative as long as its inclusion keeps its contact state.
struct EventFunction {
  std::function<double(const Vector& basis)> value;
  double tolerance;  ///< Largest absolute value of a negative value that rounding may cause.

  /// Creates a polynomial from its values at the nodes.
  EventFunction(const Eigen::RowVectorXd& values, double allowed)
      : value([values](const Vector& basis) { return values.dot(basis.transpose()); }), tolerance(allowed) {}
  EventFunction(std::function<double(const Vector& basis)> function, double allowed)
      : value(std::move(function)), tolerance(allowed) {}

  double shifted_value(const Vector& basis) const { return value(basis) + tolerance; }
  double at(double tau) const { return shifted_value(RadauNodes::get().basis(tau)); }
};

double root_between(const EventFunction& function, double positive, double negative) {
  const double at_positive = function.at(positive), at_negative = function.at(negative);
  if (at_positive == 0) return positive;
  std::uintmax_t n_iterations = 100;
  const auto bracket = boost::math::tools::toms748_solve(
      [&](double tau) { return function.at(tau); }, positive, negative, at_positive, at_negative,
      boost::math::tools::eps_tolerance<double>(52), n_iterations);
  return bracket.second;
}

constexpr double place_of_sample(std::size_t sample) {
  return static_cast<double>(sample) / n_samples;
}

std::array<double, n_samples + 1> samples_of(const EventFunction& function) {
  static const std::vector<Vector> bases = [] {
    std::vector<Vector> made;
    for (std::size_t k = 0; k <= n_samples; ++k)
      made.push_back(RadauNodes::get().basis(place_of_sample(k)));
    return made;
  }();
  std::array<double, n_samples + 1> values{};
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = function.shifted_value(bases[k]);
  return values;
}

/// Returns the time tau at which a function becomes negative between three samples, if the middle sample is
/// the smallest of these samples.
std::optional<double> root_at_minimum(const EventFunction& function,
                                      const std::array<double, n_samples + 1>& values, std::size_t k) {
  const bool is_minimum = k + 1 < values.size() && values[k] < values[k - 1] && values[k] < values[k + 1];
  if (!is_minimum) return std::nullopt;
  const auto [tau, lowest] = boost::math::tools::brent_find_minima(
      [&](double x) { return function.at(x); }, place_of_sample(k - 1), place_of_sample(k + 1), 26);
  if (lowest < 0) return root_between(function, place_of_sample(k - 1), tau);
  return std::nullopt;
}

/// Returns the first time tau at which a function becomes negative.
std::optional<double> first_root(const EventFunction& function) {
  const std::array<double, n_samples + 1> values = samples_of(function);
  for (std::size_t k = 1; k < values.size(); ++k) {
    if (values[k] < 0) {
      if (values[k - 1] > 0 && k > 1)
        return root_between(function, place_of_sample(k - 1), place_of_sample(k));
      // The function may have left zero at the beginning of the step, and have returned before the first
      // sample.
      for (double tau = 0.5 * place_of_sample(k); tau > 1e-12; tau *= 0.5)
        if (function.at(tau) > 2 * function.tolerance) return root_between(function, tau, place_of_sample(k));
      return 0.;
    }
    if (const auto root = root_at_minimum(function, values, k)) return root;
  }
  return std::nullopt;
}

/// Returns the first time tau at which a speed falls to rest.
/// @param function the speed minus the speed that counts as rest, which is negative at first if friction
/// begins to slip
std::optional<double> first_rest(const EventFunction& function) {
  const std::array<double, n_samples + 1> values = samples_of(function);
  bool has_moved = values[0] > 0;
  for (std::size_t k = 1; k < values.size(); ++k) {
    if (has_moved && values[k] < 0) return root_between(function, place_of_sample(k - 1), place_of_sample(k));
    has_moved = has_moved || values[k] > 0;
    if (has_moved && values[k - 1] > 0)
      if (const auto root = root_at_minimum(function, values, k)) return root;
  }
  if (!has_moved && values.back() < values.front()) return 0.;
  return std::nullopt;
}

/// Returns the time at which friction that is nearly at rest at the time tau comes to rest completely. At
/// this time the component of the rate in the direction of the rate at tau vanishes. Returns tau if this
/// component does not vanish within the step. If the step ended at tau, the remaining momentum would be lost.
/// @param w rates at the nodes
double time_of_complete_rest(const MultiVector& w, double tau) {
  const Vector direction = w * RadauNodes::get().basis(tau);
  const EventFunction along{[&](const Vector& basis) { return direction.dot(w * basis); }, 0.};
  const bool vanishes = tau > 0 && along.value(RadauNodes::get().basis(1.)) < 0;
  return vanishes ? root_between(along, tau, 1.) : tau;
}

/// Returns the first time tau at which a function becomes negative. If the function is negative at the
/// beginning of the step, by an error of the contact transition, its change since the beginning is used
/// instead.
std::optional<double> first_root_from_begin(const EventFunction& function) {
  const std::optional<double> tau = first_root(function);
  const double begin = function.value(RadauNodes::get().basis(0.));
  if (tau == 0. && begin < 0)
    return first_root(
        {[&](const Vector& basis) { return function.value(basis) - begin; }, function.tolerance});
  return tau;
}

/// Returns the rounding error in the rate of a direction whose motion the held directions determine.
double rounding_of_followed_rate(const CondensedInclusions& condensed, const SmoothStep& step, Index j) {
  const MultiVector y = step.y.cwiseAbs(), r = step.r.cwiseAbs();
  const auto largest = [&](const MultiVector& S, const MultiVector& W) {
    return (S.row(j).cwiseAbs() * y + W.row(j).cwiseAbs() * r).maxCoeff();
  };
  const double of_supports = rounding_of_rate(condensed, step, j);
  if (condensed.direction(j).kind == DoFKind::algebraic)
    return of_supports + noise_of_rate * std::numeric_limits<double>::epsilon() *
                             largest(condensed.S_K, condensed.W.K) / step.length;
  return of_supports + rounding_of_values * (largest(condensed.S_C, condensed.W.C) +
                                             step.length * largest(0 * condensed.S_C, condensed.W.I));
}

/// Returns the rounding error of a gap, which is the sum of four terms. They are relative to the gap; to the
/// displacements and reactions from which the gap is computed; to the changes of the gap by rates and
/// reactions in the step, because a gap that other contacts keep at zero has no other size; and to the motion
/// of other DoFs, with which the Schur form mixes the gap. The result has to be small, because a gap may open
/// as slowly as the fifth power of time.
double rounding_of_gap(const SmoothMotion& motion, const SmoothMotion::Mode& mode, const SmoothStep& step,
                       Index j, double obstacle) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const CondensedInclusions& condensed = motion.condensed();
  const MultiVector y = step.y.cwiseAbs(), r = step.r.cwiseAbs();
  const auto largest = [&](const MultiVector& S, const MultiVector& W) {
    return (S.row(j).cwiseAbs() * y + W.row(j).cwiseAbs() * r).maxCoeff();
  };
  const double by_rates = step.length * largest(condensed.S_C, condensed.W.C),
               by_forces = step.length * step.length * largest(0 * condensed.S_I, condensed.W.I);
  return rounding_of_values * (step.g.row(j).cwiseAbs().maxCoeff()) +
         4 * epsilon * (obstacle + largest(condensed.S_K, condensed.W.K)) +
         rounding_of_steps * epsilon * (by_rates + by_forces) +
         condensed.S_K.row(j).cwiseAbs().dot(motion.rounding_of_states(mode, step));
}

}  // namespace

double rounding_of_rate(const CondensedInclusions& condensed, const SmoothStep& step, Index direction) {
  return noise_of_rate * std::numeric_limits<double>::epsilon() *
         condensed.prescribed_size(step.begin)[direction] / step.length;
}

std::optional<LocatedEvent> first_event(const SmoothMotion& motion, const SmoothMotion::Mode& mode,
                                        const SmoothStep& step) {
  const CondensedInclusions& condensed = motion.condensed();
  std::optional<LocatedEvent> first;
  const auto keep_earliest = [&](Index j, const std::optional<double>& tau) {
    if (tau && (!first || *tau < first->tau)) first = LocatedEvent{*tau, j};
  };
  const auto check_bound = [&](Index j, Eigen::RowVectorXd values, double size) {
    keep_earliest(j, first_root_from_begin({values, rounding_of_values * size}));
  };
  const auto check_rate = [&](Index j, Eigen::RowVectorXd values) {
    double tolerance = rounding_of_values * values.cwiseAbs().maxCoeff();
    if (condensed.direction(j).kind == DoFKind::constrained)
      tolerance += rounding_of_rate(condensed, step, j);
    else if (motion.follows_held(mode.states, j))
      tolerance += rounding_of_followed_rate(condensed, step, j);
    keep_earliest(j, first_root_from_begin({values, tolerance}));
  };
  const auto check_constraint = [&](Index j) {
    const Eigen::RowVectorXd defect = step.defect.row(j), zero = 0 * defect;
    const double allowed = contradiction_tolerance * step.defect_scale.row(j).maxCoeff();
    for (const Eigen::RowVectorXd& left :
         {Eigen::RowVectorXd(zero - defect), Eigen::RowVectorXd(zero + defect)})
      keep_earliest(j, first_root({left, allowed}));
  };
  // Coulomb friction sticks while its reaction is in the friction cone, and slips while its speed is not
  // zero.
  const auto check_cone = [&](Index j) {
    const Index normal = condensed.normal_of(j), n = condensed.direction(j).law->dimension() - 1;
    const MultiVector r_t = step.r.middleRows(j, n), r_n = step.r.row(normal), mu = step.upper.row(j);
    const auto left = [r_t, r_n, mu](const Vector& basis) {
      const double bound = (mu * basis)[0] * (r_n * basis)[0];
      return bound * std::abs(bound) - (r_t * basis).squaredNorm();
    };
    const double largest = step.r.cwiseAbs().maxCoeff();
    keep_earliest(j, first_root_from_begin({left, rounding_of_values * largest * largest}));
  };
  const auto check_speed = [&](Index j) {
    const Index n = condensed.direction(j).law->dimension() - 1;
    const MultiVector w = step.w.middleRows(j, n);
    const Vector scale = motion.rate_scale_within(step).segment(j, n);
    keep_earliest(j, first_root_from_begin({Eigen::RowVectorXd(step.forward.segment(j, n).transpose() * w),
                                            rounding_of_values * w.cwiseAbs().maxCoeff()}));
    const auto rest =
        first_rest({[w](const Vector& basis) { return (w * basis).norm(); }, -speed_at_rest * scale.norm()});
    keep_earliest(j, rest ? std::optional(time_of_complete_rest(w, *rest)) : rest);
  };
  const Vector p = condensed.prescribed_size(step.begin);
  for (Index j = 0; j < condensed.n_directions(); ++j) {
    const ContactState state = mode.states[static_cast<std::size_t>(j)];
    // A direction whose whole motion is prescribed has an event only if it has friction that slips.
    const bool slides = state == ContactState::slip_forward || state == ContactState::slip_back;
    if (condensed.direction(j).kind == DoFKind::constrained && !slides) continue;
    if (SmoothMotion::is_held(state)) check_constraint(j);
    if (condensed.direction(j).is_tangent()) {
      if (condensed.direction(j).component == 1 && state == ContactState::stick) check_cone(j);
      if (condensed.direction(j).component == 1 && state == ContactState::slip) check_speed(j);
      continue;
    }
    const double force = step.r.cwiseAbs().maxCoeff();
    switch (state) {
      case ContactState::stick:
        check_bound(j, step.r.row(j) - step.lower.row(j), force);
        check_bound(j, step.upper.row(j) - step.r.row(j), force);
        break;
      case ContactState::slip_forward:
        check_rate(j, step.w.row(j));
        break;
      case ContactState::slip_back:
        check_rate(j, -step.w.row(j));
        break;
      case ContactState::closed:
        check_bound(j, step.r.row(j), force);
        break;
      case ContactState::open:
        keep_earliest(j,
                      first_root_from_begin({step.g.row(j), rounding_of_gap(motion, mode, step, j, p[j])}));
        break;
      case ContactState::slip:
        break;
    }
  }
  return first;
}

}  // namespace halfdof::internal
