// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/integrators/consistent_reaction.h>
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

template <class Engine>
bool StageIntegrator<Engine>::has_carried_data(const NonsmoothState& state) const {
  const Index n = this->inclusions().n_directions() + n_carried_data();
  return !this->reduced().communicator().any(state.carried.size() != n);
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
