#pragma once

#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/outcome.h>
#include <halfdof/integrators/mixed_levels.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace halfdof {

/// The laws that are met at a start, and the directions by which they are met and by which they push.
struct StartMembers {
  std::vector<std::size_t> inclusions;
  std::vector<NamedLaw> laws;
  std::vector<Index> met;                      ///< directions, in the order of the laws
  std::vector<DoFKind> kinds;                  ///< of each of `met`: its displacement, rate or acceleration
  std::vector<Eigen::Triplet<double>> pushes;  ///< entries of P: directions x entries of `met`

  /// P. Shape: n_directions x met.size().
  Eigen::SparseMatrix<double> push_matrix(Index n_directions) const;
};

/// The small problem of a start, E^T W P, with the unit columns E of what is met, and the rows of W those of
/// InclusionOutcome::at_once by kind. It is a matrix, or above DelassusOptions::max_dense directions an
/// operator, by the solves of responses_at_once(). @throws as OneStepProblem. Collective.
template <class Engine>
std::unique_ptr<MixedLevels> start_problem(const Inclusions<Engine>& inclusions,
                                           const InclusionOutcome& outcome, const StartMembers& some);

}  // namespace halfdof
