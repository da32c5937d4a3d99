// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/consistent_reaction.h>
#include <halfdof/integrators/nonsmooth/gaps_without_penetration.h>
#include <halfdof/integrators/nonsmooth/stage_step.h>
#include <halfdof/integrators/run_checks.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/linearized_state_force.h>
#include <halfdof/reduction/state_parts.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace halfdof {

using namespace internal;

namespace {

/// Returns the rows of H in the order of the states. The rows of the DoFs of each kind become the rows first,
/// first + 1, ... of the result. Shape: n_local_states() x m.
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
bool has_no_effect(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, std::size_t i) {
  const Index first = inclusions.first_direction(i), d = inclusions.acting()[i].law->dimension();
  for (Index j = first; j < first + d; ++j)
    if (!outcome.directions[static_cast<std::size_t>(j)].decided_by.empty()) return false;
  return true;
}

}  // namespace

template <class Engine>
StageIntegrator<Engine>::Implementation::Implementation(StageIntegrator& owner, const char* name,
                                                        double time_step, const StageRules& rules)
    : owner_(&owner),
      time_step_(time_step),
      rules_(rules),
      has_state_mass_(reduced().depends_on_state() && reduced().linearized_state_force()->has_mass()),
      needs_rates_(std::any_of(rules.directions.begin(), rules.directions.end(), is_enforced_on_rate)),
      has_impacts_(
          std::any_of(rules.directions.begin(), rules.directions.end(),
                      [](const DirectionRule& rule) { return rule.enforced_on == EnforcedOn::impact; })),
      has_blended_(std::any_of(rules.directions.begin(), rules.directions.end(),
                               [](const DirectionRule& rule) { return rule.is_blended; })) {
  check_time_step(name, time_step);
  if (rules_.theta < 1) require_mean_forces_on_half_dofs(inclusions(), outcome(), rules_.directions);
  const Selection &inertial = reduced().classification().inertial(),
                  &viscous = reduced().classification().viscous();
  const Index n = reduced().n_local_states(), n_I = inertial.n_local();
  H_q_ = rows_by_states(inclusions().H().free(), n, {{&inertial, 0}, {&viscous, n_I}});
  H_v_ = rows_by_states(inclusions().H().free(), n, {{&inertial, n_I + viscous.n_local()}});
  if (!rules_.impacts.are_plain())
    impacts_.emplace(inclusions(), outcome(), contacts_with_mass(), rules_.impacts);
  for (std::size_t i = 0; i < inclusions().acting().size(); ++i)
    if (has_no_effect(inclusions(), outcome(), i)) immobile_.push_back(i);
}

template <class Engine>
StageIntegrator<Engine>::StageIntegrator(const Inclusions<Engine>& inclusions,
                                         const InclusionOutcome& outcome, const char* name, double time_step,
                                         const StageRules& rules)
    : NonsmoothIntegrator<Engine>(inclusions, outcome),
      implementation_(std::make_unique<Implementation>(*this, name, time_step, rules)) {}

template <class Engine>
StageIntegrator<Engine>::~StageIntegrator() = default;

template <class Engine>
StageIntegrator<Engine>& StageIntegrator<Engine>::operator=(StageIntegrator&& other) noexcept {
  implementation_ = std::move(other.implementation_);
  NonsmoothIntegrator<Engine>::operator=(std::move(other));
  implementation_->owner_ = this;
  return *this;
}

template <class Engine>
double StageIntegrator<Engine>::time_step() const {
  return implementation_->time_step_;
}

template <class Engine>
double StageIntegrator<Engine>::largest_residual() const {
  return implementation_->largest_residual_;
}

template <class Engine>
bool StageIntegrator<Engine>::corrects_positions() const {
  return implementation_->rules_.impacts.corrects_positions;
}

template <class Engine>
double StageIntegrator<Engine>::end_weight() const {
  return implementation_->rules_.theta;
}

template <class Engine>
const StageRules& StageIntegrator<Engine>::rules() const {
  return implementation_->rules_;
}

template <class Engine>
bool StageIntegrator<Engine>::has_state_mass() const {
  return implementation_->has_state_mass_;
}

template <class Engine>
std::string StageIntegrator<Engine>::advice() const {
  return a_stable_advice;
}

