// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/nonsmooth/explicit_step.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/integrators/verification/verification.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/linearized_state_force.h>

#include <algorithm>
#include <utility>

namespace halfdof {

using namespace internal;

template <class Engine>
ExplicitInclusions<Engine>::Implementation::Implementation(ExplicitInclusions& owner, const char* name,
                                                           double time_step,
                                                           const std::vector<ChainedStage>& stages,
                                                           std::vector<ReducedLaw> others)
    : owner_(&owner),
      time_step_(time_step),
      stages_(stages),
      input_(owner.inclusions(), owner.outcome().options) {
  const Inclusions<Engine>& inclusions = owner.inclusions();
  const InclusionOutcome& outcome = owner.outcome();
  check_time_step(name, time_step);
  others.insert(others.end(), {ReducedLaw::lipschitz_contact, ReducedLaw::lipschitz_friction,
                               ReducedLaw::filippov_inclusion, ReducedLaw::sweeping_process,
                               ReducedLaw::recovered_reaction, ReducedLaw::prescribed_gap});
  for (const DirectionOutcome& direction : outcome.directions) {
    const bool has_rate = direction.reduced_law() == ReducedLaw::lipschitz_contact ||
                          !direction.acts_on[static_cast<std::size_t>(DoFKind::algebraic)];
    if (direction.reduced_laws.size() == 1 && has_rate &&
        std::find(others.begin(), others.end(), direction.reduced_law()) != others.end())
      continue;
    throw NotAvailable("The " + std::string(name) +
                       " method needs reactions that are functions of the state, but the "
                       "elimination turns the " +
                       direction.law + " of \"" + direction.name + "\" into a " +
                       name_of(direction.reduced_law()) +
                       ". Use Moreau-Jean, or implicit Euler if no contact rebounds.");
  }
  require_delassus(outcome.W.I, inclusions.n_directions(), "Explicit methods", "W");
  immediate_ = collect_group(
      {ReducedLaw::lipschitz_contact, ReducedLaw::lipschitz_friction, ReducedLaw::filippov_inclusion});
  create_solver(response_matrix(), immediate_);
  sweeping_ = collect_group({ReducedLaw::sweeping_process});
  create_solver(outcome.W.C, sweeping_);
  impacts_ = outcome.directions_in(ReducedLaw::measure_inclusion);
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i) {
    const auto first = static_cast<std::size_t>(inclusions.first_direction(i));
    if (outcome.directions[first].decided_by.empty()) immobile_.push_back(i);
  }
  const LawGroup on_masses = collect_group({ReducedLaw::filippov_inclusion});
  check_single_valued(on_masses.laws, time_step * outcome.instantaneous_responses.I(on_masses.directions,
                                                                                    on_masses.directions));
  for (const Index j : on_masses.directions)
    friction_on_masses_moves_viscous_ =
        friction_on_masses_moves_viscous_ ||
        outcome.directions[static_cast<std::size_t>(j)].acts_on[static_cast<std::size_t>(DoFKind::viscous)];
}

template <class Engine>
auto ExplicitInclusions<Engine>::Implementation::collect_group(
    const std::vector<ReducedLaw>& reduced_laws) const -> LawGroup {
  const std::vector<DirectionOutcome>& directions = outcome().directions;
  LawGroup group;
  for (Index j = 0; j < inclusions().n_directions(); ++j) {
    const DirectionOutcome& direction = directions[static_cast<std::size_t>(j)];
    if (std::find(reduced_laws.begin(), reduced_laws.end(), direction.reduced_law()) == reduced_laws.end())
      continue;
    group.directions.push_back(j);
    group.kinds.push_back(direction.decided_by.front());
    const std::size_t i = inclusions().inclusion_of(j);
    if (!group.inclusions.empty() && group.inclusions.back() == i) continue;
    const Inclusion& inclusion = inclusions().acting()[i];
    for (Index k = 0; k < inclusion.law->dimension(); ++k)
      if (directions[static_cast<std::size_t>(inclusions().first_direction(i) + k)].reduced_law() !=
          direction.reduced_law())
        throw NotAvailable(
            "The directions of \"" + inclusion.name +
            "\" have different reduced laws, which explicit methods do not support. Use implicit "
            "Euler or Moreau-Jean.");
    group.inclusions.push_back(i);
    group.laws.push_back({inclusion.law, inclusion.name});
  }
  return group;
}

