#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/explicit_inclusions.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/integrators/settled_reaction.h>
#include <halfdof/integrators/step_iteration.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/state_dependence.h>

#include <algorithm>
#include <utility>

namespace halfdof {

namespace {

/// Friction slides on where a step changes less than this part of its rate. It is no whole number's inverse:
/// what is evenly braked to rest within whole steps is then never on the verge.
constexpr double lasting = 0.3;

}  // namespace

template <class Engine>
ExplicitInclusions<Engine>::ExplicitInclusions(const Inclusions<Engine>& inclusions,
                                               const InclusionOutcome& outcome, const char* name,
                                               double time_step, std::vector<ChainedStage> stages,
                                               std::vector<Cell> others)
    : NonsmoothIntegrator<Engine>(inclusions, outcome),
      time_step_(time_step),
      stages_(std::move(stages)),
      input_(inclusions, outcome.options) {
  check_time_step(name, time_step);
  others.insert(others.end(), {Cell::lipschitz_contact, Cell::lipschitz_friction, Cell::filippov_inclusion,
                               Cell::sweeping_process, Cell::recovered_reaction, Cell::prescribed_gap});
  for (const DirectionOutcome& direction : outcome.directions) {
    const bool has_rate = direction.cell() == Cell::lipschitz_contact ||
                          !direction.meets[static_cast<std::size_t>(DoFKind::algebraic)];
    if (direction.cells.size() == 1 && has_rate &&
        std::find(others.begin(), others.end(), direction.cell()) != others.end())
      continue;
    throw NotAvailable("The " + std::string(name) +
                       " method needs reactions that are functions of the state, and the " + direction.law +
                       " of \"" + direction.name + "\" has become a " + name_of(direction.cell()) +
                       ". Take implicit Euler or Moreau-Jean, which follow all kinds.");
  }
  require_delassus(outcome.W.I, inclusions.n_directions(), "Explicit methods", "W");
  at_once_ = group_of({Cell::lipschitz_contact, Cell::lipschitz_friction, Cell::filippov_inclusion});
  solve_with(responses_of_a_stage(), at_once_);
  sweeping_ = group_of({Cell::sweeping_process});
  solve_with(outcome.W.C, sweeping_);
  impacts_ = directions_of(Cell::measure_inclusion);
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i) {
    const auto first = static_cast<std::size_t>(inclusions.first_direction(i));
    if (outcome.directions[first].decided_by.empty()) held_.push_back(i);
  }
  const Group on_masses = group_of({Cell::filippov_inclusion});
  check_single_valued(on_masses.laws,
                      time_step * outcome.at_once.I(on_masses.directions, on_masses.directions));
  for (const Index j : on_masses.directions)
    friction_on_masses_meets_viscous_ =
        friction_on_masses_meets_viscous_ ||
        outcome.directions[static_cast<std::size_t>(j)].meets[static_cast<std::size_t>(DoFKind::viscous)];
}

template <class Engine>
std::vector<Index> ExplicitInclusions<Engine>::directions_of(Cell cell) const {
  return this->outcome().directions_in(cell);
}

template <class Engine>
auto ExplicitInclusions<Engine>::group_of(const std::vector<Cell>& cells) const -> Group {
  const std::vector<DirectionOutcome>& directions = this->outcome().directions;
  Group group;
  for (Index j = 0; j < this->inclusions().n_directions(); ++j) {
    const DirectionOutcome& direction = directions[static_cast<std::size_t>(j)];
    if (std::find(cells.begin(), cells.end(), direction.cell()) == cells.end()) continue;
    group.directions.push_back(j);
    group.kinds.push_back(direction.decided_by.front());
    const std::size_t i = this->inclusions().inclusion_of(j);
    if (!group.inclusions.empty() && group.inclusions.back() == i) continue;
    const Inclusion& inclusion = this->inclusions().acting()[i];
    for (Index k = 0; k < inclusion.law->dimension(); ++k)
      if (directions[static_cast<std::size_t>(this->inclusions().first_direction(i) + k)].cell() !=
          direction.cell())
        throw NotAvailable(
            "The directions of \"" + inclusion.name +
            "\" have become different things, which an explicit method cannot meet together. Take "
            "implicit Euler or Moreau-Jean.");
    group.inclusions.push_back(i);
    group.laws.push_back({inclusion.law, inclusion.name});
  }
  return group;
}

/// @param W of all directions
template <class Engine>
void ExplicitInclusions<Engine>::solve_with(const MultiVector& W, Group& group) {
  if (!group.laws.empty())
    group.solver =
        std::make_unique<MixedLevels>(group.laws, group.kinds, W(group.directions, group.directions));
}

