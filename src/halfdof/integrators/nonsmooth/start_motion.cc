// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/integrators/nonsmooth/start_motion.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/state_parts.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace halfdof::internal {

namespace {

/// Accelerations that functions of time cause are computed from differences of rates over n_intervals
/// intervals, each of which has a quarter of the length of the interval before. The length of the first
/// interval is relative to the time scale 1 / characteristic_rate() of the model.
constexpr double longest_interval = 1e-2;
constexpr int n_intervals = 19;

/// Returns a number that is larger for lighter kinds of DoFs.
int lightness(DoFKind kind) {
  return kind == DoFKind::constrained ? -1 : static_cast<int>(kind);
}

}  // namespace

template <class Engine>
StartMotion<Engine>::StartMotion(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome)
    : inclusions_(inclusions), outcome_(outcome) {
  for (Index j = 0; j < inclusions.n_directions(); ++j) {
    is_any_tied_ = is_any_tied_ || is_tied(j);
    for (const DoFKind kind : {DoFKind::inertial, DoFKind::viscous, DoFKind::algebraic})
      is_any_mixed_ = is_any_mixed_ || (acts_on(j, kind) && lightness(kind) > lightness(kind_of(j)));
  }
}

template <class Engine>
DoFKind StartMotion<Engine>::kind_of(Index direction) const {
  const std::vector<DoFKind>& kinds = outcome_.directions[static_cast<std::size_t>(direction)].decided_by;
  return kinds.empty() ? DoFKind::constrained : kinds.front();
}

template <class Engine>
bool StartMotion<Engine>::acts_on(Index j, DoFKind kind) const {
  return outcome_.directions[static_cast<std::size_t>(j)].acts_on[static_cast<std::size_t>(kind)];
}

/// Returns whether a direction that inertial or viscous DoFs decide also acts on algebraic DoFs. A constraint
/// ties these algebraic DoFs to the deciding DoFs.
template <class Engine>
bool StartMotion<Engine>::is_tied(Index j) const {
  const DoFKind kind = kind_of(j);
  return (kind == DoFKind::inertial || kind == DoFKind::viscous) && acts_on(j, DoFKind::algebraic);
}

template <class Engine>
Vector StartMotion<Engine>::rates(const State& state, const Vector& r) const {
  Vector w = all_rates(state, r);
  for (Index j = 0; j < w.size(); ++j)
    if (acts_on(j, DoFKind::algebraic) && !is_tied(j)) w[j] = 0;
  return w;
}

/// Returns the rates of all directions, without the rates of algebraic DoFs in directions that these DoFs
/// decide.
template <class Engine>
Vector StartMotion<Engine>::all_rates(const State& state, const Vector& r) const {
  if (!is_any_tied_) return inclusions_.rates_without_load_rate(state, r);
  return inclusions_.rates(state, r, Vector::Zero(r.size()));
}

template <class Engine>
double StartMotion<Engine>::rest_tolerance(const State& state, const Vector& r, const Vector& w,
                                           double tolerance) const {
  return std::max(tolerance * scale_of_rates(state, w), rounding_of_rates(state, r));
}

/// Returns the rounding error of the rates of tied directions. This error is relative to the rates of all
/// algebraic DoFs, including multipliers, because the elimination computes all these rates together.
template <class Engine>
double StartMotion<Engine>::rounding_of_rates(const State& state, const Vector& r) const {
  if (!is_any_tied_) return 0;
  const ReducedSystem<Engine>& reduced = inclusions_.reduced();
  const MultiVector all = reduced.rates_of_highest_derivatives(state, inclusions_.H().force(r),
                                                               Vector::Zero(reduced.free().dofs().n_local()));
  const MultiVector algebraic = reduced.classification().algebraic().selected_rows(all);
  const double here = algebraic.size() > 0 ? algebraic.cwiseAbs().maxCoeff() : 0.;
  return 1e-13 * reduced.communicator().max(here);
}