template <class Engine>
NonsmoothState StageIntegrator<Engine>::advance(const NonsmoothState& from, double limit,
                                                std::vector<ContactEvent>& events) {
  return implementation_->advance(from, limit, events);
}

/// Returns the acting inclusions whose normal law is an impact law (EnforcedOn::impact).
template <class Engine>
std::vector<std::size_t> StageIntegrator<Engine>::Implementation::contacts_with_mass() const {
  std::vector<std::size_t> contacts;
  for (std::size_t i = 0; i < inclusions().acting().size(); ++i)
    if (rule(inclusions().first_direction(i)).enforced_on == EnforcedOn::impact) contacts.push_back(i);
  return contacts;
}

template <class Engine>
Vector StageIntegrator<Engine>::reactions_for_state_force(const NonsmoothState& at, const Vector& r) const {
  Vector acting = at.r;
  if (!has_state_mass()) return acting;
  for (Index j = 0; j < acting.size(); ++j)
    if (!implementation_->rule(j).is_blended) acting[j] = r[j];
  return acting;
}

template <class Engine>
auto StageIntegrator<Engine>::Implementation::make_step_data(double step) const -> StepLengthData {
  const StageWeights weights{step, rules_.sigma_h / step, rules_.theta};
  ImplicitStep<Engine, double> implicit(reduced(), weights.sigma, owner_->name());
  auto problem =
      make_stage_problem(inclusions(), outcome(), rules_.directions, implicit.step_matrix(), weights);
  return {weights, std::move(implicit), std::move(problem)};
}

/// Returns the load F(t) on the free DoFs. The last two loads are stored, because the load at the end of a
/// step is also the load at the beginning of the next step.
template <class Engine>
const Vector& StageIntegrator<Engine>::Implementation::load_at(double time) {
  for (const auto& known : loads_)
    if (known && known->time == time && !reduced().depends_on_state()) return known->load;
  std::swap(loads_[0], loads_[1]);
  loads_[0] = TimedLoad{time, owner_->load(time)};
  return loads_[0]->load;
}

/// Adds the rates of viscous DoFs to the rates H^T q' of the directions at the beginning of a step.
/// @param rates on entry the part of inertial DoFs, H^T J_I v_I
template <class Engine>
void StageIntegrator<Engine>::Implementation::complete_rates(const NonsmoothState& from,
                                                             Eigen::Ref<Vector> rates) const {
  const Inclusions<Engine>& inclusions = owner_->inclusions();
  const Index m = inclusions.n_directions();
  if (from.carried.size() >= m) {
    for (Index j = 0; j < m; ++j)
      if (rule(j).is_blended) rates[j] = from.carried[j];
  } else if (inclusions.acts_on(DoFKind::viscous)) {
    const MultiVector x = reduced().highest_derivatives(from.y, inclusions.load(from, from.r));
    rates += inclusions.H().components(reduced().classification().viscous().only(x));
  }
}

template <class Engine>
bool StageIntegrator<Engine>::has_carried_data(const NonsmoothState& state) const {
  const Index n = this->inclusions().n_directions() + n_carried_data();
  return !this->reduced().communicator().any(state.carried.size() != n);
}

/// Returns the rate that the last reaction alone, without other forces, would cause in its direction within a
/// step.
template <class Engine>
double StageIntegrator<Engine>::Implementation::rate_by_reaction(Index direction, const NonsmoothState& from,
                                                                 double step) const {
  return step * outcome().directions[static_cast<std::size_t>(direction)].W * std::abs(from.r[direction]);
}

/// Returns the gaps, corrected by gaps_without_penetration() for open contacts that approach. With impact
/// laws other than Newton's the gaps are not corrected, because the impacts at the beginning of the step use
/// uncorrected gaps.
template <class Engine>
Vector StageIntegrator<Engine>::Implementation::gaps_of_striking(const NonsmoothState& from,
                                                                 const StepLengthData& data) const {
  const StepDelassus& delassus = data.problem->delassus();
  if (!needs_rates_ || !delassus.is_dense() || rules_.impacts.law != ImpactLaw::newton) return from.g;
  const Vector reach = -0.5 * data.weights.step * work_.w_before;
  std::vector<bool> do_not_approach, strikes;
  for (Index j = 0; j < static_cast<Index>(from.g.size()); ++j) {
    const bool has_mass = rule(j).enforced_on == EnforcedOn::impact;
    do_not_approach.push_back(has_mass && work_.w_before[j] >= -work_.at_rest);
    strikes.push_back(has_mass && work_.w_before[j] < -work_.at_rest &&
                      from.contacts[inclusions().inclusion_of(j)] == ContactState::open);
  }
  return gaps_without_penetration(delassus.matrix(), do_not_approach, strikes, reach, from.g);
}

