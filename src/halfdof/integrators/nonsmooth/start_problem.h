// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/instantaneous_law_problem.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace halfdof::internal {

/// The laws that are solved at the start of a run, the directions on which these laws are enforced, and the
/// directions in which their reactions act.
struct StartLaws {
  std::vector<std::size_t> inclusions;
  std::vector<NamedLaw> laws;
  std::vector<Index> enforced_on;  ///< Directions on which the laws are enforced, in the order of the laws.
  /// The kind of DoFs that decides each entry of `enforced_on`. The law of this direction is enforced on the
  /// displacement (algebraic), rate (viscous) or acceleration (inertial).
  std::vector<DoFKind> kinds;
  /// The entries of the matrix P that distributes the unknown reactions over the directions in which they
  /// act.
  std::vector<Eigen::Triplet<double>> reaction_entries;

  /// Returns the matrix P of reaction_entries. Shape: n_directions x enforced_on.size().
  Eigen::SparseMatrix<double> reaction_matrix(Index n_directions) const;
};

/// Returns the complementarity problem of the laws at the start, whose matrix is E^T W P. The matrix E
/// selects the directions `enforced_on`, each row of W is that of its kind in
/// InclusionOutcome::instantaneous_responses, and P is StartLaws::reaction_matrix(). Above
/// DelassusOptions::max_dense directions the matrix is an operator, and each application costs the solves of
/// instantaneous_responses(). @throws as OneStepProblem. Collective.
template <class Engine>
std::unique_ptr<InstantaneousLawProblem> start_problem(const Inclusions<Engine>& inclusions,
                                                       const InclusionOutcome& outcome,
                                                       const StartLaws& some);

}  // namespace halfdof::internal
