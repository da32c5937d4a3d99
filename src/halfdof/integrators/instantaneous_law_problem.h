// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/classification/classification.h>
#include <halfdof/inclusions/one_step_problem.h>

#include <vector>

namespace halfdof::internal {

/**
 * The complementarity problem of the laws of all inclusions at one instant. Each law is enforced on a
 * quantity x_i of the lightest kind of DoFs that decides its direction: the displacement on algebraic DoFs,
 * the rate on viscous DoFs, the acceleration or the rate a little later on inertial DoFs,
 * @f[ x_i = (W r)_i + b_i, \qquad (x_i, r_i) \in \mathcal G_i. \qquad (1) @f]
 * All laws are solved together, because with unsymmetric M, C and K the reactions on DoFs of each kind
 * immediately move directions of the other kinds. With symmetric M, C and K the matrix W is block triangular
 * if lighter kinds come first.
 * Each row has the unit of its kind. The rows of each kind are scaled to a mean diagonal entry of one, except
 * for kinds with a law that is not positively homogeneous, because scaling would change its graph.
 */
class InstantaneousLawProblem {
 public:
  /// @param kinds the kind of DoFs of each row @param W the matrix W of (1) @throws as OneStepProblem
  InstantaneousLawProblem(const std::vector<NamedLaw>& laws, const std::vector<DoFKind>& kinds,
                          const MultiVector& W);
  InstantaneousLawProblem(const std::vector<NamedLaw>& laws, const std::vector<DoFKind>& kinds,
                          const OneStepProblem::Operator& W, std::vector<LocalMatrix> diagonal_blocks);

  const OneStepProblem& problem() const { return solver_.problem(); }

  /// Solves (1) for r, with b and x in the units of (1). @throws as OneStepSolver::solve()
  void solve(LawsAtTime& laws, const Vector& b, Vector& r, Vector& x);
  /// @param rounding rounding errors of b
  void solve(LawsAtTime& laws, const Vector& b, Vector& r, Vector& x, const Vector& rounding);
  /// Returns the contact state of each inclusion (stick, slip, open, closed) at a solution.
  std::vector<ContactState> states(const LawsAtTime& laws, const Vector& b, const Vector& r,
                                   const Vector& x) const;
  /// Returns the response W r of the quantities x of (1) to reactions.
  Vector response(const Vector& r) const;

 private:
  Vector scale_;
  OneStepSolver solver_;
};

}  // namespace halfdof::internal
