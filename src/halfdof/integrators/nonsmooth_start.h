#pragma once

#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth_state.h>
#include <halfdof/reduction/consistent_state.h>

#include <string>
#include <vector>

namespace halfdof {

/// What to do with plays whose laws admit no reactions that hold the given displacements.
enum class OutsideSet {
  refuse,
  project,  ///< relax: the nearest admissible reactions in the metric of W_K
};

/// A play that did not start where the given displacements put it.
struct ProjectedPlay {
  std::string name;
  Vector slip;   ///< of its directions, at once
  Vector taken;  ///< reactions
};

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
 * The start of a run with inclusions. A state y and reactions r make displacements, rates and accelerations;
 * the laws are met by what the lightest kind that decides them tells:
 * - contacts on algebraic DoFs by their gaps, @f$ H^T q - h @f$ with @f$ q_K = q_{K,\text{free}}(y) +
 *   J_K (D^{-1})_K H r @f$;
 * - plays, whose reactions are states, by how far they slip at once from where the given q_K(0) put them:
 *   @f[ H^T J_K (q_{K,\text{free}} - q_K(0)) + W_K r = s, \qquad (s, r) \text{ in the law}. @f]
 *   Algebraic DoFs have no state of their own, so that their given displacements tell what holds them
 *   (Bastien and Lamarque 2009: r(0) = G(0) = K V(0) - F(0), which they assume to be admissible). Plays that
 *   slip, as no admissible reactions hold them, are refused; or on request they relax to the projection in
 *   the metric of W_K, which is what a sweeping process does at its first instant. Of plays that depend on
 *   each other (W_K singular) only combinations are determined;
 * - friction and contacts on viscous DoFs by their rates;
 * - friction and contacts on inertial DoFs by their rates where these are not zero, at rest by the
 *   acceleration under reactions that stay as they are.
 *
 * All of these are met together, since unsymmetric matrices let reactions on each kind move all others at
 * once (see MixedLevels). Above DelassusOptions::max_dense directions the Delassus matrix is an operator: a
 * solve with D for each application, two or three where directions meet half DoFs.
 *
 * @param displacement,rate local assembled DoFs, those of algebraic DoFs included
 * @throws InvalidInput as consistent_state() does; if plays slip at once and OutsideSet is refuse; if a
 * contact
 *     starts behind its obstacle; NoReactions. Collective.
 */
template <class Engine>
NonsmoothStart nonsmooth_start(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                               const Vector& displacement, const Vector& rate, double time = 0,
                               const NonsmoothStartOptions& options = {});

/// The same from a state and the reactions r, n_directions() entries, under which algebraic DoFs are where
/// they are.
template <class Engine>
NonsmoothStart nonsmooth_start(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                               const State& state, const Vector& r,
                               const NonsmoothStartOptions& options = {});

}  // namespace halfdof
