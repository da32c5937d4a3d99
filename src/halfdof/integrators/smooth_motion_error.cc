#include <halfdof/integrators/radau_nodes.h>
#include <halfdof/integrators/smooth_motion.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace halfdof {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

/// Interpolated obstacles and other prescribed motions may be off by this, relative to their size.
constexpr double interpolation_tolerance = 1e-8;

/// Where the polynomial through the nodes is off by 1 between the first of them, its first and second
/// derivatives at the beginning of a step of length 1 are off by this.
constexpr double error_of_rate = 30, error_of_second = 3000;

/// In steps shorter than this multiple of the time scale, loads and bounds that are given to so many digits
/// only (numerical derivatives) show their noise.
constexpr double noise_step = 1e-3, noise_tolerance = 1e-7;

}  // namespace

/// To how many digits loads are known in a step of this length. What a state force does is none of them: it
/// depends on the motion, whose error has to show.
double SmoothMotion::noise_of_loads(double length) const {
  return length < noise_step * time_scale() && !condensed_.newton ? noise_tolerance : 0.;
}

Vector SmoothMotion::rounding_of_states(const Mode& mode, const SmoothStep& step) const {
  if (step.y.rows() == 0) return Vector::Zero(0);
  const Held& now = held(mode.states);
  const Vector y = step.y.cwiseAbs().rowwise().maxCoeff();
  const MultiVector passed = (step.length * now.T.cwiseAbs()).cwiseMin(1.);
  return 4 * rounding * (now.U.cwiseAbs() * (passed * (now.U_inverse.cwiseAbs() * y)));
}

/// Displacements are measured by the largest of them, velocities likewise. What rounding makes of the terms,
/// and noise of loads of the motion within the step, is no error.
double SmoothMotion::error_of(const SmoothStep& step, const Vector& defect, const Terms& terms,
                              const Given& given) const {
  const double h = step.length;
  const Index n = condensed_.n_states();
  const double rate_noise = given.p.rate_noise.size() > 0 ? given.p.rate_noise.maxCoeff() : 0.;
  const Vector noise = 1e3 * rounding * terms.all + noise_of_loads(h) * terms.of_loads;
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

/// The parts of a load in what the kinds of all directions decide.
Vector SmoothMotion::deciding_part(const CondensedInclusions::Forced& forced) const {
  Vector part(condensed_.n_directions());
  for (Index j = 0; j < condensed_.n_directions(); ++j)
    part[j] = CondensedInclusions::part(forced, condensed_.place(j).kind)[j];
  return part;
}

/// All terms that make the reaction of what is held, or move a play, or friction where motion is prescribed;
/// 0 elsewhere. Of a load that a reaction balances alone the states know nothing, and a small rest of large
/// terms is no better than they are; what sticks is not asked for more than its bounds are. With a state
/// force the states know no more of rates of viscous DoFs.
double SmoothMotion::terms_of_reaction(const Mode& mode, const SmoothStep& step, const SupportMotion& p,
                                       const MultiVector& loads, Index j) const {
  const DoFKind kind = condensed_.place(j).kind;
  const bool is_play = kind == DoFKind::algebraic, is_moved = kind == DoFKind::constrained;
  if (is_moved && condensed_.place(j).is_contact) return 0;
  const bool is_seen = kind == DoFKind::viscous && condensed_.newton;
  if (!is_play && !is_moved && !is_seen && !is_held(mode.states[static_cast<std::size_t>(j)])) return 0;
  const MultiVector& motion = is_play ? p.value : kind == DoFKind::inertial ? p.second : p.rate;
  MultiVector reactions = step.r.cwiseAbs();
  for (Index i = 0; i < condensed_.n_directions(); ++i)
    if (!condensed_.place(i).is_tangent())
      reactions.row(i) =
          reactions.row(i).cwiseMax(step.lower.row(i).cwiseAbs()).cwiseMax(step.upper.row(i).cwiseAbs());
  const Eigen::RowVectorXd terms = condensed_.S(kind).row(j).cwiseAbs() * step.y.cwiseAbs() +
                                   condensed_.W_of(kind).row(j).cwiseAbs() * reactions +
                                   loads.row(j).cwiseAbs() + motion.row(j).cwiseAbs();
  return terms.maxCoeff();
}

auto SmoothMotion::prescribed_within(const Mode& mode, const SmoothStep& step, const Given& given) const
    -> Prescribed {
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
  MultiVector loads(m, RadauNodes::n_nodes);
  for (Index i = 0; i < RadauNodes::n_nodes; ++i)
    loads.col(i) = deciding_part(given.forced[static_cast<std::size_t>(i)]);
  Vector of_loads = noise(loads);
  Vector of_motion = interpolation_tolerance * (largest(given.p.value) + largest(step.g));
  for (Index j = 0; j < m; ++j) {
    const DoFKind kind = condensed_.place(j).kind;
    const double terms = terms_of_reaction(mode, step, given.p, loads, j);
    of_loads[j] = terms > 0 ? of_loads[j] + (tolerance + 1e3 * rounding) * terms : 0.;
    if (kind == DoFKind::algebraic) of_loads[j] += absolute_tolerance_;
    // A play is moved by its support and by other terms; its support need not be followed more closely than
    // their relative tolerance.
    if (kind == DoFKind::algebraic) of_motion[j] = std::max(of_motion[j], tolerance * terms);
    if (terms == 0 || kind == DoFKind::algebraic) continue;
    const double in_motion = kind == DoFKind::inertial ? h * h / error_of_second : h / error_of_rate;
    of_motion[j] = std::min(of_motion[j], interpolation_tolerance * terms * in_motion);
  }
  const Vector terms_of_motion =
      condensed_.prescribed_size(step.begin).cwiseMax(condensed_.prescribed_size(step.begin + h));
  return {std::move(loads), of_motion + noise(given.p.value).cwiseMax(1e2 * rounding * terms_of_motion),
          std::move(of_loads), relative(step.lower), relative(step.upper)};
}

/// How well what time prescribes is met between the nodes.
double SmoothMotion::interpolation_error(const Mode& mode, const SmoothStep& step, const Given& given) const {
  if (condensed_.n_directions() == 0) return 0;
  const Prescribed within = prescribed_within(mode, step, given);
  const Vector& nodes = RadauNodes::get().nodes();
  double error = 0;
  for (const Index node : {Index(1), Index(4)}) {
    const double tau = 0.5 * (nodes[node] + nodes[node + 1]), time = step.begin + tau * step.length;
    const Vector basis = RadauNodes::get().basis(tau);
    const auto compare = [&](double here, const auto& row, double allowed) {
      if (allowed > 0) error = std::max(error, std::abs(row.dot(basis.transpose()) - here) / allowed);
    };
    const Vector p = condensed_.prescribed(time),
                 load = deciding_part(condensed_.forced(time, step.y * basis, step.r * basis));
    for (Index j = 0; j < condensed_.n_directions(); ++j) {
      compare(p[j], given.p.value.row(j), within.motion_error[j]);
      compare(load[j], within.loads.row(j), within.load_error[j]);
      const Interval bounds = friction_bounds(mode, j, time);
      compare(bounds.lower, step.lower.row(j), within.lower_error[j]);
      compare(bounds.upper, step.upper.row(j), within.upper_error[j]);
    }
  }
  for (Index node = 0; node + 1 < RadauNodes::n_nodes; ++node)
    error = std::max(error, slip_error(mode, step, 0.5 * (nodes[node] + nodes[node + 1])));
  return error;
}

}  // namespace halfdof
