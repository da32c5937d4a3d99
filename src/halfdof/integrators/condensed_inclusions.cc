// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/integrators/condensed_inclusions.h>
#include <halfdof/integrators/law_at_rest.h>
#include <halfdof/integrators/prescribed_step.h>
#include <halfdof/linear_algebra/dense/stack.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/reduction/linearized_state_force.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/state_parts.h>
#include <halfdof/reduction/state_space.h>

#include <algorithm>
#include <utility>

namespace halfdof::internal {

namespace {

template <class Engine>
void check_size_of_model(const Inclusions<Engine>& inclusions, Index max_states,
                         const std::string& integrator) {
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  if (reduced.communicator().size() > 1)
    throw NotAvailable("The " + integrator +
                       " integrator runs only on one process, but this system is distributed over " +
                       std::to_string(reduced.communicator().size()) +
                       " processes. Use a method with steps of one length, such as Moreau-Jean.");
  if (reduced.n_states() > max_states)
    throw NotAvailable("The " + integrator + " integrator forms dense matrices, and this system has " +
                       std::to_string(reduced.n_states()) + " states, more than the limit of " +
                       std::to_string(max_states) +
                       ". Use a method with steps of one length, or raise max_states in the options.");
}

void check_law(const Inclusion& inclusion, const std::string& integrator) {
  const Law& law = *inclusion.law;
  const LawParameters parameters = law.parameters(0., law.initial_state());
  if (law.dimension() == 1 ? law.rest_interval(parameters).has_value()
                           : law.cone_slope(parameters).has_value())
    return;
  throw NotAvailable("The " + integrator +
                     " integrator supports only laws whose reactions lie between two bounds, and Coulomb "
                     "friction; the law " +
                     law.name() + " of the inclusion \"" + inclusion.name +
                     "\" is of neither kind. Use the Moreau-Jean or the implicit Euler integrator.");
}

CondensedInclusions::DirectionData direction_data(const Inclusion& inclusion, std::size_t i, Index component,
                                                  const DirectionOutcome& outcome,
                                                  const std::string& integrator) {
  const Law& law = *inclusion.law;
  const auto acts_on = [&](DoFKind kind) { return outcome.acts_on[static_cast<std::size_t>(kind)]; };
  const DoFKind kind = outcome.decided_by.empty() ? DoFKind::constrained : outcome.decided_by.front();
  const bool is_lightest =
      kind == DoFKind::algebraic || kind == DoFKind::constrained ||
      (!acts_on(DoFKind::algebraic) && (kind == DoFKind::viscous || !acts_on(DoFKind::viscous)));
  if (outcome.decided_by.size() > 1 || !is_lightest)
    throw NotAvailable("Depending on the other reactions, the reaction of the direction \"" + outcome.name +
                       "\" moves DoFs of different kinds, or not the lightest kind on which the direction "
                       "acts (algebraic before viscous before inertial). The " +
                       integrator +
                       " integrator needs directions whose reactions always move the lightest kind on which "
                       "they act. Use the Moreau-Jean or the implicit Euler integrator.");
  if (law.dimension() > 1 && kind != DoFKind::inertial)
    throw NotAvailable("The direction \"" + outcome.name +
                       "\" of Coulomb friction acts on degrees of freedom without mass. The " + integrator +
                       " integrator supports Coulomb friction only on masses. Use the implicit Euler or "
                       "the Moreau-Jean integrator.");
  std::shared_ptr<const Law> law_at_instant = inclusion.law;
  if (kind == DoFKind::inertial && !law.is_positively_homogeneous())
    law_at_instant = std::make_shared<const LawAtRest>(inclusion.law);
  return {inclusion.name,
          i,
          component,
          inclusion.law,
          std::move(law_at_instant),
          kind,
          law.level(component) == LawLevel::gap,
          law.restitution().value_or(0.),
          outcome.acts_on[static_cast<std::size_t>(DoFKind::constrained)]};
}

}  // namespace

const MultiVector& CondensedInclusions::S(DoFKind kind) const {
  return kind == DoFKind::algebraic ? S_K : kind == DoFKind::viscous ? S_C : S_I;
}

const MultiVector& CondensedInclusions::W_of(DoFKind kind) const {
  return kind == DoFKind::algebraic ? W.K : kind == DoFKind::viscous ? W.C : W.I;
}

const Vector& CondensedInclusions::load_terms_of(const LoadTerms& load_terms, DoFKind kind) {
  return kind == DoFKind::algebraic ? load_terms.s : kind == DoFKind::viscous ? load_terms.w : load_terms.a;
}

Interval CondensedInclusions::reaction_interval(Index j, double time, ContactState state) const {
  const Law& law = *direction(j).law;
  return law.rest_interval(law.parameters(time, state)).value();
}

double CondensedInclusions::friction_coefficient(Index normal, double time) const {
  const Law& law = *direction(normal).law;
  return law.cone_slope(law.parameters(time, ContactState::stick)).value();
}

std::vector<ContactState> CondensedInclusions::states_of_directions(
    const std::vector<ContactState>& states_of_inclusions) const {
  std::vector<ContactState> states;
  for (const DirectionData& one : directions) {
    ContactState state = states_of_inclusions[one.inclusion];
    if (one.law->dimension() > 1 && state != ContactState::open)
      state = !one.is_tangent()              ? ContactState::closed
              : state == ContactState::stick ? ContactState::stick
                                             : ContactState::slip;
    states.push_back(state);
  }
  return states;
}

std::vector<ContactState> CondensedInclusions::states_of_inclusions(
    const std::vector<ContactState>& states_of_directions, const Vector& r) const {
  std::vector<ContactState> inclusions;
  for (std::size_t j = 0; j < directions.size(); ++j) {
    if (directions[j].is_tangent()) continue;
    ContactState state = states_of_directions[j];
    if (directions[j].is_normal() && state != ContactState::open) {
      state = states_of_directions[j + 1];
      const double r_t = r[static_cast<Index>(j) + 1];
      if (state == ContactState::slip && directions[j].law->dimension() == 2)
        state = r_t > 0 ? ContactState::slip_back : ContactState::slip_forward;
    }
    inclusions.push_back(state);
  }
  return inclusions;
}

SlidingReaction CondensedInclusions::sliding_reaction(Index j, double time, ContactState state,
                                                      double w) const {
  const Law& law = *direction(j).law;
  return law.sliding(law.parameters(time, state), state, w);
}

template <class Engine>
CondensedInclusions condense(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                             Index max_states, const std::string& integrator) {
  check_size_of_model(inclusions, max_states, integrator);
  const ReducedSystem<Engine>& reduced = inclusions.reduced();
  const Classification& kinds = reduced.classification();
  const DirectionMatrix& H = inclusions.H();
  const auto n = static_cast<Index>(reduced.n_states());
  const Index m = inclusions.n_directions();

  CondensedInclusions condensed;
  for (std::size_t i = 0; i < inclusions.acting().size(); ++i) {
    const Inclusion& inclusion = inclusions.acting()[i];
    check_law(inclusion, integrator);
    const auto first = static_cast<std::size_t>(inclusions.first_direction(i));
    for (Index k = 0; k < inclusion.law->dimension(); ++k)
      condensed.directions.push_back(direction_data(
          inclusion, i, k, outcome.directions[first + static_cast<std::size_t>(k)], integrator));
  }
  if (reduced.free().constraints())
    for (auto& direction : condensed.directions)
      direction.is_driven = true;
  condensed.n_velocities = kinds.inertial().n_local();
  condensed.A = dense_state_matrix(reduced);
  condensed.B_H = m > 0 ? reduced.input(H.columns(0, m)) : MultiVector(n, 0);
  condensed.W = outcome.W.I.rows() == m ? outcome.W : delassus_matrices(inclusions, outcome.options);

  const MultiVector Y = MultiVector::Identity(n, n);
  const Vector no_load = Vector::Zero(reduced.free().dofs().n_local());
  const MultiVector x = reduced.highest_derivatives(Y, MultiVector::Zero(no_load.size(), n));
  condensed.S_K = H.components(displacement_states(reduced, Y) + kinds.algebraic().only(x));
  condensed.S_C = H.components(velocity_states(reduced, Y) + kinds.viscous().only(x));
  condensed.S_I = H.components(kinds.inertial().only(x));

  condensed.load_terms = [reduced, H, n](double time, const Vector& y, const Vector& r) {
    const Classification& selections = reduced.classification();
    const Vector F =
        reduced.depends_on_state() ? reduced.load({time, y}, H.force(r)) : reduced.linear_load(time);
    const MultiVector x_F = reduced.elimination().solve(F);
    CondensedInclusions::LoadTerms load_terms;
    load_terms.y_rate = Vector::Zero(n);
    stack_rows(load_terms.y_rate, Vector::Zero(selections.inertial().n_local()),
               selections.viscous().selected_rows(x_F), selections.inertial().selected_rows(x_F));
    load_terms.s = H.components(selections.algebraic().only(x_F));
    load_terms.w = H.components(selections.viscous().only(x_F));
    load_terms.a = H.components(selections.inertial().only(x_F));
    return load_terms;
  };
  if (reduced.depends_on_state()) condensed.newton = reduced.linearized_state_force()->options.newton;
  condensed.prescribed = [inclusions](double time) { return inclusions.prescribed(time); };
  condensed.prescribed_by_dofs = [inclusions](double time) { return inclusions.prescribed_by_dofs(time); };
  condensed.prescribed_size = [inclusions](double time) { return prescribed_size(inclusions, time); };
  return condensed;
}

template CondensedInclusions condense(const Inclusions<InstantiatedEngine>&, const InclusionOutcome&, Index,
                                      const std::string&);

}  // namespace halfdof::internal
