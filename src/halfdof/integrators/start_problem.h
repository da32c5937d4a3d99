#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/inclusions/outcome.h>

#include <cstddef>
#include <vector>

namespace halfdof {

/// Some of the laws of a model, and the directions by which they are met and by which they push.
struct StartMembers {
  std::vector<std::size_t> inclusions;
  std::vector<NamedLaw> laws;
  std::vector<Index> met;                      ///< directions, in the order of the laws
  std::vector<Eigen::Triplet<double>> pushes;  ///< entries of P: directions x entries of `met`

  /// P. Shape: n_directions x met.size().
  Eigen::SparseMatrix<double> push_matrix(Index n_directions) const;
};

/// W r with the W of one kind, InclusionOutcome::at_once; above DelassusOptions::max_dense directions by
/// solves with D: one, and one or two more for rates and accelerations where directions meet lighter kinds.
/// Shapes: r, result m x p. Collective.
template <class Engine>
MultiVector responses_at_once(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                              DoFKind kind, const MultiVector& r);

/// The small problem of a start, scale E^T W P, with the unit columns E of what is met: a matrix, or above
/// DelassusOptions::max_dense directions an operator. @throws as OneStepProblem. Collective.
template <class Engine>
OneStepProblem start_problem(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                             const StartMembers& some, DoFKind kind, double scale);

}  // namespace halfdof
