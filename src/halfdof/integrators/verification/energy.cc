// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/integrators/verification/energy.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/state_parts.h>

#include <cmath>
#include <optional>
#include <utility>

namespace halfdof::internal {

namespace {

/// Returns x^T A x, summed over all processes.
template <class Matrix>
double quadratic_form(const Matrix& A, const Vector& x) {
  Vector Ax = Vector::Zero(x.size());
  A.add_product(1., x, Ax);
  return A.rows().communicator().sum(x.dot(Ax));
}

/// Largest asymmetry of a symmetric matrix, relative to the column norms.
constexpr double symmetry_tolerance = 1e-10;

/// Returns the work of a reaction on a path on which a direction first moves with its support, with the mean
/// of the reactions at both ends, and then relative to the support.
/// @param in_slip mean reaction in the relative motion
/// @param mean mean of the reactions at both ends
/// @param moved,by_support changes of H^T q and of the support
double work_on_path(double in_slip, double mean, double moved, double by_support) {
  const double with_support = moved * by_support <= 0                  ? 0.
                              : std::abs(moved) < std::abs(by_support) ? moved
                                                                       : by_support;
  return mean * with_support + in_slip * (moved - with_support);
}

/// Returns whether DoFs of a kind decide a direction. For a stored trajectory the deciding kind is not known,
/// and the function returns whether the direction acts on DoFs of this kind.
template <class Engine>
bool is_decided_by(const NonsmoothObservation<Engine>& now, Index j, DoFKind kind) {
  if (!now.step()) return now.inclusions().acts_on(j, kind);
  const std::vector<DoFKind>& kinds =
      now.step()->integrator.outcome().directions[static_cast<std::size_t>(j)].decided_by;
  return !kinds.empty() && kinds.front() == kind;
}

template <class Engine>
void require_symmetric(const char* name, const typename Engine::Matrix& A) {
  const double asymmetry = Engine::asymmetry(A);
  if (asymmetry <= symmetry_tolerance) return;
  throw InvalidInput("The energy balance needs symmetric matrices, but the matrix " + std::string(name) +
                     " is not symmetric: " + name + " - " + name + "^T is " + number_text(asymmetry) +
                     " times the column norms, so that the forces of this matrix have no energy. Request no "
                     "energy balance, or correct the matrix.");
}

}  // namespace

template <class Engine>
bool EnergyBalance<Engine>::applies_to(const ReducedSystem<Engine>& reduced) {
  const double M = Engine::asymmetry(reduced.free().M()), C = Engine::asymmetry(reduced.free().C()),
               K = Engine::asymmetry(reduced.free().K());
  return M <= symmetry_tolerance && C <= symmetry_tolerance && K <= symmetry_tolerance;
}

template <class Engine>
EnergyBalance<Engine>::EnergyBalance(const ReducedSystem<Engine>& reduced, const Energies& so_far)
    : reduced_(reduced),
      energies_(so_far),
      has_right_sides_(reduced.communicator().any(reduced.assembled().right_sides().moves())) {
  require_symmetric<Engine>("M", reduced.free().M());
  require_symmetric<Engine>("C", reduced.free().C());
  require_symmetric<Engine>("K", reduced.free().K());
}

template <class Engine>
void EnergyBalance<Engine>::operator()(const Observation<Engine>& now) {
  Point to;
  to.time = now.time();
  const Vector displacement = now.lift().displacement;
  to.q = reduced_.free().restrict(displacement);
  to.of_right_sides = potential_of_right_sides(displacement, to.q);
  to.load = reduced_.load(now.state());
  if (has_begun_) add_work_by_means(to);
  finish_point(now.state(), std::move(to));
}

template <class Engine>
void EnergyBalance<Engine>::operator()(const NonsmoothObservation<Engine>& now) {
  const NonsmoothState& state = now.state();
  const DirectionMatrix& H = now.inclusions().H();
  Point to;
  to.time = now.time();
  const Vector displacement = now.lift().displacement;
  to.q = reduced_.free().restrict(displacement);
  to.of_right_sides = potential_of_right_sides(displacement, to.q);
  to.load = reduced_.load(state, H.force(state.r));
  to.impulse = state.impulse;
  to.s = H.components(to.q);
  MultiVector half(to.q.size(), 2);
  stack_columns(half, reduced_.classification().algebraic().only(to.q),
                reduced_.classification().viscous().only(to.q));
  to.s_half = H.components(half);
  to.g = state.g;
  to.w = H.components(velocity_states(reduced_, state.y));
  to.r = state.r;
  to.contacts = state.contacts;
  if (has_begun_) {
    std::optional<StepPath> path;
    if (!changes_state_without_path(now)) path = path_from(last_.time, now, reduced_);
    const Vector impulse = add_work_of_impacts(now, to, path.has_value());
    if (path) {
      add_work_on_path(*path, now.inclusions(), to);
    } else {
      add_work_by_means(to);
      add_work_of_reactions(now, impulse, to);
    }
  }
  finish_point(state, std::move(to));
}

/// Adds the work of impacts. In a step with a path, only impacts at a located instant are added.
/// @return the impulses of the step without these impacts
template <class Engine>
Vector EnergyBalance<Engine>::add_work_of_impacts(const NonsmoothObservation<Engine>& now, const Point& to,
                                                  bool has_path) {
  Vector impulse = to.impulse - last_.impulse;
  for (const ContactEvent& event : now.events()) {
    if (event.begin < last_.time) continue;  // The event extends over several steps.
    if (has_path && event.begin < event.end) continue;
    const Index first = now.inclusions().first_direction(event.inclusion);
    for (Index k = 0; k < event.impulse.size(); ++k) {
      // Jumps of relative rates are equal to jumps of the rates of the structure.
      const Index j = first + k;
      const double half_jump = 0.5 * (event.w_after[k] - event.w_before[k]);
      double rate = 0.5 * (last_.w[j] + to.w[j]);
      if (event.begin == event.end)
        rate = event.end > last_.time ? to.w[j] - half_jump : last_.w[j] + half_jump;
      energies_.reactions += event.impulse[k] * rate;
      impulse[j] -= event.impulse[k];
    }
  }
  return impulse;
}

/// Adds the work of damping and loads over a step, computed from the points at its ends.
template <class Engine>
void EnergyBalance<Engine>::add_work_by_means(const Point& to) {
  if (to.time <= last_.time) return;
  const Vector change = to.q - last_.q;
  energies_.dissipated += quadratic_form(reduced_.free().C(), change) / (to.time - last_.time);
  energies_.work += reduced_.communicator().sum((0.5 * (last_.load + to.load)).dot(change));
}

/// Returns whether an inclusion on algebraic DoFs changes its contact state in a step whose dense output has
/// the reaction of the end throughout the step. Such a path differs from the quasi-static path.
template <class Engine>
bool EnergyBalance<Engine>::changes_state_without_path(const NonsmoothObservation<Engine>& now) const {
  if (!now.step() ||
      now.step()->integrator.dense_output_degree() != NonsmoothIntegrator<Engine>::no_polynomial)
    return false;
  const Inclusions<Engine>& inclusions = now.inclusions();
  for (Index j = 0; j < inclusions.n_directions(); ++j) {
    const std::size_t i = inclusions.inclusion_of(j);
    if (is_decided_by(now, j, DoFKind::algebraic) && last_.contacts[i] != now.state().contacts[i])
      return true;
  }
  return false;
}

/// Adds the work of reactions over a step without a path. The equations of algebraic DoFs contain the
/// reactions at both ends, the equations of other DoFs the impulses of the step. The sum of the work of
/// reactions and loads is computed from the means of both ends. For DoFs without inertia the quasi-static
/// path determines the work of the reactions, and the remainder is the work of the loads.
template <class Engine>
void EnergyBalance<Engine>::add_work_of_reactions(const NonsmoothObservation<Engine>& now,
                                                  const Vector& impulse, const Point& to) {
  const Vector mean_w = 0.5 * (last_.w + to.w);
  if (to.time <= last_.time) {  // Between two points at one time there is an impact.
    energies_.reactions += impulse.dot(mean_w);
    return;
  }
  const Inclusions<Engine>& inclusions = now.inclusions();
  std::vector<bool> strikes(inclusions.acting().size(), false);
  // Whether an impact at the beginning of the step changes the rates after the last point.
  bool strikes_at_begin = false;
  for (const ContactEvent& event : now.events()) {
    if (event.impulse.isZero(0) || event.begin < last_.time) continue;
    strikes[event.inclusion] = true;
    strikes_at_begin = strikes_at_begin || (event.begin == event.end && event.end == last_.time);
  }
  const Vector change = to.s - last_.s, of_supports = change - (to.g - last_.g);
  const MultiVector change_half = to.s_half - last_.s_half;
  for (Index j = 0; j < inclusions.n_directions(); ++j) {
    const std::size_t i = inclusions.inclusion_of(j);
    const double of_ends = 0.5 * (last_.r[j] + to.r[j]), of_step = impulse[j] / (to.time - last_.time);
    const bool is_gap = inclusions.level(j) == LawLevel::gap,
               is_algebraic = is_decided_by(now, j, DoFKind::algebraic),
               is_half = is_algebraic || is_decided_by(now, j, DoFKind::viscous);
    const double algebraic = is_algebraic ? change_half(j, 0) : 0.;
    const double by_means = of_ends * algebraic + of_step * (change[j] - algebraic),
                 mean = is_algebraic ? of_ends : of_step;
    double work = by_means;
    if (is_gap && !is_half && !strikes_at_begin) {
      work = impulse[j] * mean_w[j];
    } else if (is_half && !strikes[i]) {
      double in_slip = is_gap ? 0. : mean;
      if (!is_gap) in_slip = reaction_in_slip(last_.contacts[i], to.contacts[i], last_.r[j], to.r[j], mean);
      work = work_on_path(in_slip, mean, change[j], of_supports[j]);
    }
    energies_.reactions += work;
    if (is_half) energies_.work -= work - by_means;
  }
}

/// Adds the work in a jump of displacements without mass or damping, which a jump of a load causes. The
/// equilibrium K q = F + H r holds before and after the jump. Plays slip with their reaction after the jump,
/// and contacts open without a reaction.
template <class Engine>
void EnergyBalance<Engine>::add_work_of_jump(const Inclusions<Engine>& inclusions, const Point& from,
                                             const Point& to) {
  energies_.work += reduced_.communicator().sum((0.5 * (from.load + to.load)).dot(to.q - from.q));
  for (Index j = 0; j < inclusions.n_directions(); ++j) {
    const double mean = 0.5 * (from.r[j] + to.r[j]), moved = to.s[j] - from.s[j],
                 in_slip = inclusions.level(j) == LawLevel::gap ? 0. : reaction_in_jump(from.r[j], to.r[j]),
                 work = work_on_path(in_slip, mean, moved, moved - (to.g[j] - from.g[j]));
    energies_.reactions += work;
    energies_.work -= work - mean * moved;
  }
}

template <class Engine>
void EnergyBalance<Engine>::add_work_on_path(const StepPath& path, const Inclusions<Engine>& inclusions,
                                             const Point& to) {
  const auto end_of_path = [&](Index i) {
    Point end;
    end.q = path.q.col(i);
    end.load = path.load.col(i);
    end.s = path.s.col(i);
    end.g = path.s.col(i) + path.prescribed.col(i);
    end.r = path.r.col(i);
    return end;
  };
  add_work_of_jump(inclusions, last_, end_of_path(0));
  const MultiVector q_rate = StepPath::rate_of(path.q, path.length),
                    s_rate = StepPath::rate_of(path.s, path.length);
  Vector damping(RadauNodes::n_nodes), load(RadauNodes::n_nodes), reactions(RadauNodes::n_nodes);
  for (Index i = 0; i < RadauNodes::n_nodes; ++i) {
    damping[i] = quadratic_form(reduced_.free().C(), Vector(q_rate.col(i)));
    load[i] = reduced_.communicator().sum(path.load.col(i).dot(q_rate.col(i)));
    reactions[i] = path.r.col(i).dot(s_rate.col(i));
  }
  energies_.dissipated += path.integral_of(damping);
  energies_.work += path.integral_of(load);
  energies_.reactions += path.integral_of(reactions);
  add_work_of_jump(inclusions, end_of_path(RadauNodes::n_nodes - 1), to);
}

/// Returns the potential energy U of the displacements minus 1/2 q^T K q of the free DoFs. The difference is
/// zero unless constraints have right sides.
template <class Engine>
double EnergyBalance<Engine>::potential_of_right_sides(const Vector& displacement, const Vector& q) const {
  const AssembledSystem<Engine>& system = reduced_.assembled();
  if (!has_right_sides_) return 0.;
  Vector u = Vector::Zero(displacement.size());
  system.free().add_to(system.free().selected_rows(displacement), u);
  for (const Index i : system.multipliers().local())
    u[i] = 0;
  return 0.5 * (quadratic_form(system.K(), u) - quadratic_form(reduced_.free().K(), q));
}

template <class Engine>
void EnergyBalance<Engine>::finish_point(const State& state, Point to) {
  energies_.kinetic = 0.5 * quadratic_form(reduced_.free().M(), velocity_states(reduced_, state.y));
  energies_.potential = 0.5 * quadratic_form(reduced_.free().K(), to.q) + to.of_right_sides;
  if (has_begun_) energies_.work += to.of_right_sides - last_.of_right_sides;
  if (!has_begun_) initial_total_ = total();
  has_begun_ = true;
  last_ = std::move(to);
}

template class EnergyBalance<InstantiatedEngine>;

}  // namespace halfdof::internal
