// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/instantaneous_law_problem.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace halfdof::internal {

/// The laws that are solved at the start, the directions on which they are enforced, and those in which their
/// reactions act.
struct StartMembers {
  std::vector<std::size_t> inclusions;
  std::vector<NamedLaw> laws;
  std::vector<Index> enforced_on;  ///< Directions on which the laws are enforced, in the order of the laws.
  /// The kind of each entry of `enforced_on`; its law is enforced on the displacement, rate or acceleration.
  std::vector<DoFKind> kinds;
  std::vector<Eigen::Triplet<double>> pushes;  ///< Entries of P: directions x entries of `enforced_on`.

  /// Returns P. Shape: n_directions x enforced_on.size().
  Eigen::SparseMatrix<double> push_matrix(Index n_directions) const;
};

/// Returns the problem of the laws at the start with the matrix E^T W P, where E has the unit columns of
/// `enforced_on`, and the rows of W are those of InclusionOutcome::instantaneous_responses by kind. Above
/// DelassusOptions::max_dense directions the matrix is an operator that uses the solves of
/// instantaneous_responses(). @throws as OneStepProblem. Collective.
template <class Engine>
std::unique_ptr<InstantaneousLawProblem> start_problem(const Inclusions<Engine>& inclusions,
                                                       const InclusionOutcome& outcome,
                                                       const StartMembers& some);

}  // namespace halfdof::internal
