// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/event_driven/smooth_motion.h>
#include <halfdof/integrators/radau_nodes.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace halfdof::internal {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Allowed interpolation error of obstacles and other prescribed motions, relative to their size.
constexpr double interpolation_tolerance = 1e-8;

/// Errors of the first and second derivatives of the polynomial through the nodes at the beginning of a step
/// of length 1, if the error of the polynomial between the first two nodes is 1.
constexpr double error_of_rate = 30, error_of_second = 3000;

/// In steps shorter than `noise_step` times the time scale, relative errors of loads and bounds up to
/// `noise_tolerance` count as noise, for instance of numerical derivatives.
constexpr double noise_step = 1e-3, noise_tolerance = 1e-7;

}  // namespace

/// Returns the relative noise of loads in a step of a given length. The result is zero with a state force,
/// because the error of a force that depends on the motion must not count as noise.
double SmoothMotion::noise_of_loads(double length) const {
  return length < noise_step * time_scale() && !condensed_.newton ? noise_tolerance : 0.;
}

Vector SmoothMotion::rounding_of_states(const Mode& mode, const SmoothStep& step) const {
  if (step.y.rows() == 0) return Vector::Zero(0);
  const HeldSystem& now = held_system(mode.states);
  const Vector y = step.y.cwiseAbs().rowwise().maxCoeff();
  const MultiVector passed = (step.length * now.T.cwiseAbs()).cwiseMin(1.);
  return 4 * epsilon * (now.U.cwiseAbs() * (passed * (now.U_inverse.cwiseAbs() * y)));
}

/// Returns the error of the states of a step in units of the tolerance, which is computed from the filtered
/// defect. Errors of displacements are relative to the largest displacement, errors of velocities to the
/// largest velocity. Rounding errors of the terms, and the effect of noise of the loads, are allowed in
/// addition.
double SmoothMotion::state_error(const SmoothStep& step, const Vector& defect, const Terms& terms,
                                 const NodeInputs& given) const {
  const double h = step.length;
  const Index n = condensed_.n_states();
  const double rate_noise = given.p.rate_noise.size() > 0 ? given.p.rate_noise.maxCoeff() : 0.;
  const Vector noise = 1e3 * epsilon * terms.all + noise_of_loads(h) * terms.of_loads;
  const double of_acceleration =
      condensed_.n_velocities > 0 ? noise.tail(condensed_.n_velocities).maxCoeff() : 0.;
  double error = 0;
  for (const bool velocities : {false, true}) {
    double size = 0, change = 0, of_rate = 0;
    for (Index i = 0; i < n; ++i) {
      if ((i >= n - condensed_.n_velocities) != velocities) continue;
      size = std::max(size, step.y.row(i).cwiseAbs().maxCoeff());
      change = std::max(change, std::abs(defect[i]));
      of_rate = std::max(of_rate, noise[i]);
    }
    const double floor =
        h * (velocities ? of_rate : of_rate + h * of_acceleration) + 1e3 * rate_noise * (velocities ? 1. : h);
    error = std::max(error, 0.1 * h * change / (relative_tolerance_ * size + absolute_tolerance_ + floor));
  }
  return error;
}

/// Returns the response of each direction to a load, which is a displacement, rate or acceleration according
/// to the kind of DoFs that decides the direction.
Vector SmoothMotion::responses_to_load(const CondensedInclusions::LoadTerms& load_terms) const {
  Vector part(condensed_.n_directions());
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    part[j] = CondensedInclusions::load_terms_of(load_terms, condensed_.direction(j).kind)[j];
  return part;
}

/// Returns the size of all terms from which the reaction of a held direction is computed, or which move a
/// play or friction on a prescribed motion. The result is 0 for other directions. Loads have to be
/// interpolated to a tolerance relative to these terms, because the error of the states does not include
/// loads that a reaction balances, and with a state force it does not include rates of viscous DoFs. A small
/// difference of large terms is not more accurate than these terms, and the reaction of sticking friction
/// need not be more accurate than its bounds.
double SmoothMotion::terms_of_reaction(const Mode& mode, const SmoothStep& step, const SupportMotion& p,
                                       const MultiVector& loads, Index j) const {
  const DoFKind kind = condensed_.direction(j).kind;
  const bool is_play = kind == DoFKind::algebraic, is_moved = kind == DoFKind::constrained;
  if (is_moved && condensed_.direction(j).is_contact) return 0;
  const bool is_seen = kind == DoFKind::viscous && condensed_.newton;
  if (!is_play && !is_moved && !is_seen && !is_held(mode.states[static_cast<std::size_t>(j)])) return 0;
  const MultiVector& motion = is_play ? p.value : kind == DoFKind::inertial ? p.second : p.rate;
  MultiVector reactions = step.r.cwiseAbs();
  for (Index i = 0; i < condensed_.n_directions(); ++i)
    if (!condensed_.direction(i).is_tangent())
      reactions.row(i) =
          reactions.row(i).cwiseMax(step.lower.row(i).cwiseAbs()).cwiseMax(step.upper.row(i).cwiseAbs());
  const Eigen::RowVectorXd terms = condensed_.S(kind).row(j).cwiseAbs() * step.y.cwiseAbs() +
                                   condensed_.W_of(kind).row(j).cwiseAbs() * reactions +
                                   loads.row(j).cwiseAbs() + motion.row(j).cwiseAbs();
  return terms.maxCoeff();
}

