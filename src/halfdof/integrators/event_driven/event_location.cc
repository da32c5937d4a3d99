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
/// Error of a rate, in a step of length 1, if the prescribed motion has an error of 1.
constexpr double noise_of_rate = 3000;
constexpr double rounding = 1e-13;  ///< Rounding error of values, relative to the largest in the step.
/// Speeds of Coulomb friction that count as rest, relative to their terms: the direction of slip is lost
/// there.
constexpr double at_rest = 1e-9;
/// Rounding error of displacements that cancel, in units of the machine precision times their changes by
/// rates and forces in the step.
constexpr double rounding_of_steps = 1e3;
/// If constraints of held directions are violated by more, relative to their terms, they contradict each
/// other.
constexpr double contradiction = 1e-11;

/// A function of the place in a step, given by the basis of RadauNodes there. It is not negative as long as
/// its inclusion keeps its state.
struct Watched {
  std::function<double(const Vector& basis)> value;
  double tolerance;  ///< Value below zero that rounding may cause.

  /// Creates a polynomial from its values at the nodes.
  Watched(const Eigen::RowVectorXd& values, double allowed)
      : value([values](const Vector& basis) { return values.dot(basis.transpose()); }), tolerance(allowed) {}
  Watched(std::function<double(const Vector& basis)> function, double allowed)
      : value(std::move(function)), tolerance(allowed) {}

  double with(const Vector& basis) const { return value(basis) + tolerance; }
  double at(double tau) const { return with(RadauNodes::get().basis(tau)); }
};

double root_between(const Watched& watched, double positive, double negative) {
  const double at_positive = watched.at(positive), at_negative = watched.at(negative);
  if (at_positive == 0) return positive;
  std::uintmax_t n_iterations = 100;
  const auto bracket = boost::math::tools::toms748_solve(
      [&](double tau) { return watched.at(tau); }, positive, negative, at_positive, at_negative,
      boost::math::tools::eps_tolerance<double>(52), n_iterations);
  return bracket.second;
}

constexpr double place(std::size_t sample) {
  return static_cast<double>(sample) / n_samples;
}

std::array<double, n_samples + 1> samples_of(const Watched& watched) {
  static const std::vector<Vector> bases = [] {
    std::vector<Vector> made;
    for (std::size_t k = 0; k <= n_samples; ++k)
      made.push_back(RadauNodes::get().basis(place(k)));
    return made;
  }();
  std::array<double, n_samples + 1> values{};
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = watched.with(bases[k]);
  return values;
}

/// Returns the place at which a function becomes negative between three samples of which the middle one is
/// the smallest.
std::optional<double> root_at_minimum(const Watched& watched, const std::array<double, n_samples + 1>& values,
                                      std::size_t k) {
  const bool is_minimum = k + 1 < values.size() && values[k] < values[k - 1] && values[k] < values[k + 1];
  if (!is_minimum) return std::nullopt;
  const auto [tau, lowest] = boost::math::tools::brent_find_minima([&](double x) { return watched.at(x); },
                                                                   place(k - 1), place(k + 1), 26);
  if (lowest < 0) return root_between(watched, place(k - 1), tau);
  return std::nullopt;
}

/// Returns the first place at which a function becomes negative.
std::optional<double> first_root(const Watched& watched) {
  const std::array<double, n_samples + 1> values = samples_of(watched);
  for (std::size_t k = 1; k < values.size(); ++k) {
    if (values[k] < 0) {
      if (values[k - 1] > 0 && k > 1) return root_between(watched, place(k - 1), place(k));
      // It may have left zero at the beginning of the step, and have returned before the first sample.
      for (double tau = 0.5 * place(k); tau > 1e-12; tau *= 0.5)
        if (watched.at(tau) > 2 * watched.tolerance) return root_between(watched, tau, place(k));
      return 0.;
    }
    if (const auto root = root_at_minimum(watched, values, k)) return root;
  }
  return std::nullopt;
}

/// Returns the first place at which a speed falls to rest. @param watched the speed minus the one that counts
/// as rest; it is negative at first if friction begins to slip
std::optional<double> first_rest(const Watched& watched) {
  const std::array<double, n_samples + 1> values = samples_of(watched);
  bool has_moved = values[0] > 0;
  for (std::size_t k = 1; k < values.size(); ++k) {
    if (has_moved && values[k] < 0) return root_between(watched, place(k - 1), place(k));
    has_moved = has_moved || values[k] > 0;
    if (has_moved && values[k - 1] > 0)
      if (const auto root = root_at_minimum(watched, values, k)) return root;
  }
  if (!has_moved && values.back() < values.front()) return 0.;
  return std::nullopt;
}

/// Returns the place at which friction that is nearly at rest at tau comes to rest: there the component of
/// the rate in its direction at tau vanishes. Returns tau if it does not vanish within the step. If the step
/// ended already at tau, the remaining momentum would be lost. @param w rates at the nodes
double end_of_rest(const MultiVector& w, double tau) {
  const Vector direction = w * RadauNodes::get().basis(tau);
  const Watched along{[&](const Vector& basis) { return direction.dot(w * basis); }, 0.};
  const bool vanishes = tau > 0 && along.value(RadauNodes::get().basis(1.)) < 0;
  return vanishes ? root_between(along, tau, 1.) : tau;
}

/// Returns the first place at which a function becomes negative. If it is negative at the beginning of the
/// step, as a residual of the transition, it is compared with its value there.
std::optional<double> first_root_from_begin(const Watched& watched) {
  const std::optional<double> tau = first_root(watched);
  const double begin = watched.value(RadauNodes::get().basis(0.));
  if (tau == 0. && begin < 0)
    return first_root({[&](const Vector& basis) { return watched.value(basis) - begin; }, watched.tolerance});
  return tau;
}

