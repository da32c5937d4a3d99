#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/integrators/gaps_beside_sunken.h>
#include <halfdof/integrators/obstacle_jump.h>
#include <halfdof/integrators/require_means.h>
#include <halfdof/integrators/settled_reaction.h>
#include <halfdof/integrators/stage_integrator.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/state_dependence.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof {

namespace {

constexpr double striking_tolerance = 1e-10;  ///< of a rate, relative to the largest

bool is_met_by_rate(const DirectionRule& rule) {
  return rule.met == MetAt::end_rate || rule.met == MetAt::impact;
}

/// Rows of H by states: those of a kind become rows first, first + 1, ... Shapes: n_local_states() x m.
Eigen::SparseMatrix<double> rows_by_states(const Eigen::SparseMatrix<double>& H, Index n_states,
                                           const std::vector<std::pair<const Selection*, Index>>& kinds) {
  std::vector<Index> state_of(static_cast<std::size_t>(H.rows()), -1);
  for (const auto& [kind, first] : kinds) {
    Index state = first;
    for (const Index row : kind->local())
      state_of[static_cast<std::size_t>(row)] = state++;
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (Index j = 0; j < H.cols(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(H, j); entry; ++entry)
      if (const Index state = state_of[static_cast<std::size_t>(entry.row())]; state >= 0)
        entries.emplace_back(state, j, entry.value());
  Eigen::SparseMatrix<double> rows(n_states, H.cols());
  rows.setFromTriplets(entries.begin(), entries.end());
  return rows;
}

template <class Engine>
bool is_unmoved(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, std::size_t i) {
  const Index first = inclusions.first_direction(i), d = inclusions.acting()[i].law->dimension();
  for (Index j = first; j < first + d; ++j)
    if (!outcome.directions[static_cast<std::size_t>(j)].decided_by.empty()) return false;
  return true;
}

}  // namespace

template <class Engine>
StageIntegrator<Engine>::StageIntegrator(const Inclusions<Engine>& inclusions,
                                         const InclusionOutcome& outcome, const char* name, double time_step,
                                         std::vector<DirectionRule> rules, const Coefficients& coefficients,
                                         const ImpactRules& impact_rules)
    : NonsmoothIntegrator<Engine>(inclusions, outcome),
      time_step_(time_step),
      rules_(std::move(rules)),
      coefficients_(coefficients),
      impact_rules_(impact_rules),
      has_state_mass_(inclusions.reduced().depends_on_state() &&
                      inclusions.reduced().state_dependence()->has_mass()),
      needs_rates_(std::any_of(rules_.begin(), rules_.end(), is_met_by_rate)),
      has_impacts_(std::any_of(rules_.begin(), rules_.end(),
                               [](const DirectionRule& rule) { return rule.met == MetAt::impact; })),
      has_blended_(std::any_of(rules_.begin(), rules_.end(),
                               [](const DirectionRule& rule) { return rule.is_blended; })) {
  check_time_step(name, time_step);
  if (coefficients_.theta < 1) require_means(inclusions, outcome, rules_);
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  const Selection &inertial = reduced.classification().inertial(),
                  &viscous = reduced.classification().viscous();
  const Index n = reduced.n_local_states(), n_I = inertial.n_local();
  H_q_ = rows_by_states(inclusions.H().free(), n, {{&inertial, 0}, {&viscous, n_I}});
  H_v_ = rows_by_states(inclusions.H().free(), n, {{&inertial, n_I + viscous.n_local()}});
  if (!impact_rules_.are_plain()) impacts_.emplace(inclusions, outcome, contacts_with_mass(), impact_rules_);
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i)
    if (is_unmoved(inclusions, outcome, i)) unmoved_.push_back(i);
}

/// Acting inclusions that are met by impacts.
template <class Engine>
std::vector<std::size_t> StageIntegrator<Engine>::contacts_with_mass() const {
  std::vector<std::size_t> contacts;
  for (std::size_t i = 0; i < this->inclusions().acting().size(); ++i)
    if (rules_[static_cast<std::size_t>(this->inclusions().first_direction(i))].met == MetAt::impact)
      contacts.push_back(i);
  return contacts;
}

template <class Engine>
Vector StageIntegrator<Engine>::met_reactions(const NonsmoothState& at, const Vector& r) const {
  Vector met = at.r;
  if (!has_state_mass_) return met;
  for (Index j = 0; j < met.size(); ++j)
    if (!rules_[static_cast<std::size_t>(j)].is_blended) met[j] = r[j];
  return met;
}

template <class Engine>
auto StageIntegrator<Engine>::make_lengths(double step) const -> Lengths {
  const StageWeights weights{step, coefficients_.sigma_h / step, coefficients_.theta};
  ImplicitStep<Engine, double> implicit(this->reduced(), weights.sigma, this->name());
  auto problem =
      make_stage_problem(this->inclusions(), this->outcome(), rules_, implicit.step_matrix(), weights);
  return {weights, std::move(implicit), std::move(problem)};
}

/// F(t) on the free DoFs: at the start of a step that of the end of the last one, evaluated once.
template <class Engine>
const Vector& StageIntegrator<Engine>::load_at(double time) {
  for (const auto& known : loads_)
    if (known && known->time == time && !this->reduced().depends_on_state()) return known->load;
  std::swap(loads_[0], loads_[1]);
  loads_[0] = TimedLoad{time, this->load(time)};
  return loads_[0]->load;
}

/// H^T q' at the start of a step, of inertial and viscous DoFs: of inertial ones from the state, of viscous
/// ones as the last step left it. @param rates those of inertial ones, H^T J_I v_I
template <class Engine>
void StageIntegrator<Engine>::complete_rates(const NonsmoothState& from, Eigen::Ref<Vector> rates) const {
  const Inclusions<Engine>& inclusions = this->inclusions();
  const Index m = inclusions.n_directions();
  if (from.memory.size() >= m) {
    for (Index j = 0; j < m; ++j)
      if (rules_[static_cast<std::size_t>(j)].is_blended) rates[j] = from.memory[j];
  } else if (inclusions.meets(DoFKind::viscous)) {
    const MultiVector x = this->reduced().highest_derivatives(from.y, inclusions.load(from, from.r));
    rates += inclusions.H().components(this->reduced().classification().viscous().only(x));
  }
}

template <class Engine>
bool StageIntegrator<Engine>::remembers(const NonsmoothState& state) const {
  const Index n = this->inclusions().n_directions() + n_remembered();
  return !this->reduced().communicator().any(state.memory.size() != n);
}

/// The rate that the last reaction alone would give its direction within a step.
template <class Engine>
double StageIntegrator<Engine>::rate_by_reaction(Index direction, const NonsmoothState& from,
                                                 double step) const {
  return step * this->outcome().directions[static_cast<std::size_t>(direction)].W *
         std::abs(from.r[direction]);
}

/// Gaps, which gaps_beside_sunken() corrects for open contacts that approach. Not for other impact laws than
/// Newton's: who strikes at the beginning of a step is told by gaps as they are.
template <class Engine>
Vector StageIntegrator<Engine>::gaps_of_striking(const NonsmoothState& from, const Lengths& lengths) const {
  const StepDelassus& delassus = lengths.problem->delassus();
  if (!needs_rates_ || !delassus.is_dense() || impact_rules_.law != ImpactLaw::newton) return from.g;
  const Vector reach = -0.5 * lengths.weights.step * work_.w_before;
  std::vector<bool> have_sunk, strikes;
  for (Index j = 0; j < static_cast<Index>(from.g.size()); ++j) {
    const bool has_mass = rules_[static_cast<std::size_t>(j)].met == MetAt::impact;
    have_sunk.push_back(has_mass && work_.w_before[j] >= -work_.at_rest);
    strikes.push_back(has_mass && work_.w_before[j] < -work_.at_rest &&
                      from.contacts[this->inclusions().inclusion_of(j)] == ContactState::open);
  }
  return gaps_beside_sunken(delassus.matrix(), have_sunk, strikes, reach, from.g);
}

/// Contacts that are met by their rates count from half a step before they would close (Moreau; Jean).
template <class Engine>
void StageIntegrator<Engine>::select_inclusions(const NonsmoothState& from, const Lengths& lengths) {
  const Inclusions<Engine>& inclusions = this->inclusions();
  const double step = lengths.weights.step;
  const Vector gaps = gaps_of_striking(from, lengths);
  work_.takes_part.assign(inclusions.acting().size(), true);
  for (Index j = 0; j < inclusions.n_directions(); ++j) {
    if (rules_[static_cast<std::size_t>(j)].met != MetAt::impact) continue;
    const double soon = gaps[j] + 0.5 * step * work_.w_before[j];
    if (soon <= 0) continue;
    const std::size_t i = inclusions.inclusion_of(j);
    if (!work_.struck.empty() && work_.struck[i]) continue;
    const double h = inclusions.acting()[i].law->support(j - inclusions.first_direction(i))(from.time);
    const double rounding =
        closing_tolerance * (std::abs(from.g[j]) + std::abs(h) + step * std::abs(work_.free[j])) +
        resting_gap * time_step_ * rate_by_reaction(j, from, time_step_);
    if (soon > rounding) work_.takes_part[i] = false;
  }
}

/// What the directions see of a step, affine in x: the same as (1), in components.
template <class Engine>
void StageIntegrator<Engine>::evaluate_directions(const NonsmoothState& from, const Lengths& lengths,
                                                  double end, const MultiVector& z,
                                                  const std::optional<Vector>& shift) {
  const Inclusions<Engine>& inclusions = this->inclusions();
  const Index m = inclusions.n_directions();
  Seen& seen = work_.seen;
  MultiVector& sums = seen.sums;
  sums.resize(m, 4);
  sums.col(0).noalias() = H_q_.transpose() * from.y;
  sums.rightCols(3).setZero();
  lengths.problem->delassus().add_local_components(z, sums.middleCols(1, 1));
  if (shift) sums.col(2).noalias() = H_q_.transpose() * *shift;
  if (needs_rates_) sums.col(3).noalias() = H_v_.transpose() * from.y;
  this->reduced().communicator().sum(sums.data(), static_cast<int>(sums.size()));
  seen.weights = lengths.weights;
  if (inclusions.has_moving_supports() || seen.p.begin.size() != m)
    seen.p = prescribed_step(inclusions, from.time, end);
  seen.s = from.g - seen.p.begin;
  if (needs_rates_) complete_rates(from, sums.col(3));
}

template <class Engine>
double StageIntegrator<Engine>::Seen::end_gap(Index j) const {
  return (q(j) + (x(j) + b(j)) - (1 - weights.theta) * s[j]) / weights.theta + p.end[j];
}

template <class Engine>
double StageIntegrator<Engine>::Seen::end_rate(Index j) const {
  return (weights.sigma * x(j) - (1 - weights.theta) * rate(j)) / weights.theta + p.end_rate[j];
}

/// What the laws would meet without the new reactions.
template <class Engine>
void StageIntegrator<Engine>::meet_without_reactions(const NonsmoothState& from) {
  const Inclusions<Engine>& inclusions = this->inclusions();
  const Seen& seen = work_.seen;
  work_.free.resize(from.g.size());
  for (Index j = 0; j < inclusions.n_directions(); ++j) {
    double& free = work_.free[j];
    switch (rules_[static_cast<std::size_t>(j)].met) {
      case MetAt::end_gap:
        free = seen.end_gap(j);
        break;
      case MetAt::mean_rate:
        free = (seen.end_gap(j) - from.g[j]) / seen.weights.step;
        break;
      case MetAt::end_rate:
        free = seen.end_rate(j);
        break;
      case MetAt::impact: {
        const Law& law = *inclusions.acting()[inclusions.inclusion_of(j)].law;
        free = seen.end_rate(j) + restitution_in_step(law) * seen.rate_before(j);
        break;
      }
    }
  }
}

/// That of (2) without the new reactions. @param shift on return b
template <class Engine>
const Vector& StageIntegrator<Engine>::right_hand_side(const NonsmoothState& from,
                                                       const StageWeights& weights, double end,
                                                       std::optional<Vector>& shift) {
  const ReducedSystem<Engine>& reduced = this->reduced();
  Vector& rhs = work_.rhs;
  if (weights.theta < 1) {
    rhs = (1 - weights.theta) * load_at(from.time);
    rhs += weights.theta * load_at(end);
    if (has_blended_) {
      work_.known = (1 - weights.theta) * from.r;
      for (Index j = 0; j < work_.known.size(); ++j)
        if (!rules_[static_cast<std::size_t>(j)].is_blended) work_.known[j] = 0;
      if (!work_.known.isZero(0.)) rhs += this->inclusions().H().force(work_.known);
    }
  } else {
    rhs = load_at(end);
  }
  shift = this->shift(from, weights.sigma, rhs);
  if (shift)
    add_state_forces(reduced, weights.sigma, from.y + *shift, rhs);
  else
    add_state_forces(reduced, weights.sigma, from.y, rhs);
  return rhs;
}

/// x~ of (2) with the new reactions. @param x on entry StepDelassus::forward() of what stands there without
/// them
template <class Engine>
void StageIntegrator<Engine>::solve_with_reactions(StageProblem& problem, const Vector& r, MultiVector& x) {
  work_.acting = problem.column_weights().cwiseProduct(r);
  problem.delassus().backward_in_place(x, work_.acting);
  if (work_.acting.isZero(0.)) return;
  if (problem.delassus().is_dense())
    problem.add_moved(r, work_.seen.sums.col(1));
  else
    work_.seen.sums.col(1) = this->inclusions().H().components(x);
}

template <class Engine>
NonsmoothState StageIntegrator<Engine>::advance(const NonsmoothState& from, double limit,
                                                std::vector<ContactEvent>& events) {
  const TimeGrid grid = from.grid.at(from.time, time_step_);
  const TimeGrid::Step step = grid.next(this->name(), time_step_, from.time, limit);
  const std::optional<NonsmoothState> struck = strike(from, step, events);
  NonsmoothState to = advance_from(struck ? *struck : from, step, events);
  to.grid = grid.after(step);
  return to;
}

template <class Engine>
NonsmoothState StageIntegrator<Engine>::advance_from(const NonsmoothState& from, const TimeGrid::Step& step,
                                                     std::vector<ContactEvent>& events) {
  const double h = step.length;
  const Lengths& lengths = lengths_.get(h, time_step_, [&] { return make_lengths(h); });

  NonsmoothState to = this->recycled();
  to.time = step.end;
  to.r = from.r;
  to.contacts = from.contacts;
  std::optional<Vector> shift;
  MultiVector& x = work_.x;
  x = right_hand_side(from, lengths.weights, step.end, shift);
  lengths.problem->delassus().forward_in_place(x);
  evaluate_directions(from, lengths, step.end, x, shift);
  set_rates_before(from);
  meet_without_reactions(from);
  select_inclusions(from, lengths);
  lengths.problem->solve({from.time, step.end}, work_.free, work_.takes_part, to.r, work_.met, to.contacts,
                         [&] { return rounding_of_laws(from, h); });
  largest_residual_ = std::max(largest_residual_, lengths.problem->largest_residual());
  solve_with_reactions(*lengths.problem, to.r, x);

  Vector& delta = work_.delta;
  lengths.implicit.set_state_increment(x.col(0), this->reduced().v_I(from.y), delta);
  if (shift) this->reduced().q(delta) += this->reduced().q(*shift);
  set_gaps_and_rates(from, to);
  set_memory(to);
  if (shift) remember(from, lengths.weights, *shift, delta, to.r, to.memory.tail(n_remembered()));
  to.y = from.y + delta / lengths.weights.theta;
  recover(from, to, h);
  if (impact_rules_.corrects_positions) correct_positions(to);
  account(from, to, h);
  keep_contacts_at_rest(from, to);
  report(from, to, events);
  return to;
}

/// Rates before a step as its laws saw them; those that see means have the mean of the last step.
template <class Engine>
void StageIntegrator<Engine>::set_rates_before(const NonsmoothState& from) {
  work_.w_before = from.w;
  for (Index j = 0; j < from.w.size(); ++j)
    if (is_met_by_rate(rules_[static_cast<std::size_t>(j)])) work_.w_before[j] = work_.seen.rate_before(j);
  if (has_impacts_) work_.at_rest = rounding_of_rates(from);
}

/// Gaps at the end of a step, rates there, and mean rates where laws see these.
template <class Engine>
void StageIntegrator<Engine>::set_gaps_and_rates(const NonsmoothState& from, NonsmoothState& to) const {
  const Seen& seen = work_.seen;
  to.g.resize(from.g.size());
  to.w.resize(from.w.size());
  for (Index j = 0; j < to.g.size(); ++j) {
    to.g[j] = seen.end_gap(j);
    to.w[j] = is_met_by_rate(rules_[static_cast<std::size_t>(j)]) ? seen.end_rate(j)
                                                                  : (to.g[j] - from.g[j]) / seen.weights.step;
  }
}

/// Remembers H^T q' at the end, and leaves room for what the method itself has to.
template <class Engine>
void StageIntegrator<Engine>::set_memory(NonsmoothState& to) const {
  const bool keeps = needs_rates_ || n_remembered() > 0;
  const auto m = static_cast<Index>(to.g.size());
  to.memory.resize(keeps ? m + n_remembered() : 0);
  for (Index j = 0; keeps && j < m; ++j)
    to.memory[j] = work_.seen.end_rate(j) - work_.seen.p.end_rate[j];
}

/// Reactions and gaps of inclusions that nothing moves.
template <class Engine>
void StageIntegrator<Engine>::recover(const NonsmoothState& from, NonsmoothState& to, double step) const {
  const Inclusions<Engine>& inclusions = this->inclusions();
  for (const std::size_t i : unmoved_) {
    const Law& law = *inclusions.acting()[i].law;
    const Index first = inclusions.first_direction(i), d = law.dimension();
    LawParameters parameters = law.parameters(to.time, from.contacts[i]);
    if (law.level(0) == LawLevel::gap) {
      check_held_gap(inclusions.acting()[i].name, to.g[first],
                     closing_tolerance * prescribed_size(inclusions, to.time)[first], to.time);
      to.r.segment(first, d).setZero();
      to.contacts[i] = ContactState::open;
      continue;
    }
    to.w.segment(first, d) = (to.g - from.g).segment(first, d) / step;
    to.r.segment(first, d) =
        settled_reaction(law, parameters, to.w.segment(first, d), from.r.segment(first, d));
    to.contacts[i] = law.state(parameters, to.w.segment(first, d), to.r.segment(first, d), 0.);
  }
}

/// What acted on the momentum in the step, weighted as its balance is.
template <class Engine>
const Vector& StageIntegrator<Engine>::mean_reactions(const NonsmoothState& from, const NonsmoothState& to) {
  const double theta = end_weight();
  work_.mean = to.r;
  for (Index j = 0; j < to.r.size(); ++j)
    if (rules_[static_cast<std::size_t>(j)].is_blended)
      work_.mean[j] = (1 - theta) * from.r[j] + theta * to.r[j];
  return work_.mean;
}

/// Of a contact that stops masses within a step, though it is met by its gap: the mean of both ends; zero of
/// others.
template <class Engine>
double StageIntegrator<Engine>::mean_rate_of_impacts(Index direction, const NonsmoothState& to) const {
  const bool stops =
      this->outcome().directions[static_cast<std::size_t>(direction)].cell() == Cell::measure_inclusion;
  return stops ? 0.5 * (work_.w_before[direction] + to.w[direction]) : 0.;
}

/// The work that the laws take, reactions times mean rates of the step; those of impacts, where rates jump,
/// are the means of both ends. Other contacts take none.
template <class Engine>
void StageIntegrator<Engine>::account(const NonsmoothState& from, NonsmoothState& to, double step) {
  const Inclusions<Engine>& inclusions = this->inclusions();
  const Vector& mean = mean_reactions(from, to);
  to.impulse = from.impulse + step * mean;
  to.dissipated = from.dissipated;
  to.dissipated_by = from.dissipated_by;
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i) {
    const Index first = inclusions.first_direction(i), d = inclusions.acting()[i].law->dimension();
    LocalVector w = (to.g - from.g).segment(first, d) / step;
    LocalVector r = mean.segment(first, d);
    if (rules_[static_cast<std::size_t>(first)].met != MetAt::mean_rate)
      require_no_jump_of_support(inclusions.acting()[i].name, *inclusions.acting()[i].law, from.time,
                                 to.time);
    const auto met = [&](Index k) { return rules_[static_cast<std::size_t>(first + k)].met; };
    for (Index k = 0; k < d; ++k) {
      const bool is_blended = rules_[static_cast<std::size_t>(first + k)].is_blended;
      if (inclusions.level(first + k) == LawLevel::rate && (is_blended || met(k) == MetAt::mean_rate))
        r[k] = reaction_in_slip(from.contacts[i], to.contacts[i], from.r[first + k], to.r[first + k], r[k]);
      if (met(k) == MetAt::impact)
        w[k] = 0.5 * (work_.w_before[first + k] + to.w[first + k]);
      else if (inclusions.level(first + k) == LawLevel::gap)
        w[k] = mean_rate_of_impacts(first + k, to);
    }
    if (!r.isZero(0.)) to.dissipate(i, step * inclusions.acting()[i].law->dissipated_power(w, r));
  }
}