/// What reactions add to what_is_met().
template <class Engine>
MultiVector ExplicitInclusions<Engine>::responses_of_a_stage() const {
  MultiVector W = this->outcome().W.C;
  for (const Index j : directions_of(Cell::lipschitz_contact))
    W.row(j) = this->outcome().W.K.row(j);
  for (const Index j : directions_of(Cell::filippov_inclusion))
    W.row(j) += time_step_ * this->outcome().at_once.I.row(j);
  return W;
}

template <class Engine>
Vector ExplicitInclusions<Engine>::gaps(const FreeMotion& free, const Vector& r) const {
  if (!this->inclusions().meets(DoFKind::algebraic)) return free.gaps;
  return free.gaps + combination(this->outcome().W.K, r);
}

template <class Engine>
Vector ExplicitInclusions<Engine>::rates(const FreeMotion& free, const Vector& r) const {
  if (!this->inclusions().meets(DoFKind::viscous)) return free.rates;
  return free.rates + combination(this->outcome().W.C, r);
}

template <class Engine>
LawsAtTime ExplicitInclusions<Engine>::laws_of(const Group& group, double time,
                                               const std::vector<ContactState>& contacts) const {
  std::vector<ContactState> before;
  for (const std::size_t i : group.inclusions)
    before.push_back(contacts[i]);
  return group.solver->problem().laws_at(time, before);
}

/// Writes the reactions of one group. @param b what is met without them, of all directions
template <class Engine>
void ExplicitInclusions<Engine>::meet(const Group& group, double time, const Vector& b, Vector& reactions,
                                      std::vector<ContactState>& contacts) const {
  LawsAtTime laws = laws_of(group, time, contacts);
  Vector r = reactions(group.directions), x(r.size());
  const Vector b_here = b(group.directions);
  group.solver->solve(laws, b_here, r, x);
  const std::vector<ContactState> states = group.solver->states(laws, b_here, r, x);
  reactions(group.directions) = r;
  for (std::size_t k = 0; k < states.size(); ++k)
    contacts[group.inclusions[k]] = states[k];
}

/// What the laws of at_once_ look at under reactions r: gaps, rates, and of friction on masses rates a step
/// ahead.
template <class Engine>
Vector ExplicitInclusions<Engine>::what_is_met(const State& state, const FreeMotion& free,
                                               const Vector& r) const {
  const std::vector<DoFKind>& kinds = at_once_.kinds;
  const bool looks_ahead = std::find(kinds.begin(), kinds.end(), DoFKind::inertial) != kinds.end();
  const Vector g = gaps(free, r), w = rates(free, r), ahead = looks_ahead ? rates_ahead(state, free, r) : w;
  Vector b(static_cast<Index>(kinds.size()));
  for (std::size_t k = 0; k < kinds.size(); ++k)
    b[static_cast<Index>(k)] = (kinds[k] == DoFKind::algebraic ? g
                                : kinds[k] == DoFKind::viscous ? w
                                                               : ahead)[at_once_.directions[k]];
  return b;
}

template <class Engine>
Vector ExplicitInclusions<Engine>::rates_ahead(const State& state, const FreeMotion& free,
                                               const Vector& r) const {
  const Inclusions<Engine>& inclusions = this->inclusions();
  const double later = state.time + time_step_;
  if (friction_on_masses_meets_viscous_) {
    const State then{later, state.y + time_step_ * (free.y_rate + input_.apply(r))};
    return rates(inclusions.free_motion(then, r), r);
  }
  Vector w = rates(free, r) + time_step_ * (free.accelerations + combination(this->outcome().W.I, r));
  if (inclusions.has_moving_supports())
    w += inclusions.prescribed_rate(later) - inclusions.prescribed_rate(state.time);
  return w;
}

/// All that are functions of the state. Friction on masses is met a step ahead; what slides on then has the
/// reaction of its rate, with which the others are met again.
template <class Engine>
void ExplicitInclusions<Engine>::meet_at_once(const State& state, const FreeMotion& free,
                                              Selected& selected) const {
  if (!at_once_.solver) return;
  const std::vector<Index>& directions = at_once_.directions;
  Vector& all = selected.r;
  Vector r = all(directions), x(r.size());
  all(directions).setZero();
  Vector b = what_is_met(state, free, all);
  LawsAtTime laws = laws_of(at_once_, state.time, selected.contacts);
  at_once_.solver->solve(laws, b, r, x);
  all(directions) = r;
  slide_on(rates(free, all)(directions), laws, b, r, x);
  all(directions) = r;
  const std::vector<ContactState> states = at_once_.solver->states(laws, b, r, x);
  for (std::size_t k = 0; k < states.size(); ++k)
    selected.contacts[at_once_.inclusions[k]] = states[k];
}

