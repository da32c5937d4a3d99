#pragma once

#include <halfdof/inclusions/initial_reactions.h>
#include <halfdof/integrators/nonsmooth_state.h>
#include <halfdof/reduction/consistent_state.h>

#include <vector>

namespace halfdof {

struct NonsmoothStart : NonsmoothState {
  ConsistencyReport report;              ///< of displacements and rates, see consistent_state()
  std::vector<ProjectedPlay> projected;  ///< plays that did not start where the displacements put them
};

struct NonsmoothStartOptions {
  ConsistencyOptions consistency;
  OutsideSet outside = OutsideSet::refuse;  ///< initial reactions of plays that their laws do not admit
  double tolerance = 1e-10;  ///< what counts as rest or touch, relative to the largest rate or displacement
};

/**
 * The start of a run with inclusions, lightest kinds first:
 * - plays: their reactions are states, and follow from the initial displacements, see initial_reactions();
 * - contacts on algebraic DoFs, friction and contacts on viscous ones: as the laws say at t_0;
 * - friction and contacts on inertial DoFs: those that slip by the rate, those at rest by the acceleration
 *   that the other forces leave them.
 *
 * Above DelassusOptions::max_dense directions Delassus matrices are operators for all but plays: a solve with
 * D for each application, two or three where directions meet several kinds.
 *
 * @param displacement,rate local assembled DoFs, those of algebraic DoFs included
 * @throws InvalidInput as consistent_state() does; if a play starts outside its set; if a contact starts
 *     behind its obstacle; NotAvailable if there are plays, or friction that weakens, but no dense matrices;
 *     NoReactions. Collective.
 */
template <class Engine>
NonsmoothStart nonsmooth_start(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                               const Vector& displacement, const Vector& rate, double time = 0,
                               const NonsmoothStartOptions& options = {});

/// The same from a state and the reactions r of its plays, n_directions() entries; the others are looked at
/// no further.
template <class Engine>
NonsmoothStart nonsmooth_start(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                               const State& state, const Vector& r,
                               const NonsmoothStartOptions& options = {});

}  // namespace halfdof
