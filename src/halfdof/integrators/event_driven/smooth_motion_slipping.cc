// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/event_driven/smooth_motion.h>
#include <halfdof/integrators/radau_nodes.h>
#include <halfdof/integrators/run_checks.h>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof::internal {

namespace {

/// Relative tolerances of Newton's method for reactions of slipping directions. The tolerance is `tolerance`,
/// or `rounding_tolerance` if an iteration does not reduce the residual by the factor `slow_convergence`.
constexpr double tolerance = 1e-15, rounding_tolerance = 1e-11, slow_convergence = 0.3;
constexpr int max_iterations = 30, max_halvings = 8;

/// Speeds up to the sum of two terms have no definite direction. The term with `without_direction` is
/// relative to SmoothMotion::rate_scale(), the term with `above_noise` to the noise of rates.
constexpr double without_direction = 1e-13, above_noise = 10;

bool is_slipping(ContactState state) {
  return state == ContactState::slip_forward || state == ContactState::slip_back;
}

/// The value of a function and its derivative.
struct Linearized {
  Vector value;
  MultiVector derivative;
};

/// Solves the equation r = psi(z_0 + Z r) by Newton's method. Newton steps are shortened if the full steps do
/// not reduce the residual. @return whether a solution was found
template <class Psi>
bool solve_fixed_point(const Vector& z_0, const MultiVector& Z, const Psi& psi, Vector& r) {
  const auto n = static_cast<Index>(r.size());
  const auto residual_of = [&](const Vector& at, Linearized& linearized) -> Vector {
    linearized = psi(Vector(z_0 + Z * at));
    return at - linearized.value;
  };
  Linearized linearized;
  Vector residual = residual_of(r, linearized);
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    const double size = linearized.value.norm(), before = residual.norm();
    if (!std::isfinite(before) || !std::isfinite(size)) return false;
    if (before <= tolerance * size) return true;
    const MultiVector J = MultiVector::Identity(n, n) - linearized.derivative * Z;
    const Vector step = J.partialPivLu().solve(residual);
    double part = 1, after = before;
    for (int halving = 0; halving < max_halvings; ++halving, part *= 0.5) {
      const Vector trial = r - part * step;
      const Vector left = residual_of(trial, linearized);
      after = left.norm();
      if (!(after < before) && halving + 1 < max_halvings && before > rounding_tolerance * size) continue;
      r = trial;
      residual = left;
      break;
    }
    if (after <= rounding_tolerance * size && after > slow_convergence * before) return true;
  }
  return false;
}

}  // namespace

PainleveState::PainleveState(const std::string& contact, double time)
    : NotAvailable("The contact \"" + contact + "\" slides at " + seconds(time) +
                   " in a Painleve state: friction increases the normal reaction by more than the normal "
                   "reaction that causes this friction, so that no finite reaction is consistent. The "
                   "event-driven integrator cannot continue. Give a smaller coefficient of friction, or use "
                   "implicit Euler, which replaces the state by an impact.") {}

/// Returns the inclusions that slip with a reaction that depends on the motion.
auto SmoothMotion::sliding_friction(const Mode& mode) const -> std::vector<SlidingFriction> {
  std::vector<SlidingFriction> all;
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    const ContactState state = mode.states[static_cast<std::size_t>(j)];
    const auto& direction = condensed_.direction(j);
    if (is_slipping(state) && !direction.law->is_positively_homogeneous())
      all.push_back({j, 1, std::nullopt});
    if (state == ContactState::slip && direction.component == 1)
      all.push_back({j, direction.law->dimension() - 1, j - 1});
  }
  return all;
}

/// Returns the reactions of slipping directions whose reactions depend only on time. The other entries are
/// zero.
Vector SmoothMotion::reactions_at_bounds(const Mode& mode, double time) const {
  Vector r = Vector::Zero(condensed_.n_directions());
  for (Index j = 0; j < condensed_.n_directions(); ++j) {
    const ContactState state = mode.states[static_cast<std::size_t>(j)];
    if (is_slipping(state) && condensed_.direction(j).law->is_positively_homogeneous())
      r[j] = condensed_.sliding_reaction(j, time, state, 0.).r;
  }
  return r;
}

std::vector<Index> SmoothMotion::directions_of(const std::vector<SlidingFriction>& all) {
  std::vector<Index> directions;
  for (const SlidingFriction& one : all)
    for (Index k = 0; k < one.n; ++k)
      directions.push_back(one.first + k);
  return directions;
}

