#pragma once

#include <halfdof/inclusions/gauss_seidel.h>

namespace halfdof {

/**
 * The accelerated projected gradient method for w = W r + b with W as an operator (Nesterov 1983; restarted
 * where it turns back, O'Donoghue and Candes 2015; for contact Mazhar, Heyn, Negrut and Tasora 2015):
 * @f[ r_i^{k+1} = R_i\big(y_i - \rho_i\,(W y + b)_i\big), \qquad
 *     y = r^{k+1} + \beta_k\,(r^{k+1} - r^k), \qquad \rho_i = \frac{d_i}{\Lambda\,\mathrm{tr}\,W_{ii}}, @f]
 * where Lambda bounds the eigenvalues of W scaled by its diagonal. One product a step; the number of steps
 * grows like the root of the condition number. Meant for symmetric positive definite W.
 *
 * Laws that weaken take part while @f$ 2 l_i < \rho_i @f$. The derivatives of their resolvents then lie
 * between @f$ -l_i/(\rho_i - l_i) > -1 @f$ and one, and the steps contract, without acceleration (beta = 0),
 * which would amplify those that alternate. That is more than half of what makes the solution single valued
 * (check_single_valued()).
 */
class ProjectedGradient {
 public:
  /// @throws NotAvailable if a law weakens too much, with a step that would do
  explicit ProjectedGradient(const OneStepProblem& problem);

  /// Lambda: one where no inclusion moves another.
  double coupling() const { return largest_eigenvalue_; }

  /// @return iterations are products with W
  IterationResult iterate(const LawsAtTime& laws, const Vector& b, double tolerance, Index max_products,
                          Vector& r, Vector& w);

 private:
  void estimate_largest_eigenvalue();
  void look_for_weakening();

  const OneStepProblem& problem_;
  double largest_eigenvalue_ = 0;
  bool weakens_ = false;  ///< some law
  Vector y_, next_, gradient_;
};

}  // namespace halfdof