/// Creates the solver of a group of laws. @param W Delassus matrix of all directions
template <class Engine>
void ExplicitInclusions<Engine>::Implementation::create_solver(const MultiVector& W, LawGroup& group) {
  if (!group.laws.empty())
    group.solver = std::make_unique<InstantaneousLawProblem>(group.laws, group.kinds,
                                                             W(group.directions, group.directions));
}

/// Returns the matrix by which reactions change law_quantities().
template <class Engine>
MultiVector ExplicitInclusions<Engine>::Implementation::response_matrix() const {
  MultiVector W = outcome().W.C;
  for (const Index j : outcome().directions_in(ReducedLaw::lipschitz_contact))
    W.row(j) = outcome().W.K.row(j);
  for (const Index j : outcome().directions_in(ReducedLaw::filippov_inclusion))
    W.row(j) += time_step_ * outcome().instantaneous_responses.I.row(j);
  return W;
}

/// Returns the point at the beginning of a step. A state that this method has computed already has its
/// selected reactions, and its derivative y' is known or is computed again with the same digits.
template <class Engine>
auto ExplicitInclusions<Engine>::Implementation::point_at_begin(const NonsmoothState& from) const -> Point {
  Point point{from, {}};
  if (from.method != owner_->name()) {
    select_at(point);
    return point;
  }
  const bool is_last =
      last_ && last_->state.time == from.time && last_->state.y == from.y && last_->state.r == from.r;
  if (owner_->reduced().communicator().any(!is_last))
    point.y_rate = inclusions().free_motion(from, from.r).y_rate + input_.apply(from.r);
  else
    point.y_rate = last_->y_rate;
  return point;
}

/// Projects the states onto the obstacles of contacts on viscous DoFs at the end of a part of a step, by
/// impulses.
template <class Engine>
void ExplicitInclusions<Engine>::Implementation::project_onto_obstacles(double length, Part& part) const {
  if (!sweeping_.solver || length == 0) return;
  const std::vector<Index>& directions = sweeping_.directions;
  NonsmoothState& to = part.to.state;
  Vector made = Vector::Zero(to.r.size());
  made(directions) = length * part.r(directions);
  Vector b = inclusions().gaps(to, part.r), impulse = made;
  b(directions) -= outcome().W.C(directions, directions) * made(directions);
  solve_group(sweeping_, to.time, b, impulse, to.contacts);
  to.y += input_.apply(impulse - made);
  part.r(directions) = impulse(directions) / length;
  to.r(directions) = part.r(directions);
}

template <class Engine>
auto ExplicitInclusions<Engine>::Implementation::smooth_part(const Point& from, double length,
                                                             double end) const -> Part {
  const Inclusions<Engine>& inclusions = owner_->inclusions();
  const NonsmoothState& begin = from.state;
  Part part{from, Vector::Zero(begin.r.size())};
  NonsmoothState& to = part.to.state;
  SelectedReactions here{begin.r, begin.g, begin.w, from.y_rate, begin.contacts};
  for (const ChainedStage& stage : stages_) {
    if (stage.c > 0)
      here = select_reactions({begin.time + stage.c * length, begin.y + stage.c * length * here.y_rate},
                              begin.r, begin.contacts);
    to.y += stage.b * length * here.y_rate;
    part.r += stage.b * here.r;
    for (const Index j : impacts_)
      to.dissipate(inclusions.inclusion_of(j), -stage.b * length * here.r[j] * here.rates[j]);
  }
  to.time = end;
  project_onto_obstacles(length, part);
  select_at(part.to);
  to.impulse += length * part.r;
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i) {
    const Index first = inclusions.first_direction(i);
    const Law& law = *inclusions.acting()[i].law;
    if (law.level(0) == LawLevel::gap) continue;
    const Vector w = (to.g - begin.g).segment(first, law.dimension());
    to.dissipate(i, law.dissipated_power(w, part.r.segment(first, law.dimension())));
  }
  return part;
}

