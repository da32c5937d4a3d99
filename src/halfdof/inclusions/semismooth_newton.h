#pragma once

#include <halfdof/inclusions/gauss_seidel.h>

namespace halfdof {

/**
 * Newton's method on the natural map of w = W r + b (Alart and Curnier 1991; Qi and Sun 1993),
 * @f[ \Phi_i(r) = r_i - R_i(z_i) = 0, \quad z_i = r_i - \rho_i w_i, \qquad
 *     \sum_j \big[\delta_{ij} - G_i(\delta_{ij} - \rho_i W_{ij})\big]\,\Delta_j = -\Phi_i, \quad
 *     G_i = R_i'(z_i), @f]
 * with halved steps where the full one does not bring the residual down. It needs a start near the solution,
 * which Gauss-Seidel gives, and then does not mind stiff W.
 */
class SemismoothNewton {
 public:
  /// @param problem One whose W is given by its entries, has_matrix(). It is kept by reference.
  /// @param is_redundant Whether W is singular: of the steps to the solutions the shortest is taken
  explicit SemismoothNewton(const OneStepProblem& problem, bool is_redundant = false);

  /// Stops early where no step helps. @return iterations are linear systems
  IterationResult iterate(const LawsAtTime& laws, const Vector& b, double tolerance, Index max_systems,
                          Vector& r, Vector& w);

 private:
  /// Phi. @return |Phi| in forces
  double evaluate(const LawsAtTime& laws, const Vector& b, const Vector& r, Vector& w);
  /// G of all inclusions; those with G = 0, as open contacts, are not active: their Delta = -Phi.
  void differentiate(const LawsAtTime& laws, const Vector& r, const Vector& w);
  /// The rows and columns of active inclusions, in the leading block of jacobian_.
  void assemble();
  bool find_step();
  bool solve();
  void project(const LawsAtTime& laws, const Vector& r, const Vector& w, Vector& nearest) const;

  const OneStepProblem& problem_;
  bool is_redundant_;
  Vector phi_, step_, trial_, trial_w_;
  std::vector<LocalMatrix> G_;
  std::vector<Index> active_;   ///< inclusions
  std::vector<Index> columns_;  ///< theirs
  Vector moved_, right_;
  MultiVector jacobian_;
  std::vector<int> pivots_;
};

}  // namespace halfdof