/// Of the laws of a step, which has Newton's impacts.
template <class Engine>
double StageIntegrator<Engine>::restitution_in_step(const Law& law) const {
  return impact_rules_.law == ImpactLaw::newton ? law.restitution().value_or(0.) : 0.;
}

/// Relative rates at the beginning of a step.
template <class Engine>
Vector StageIntegrator<Engine>::rates_before(const NonsmoothState& from, double end) const {
  Vector rates = H_v_.transpose() * from.y;
  this->reduced().communicator().sum(rates.data(), static_cast<int>(rates.size()));
  complete_rates(from, rates);
  return rates + prescribed_step(this->inclusions(), from.time, end).begin_rate;
}

/// What rounding of gaps is relative to.
template <class Engine>
Vector StageIntegrator<Engine>::size_of_displacements(const NonsmoothState& at) const {
  Vector size = H_q_.cwiseAbs().transpose() * at.y.cwiseAbs();
  this->reduced().communicator().sum(size.data(), static_cast<int>(size.size()));
  return size + prescribed_size(this->inclusions(), at.time);
}

/// Of what laws meet: gaps, mean rates, which are differences of these, and rates.
template <class Engine>
Vector StageIntegrator<Engine>::rounding_of_laws(const NonsmoothState& from, double step) const {
  Vector size = size_of_displacements(from), rates = H_v_.cwiseAbs().transpose() * from.y.cwiseAbs();
  this->reduced().communicator().sum(rates.data(), static_cast<int>(rates.size()));
  for (Index j = 0; j < size.size(); ++j) {
    const MetAt met = rules_[static_cast<std::size_t>(j)].met;
    if (met == MetAt::mean_rate) size[j] /= step;
    if (is_met_by_rate(rules_[static_cast<std::size_t>(j)])) size[j] = rates[j] + std::abs(work_.w_before[j]);
  }
  return rounding_of_a_term * size;
}

