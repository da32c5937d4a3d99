#pragma once

#include <halfdof/classification/classification.h>
#include <halfdof/inclusions/one_step_solver.h>

#include <vector>

namespace halfdof {

/**
 * Laws that are met at an instant by what the lightest kind of DoFs that decides them tells: displacements on
 * algebraic DoFs, rates on viscous ones, accelerations or rates a little ahead on inertial ones,
 * @f[ x_i = (W r)_i + b_i, \qquad (x_i, r_i) \in \mathcal G_i, \qquad (1) @f]
 * all of them together: where M, C and K are unsymmetric, reactions on each kind move the others at once.
 * (Where they are symmetric W is block triangular, lightest kinds first.) Each row has the unit of its kind,
 * of which positively homogeneous laws know nothing: rows are scaled kind by kind to a mean diagonal entry of
 * one, unless a law of that kind does mind.
 */
class MixedLevels {
 public:
  /// @param kinds that of each row @param W in the units of (1) @throws as OneStepProblem
  MixedLevels(const std::vector<NamedLaw>& laws, const std::vector<DoFKind>& kinds, const MultiVector& W);
  MixedLevels(const std::vector<NamedLaw>& laws, const std::vector<DoFKind>& kinds,
              const OneStepProblem::Operator& W, std::vector<LocalMatrix> diagonal_blocks);

  const OneStepProblem& problem() const { return solver_.problem(); }

  /// (1) for r, with b and x in its units. @throws as OneStepSolver::solve()
  void solve(LawsAtTime& laws, const Vector& b, Vector& r, Vector& x);
  /// @param rounding of b
  void solve(LawsAtTime& laws, const Vector& b, Vector& r, Vector& x, const Vector& rounding);
  /// What each inclusion does at a solution.
  std::vector<ContactState> states(const LawsAtTime& laws, const Vector& b, const Vector& r,
                                   const Vector& x) const;
  /// W r.
  Vector moved(const Vector& r) const;

 private:
  Vector scale_;
  OneStepSolver solver_;
};

}  // namespace halfdof