/// Returns the largest term of the relative rates, |H_f|^T |v|, |H_D|^T |q_D'| and |h'|. If all bodies move
/// with their supports, relative rates are rounding errors of these terms.
template <class Engine>
double StartMotion<Engine>::scale_of_rates(const State& state, const Vector& w) const {
  const ReducedSystem<Engine>& reduced = inclusions_.reduced();
  const MultiVector speed = velocity_states(reduced, state.y).cwiseAbs();
  Vector size = inclusions_.H().free().cwiseAbs().transpose() * speed.col(0);
  const TimeFunction& motion = reduced.assembled().prescribed().rate;
  if (inclusions_.acts_on(DoFKind::constrained) && motion)
    size += inclusions_.H().constrained().cwiseAbs().transpose() * motion(state.time).cwiseAbs();
  if (reduced.free().constraints())
    size +=
        inclusions_.H().on_dofs().cwiseAbs().transpose() * reduced.free().offset(state.time, 1).cwiseAbs();
  reduced.communicator().sum(size.data(), static_cast<int>(size.size()));
  double largest = 0;
  for (Index j = 0; j < size.size(); ++j) {
    const double of_support = support(j).derivative(state.time);
    largest = std::max({largest, size[j] + std::abs(of_support), std::abs(w[j])});
  }
  return largest;
}

/// Returns the accelerations of the directions under constant reactions. They are the time derivatives of the
/// rates, which are affine in the state; the terms that loads, supports and prescribed motions cause depend
/// only on time.
template <class Engine>
Vector StartMotion<Engine>::accelerations(const State& state, const Vector& r) const {
  const Vector none = Vector::Zero(r.size());
  const State moving{state.time, inclusions_.derivative(state, r)};
  const State resting{state.time, Vector::Zero(state.y.size())};
  return all_rates(moving, none) - all_rates(resting, none) + accelerations_in_time(state, r);
}

template <class Engine>
const ScalarFunction& StartMotion<Engine>::support(Index j) const {
  const std::size_t i = inclusions_.inclusion_of(j);
  return inclusions_.acting()[i].law->support(j - inclusions_.first_direction(i));
}

/// Returns the rates without the rates of supports whose derivatives are known exactly.
template <class Engine>
Vector StartMotion<Engine>::rates_to_differentiate(const State& state, const Vector& r) const {
  Vector w = all_rates(state, r);
  for (Index j = 0; j < w.size(); ++j)
    if (support(j).is_differentiated_exactly()) w[j] += support(j).derivative(state.time);
  return w;
}

/// Returns the accelerations that functions of time cause. The accelerations of supports are exact if their
/// derivatives are known. The others are Richardson extrapolations of differences over shorter and shorter
/// intervals. For each direction the result is the extrapolation that differs least from the one before, so
/// that fast motions are resolved, and slow motions are not lost in rounding.
template <class Engine>
Vector StartMotion<Engine>::accelerations_in_time(const State& state, const Vector& r) const {
  Vector best = Vector::Zero(r.size());
  if (!inclusions_.has_moving_supports() && !inclusions_.acts_on(DoFKind::viscous) && !is_any_tied_)
    return best;
  const Vector here = rates_to_differentiate(state, r);
  Vector change = Vector::Constant(best.size(), std::numeric_limits<double>::infinity());
  Vector last, last_extrapolated;
  double interval = longest_interval / characteristic_rate(inclusions_.reduced().free());
  for (int k = 0; k < n_intervals; ++k, interval /= 4) {
    const State then{state.time + interval, state.y};
    if (then.time == state.time) break;
    const Vector difference = (rates_to_differentiate(then, r) - here) / (then.time - state.time);
    const Vector extrapolated = k > 0 ? Vector((4 * difference - last) / 3) : difference;
    for (Index j = 0; k > 1 && j < best.size(); ++j) {
      const double now = std::abs(extrapolated[j] - last_extrapolated[j]);
      if (!(now < change[j])) continue;
      change[j] = now;
      best[j] = extrapolated[j];
    }
    last = difference;
    last_extrapolated = extrapolated;
  }
  for (Index j = 0; j < best.size(); ++j)
    if (support(j).is_differentiated_exactly()) best[j] -= support(j).second_derivative(state.time);
  return best;
}

template class StartMotion<InstantiatedEngine>;

}  // namespace halfdof::internal