/// Impacts at the beginning of a step, by another law than Newton's. @return the state behind them, if
/// there are any
template <class Engine>
std::optional<NonsmoothState> StageIntegrator<Engine>::strike(const NonsmoothState& from,
                                                              const TimeGrid::Step& step,
                                                              std::vector<ContactEvent>& events) {
  work_.struck.clear();
  if (!impacts_ || impact_rules_.law == ImpactLaw::newton) return std::nullopt;
  work_.w_before = rates_before(from, step.end);
  return impacts_->strike(from, step.length, work_.w_before, size_of_displacements(from),
                          rounding_of_rates(from), work_.struck, events);
}

/// Puts contacts that rest inside their obstacles back.
template <class Engine>
void StageIntegrator<Engine>::correct_positions(NonsmoothState& to) const {
  const double at_rest = rounding_of_rates(to);
  std::vector<bool> rests;
  for (std::size_t i = 0; i < this->inclusions().acting().size(); ++i) {
    const Index j = this->inclusions().first_direction(i);
    // What still approaches would rebound for ever from where it was put.
    rests.push_back(work_.takes_part[i] && to.r[j] > 0 && std::abs(to.w[j]) <= at_rest);
  }
  impacts_->correct_positions(rests, size_of_displacements(to), to);
}

/// Whether a contact jumps: one that closes with a reaction, or a closed one that an obstacle strikes, coming
/// faster than the other forces of a step account for.
template <class Engine>
bool StageIntegrator<Engine>::jumps(std::size_t i, const NonsmoothState& from,
                                    const NonsmoothState& to) const {
  const Index first = this->inclusions().first_direction(i);
  if (rules_[static_cast<std::size_t>(first)].met != MetAt::impact || to.r[first] == 0) return false;
  const double e = restitution_in_step(*this->inclusions().acting()[i].law);
  const double before = work_.w_before[first], by_forces = std::abs(work_.free[first] - (1 + e) * before);
  if (from.contacts[i] != ContactState::open && -before <= by_forces) return false;
  return -before > work_.at_rest;
}