/// Appends an event for each change of a contact state in the step, except for contacts with mass.
template <class Engine>
void ExplicitInclusions<Engine>::Implementation::append_events(const NonsmoothState& from,
                                                               const NonsmoothState& to,
                                                               std::vector<ContactEvent>& events) const {
  const Inclusions<Engine>& inclusions = owner_->inclusions();
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i) {
    const Index first = inclusions.first_direction(i), d = inclusions.acting()[i].law->dimension();
    const ReducedLaw reduced_law = outcome().directions[static_cast<std::size_t>(first)].reduced_law();
    if (reduced_law == ReducedLaw::measure_inclusion || from.contacts[i] == to.contacts[i]) continue;
    events.push_back({from.time, to.time, i, from.w.segment(first, d), to.w.segment(first, d),
                      LocalVector::Zero(d), from.contacts[i], to.contacts[i]});
  }
}

template <class Engine>
ExplicitInclusions<Engine>::ExplicitInclusions(const Inclusions<Engine>& inclusions,
                                               const InclusionOutcome& outcome, const char* name,
                                               double time_step, const std::vector<ChainedStage>& stages,
                                               std::vector<ReducedLaw> others)
    : NonsmoothIntegrator<Engine>(inclusions, outcome),
      implementation_(std::make_unique<Implementation>(*this, name, time_step, stages, std::move(others))) {}

template <class Engine>
ExplicitInclusions<Engine>::~ExplicitInclusions() = default;

template <class Engine>
ExplicitInclusions<Engine>& ExplicitInclusions<Engine>::operator=(ExplicitInclusions&& other) noexcept {
  NonsmoothIntegrator<Engine>::operator=(std::move(other));
  implementation_ = std::move(other.implementation_);
  implementation_->owner_ = this;
  return *this;
}

template <class Engine>
double ExplicitInclusions<Engine>::time_step() const {
  return implementation_->time_step_;
}

template <class Engine>
std::vector<Check> ExplicitInclusions<Engine>::kept_exactly() const {
  return {Check::gap, Check::reaction, Check::kinematics, Check::complementarity};
}

template <class Engine>
void ExplicitInclusions<Engine>::select_at(Point& point) const {
  implementation_->select_at(point);
}

template <class Engine>
auto ExplicitInclusions<Engine>::smooth_part(const Point& from, double length, double end) const -> Part {
  return implementation_->smooth_part(from, length, end);
}

template <class Engine>
auto ExplicitInclusions<Engine>::step_in_parts(const Point& from, double length, double end,
                                               std::vector<ContactEvent>& /*events*/) -> Point {
  return smooth_part(from, length, end).to;
}

template <class Engine>
NonsmoothState ExplicitInclusions<Engine>::advance(const NonsmoothState& from, double limit,
                                                   std::vector<ContactEvent>& events) {
  const TimeGrid grid = from.grid.at(from.time, time_step());
  const TimeGrid::Step step = grid.next(this->name(), time_step(), from.time, limit);
  std::optional<Point>& last = implementation_->last_;
  last = step_in_parts(implementation_->point_at_begin(from), step.length, step.end, events);
  last->state.grid = grid.after(step);
  implementation_->append_events(from, last->state, events);
  return last->state;
}

template <class Engine>
bool ExplicitInclusions<Engine>::may_keep_tangents(const NonsmoothState& begin,
                                                   const NonsmoothState& end) const {
  const std::vector<Index>& directions = implementation_->sweeping_.directions;
  Vector change = Vector::Zero(end.r.size());
  change(directions) = (end.r - begin.r)(directions);
  if (change.norm() <= this->reduced().linearized_state_force()->options.newton.tolerance * end.r.norm())
    return true;
  const Vector before = end.r - change;
  const Vector w_before = implementation_->rates(this->inclusions().free_motion(end, before), before);
  const Vector change_of_w = combination(this->outcome().W.C, change), predicted = change_of_w(directions);
  return ((end.w - w_before)(directions)-predicted).norm() <= 0.5 * predicted.norm();
}

template <class Engine>
std::string ExplicitInclusions<Engine>::advice() const {
  return "The time step of this explicit method is " + number_text(time_step()) +
         " s and must be shorter than largest_stable_step(reduced). Give a shorter time step, or use an "
         "implicit method such as Moreau-Jean.";
}

template class ExplicitInclusions<InstantiatedEngine>;

}  // namespace halfdof
