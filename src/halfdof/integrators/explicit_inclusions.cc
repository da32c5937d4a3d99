#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/explicit_inclusions.h>
#include <halfdof/integrators/settled_reaction.h>
#include <halfdof/linear_algebra/instantiate.h>

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
    : NonsmoothIntegrator<Engine>(inclusions, outcome), time_step_(time_step), stages_(std::move(stages)) {
  check_time_step(name, time_step);
  others.insert(others.end(), {Cell::lipschitz_contact, Cell::lipschitz_friction, Cell::filippov_inclusion,
                               Cell::sweeping_process, Cell::recovered_reaction});
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
  contacts_ = group_of(Cell::lipschitz_contact, outcome.W.K);
  viscous_ = group_of(Cell::lipschitz_friction, outcome.W.C);
  inertial_ = group_of(Cell::filippov_inclusion, time_step * outcome.W.I);
  sweeping_ = group_of(Cell::sweeping_process, outcome.W.C);
  impacts_ = directions_of(Cell::measure_inclusion);
  recovered_ = directions_of(Cell::recovered_reaction);
}

template <class Engine>
std::vector<Index> ExplicitInclusions<Engine>::directions_of(Cell cell) const {
  return this->outcome().directions_in(cell);
}

template <class Engine>
auto ExplicitInclusions<Engine>::group_of(Cell cell, const MultiVector& W) const -> Group {
  Group group;
  group.directions = directions_of(cell);
  std::vector<NamedLaw> laws;
  for (const Index j : group.directions) {
    const std::size_t i = this->inclusions().inclusion_of(j);
    if (!group.inclusions.empty() && group.inclusions.back() == i) continue;
    const Inclusion& inclusion = this->inclusions().acting()[i];
    for (Index k = 0; k < inclusion.law->dimension(); ++k)
      if (this->outcome()
              .directions[static_cast<std::size_t>(this->inclusions().first_direction(i) + k)]
              .cell() != cell)
        throw NotAvailable(
            "The directions of \"" + inclusion.name +
            "\" have become different things, which an explicit method cannot meet together. Take "
            "implicit Euler or Moreau-Jean.");
    group.inclusions.push_back(i);
    laws.push_back({inclusion.law, inclusion.name});
  }
  if (!laws.empty())
    group.solver = std::make_unique<OneStepSolver>(
        OneStepProblem(std::move(laws), W(group.directions, group.directions)));
  return group;
}

/// Writes the reactions of one group, from rates or gaps b without them.
template <class Engine>
void ExplicitInclusions<Engine>::meet(const Group& group, double time, const Vector& b, Vector& reactions,
                                      std::vector<ContactState>& contacts) const {
  if (!group.solver) return;
  std::vector<ContactState> before;
  for (const std::size_t i : group.inclusions)
    before.push_back(contacts[i]);
  LawsAtTime laws = group.solver->problem().laws_at(time, before);
  Vector r = reactions(group.directions), w(r.size());
  const Vector b_here = b(group.directions);
  group.solver->solve(laws, b_here, r, w);
  const std::vector<ContactState> states = group.solver->problem().states(laws, b_here, r, w);
  reactions(group.directions) = r;
  for (std::size_t k = 0; k < states.size(); ++k)
    contacts[group.inclusions[k]] = states[k];
}

/// Brings contacts on viscous DoFs to their obstacles at the end of a part of a step, by impulses.
template <class Engine>
void ExplicitInclusions<Engine>::catch_up(double length, Part& part) const {
  if (!sweeping_.solver || length == 0) return;
  const Inclusions<Engine>& inclusions = this->inclusions();
  const std::vector<Index>& directions = sweeping_.directions;
  NonsmoothState& to = part.to;
  Vector made = Vector::Zero(to.r.size());
  made(directions) = length * part.r(directions);
  Vector b = inclusions.gaps(to, part.r), impulse = made;
  b(directions) -= this->outcome().W.C(directions, directions) * made(directions);
  meet(sweeping_, to.time, b, impulse, to.contacts);
  to.y += inclusions.reduced().input(inclusions.H().force(impulse - made));
  part.r(directions) = impulse(directions) / length;
  to.r(directions) = part.r(directions);
}

/// Friction on inertial DoFs. All of it is met a step ahead; what slides on then has the reaction of its
/// rate, with which the others are met again.
template <class Engine>
void ExplicitInclusions<Engine>::meet_friction(const State& state, double ahead, Selected& selected) const {
  const Inclusions<Engine>& inclusions = this->inclusions();
  const OneStepProblem& problem = inertial_.solver->problem();
  Vector others = selected.r;
  others(inertial_.directions).setZero();
  const State then{state.time + ahead, state.y + ahead * inclusions.derivative(state, others)};
  const Vector here = inclusions.state_rates(state, others)(inertial_.directions);
  Vector b = inclusions.state_rates(then, others)(inertial_.directions);
  std::vector<ContactState> before;
  for (const std::size_t i : inertial_.inclusions)
    before.push_back(selected.contacts[i]);
  LawsAtTime laws = problem.laws_at(state.time, before);
  Vector r = selected.r(inertial_.directions), w(r.size());
  inertial_.solver->solve(laws, b, r, w);

  std::vector<ContactState> states = problem.states(laws, b, r, w);
  Vector sliding = Vector::Zero(r.size());
  bool has_changed = false;
  for (Index k = 0; k < problem.n_inclusions(); ++k) {
    const Index first = problem.first_column(k), d = problem.dimension(k);
    const Vector w_here = here.segment(first, d);
    const auto at = static_cast<std::size_t>(k);
    const bool slides_on =
        states[at] != ContactState::stick && (w.segment(first, d) - w_here).norm() < lasting * w_here.norm();
    if (!slides_on) continue;
    laws.takes_part[at] = false;
    sliding.segment(first, d) =
        settled_reaction(problem.law(k), laws.parameters[at], w_here, r.segment(first, d));
    has_changed = has_changed || (sliding - r).segment(first, d).norm() > 0;
  }
  if (has_changed) {
    Vector moved(r.size());
    problem.multiply(sliding, moved);
    b += moved;
    inertial_.solver->solve(laws, b, r, w);
    r += sliding;
  }
  laws.takes_part.assign(laws.takes_part.size(), true);
  states = problem.states(laws, b, r, w);
  selected.r(inertial_.directions) = r;
  for (std::size_t k = 0; k < states.size(); ++k)
    selected.contacts[inertial_.inclusions[k]] = states[k];
}