/// Appends to z the quantities on which the reaction of a slipping inclusion depends, which are the rates of
/// its directions and the normal reaction of Coulomb friction.
void SmoothMotion::append_arguments(const SlidingFriction& one, const Vector& w, const Vector& r,
                                    std::vector<double>& z) const {
  for (Index k = 0; k < one.n; ++k)
    z.push_back(w[one.first + k]);
  if (one.normal) z.push_back(r[*one.normal]);
}

/// Computes the reaction r(z) of a slipping inclusion and its derivative. The reaction is r(w) for a scalar
/// law and -mu r_n d for Coulomb friction, where d is the unit vector of w + s, with the opposite sign if w +
/// s has reversed since the beginning of the step.
void SmoothMotion::evaluate_sliding(const Mode& mode, const SlidingFriction& one, double time,
                                    const SlipDirections& slip_along, const Vector& z, Eigen::Ref<Vector> r,
                                    Eigen::Ref<MultiVector> derivative) const {
  const ContactState state = mode.states[static_cast<std::size_t>(one.first)];
  if (!one.normal) {
    const SlidingReaction linearized = condensed_.sliding_reaction(one.first, time, state, z[0]);
    r[0] = linearized.r;
    derivative(0, 0) = linearized.slope;
    return;
  }
  const double mu = condensed_.friction_coefficient(*one.normal, time), r_n = z[one.n];
  Vector u = z.head(one.n) + slip_along.s.segment(one.first, one.n);
  const double speed = u.norm();
  r.setZero();
  derivative.setZero();
  if (!(speed > 0)) return;
  const double sign = u.dot(slip_along.forward.segment(one.first, one.n)) < 0 ? -1 : 1;
  const Vector d = sign / speed * u;
  r = -mu * r_n * d;
  derivative.leftCols(one.n) =
      -sign * mu * r_n / speed * (MultiVector::Identity(one.n, one.n) - d * d.transpose());
  derivative.col(one.n) = -mu * d;
}

/// Returns the directions of slip. Friction that begins to slip moves opposite to the reaction with which it
/// stuck.
/// @param w rates @param noise rounding errors of w
auto SmoothMotion::slip_directions(const Mode& mode, const std::vector<SlidingFriction>& all, double time,
                                   const Vector& y, const LoadsAtInstant& acting, const Vector& w,
                                   const Vector& noise) const -> SlipDirections {
  const Index m = condensed_.n_directions();
  SlipDirections slip_along{Vector::Zero(m), Vector::Zero(m)};
  if (all.empty()) return slip_along;
  const Vector scale =
      without_direction * rate_scale(time, y, acting.load_terms, mode.reactions, acting.p_rate) +
      above_noise * noise;
  for (const SlidingFriction& one : all) {
    if (!one.normal) continue;
    const Vector r = mode.reactions.segment(one.first, one.n);
    if (r.norm() > 0)
      slip_along.s.segment(one.first, one.n) = -scale.segment(one.first, one.n).norm() / r.norm() * r;
    const Vector u = w.segment(one.first, one.n) + slip_along.s.segment(one.first, one.n);
    if (u.norm() > 0) slip_along.forward.segment(one.first, one.n) = u / u.norm();
  }
  return slip_along;
}

