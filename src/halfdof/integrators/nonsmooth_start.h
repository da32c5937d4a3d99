#pragma once

#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/nonsmooth_state.h>
#include <halfdof/reduction/consistent_state.h>

#include <string>
#include <vector>

namespace halfdof {

/// A reaction that the initial displacements ask for, and that its law does not admit.
struct InitialReaction {
  std::string inclusion;
  Vector given;     ///< from the initial q_K
  Vector admitted;  ///< the nearest in the law's set
};

struct NonsmoothStart : NonsmoothState {
  ConsistencyReport report;                ///< of displacements and rates, see consistent_state()
  std::vector<InitialReaction> projected;  ///< reactions of plays that were moved into their sets
};

struct NonsmoothStartOptions {
  ConsistencyOptions consistency;
  /// What becomes of reactions outside their sets.
  enum class Outside { refuse, project } outside = Outside::refuse;
  double tolerance = 1e-10;  ///< relative to the thresholds and reactions, and of gaps to the displacements
};

/**
 * The start of a run with inclusions, lightest kinds first:
 * - plays: their reactions are states, and follow from the initial displacements of algebraic DoFs by
 *   @f$ W_K r = H^T q_K(0) - H^T q_K|_{r=0} @f$; for q_K(0) = 0 as for any other. Outside its set r is refused, or
 *   projected on request, and reported: then q_K(0) jumps;
 * - contacts on algebraic DoFs, friction and contacts on viscous ones: as the laws say at t_0;
 * - friction and contacts on inertial DoFs: those that slip by the rate, those at rest by the acceleration that the other
 *   forces leave them.
 *
 * @param displacement,rate local assembled DoFs, those of algebraic DoFs included
 * @throws InvalidInput as consistent_state() does; if a play starts outside its set; if a contact starts behind its
 *     obstacle. Collective.
 */
template <class Engine>
NonsmoothStart nonsmooth_start(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                               const Vector& displacement, const Vector& rate, double time = 0,
                               const NonsmoothStartOptions& options = {});

/// The same from a state, with given reactions of the plays. @param r n_directions(); only the entries of plays are used
template <class Engine>
NonsmoothStart nonsmooth_start(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                               const State& state, const Vector& r,
                               const NonsmoothStartOptions& options = {});

}  // namespace halfdof