/// Friction that moves nothing.
template <class Engine>
void ExplicitInclusions<Engine>::recover(const State& state, Selected& selected) const {
  if (recovered_.empty()) return;
  const Vector w = this->inclusions().state_rates(state, selected.r);
  for (const Index j : recovered_) {
    const std::size_t i = this->inclusions().inclusion_of(j);
    const Law& law = *this->inclusions().acting()[i].law;
    const Index first = this->inclusions().first_direction(i), d = law.dimension();
    LawParameters parameters = law.parameters(state.time, selected.contacts[i]);
    const Vector wish = selected.r.segment(first, d);
    selected.r.segment(first, d) = settled_reaction(law, parameters, w.segment(first, d), wish);
    selected.contacts[i] = law.state(parameters, w.segment(first, d), selected.r.segment(first, d), 0.);
  }
}

template <class Engine>
auto ExplicitInclusions<Engine>::select(const State& state, double ahead, const Vector& r_before,
                                        const std::vector<ContactState>& contacts) const -> Selected {
  const Inclusions<Engine>& inclusions = this->inclusions();
  Selected selected{r_before, Vector::Zero(r_before.size()), contacts};
  if (r_before.size() == 0) return selected;
  // Each level sees the reactions of the lighter ones, and none of its own.
  const auto without = [&](std::initializer_list<const std::vector<Index>*> removed) {
    Vector r = selected.r;
    for (const auto* directions : removed)
      r(*directions).setZero();
    return r;
  };
  if (contacts_.solver)
    meet(contacts_, state.time,
         inclusions.gaps(
             state, without({&contacts_.directions, &viscous_.directions, &inertial_.directions, &impacts_})),
         selected.r, selected.contacts);
  if (viscous_.solver)
    meet(viscous_, state.time,
         inclusions.state_rates(state, without({&viscous_.directions, &inertial_.directions, &impacts_})),
         selected.r, selected.contacts);
  if (!impacts_.empty()) {
    selected.contact_rates = inclusions.state_rates(state, selected.r);
    contact_reactions(inclusions.gaps(state, selected.r), selected.contact_rates, contacts, selected.r);
  }
  if (inertial_.solver) meet_friction(state, ahead, selected);
  recover(state, selected);
  return selected;
}

template <class Engine>
auto ExplicitInclusions<Engine>::part(const NonsmoothState& from, double length, double end) const -> Part {
  const Inclusions<Engine>& inclusions = this->inclusions();
  Part part{from, Vector::Zero(from.r.size())};
  NonsmoothState& to = part.to;
  Vector k;
  for (const ChainedStage& stage : stages_) {
    const State here{from.time + stage.c * length,
                     stage.c > 0 ? Vector(from.y + stage.c * length * k) : from.y};
    const Selected selected = select(here, time_step_, from.r, from.contacts);
    k = inclusions.derivative(here, selected.r);
    to.y += stage.b * length * k;
    part.r += stage.b * selected.r;
    for (const Index j : impacts_)
      to.dissipated -= stage.b * length * selected.r[j] * selected.contact_rates[j];
  }
  to.time = end;
  catch_up(length, part);
  Selected at_end = select(to, time_step_, to.r, to.contacts);
  to.r = std::move(at_end.r);
  to.contacts = std::move(at_end.contacts);
  to.g = inclusions.gaps(to, to.r);
  to.w = inclusions.state_rates(to, to.r);
  to.impulse += length * part.r;
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i) {
    const Index first = inclusions.first_direction(i);
    const Law& law = *inclusions.acting()[i].law;
    if (law.level(0) == LawLevel::gap) continue;
    const Vector w = (to.g - from.g).segment(first, law.dimension());
    to.dissipated += law.dissipated_power(w, part.r.segment(first, law.dimension()));
  }
  return part;
}

template <class Engine>
NonsmoothState ExplicitInclusions<Engine>::advance(const NonsmoothState& from, double limit,
                                                   std::vector<ContactEvent>& events) {
  const TimeGrid grid = from.grid.at(from.time, time_step_);
  const TimeGrid::Step step = grid.next(this->name(), time_step_, from.time, limit);
  NonsmoothState to = parts(from, step, events);
  to.grid = grid.after(step);
  report(from, to, events);
  return to;
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