/// What counts as rest, by the rates that those of the directions are made of and may cancel in, and by those
/// that reactions give masses within a step.
template <class Engine>
double StageIntegrator<Engine>::rounding_of_rates(const NonsmoothState& from) const {
  Vector rates = H_v_.cwiseAbs().transpose() * from.y.cwiseAbs();
  this->reduced().communicator().sum(rates.data(), static_cast<int>(rates.size()));
  rates = rates.cwiseMax(work_.w_before.cwiseAbs());
  for (Index j = 0; j < rates.size(); ++j)
    if (rules_[static_cast<std::size_t>(j)].met == MetAt::impact)
      rates[j] = std::max(rates[j], rate_by_reaction(j, from, time_step_));
  return striking_tolerance * (rates.size() > 0 ? rates.maxCoeff() : 0.);
}

/// Contacts that touch at rest and push nothing neither open nor close, whatever rounding makes of their
/// rates.
template <class Engine>
void StageIntegrator<Engine>::keep_contacts_at_rest(const NonsmoothState& from, NonsmoothState& to) const {
  const Inclusions<Engine>& inclusions = this->inclusions();
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i) {
    const Index first = inclusions.first_direction(i), d = inclusions.acting()[i].law->dimension();
    if (rules_[static_cast<std::size_t>(first)].met != MetAt::impact || from.contacts[i] == to.contacts[i] ||
        !work_.takes_part[i])
      continue;
    const double pushed = (to.time - from.time) *
                          this->outcome().directions[static_cast<std::size_t>(first)].W *
                          to.r.segment(first, d).cwiseAbs().maxCoeff();
    const double moved = std::max(work_.w_before.segment(first, d).cwiseAbs().maxCoeff(),
                                  to.w.segment(first, d).cwiseAbs().maxCoeff());
    if (std::max(pushed, moved) <= work_.at_rest) to.contacts[i] = from.contacts[i];
  }
}

/// Impacts, and whatever else has changed.
template <class Engine>
void StageIntegrator<Engine>::report(const NonsmoothState& from, const NonsmoothState& to,
                                     std::vector<ContactEvent>& events) const {
  const Inclusions<Engine>& inclusions = this->inclusions();
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i) {
    const bool has_jumped = jumps(i, from, to);
    if (!has_jumped && from.contacts[i] == to.contacts[i]) continue;
    const Index first = inclusions.first_direction(i), d = inclusions.acting()[i].law->dimension();
    LocalVector impulse = LocalVector::Zero(d);
    if (has_jumped) impulse = (to.impulse - from.impulse).segment(first, d);
    events.push_back({from.time, to.time, i, work_.w_before.segment(first, d), to.w.segment(first, d),
                      impulse, from.contacts[i], to.contacts[i]});
  }
}

template class StageIntegrator<InstantiatedEngine>;

}  // namespace halfdof