/// Returns the rounding error in the rate of a direction that held directions keep from moving.
double rounding_of_followed_rate(const CondensedInclusions& condensed, const SmoothStep& step, Index j) {
  const MultiVector y = step.y.cwiseAbs(), r = step.r.cwiseAbs();
  const auto largest = [&](const MultiVector& S, const MultiVector& W) {
    return (S.row(j).cwiseAbs() * y + W.row(j).cwiseAbs() * r).maxCoeff();
  };
  const double of_supports = rounding_of_rate(condensed, step, j);
  if (condensed.direction(j).kind == DoFKind::algebraic)
    return of_supports + noise_of_rate * std::numeric_limits<double>::epsilon() *
                             largest(condensed.S_K, condensed.W.K) / step.length;
  return of_supports + rounding * (largest(condensed.S_C, condensed.W.C) +
                                   step.length * largest(0 * condensed.S_C, condensed.W.I));
}

/// Returns the rounding error of a gap. It is relative to the displacements and reactions from which the gap
/// is computed; to the changes of the gap by rates and reactions in the step, since a gap that contacts
/// nearby keep at zero has no other size; and to the motion of other DoFs, with which the Schur form mixes
/// it. It has to be small, since a gap may open as slowly as the fifth power of time.
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
  return rounding * (step.g.row(j).cwiseAbs().maxCoeff()) +
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
  const auto note = [&](Index j, const std::optional<double>& tau) {
    if (tau && (!first || *tau < first->tau)) first = LocatedEvent{*tau, j};
  };
  const auto watch = [&](Index j, Eigen::RowVectorXd values, double size) {
    note(j, first_root_from_begin({values, rounding * size}));
  };
  const auto watch_rate = [&](Index j, Eigen::RowVectorXd values) {
    double tolerance = rounding * values.cwiseAbs().maxCoeff();
    if (condensed.direction(j).kind == DoFKind::constrained)
      tolerance += rounding_of_rate(condensed, step, j);
    else if (motion.follows_held(mode.states, j))
      tolerance += rounding_of_followed_rate(condensed, step, j);
    note(j, first_root_from_begin({values, tolerance}));
  };
  const auto watch_constraint = [&](Index j) {
    const Eigen::RowVectorXd defect = step.defect.row(j), zero = 0 * defect;
    const double allowed = contradiction * step.defect_scale.row(j).maxCoeff();
    for (const Eigen::RowVectorXd& left :
         {Eigen::RowVectorXd(zero - defect), Eigen::RowVectorXd(zero + defect)})
      note(j, first_root({left, allowed}));
  };
  // Coulomb friction sticks while its reactions are in their cone, and slips while it has a speed.
  const auto watch_cone = [&](Index j) {
    const Index normal = condensed.normal_of(j), n = condensed.direction(j).law->dimension() - 1;
    const MultiVector r_t = step.r.middleRows(j, n), r_n = step.r.row(normal), mu = step.upper.row(j);
    const auto left = [r_t, r_n, mu](const Vector& basis) {
      const double bound = (mu * basis)[0] * (r_n * basis)[0];
      return bound * std::abs(bound) - (r_t * basis).squaredNorm();
    };
    const double largest = step.r.cwiseAbs().maxCoeff();
    note(j, first_root_from_begin({left, rounding * largest * largest}));
  };
  const auto watch_speed = [&](Index j) {
    const Index n = condensed.direction(j).law->dimension() - 1;
    const MultiVector w = step.w.middleRows(j, n);
    const Vector scale = motion.rate_scale_within(step).segment(j, n);
    note(j, first_root_from_begin({Eigen::RowVectorXd(step.forward.segment(j, n).transpose() * w),
                                   rounding * w.cwiseAbs().maxCoeff()}));
    const auto rest =
        first_rest({[w](const Vector& basis) { return (w * basis).norm(); }, -at_rest * scale.norm()});
    note(j, rest ? std::optional(end_of_rest(w, *rest)) : rest);
  };
  const Vector p = condensed.prescribed_size(step.begin);
  for (Index j = 0; j < condensed.n_directions(); ++j) {
    const ContactState state = mode.states[static_cast<std::size_t>(j)];
    // Of the directions that move only as prescribed, only those with sliding friction have events.
    const bool slides = state == ContactState::slip_forward || state == ContactState::slip_back;
    if (condensed.direction(j).kind == DoFKind::constrained && !slides) continue;
    if (SmoothMotion::is_held(state)) watch_constraint(j);
    if (condensed.direction(j).is_tangent()) {
      if (condensed.direction(j).component == 1 && state == ContactState::stick) watch_cone(j);
      if (condensed.direction(j).component == 1 && state == ContactState::slip) watch_speed(j);
      continue;
    }
    const double force = step.r.cwiseAbs().maxCoeff();
    switch (state) {
      case ContactState::stick:
        watch(j, step.r.row(j) - step.lower.row(j), force);
        watch(j, step.upper.row(j) - step.r.row(j), force);
        break;
      case ContactState::slip_forward:
        watch_rate(j, step.w.row(j));
        break;
      case ContactState::slip_back:
        watch_rate(j, -step.w.row(j));
        break;
      case ContactState::closed:
        watch(j, step.r.row(j), force);
        break;
      case ContactState::open:
        note(j, first_root_from_begin({step.g.row(j), rounding_of_gap(motion, mode, step, j, p[j])}));
        break;
      case ContactState::slip:
        break;
    }
  }
  return first;
}

}  // namespace halfdof::internal