/// Returns the reactions of slipping directions at an instant. The other entries are zero. The rates depend
/// on these reactions by W_C, and the normal reactions by the constraints of held directions; both relations
/// are affine.
Vector SmoothMotion::slipping_reactions(const Mode& mode, double time, const Vector& y,
                                        const LoadsAtInstant& acting) const {
  Vector r = reactions_at_bounds(mode, time);
  const std::vector<SlidingFriction> all = sliding_friction(mode);
  if (all.empty()) return r;
  const std::vector<Index> directions = directions_of(all);
  const auto n = static_cast<Index>(directions.size());
  const HeldSystem& now = held_system(mode.states);
  MultiVector response = MultiVector::Zero(condensed_.n_directions(), n);
  for (Index k = 0; k < n; ++k)
    response(directions[static_cast<std::size_t>(k)], k) = 1;
  if (!now.directions.empty())
    response(now.directions, Eigen::all) = -now.W.solve(block_of_W(now.directions, directions));
  const MultiVector rates = condensed_.W.C * response;

  const Vector r_0 = reactions(mode, r, y, acting),
               w_0 = condensed_.S_C * y + acting.load_terms.w + acting.p_rate + condensed_.W.C * r_0;
  std::vector<double> z_0;
  for (const SlidingFriction& one : all)
    append_arguments(one, w_0, r_0, z_0);
  const auto n_z = static_cast<Index>(z_0.size());
  MultiVector Z(n_z, n);
  for (Index k = 0; k < n; ++k) {
    std::vector<double> column;
    for (const SlidingFriction& one : all)
      append_arguments(one, rates.col(k), response.col(k), column);
    Z.col(k) = Eigen::Map<const Vector>(column.data(), n_z);
  }
  const SlipDirections slip_along = slip_directions(mode, all, time, y, acting, w_0, 0 * w_0);
  const auto psi = [&](const Vector& z) {
    Linearized linearized{Vector::Zero(n), MultiVector::Zero(n, n_z)};
    Index row = 0, column = 0;
    for (const SlidingFriction& one : all) {
      const Index n_arguments = one.n + (one.normal ? 1 : 0);
      evaluate_sliding(mode, one, time, slip_along, z.segment(column, n_arguments),
                       linearized.value.segment(row, one.n),
                       linearized.derivative.block(row, column, one.n, n_arguments));
      row += one.n;
      column += n_arguments;
    }
    return linearized;
  };
  Vector found = mode.reactions(directions);
  solve_fixed_point(Eigen::Map<const Vector>(z_0.data(), n_z), Z, psi, found);
  r(directions) = found;
  check_no_painleve_state(all, time, found, response);
  return r;
}

/// Checks that no contact is in a Painleve state. Friction that slips must not increase the normal reaction
/// by more than the normal reaction that causes this friction, under the constraints of all held directions.
/// With the unit vector d of slip the condition is 1 + mu (dr_n/dr_t) d > 0 for each contact. @throws
/// PainleveState
void SmoothMotion::check_no_painleve_state(const std::vector<SlidingFriction>& all, double time,
                                           const Vector& r, const MultiVector& response) const {
  Index first = 0;
  for (const SlidingFriction& one : all) {
    const Vector r_t = r.segment(first, one.n);
    if (one.normal && r_t.norm() > 0) {
      const Vector d = -r_t / r_t.norm();
      const double mu = condensed_.friction_coefficient(*one.normal, time);
      const double left = 1 + mu * response.row(*one.normal).segment(first, one.n).dot(d);
      if (!(left > 0)) throw PainleveState(condensed_.direction(one.first).name, time);
    }
    first += one.n;
  }
}

/// Computes the states and reactions of a step. Newton's method solves for the reactions of slipping
/// inclusions at all nodes together. All quantities on which these reactions depend are affine functions of
/// them.
void SmoothMotion::solve(const Mode& mode, const Vector& y, NodeInputs& given, SmoothStep& step) const {
  constexpr Index n_nodes = RadauNodes::n_nodes;
  const auto time_at = [&](Index node) { return step.begin + RadauNodes::get().nodes()[node] * step.length; };
  const std::vector<SlidingFriction> all = sliding_friction(mode);
  given.slipping.resize(condensed_.n_directions(), n_nodes);
  for (Index i = 0; i < n_nodes; ++i)
    given.slipping.col(i) = reactions_at_bounds(mode, time_at(i));
  integrate(mode, y, given, step);
  compute_node_values(mode, given, step);
  if (all.empty()) return;

  const auto arguments = [&](const SmoothStep& of) {
    std::vector<double> z;
    for (Index i = 0; i < n_nodes; ++i)
      for (const SlidingFriction& one : all)
        append_arguments(one, of.w.col(i), of.r.col(i), z);
    return Vector(Eigen::Map<const Vector>(z.data(), static_cast<Index>(z.size())));
  };
  const std::vector<Index> directions = directions_of(all);
  const auto n = static_cast<Index>(directions.size()), n_all = n * n_nodes;
  const Vector z_0 = arguments(step);
  const MultiVector Z = response_of_slipping(mode, directions, step, arguments);
  const Index n_z = static_cast<Index>(z_0.size()) / n_nodes;
  const SlipDirections slip_along =
      slip_directions(mode, all, step.begin, y, loads_at_node(given, 0), step.w.col(0), given.p.rate_noise);
  step.forward = slip_along.forward;
  const auto psi = [&](const Vector& z) {
    Linearized linearized{Vector::Zero(n_all), MultiVector::Zero(n_all, z.size())};
    for (Index i = 0; i < n_nodes; ++i) {
      Index row = i * n, column = i * n_z;
      for (const SlidingFriction& one : all) {
        const Index n_arguments = one.n + (one.normal ? 1 : 0);
        evaluate_sliding(mode, one, time_at(i), slip_along, z.segment(column, n_arguments),
                         linearized.value.segment(row, one.n),
                         linearized.derivative.block(row, column, one.n, n_arguments));
        row += one.n;
        column += n_arguments;
      }
    }
    return linearized;
  };
  Vector r = Vector(mode.reactions(directions)).replicate(n_nodes, 1);
  const bool has_converged = solve_fixed_point(z_0, Z, psi, r);
  for (Index i = 0; i < n_nodes; ++i)
    given.slipping(directions, i) = r.segment(i * n, n);
  integrate(mode, y, given, step);
  compute_node_values(mode, given, step);
  if (!has_converged) step.error = std::numeric_limits<double>::infinity();
}

