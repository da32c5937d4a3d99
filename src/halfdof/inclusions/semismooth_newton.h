// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/gauss_seidel.h>

namespace halfdof::internal {

/**
 * Newton's method on the natural map of w = W r + b (Alart and Curnier 1991; Qi and Sun 1993),
 * @f[ \Phi_i(r) = r_i - R_i(z_i) = 0, \quad z_i = r_i - \rho_i w_i, \qquad
 *     \sum_j \big[\delta_{ij} - G_i(\delta_{ij} - \rho_i W_{ij})\big]\,\Delta_j = -\Phi_i, \quad
 *     G_i = R_i'(z_i), @f]
 * where R_i is the resolvent of the law of inclusion i and G_i its derivative. The step is halved until the
 * residual decreases. The method needs a start near the solution, which Gauss-Seidel sweeps provide, and its
 * convergence does not depend on the condition number of W.
 */
class SemismoothNewton {
 public:
  /// @param problem A problem whose W is given by its entries, has_matrix(). It is kept by reference.
  /// @param is_singular Whether W is singular; if so, each Newton step is the solution of least norm
  explicit SemismoothNewton(const OneStepProblem& problem, bool is_singular = false);

  /// Iterates until the residual is at most the tolerance, and stops early if no step reduces the residual.
  /// @return the residual; n_iterations is the number of linear systems
  IterationResult iterate(const LawsAtTime& laws, const Vector& b, double tolerance, Index max_systems,
                          Vector& r, Vector& w);

 private:
  /// Computes Phi in phi_, and w. @return |Phi| [force]
  double evaluate(const LawsAtTime& laws, const Vector& b, const Vector& r, Vector& w);
  /// Computes the derivatives G_i of the resolvents. An inclusion with G_i = 0, such as an open contact, is
  /// not active: its step is Delta_i = -Phi_i.
  void differentiate(const LawsAtTime& laws, const Vector& r, const Vector& w);
  /// Assembles the rows and columns of active inclusions in the leading block of jacobian_.
  void assemble();
  bool find_step();
  bool solve();
  void project(const LawsAtTime& laws, const Vector& r, const Vector& w, Vector& nearest) const;

  const OneStepProblem& problem_;
  bool is_singular_;
  Vector phi_, step_, trial_, trial_w_;
  std::vector<LocalMatrix> G_;
  std::vector<Index> active_;   ///< active inclusions
  std::vector<Index> columns_;  ///< columns of the active inclusions
  Vector moved_, right_;
  MultiVector jacobian_;
  std::vector<int> pivots_;
};

}  // namespace halfdof::internal
