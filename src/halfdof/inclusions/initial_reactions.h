#pragma once

#include <halfdof/inclusions/outcome.h>

#include <string>
#include <vector>

namespace halfdof {

/// What to do with an initial reaction of a play that its law does not admit.
enum class OutsideSet {
  refuse,
  project,  ///< relax: the nearest admissible reactions in the metric of W_K
};

/// A play that did not start where the given displacements put it.
struct ProjectedPlay {
  std::string name;
  Vector given;  ///< reactions that would hold the given displacements
  Vector taken;
};

struct InitialReactions {
  Vector r;  ///< of all directions; zero but for plays
  /// What holds the given displacements, by (1), of all directions that move algebraic DoFs, contacts too;
  /// where plays relax, their part is what they took.
  Vector holding;
  std::vector<ProjectedPlay> projected;
};

/**
 * The reactions with which plays start. Algebraic DoFs have no state of their own, so that their given
 * displacements q_K(0) tell what holds them:
 * @f[ W_K\, r(0) = H^T J_K (q_K(0) - q_{K,\text{free}}), \qquad (1) @f]
 * with q_K,free the displacements without reactions (Bastien and Lamarque 2009: r(0) = G(0) = K V(0) - F(0),
 * which they assume to be admissible). Where (1) leaves r(0) outside the sets of the laws it is refused, or
 * on request the plays relax to the solution of
 * @f[ W_K (r - r(0)) = w, \qquad (w, r) \text{ in the laws}, \qquad (2) @f]
 * which is the projection in the metric of W_K, and what a sweeping process does at its first instant. Where
 * plays depend on each other (W_K singular), (1) is solved with the least reactions.
 *
 * @param displacement q(0) of the local assembled DoFs; inertial and viscous entries are taken as they are
 * @param rate q'(0), of which only inertial entries count
 * @throws InvalidInput if a reaction is not admissible and OutsideSet is refuse, or sizes differ
 * @throws NotAvailable if there are plays, but W_K was not formed (DelassusOptions::max_dense). Collective.
 */
template <class Engine>
InitialReactions initial_reactions(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                                   const Vector& displacement, const Vector& rate, double time = 0,
                                   OutsideSet outside = OutsideSet::refuse);

}  // namespace halfdof