auto SmoothMotion::interpolation_tolerances(const Mode& mode, const SmoothStep& step,
                                            const NodeInputs& given) const -> InterpolationTolerances {
  const Index m = condensed_.n_directions();
  const double h = step.length;
  const double tolerance =
      h < noise_step * time_scale() ? std::max(relative_tolerance_, noise_tolerance) : relative_tolerance_;
  const auto largest = [](const MultiVector& values) {
    return Vector(values.cwiseAbs().rowwise().maxCoeff());
  };
  const auto noise = [&](const MultiVector& values) {
    return Vector(1e2 * rounding_of(values, step.begin, h));
  };
  const auto relative = [&](const MultiVector& values) {
    return Vector(tolerance * largest(values) + noise(values));
  };
  MultiVector responses(m, RadauNodes::n_nodes);
  for (Index i = 0; i < RadauNodes::n_nodes; ++i)
    responses.col(i) = responses_to_load(given.load_terms[static_cast<std::size_t>(i)]);
  Vector of_loads = noise(responses);
  Vector of_motion = interpolation_tolerance * (largest(given.p.value) + largest(step.g));
  for (Index j = 0; j < m; ++j) {
    const DoFKind kind = condensed_.direction(j).kind;
    const double terms = terms_of_reaction(mode, step, given.p, responses, j);
    of_loads[j] = terms > 0 ? of_loads[j] + (tolerance + 1e3 * epsilon) * terms : 0.;
    if (kind == DoFKind::algebraic) of_loads[j] += absolute_tolerance_;
    // The interpolation error of the support motion of a play may be as large as the relative tolerance times
    // the sum of the absolute values of all terms that move the play.
    if (kind == DoFKind::algebraic) of_motion[j] = std::max(of_motion[j], tolerance * terms);
    if (terms == 0 || kind == DoFKind::algebraic) continue;
    const double in_motion = kind == DoFKind::inertial ? h * h / error_of_second : h / error_of_rate;
    of_motion[j] = std::min(of_motion[j], interpolation_tolerance * terms * in_motion);
  }
  const Vector terms_of_motion =
      condensed_.prescribed_size(step.begin).cwiseMax(condensed_.prescribed_size(step.begin + h));
  return {std::move(responses), of_motion + noise(given.p.value).cwiseMax(1e2 * epsilon * terms_of_motion),
          std::move(of_loads), relative(step.lower), relative(step.upper)};
}

/// Returns the largest interpolation error of functions of time between the nodes, in units of the allowed
/// error.
double SmoothMotion::interpolation_error(const Mode& mode, const SmoothStep& step,
                                         const NodeInputs& given) const {
  if (condensed_.n_directions() == 0) return 0;
  const InterpolationTolerances within = interpolation_tolerances(mode, step, given);
  const Vector& nodes = RadauNodes::get().nodes();
  double error = 0;
  for (const Index node : {Index(1), Index(4)}) {
    const double tau = 0.5 * (nodes[node] + nodes[node + 1]), time = step.begin + tau * step.length;
    const Vector basis = RadauNodes::get().basis(tau);
    const auto compare = [&](double here, const auto& row, double allowed) {
      if (allowed > 0) error = std::max(error, std::abs(row.dot(basis.transpose()) - here) / allowed);
    };
    const Vector p = condensed_.prescribed(time),
                 load = responses_to_load(condensed_.load_terms(time, step.y * basis, step.r * basis));
    for (Index j = 0; j < condensed_.n_directions(); ++j) {
      compare(p[j], given.p.value.row(j), within.motion_error[j]);
      compare(load[j], within.responses_to_loads.row(j), within.load_error[j]);
      const Interval bounds = friction_bounds(mode, j, time);
      compare(bounds.lower, step.lower.row(j), within.lower_error[j]);
      compare(bounds.upper, step.upper.row(j), within.upper_error[j]);
    }
  }
  for (Index node = 0; node + 1 < RadauNodes::n_nodes; ++node)
    error = std::max(error, slip_error(mode, step, 0.5 * (nodes[node] + nodes[node + 1])));
  return error;
}

}  // namespace halfdof::internal