/// Selects the active inclusions of a step. Contacts with impact laws are active from half a step before they
/// would close (Moreau; Jean).
template <class Engine>
void StageIntegrator<Engine>::Implementation::select_inclusions(const NonsmoothState& from,
                                                                const StepLengthData& data) {
  const Inclusions<Engine>& inclusions = owner_->inclusions();
  const double step = data.weights.step;
  const Vector gaps = gaps_of_striking(from, data);
  work_.is_active.assign(inclusions.acting().size(), true);
  for (Index j = 0; j < inclusions.n_directions(); ++j) {
    if (rule(j).enforced_on != EnforcedOn::impact) continue;
    const double soon = gaps[j] + 0.5 * step * work_.w_before[j];
    if (soon <= 0) continue;
    const std::size_t i = inclusions.inclusion_of(j);
    if (!work_.struck.empty() && work_.struck[i]) continue;
    const double h = inclusions.acting()[i].law->support(j - inclusions.first_direction(i))(from.time);
    const double rounding =
        closing_tolerance * (std::abs(from.g[j]) + std::abs(h) + step * std::abs(work_.free_law_values[j])) +
        resting_gap * time_step_ * rate_by_reaction(j, from, time_step_);
    if (soon > rounding) work_.is_active[i] = false;
  }
}

/// Computes the motion of the directions in a step without the new reactions: the components H^T of the
/// vectors in (1) and (2) of StageIntegrator.
template <class Engine>
void StageIntegrator<Engine>::Implementation::evaluate_directions(const NonsmoothState& from,
                                                                  const StepLengthData& data, double end,
                                                                  const MultiVector& z,
                                                                  const std::optional<Vector>& shift) {
  const Inclusions<Engine>& inclusions = owner_->inclusions();
  const Index m = inclusions.n_directions();
  DirectionMotion& motion = work_.motion;
  MultiVector& sums = motion.sums;
  sums.resize(m, 4);
  sums.col(0).noalias() = H_q_.transpose() * from.y;
  sums.rightCols(3).setZero();
  data.problem->delassus().add_local_components(z, sums.middleCols(1, 1));
  if (shift) sums.col(2).noalias() = H_q_.transpose() * *shift;
  if (needs_rates_) sums.col(3).noalias() = H_v_.transpose() * from.y;
  reduced().communicator().sum(sums.data(), static_cast<int>(sums.size()));
  motion.weights = data.weights;
  if (inclusions.has_moving_supports() || motion.p.begin.size() != m)
    motion.p = prescribed_step(inclusions, from.time, end);
  motion.s = from.g - motion.p.begin;
  if (needs_rates_) complete_rates(from, sums.col(3));
}

template <class Engine>
double StageIntegrator<Engine>::Implementation::DirectionMotion::end_gap(Index j) const {
  return (q(j) + (x(j) + b(j)) - (1 - weights.theta) * s[j]) / weights.theta + p.end[j];
}

template <class Engine>
double StageIntegrator<Engine>::Implementation::DirectionMotion::end_rate(Index j) const {
  return (weights.sigma * x(j) - (1 - weights.theta) * rate(j)) / weights.theta + p.end_rate[j];
}