/// Returns the difference between interpolated reactions of slipping directions and the reactions that belong
/// to the interpolated rates, at a time between the nodes, in units of the tolerance and rounding errors.
double SmoothMotion::slip_error(const Mode& mode, const SmoothStep& step, double tau) const {
  const std::vector<SlidingFriction> all = sliding_friction(mode);
  if (all.empty()) return 0;
  const double time = step.begin + tau * step.length;
  const Vector basis = RadauNodes::get().basis(tau);
  const SlipDirections slip_along{Vector::Zero(condensed_.n_directions()), step.forward};
  const Vector w = step.w * basis, r = step.r * basis, scale = without_direction * rate_scale_within(step);
  double error = 0;
  for (const SlidingFriction& one : all) {
    std::vector<double> z;
    append_arguments(one, w, r, z);
    Vector linearized(one.n);
    MultiVector derivative(one.n, static_cast<Index>(z.size()));
    evaluate_sliding(mode, one, time, slip_along, Eigen::Map<const Vector>(z.data(), derivative.cols()),
                     linearized, derivative);
    const double size = step.r.middleRows(one.first, one.n).colwise().norm().maxCoeff(),
                 by_rounding =
                     (derivative.leftCols(one.n).cwiseAbs() * scale.segment(one.first, one.n)).norm();
    if (const double missed = (r.segment(one.first, one.n) - linearized).norm(); missed > 0)
      error = std::max(error, missed / (relative_tolerance_ * size + by_rounding));
  }
  return error;
}

/// Returns the motion that a unit reaction of each direction at each node causes, from rest and without
/// loads. Each column contains the values of `arguments` for one such reaction.
template <class Arguments>
MultiVector SmoothMotion::response_of_slipping(const Mode& mode, const std::vector<Index>& directions,
                                               const SmoothStep& step, const Arguments& arguments) const {
  constexpr Index n_nodes = RadauNodes::n_nodes;
  const Index m = condensed_.n_directions();
  const auto n = static_cast<Index>(directions.size());
  const MultiVector none = MultiVector::Zero(m, n_nodes);
  const Vector at_rest = Vector::Zero(condensed_.n_states()), zero = Vector::Zero(m);
  const NodeInputs nothing{std::vector<CondensedInclusions::LoadTerms>(n_nodes, {at_rest, zero, zero, zero}),
                           {none, none, none, zero},
                           none};
  const Mode from_rest{mode.states, zero, zero};
  MultiVector Z;
  for (Index i = 0; i < n_nodes; ++i)
    for (Index k = 0; k < n; ++k) {
      NodeInputs given = nothing;
      given.slipping(directions[static_cast<std::size_t>(k)], i) = 1;
      SmoothStep probe{step.begin, step.length, {}, {}, {}, {}, {}, {}, {}, {}};
      integrate(from_rest, at_rest, given, probe);
      compute_node_values(from_rest, given, probe);
      const Vector column = arguments(probe);
      if (Z.size() == 0) Z.resize(static_cast<Index>(column.size()), n * n_nodes);
      Z.col(i * n + k) = column;
    }
  return Z;
}

}  // namespace halfdof::internal
