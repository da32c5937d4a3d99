// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/gauss_seidel.h>

namespace halfdof::internal {

/**
 * The accelerated projected gradient method for w = W r + b with W as an operator (Nesterov 1983; with a
 * restart where a step would ascend, O'Donoghue and Candes 2015; for contact Mazhar, Heyn, Negrut and Tasora
 * 2015):
 * @f[ r_i^{k+1} = R_i\big(y_i - \rho_i\,(W y + b)_i\big), \qquad
 *     y = r^{k+1} + \beta_k\,(r^{k+1} - r^k), \qquad \rho_i = \frac{d_i}{\Lambda\,\mathrm{tr}\,W_{ii}}, @f]
 * where R_i is the resolvent of the law of inclusion i, d_i the number of its directions, and Lambda an upper
 * bound of the eigenvalues of W scaled by its diagonal. Each step takes one product with W; the number of
 * steps grows like the square root of the condition number of W. The method is meant for symmetric positive
 * definite W.
 *
 * Laws whose reaction weakens with the rate, with the steepest decrease l_i, are admitted if @f$ 2 l_i <
 * \rho_i @f$. The derivatives of their resolvents then lie between @f$ -l_i/(\rho_i - l_i) > -1 @f$ and one,
 * so that the steps contract without acceleration (beta = 0); acceleration would amplify alternating steps.
 * The condition is stronger than the condition for a unique solution (check_single_valued()).
 */
class ProjectedGradient {
 public:
  /// @throws NotAvailable if a law weakens too much; the message gives a step length that is short enough
  explicit ProjectedGradient(const OneStepProblem& problem);

  /// The largest eigenvalue Lambda of W scaled by its diagonal; about one if no reaction moves another
  /// inclusion.
  double coupling() const { return largest_eigenvalue_; }

  /// Solves w = W r + b with the laws. @return the residual; n_iterations is the number of products with W
  IterationResult iterate(const LawsAtTime& laws, const Vector& b, double tolerance, Index max_products,
                          Vector& r, Vector& w);

 private:
  void estimate_largest_eigenvalue();
  void check_weakening();

  const OneStepProblem& problem_;
  double largest_eigenvalue_ = 0;
  bool weakens_ = false;  ///< whether any law weakens
  Vector y_, next_, gradient_;
};

}  // namespace halfdof::internal