/// Computes the quantities on which the laws are enforced, without the new reactions.
template <class Engine>
void StageIntegrator<Engine>::Implementation::set_free_law_values(const NonsmoothState& from) {
  const Inclusions<Engine>& inclusions = owner_->inclusions();
  const DirectionMotion& motion = work_.motion;
  work_.free_law_values.resize(from.g.size());
  for (Index j = 0; j < inclusions.n_directions(); ++j) {
    double& free = work_.free_law_values[j];
    switch (rule(j).enforced_on) {
      case EnforcedOn::end_gap:
        free = motion.end_gap(j);
        break;
      case EnforcedOn::mean_rate:
        free = (motion.end_gap(j) - from.g[j]) / motion.weights.step;
        break;
      case EnforcedOn::end_rate:
        free = motion.end_rate(j);
        break;
      case EnforcedOn::impact: {
        const Law& law = *inclusions.acting()[inclusions.inclusion_of(j)].law;
        free = motion.end_rate(j) + restitution_in_step(law) * motion.rate_before(j);
        break;
      }
    }
  }
}

/// Returns the right-hand side of equation (2) of StageIntegrator without the forces of the reactions
/// r_{n+1}.
/// @param shift on return the vector b of this equation; no value if b is zero on all processes
template <class Engine>
const Vector& StageIntegrator<Engine>::Implementation::right_hand_side(const NonsmoothState& from,
                                                                       const StageWeights& weights,
                                                                       double end,
                                                                       std::optional<Vector>& shift) {
  const ReducedSystem<Engine>& reduced = owner_->reduced();
  Vector& rhs = work_.rhs;
  if (weights.theta < 1) {
    rhs = (1 - weights.theta) * load_at(from.time);
    rhs += weights.theta * load_at(end);
    if (has_blended_) {
      work_.known = (1 - weights.theta) * from.r;
      for (Index j = 0; j < work_.known.size(); ++j)
        if (!rule(j).is_blended) work_.known[j] = 0;
      if (!work_.known.isZero(0.)) rhs += inclusions().H().force(work_.known);
    }
  } else {
    rhs = load_at(end);
  }
  shift = owner_->shift(from, weights.sigma, rhs);
  if (shift)
    add_state_forces(reduced, weights.sigma, from.y + *shift, rhs);
  else
    add_state_forces(reduced, weights.sigma, from.y, rhs);
  return rhs;
}

/// Computes the solution x~ of (2) with the new reactions.
/// @param x on entry the result of the forward substitution for the right-hand side without the new reactions
template <class Engine>
void StageIntegrator<Engine>::Implementation::solve_with_reactions(StageProblem& problem, const Vector& r,
                                                                   MultiVector& x) {
  work_.acting = problem.column_weights().cwiseProduct(r);
  problem.delassus().backward_in_place(x, work_.acting);
  if (work_.acting.isZero(0.)) return;
  if (problem.delassus().is_dense())
    problem.add_response_to_change(r, work_.motion.sums.col(1));
  else
    work_.motion.sums.col(1) = inclusions().H().components(x);
}

template <class Engine>
NonsmoothState StageIntegrator<Engine>::Implementation::advance(const NonsmoothState& from, double limit,
                                                                std::vector<ContactEvent>& events) {
  const TimeGrid grid = from.grid.at(from.time, time_step_);
  const TimeGrid::Step step = grid.next(owner_->name(), time_step_, from.time, limit);
  const std::optional<NonsmoothState> struck = apply_impacts(from, step, events);
  NonsmoothState to = advance_from(struck ? *struck : from, step, events);
  to.grid = grid.after(step);
  return to;
}

template <class Engine>
NonsmoothState StageIntegrator<Engine>::Implementation::advance_from(const NonsmoothState& from,
                                                                     const TimeGrid::Step& step,
                                                                     std::vector<ContactEvent>& events) {
  const double h = step.length;
  const StepLengthData& data = step_data_.get_or_make(h, time_step_, [&] { return make_step_data(h); });

  NonsmoothState to = owner_->recycled();
  to.time = step.end;
  to.r = from.r;
  to.contacts = from.contacts;
  std::optional<Vector> shift;
  MultiVector& x = work_.x;
  x = right_hand_side(from, data.weights, step.end, shift);
  data.problem->delassus().forward_in_place(x);
  evaluate_directions(from, data, step.end, x, shift);
  set_rates_before(from);
  set_free_law_values(from);
  select_inclusions(from, data);
  data.problem->solve({from.time, step.end}, work_.free_law_values, work_.is_active, to.r, work_.law_values,
                      to.contacts, [&] { return rounding_of_laws(from, h); });
  largest_residual_ = std::max(largest_residual_, data.problem->largest_residual());
  solve_with_reactions(*data.problem, to.r, x);

  Vector& delta = work_.delta;
  data.implicit.set_state_increment(x.col(0), reduced().v_I(from.y), delta);
  if (shift) displacement_part(reduced(), delta) += displacement_part(reduced(), *shift);
  set_gaps_and_rates(from, to);
  set_carried_data(to);
  if (shift)
    to.carried.tail(owner_->n_carried_data()) = owner_->carried_data(from, data.weights, *shift, delta, to.r);
  to.y = from.y + delta / data.weights.theta;
  recover_immobile_reactions(from, to, h);
  if (rules_.impacts.corrects_positions) correct_positions(to);
  add_impulse_and_dissipation(from, to, h);
  keep_contacts_at_rest(from, to);
  append_events(from, to, events);
  return to;
}

