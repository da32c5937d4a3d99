// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>
#include <halfdof/inclusions/saddle_point_solver.h>
#include <halfdof/integrators/nonsmooth/stage_problem.h>
#include <halfdof/linear_algebra/instantiate.h>

#include <algorithm>

namespace halfdof::internal {

namespace {

/// Smallest number of directions for which SaddlePointSolver is efficient.
constexpr Index smallest_n_directions = 64;
/// Largest mean number of entries in a row of the factors for which SaddlePointSolver is efficient.
constexpr double largest_fill = 8;

/// Returns whether SaddlePointSolver can be used efficiently, which needs monotone interval laws and a
/// positive definite step matrix whose Cholesky factors have little fill-in.
template <class Engine>
bool is_suited_for_saddle_point_solver(const Inclusions<Engine>& inclusions,
                                       const FactorizationReport& step_matrix) {
  const bool suits = inclusions.n_directions() >= smallest_n_directions &&
                     inclusions.reduced().communicator().size() == 1 && step_matrix.is_positive_definite &&
                     static_cast<double>(step_matrix.n_factor_entries) <=
                         largest_fill * static_cast<double>(step_matrix.n_rows) &&
                     inclusions.reduced().free().is_symmetric();
  return suits &&
         std::all_of(inclusions.acting().begin(), inclusions.acting().end(), [](const Inclusion& each) {
           return dynamic_cast<const IntervalLaw*>(each.law.get()) && each.law->is_maximal_monotone();
         });
}

/// Returns the SaddlePointSolver solver for the step matrix P_h = sigma^2 M + sigma C + K.
template <class Engine>
std::shared_ptr<PrincipalSolver> saddle_point_solver(const Inclusions<Engine>& inclusions, double sigma) {
  const FreeSystem<Engine>& free = inclusions.reduced().free();
  const OwnedRows P = sigma * sigma * Engine::to_rows(free.M()) + sigma * Engine::to_rows(free.C()) +
                      Engine::to_rows(free.K());
  return std::make_shared<SaddlePointSolver>(Eigen::SparseMatrix<double>(P), inclusions.H().free());
}

}  // namespace

template <class Engine>
std::unique_ptr<StageProblem> make_stage_problem(const Inclusions<Engine>& inclusions,
                                                 const InclusionOutcome& outcome,
                                                 const std::vector<DirectionRule>& rules,
                                                 const FactorizationPtr<double>& step_matrix,
                                                 const StageWeights& weights) {
  const auto make = [&](const DelassusOptions& options, std::shared_ptr<PrincipalSolver> principal) {
    return std::make_unique<StageProblem>(inclusions.acting(), outcome, rules,
                                          step_delassus(inclusions, step_matrix, options), weights,
                                          std::move(principal));
  };
  if (!is_suited_for_saddle_point_solver(inclusions, step_matrix->report()))
    return make(outcome.options, nullptr);
  DelassusOptions as_operator = outcome.options;
  as_operator.max_dense = 0;
  auto problem = make(as_operator, saddle_point_solver(inclusions, weights.sigma));
  if (problem->is_weakly_coupled() && inclusions.n_directions() <= outcome.options.max_dense)
    return make(outcome.options, nullptr);
  return problem;
}

template std::unique_ptr<StageProblem> make_stage_problem(const Inclusions<InstantiatedEngine>&,
                                                          const InclusionOutcome&,
                                                          const std::vector<DirectionRule>&,
                                                          const FactorizationPtr<double>&,
                                                          const StageWeights&);

}  // namespace halfdof::internal