/// Replaces what friction on masses that slides on has a step ahead by what it has here.
/// @param b,r,x what is met without and with the reactions of at_once_, and these; on return b has what
/// slides on
template <class Engine>
void ExplicitInclusions<Engine>::slide_on(const Vector& w_here, LawsAtTime& laws, Vector& b, Vector& r,
                                          Vector& x) const {
  const OneStepProblem& problem = at_once_.solver->problem();
  const std::vector<ContactState> states = at_once_.solver->states(laws, b, r, x);
  Vector sliding = Vector::Zero(r.size());
  bool has_changed = false;
  for (Index k = 0; k < problem.n_inclusions(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const Index first = problem.first_column(k), d = problem.dimension(k);
    const Vector here = w_here.segment(first, d);
    const bool slides_on = at_once_.kinds[static_cast<std::size_t>(first)] == DoFKind::inertial &&
                           states[at] != ContactState::stick &&
                           (x.segment(first, d) - here).norm() < lasting * here.norm();
    if (!slides_on) continue;
    laws.takes_part[at] = false;
    sliding.segment(first, d) =
        settled_reaction(problem.law(k), laws.parameters[at], here, r.segment(first, d));
    has_changed = has_changed || (sliding - r).segment(first, d).norm() > 0;
  }
  if (has_changed) {
    b += at_once_.solver->moved(sliding);
    at_once_.solver->solve(laws, b, r, x);
    r += sliding;
  }
  laws.takes_part.assign(laws.takes_part.size(), true);
}

/// Friction that moves nothing, and contacts that nothing moves.
template <class Engine>
void ExplicitInclusions<Engine>::recover(double time, const FreeMotion& free, Selected& selected) const {
  if (held_.empty()) return;
  const Vector g = gaps(free, selected.r), w = rates(free, selected.r);
  for (const std::size_t i : held_) {
    const Inclusion& inclusion = this->inclusions().acting()[i];
    const Law& law = *inclusion.law;
    const Index first = this->inclusions().first_direction(i), d = law.dimension();
    auto r = selected.r.segment(first, d);
    if (law.level(0) == LawLevel::gap) {
      const double rounding = closing_tolerance * prescribed_size(this->inclusions(), time)[first];
      check_held_gap(inclusion.name, g[first], rounding, time);
      r.setZero();
      selected.contacts[i] = ContactState::open;
      continue;
    }
    LawParameters parameters = law.parameters(time, selected.contacts[i]);
    r = settled_reaction(law, parameters, w.segment(first, d), r);
    selected.contacts[i] = law.state(parameters, w.segment(first, d), r, 0.);
  }
}

/// What a state force does depends on the reactions, too: both are found in turns.
template <class Engine>
auto ExplicitInclusions<Engine>::select(const State& state, const Vector& r_before,
                                        const std::vector<ContactState>& contacts) const -> Selected {
  const ReducedSystem<Engine>& reduced = this->reduced();
  Selected selected = select_with(this->inclusions().free_motion(state, r_before), state, r_before, contacts);
  if (!reduced.depends_on_state() || r_before.size() == 0) return selected;
  const auto what = [&] { return "The stage of the " + this->name() + " method at " + seconds(state.time); };
  StepIteration iteration(reduced.state_dependence()->options.newton, reduced.communicator(), what,
                          {selected.r});
  const State rounded{state.time, with_other_rounding(state.y)};
  while (true) {
    const Vector r = selected.r;
    const auto select_again = [&](const State& at) {
      return select_with(this->inclusions().free_motion(at, r), at, r_before, contacts);
    };
    selected = select_again(state);
    const StepIteration::Verdict verdict = iteration.judge({selected.r});
    if (verdict == StepIteration::Verdict::converged) return selected;
    if (verdict == StepIteration::Verdict::measure_rounding)
      iteration.judge_rounding({select_again(rounded).r});
  }
}

template <class Engine>
auto ExplicitInclusions<Engine>::select_with(const FreeMotion& free, const State& state,
                                             const Vector& r_before,
                                             const std::vector<ContactState>& contacts) const -> Selected {
  Selected selected{r_before, free.gaps, free.rates, free.y_rate, contacts};
  if (r_before.size() == 0) return selected;
  if (!impacts_.empty())
    contact_reactions(gaps(free, selected.r), rates(free, selected.r), contacts, selected.r);
  meet_at_once(state, free, selected);
  recover(state.time, free, selected);
  selected.gaps = gaps(free, selected.r);
  selected.rates = rates(free, selected.r);
  selected.y_rate += input_.apply(selected.r);
  return selected;
}

template <class Engine>
void ExplicitInclusions<Engine>::select_at(Point& point) const {
  Selected selected = select(point.state, point.state.r, point.state.contacts);
  point.state.r = std::move(selected.r);
  point.state.g = std::move(selected.gaps);
  point.state.w = std::move(selected.rates);
  point.state.contacts = std::move(selected.contacts);
  point.y_rate = std::move(selected.y_rate);
}

/// A state of this method goes on with its selection, y' being known or found again to the last digit.
template <class Engine>
auto ExplicitInclusions<Engine>::begin_at(const NonsmoothState& from) const -> Point {
  Point point{from, {}};
  if (from.method != this->name()) {
    select_at(point);
    return point;
  }
  const bool is_last =
      last_ && last_->state.time == from.time && last_->state.y == from.y && last_->state.r == from.r;
  if (this->reduced().communicator().any(!is_last))
    point.y_rate = this->inclusions().free_motion(from, from.r).y_rate + input_.apply(from.r);
  else
    point.y_rate = last_->y_rate;
  return point;
}

/// Brings contacts on viscous DoFs to their obstacles at the end of a part of a step, by impulses.
template <class Engine>
void ExplicitInclusions<Engine>::catch_up(double length, Part& part) const {
  if (!sweeping_.solver || length == 0) return;
  const std::vector<Index>& directions = sweeping_.directions;
  NonsmoothState& to = part.to.state;
  Vector made = Vector::Zero(to.r.size());
  made(directions) = length * part.r(directions);
  Vector b = this->inclusions().gaps(to, part.r), impulse = made;
  b(directions) -= this->outcome().W.C(directions, directions) * made(directions);
  meet(sweeping_, to.time, b, impulse, to.contacts);
  to.y += input_.apply(impulse - made);
  part.r(directions) = impulse(directions) / length;
  to.r(directions) = part.r(directions);
}

template <class Engine>
auto ExplicitInclusions<Engine>::part(const Point& from, double length, double end) const -> Part {
  const Inclusions<Engine>& inclusions = this->inclusions();
  const NonsmoothState& begin = from.state;
  Part part{from, Vector::Zero(begin.r.size())};
  NonsmoothState& to = part.to.state;
  Selected here{begin.r, begin.g, begin.w, from.y_rate, begin.contacts};
  for (const ChainedStage& stage : stages_) {
    if (stage.c > 0)
      here = select({begin.time + stage.c * length, begin.y + stage.c * length * here.y_rate}, begin.r,
                    begin.contacts);
    to.y += stage.b * length * here.y_rate;
    part.r += stage.b * here.r;
    for (const Index j : impacts_)
      to.dissipate(inclusions.inclusion_of(j), -stage.b * length * here.r[j] * here.rates[j]);
  }
  to.time = end;
  catch_up(length, part);
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

template <class Engine>
NonsmoothState ExplicitInclusions<Engine>::advance(const NonsmoothState& from, double limit,
                                                   std::vector<ContactEvent>& events) {
  const TimeGrid grid = from.grid.at(from.time, time_step_);
  const TimeGrid::Step step = grid.next(this->name(), time_step_, from.time, limit);
  last_ = parts(begin_at(from), step, events);
  last_->state.grid = grid.after(step);
  report(from, last_->state, events);
  return last_->state;
}

template <class Engine>
bool ExplicitInclusions<Engine>::tangents_serve(const NonsmoothState& begin,
                                                const NonsmoothState& end) const {
  const std::vector<Index>& directions = sweeping_.directions;
  Vector change = Vector::Zero(end.r.size());
  change(directions) = (end.r - begin.r)(directions);
  if (change.norm() <= this->reduced().state_dependence()->options.newton.tolerance * end.r.norm())
    return true;
  const Vector before = end.r - change;
  const Vector w_before = rates(this->inclusions().free_motion(end, before), before);
  const Vector change_of_w = combination(this->outcome().W.C, change), told = change_of_w(directions);
  return ((end.w - w_before)(directions)-told).norm() <= 0.5 * told.norm();
}

/// Changes of state within the step, but of contacts with mass.
template <class Engine>
void ExplicitInclusions<Engine>::report(const NonsmoothState& from, const NonsmoothState& to,
                                        std::vector<ContactEvent>& events) const {
  const Inclusions<Engine>& inclusions = this->inclusions();
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i) {
    const Index first = inclusions.first_direction(i), d = inclusions.acting()[i].law->dimension();
    const Cell cell = this->outcome().directions[static_cast<std::size_t>(first)].cell();
    if (cell == Cell::measure_inclusion || from.contacts[i] == to.contacts[i]) continue;
    events.push_back({from.time, to.time, i, from.w.segment(first, d), to.w.segment(first, d),
                      LocalVector::Zero(d), from.contacts[i], to.contacts[i]});
  }
}

template <class Engine>
std::string ExplicitInclusions<Engine>::advice() const {
  return "Explicit steps must stay below largest_stable_step(reduced), and this one is " +
         number_text(time_step_) + " s. Take a shorter one, or an implicit method such as Moreau-Jean.";
}

template class ExplicitInclusions<InstantiatedEngine>;

}  // namespace halfdof