/// Sets the rates w_before at the beginning of a step, and the rate at_rest up to which contacts count as at
/// rest. For directions whose laws are not enforced on rates, w_before is the mean rate of the last step.
template <class Engine>
void StageIntegrator<Engine>::Implementation::set_rates_before(const NonsmoothState& from) {
  work_.w_before = from.w;
  for (Index j = 0; j < from.w.size(); ++j)
    if (is_enforced_on_rate(rule(j))) work_.w_before[j] = work_.motion.rate_before(j);
  if (has_impacts_) work_.at_rest = rounding_of_rates(from);
}

/// Sets the gaps at the end of a step, and the rates at the end or the mean rates, depending on the laws.
template <class Engine>
void StageIntegrator<Engine>::Implementation::set_gaps_and_rates(const NonsmoothState& from,
                                                                 NonsmoothState& to) const {
  const DirectionMotion& motion = work_.motion;
  to.g.resize(from.g.size());
  to.w.resize(from.w.size());
  for (Index j = 0; j < to.g.size(); ++j) {
    to.g[j] = motion.end_gap(j);
    to.w[j] = is_enforced_on_rate(rule(j)) ? motion.end_rate(j) : (to.g[j] - from.g[j]) / motion.weights.step;
  }
}

/// Stores the rates H^T q' at the end of a step in NonsmoothState::memory, and reserves space after these
/// rates for the entries of StageIntegrator::carried_data().
template <class Engine>
void StageIntegrator<Engine>::Implementation::set_carried_data(NonsmoothState& to) const {
  const bool keeps = needs_rates_ || owner_->n_carried_data() > 0;
  const auto m = static_cast<Index>(to.g.size());
  to.carried.resize(keeps ? m + owner_->n_carried_data() : 0);
  for (Index j = 0; keeps && j < m; ++j)
    to.carried[j] = work_.motion.end_rate(j) - work_.motion.p.end_rate[j];
}

/// Computes the reactions of inclusions whose reactions move no DoF, and checks the gaps of such contacts.
template <class Engine>
void StageIntegrator<Engine>::Implementation::recover_immobile_reactions(const NonsmoothState& from,
                                                                         NonsmoothState& to,
                                                                         double step) const {
  const Inclusions<Engine>& inclusions = owner_->inclusions();
  for (const std::size_t i : immobile_) {
    const Law& law = *inclusions.acting()[i].law;
    const Index first = inclusions.first_direction(i), d = law.dimension();
    LawParameters parameters = law.parameters(to.time, from.contacts[i]);
    if (law.level(0) == LawLevel::gap) {
      check_gap_of_immobile_contact(inclusions.acting()[i].name, to.g[first],
                                    closing_tolerance * prescribed_size(inclusions, to.time)[first], to.time);
      to.r.segment(first, d).setZero();
      to.contacts[i] = ContactState::open;
      continue;
    }
    to.w.segment(first, d) = (to.g - from.g).segment(first, d) / step;
    to.r.segment(first, d) =
        consistent_reaction(law, parameters, to.w.segment(first, d), from.r.segment(first, d));
    to.contacts[i] = law.state(parameters, to.w.segment(first, d), to.r.segment(first, d), 0.);
  }
}

template class StageIntegrator<InstantiatedEngine>;

}  // namespace halfdof
