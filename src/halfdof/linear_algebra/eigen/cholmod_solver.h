#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof {

/**
 * Symmetric matrices by CHOLMOD (Chen, Davis, Hager and Rajamanickam 2008): @f$ \pm A = L L^T @f$, and @f$ A
 * = L D L^T @f$ where it is certified. Where supernodes pay, by SignedCholesky on those of CHOLMOD's
 * analysis, for complex symmetric matrices, too.
 *
 * L D L^T without pivoting exists for some indefinite matrices and is stable for fewer; the quasi-definite
 * ones (Vanderbei 1995) are the important case. It is certified by the growth
 * @f[ g = \max_i \frac{(|L|\,|D|\,|L|^T)_{ii}}{|a_{ii}|} @f]
 * Cauchy-Schwarz bounds every entry of |L||D||L|^T, hence the backward error (Higham 2002, theorem 9.3), by
 * @f$ c\,u\,g \sqrt{|a_{ii} a_{jj}|} @f$: what a Cholesky factorization has with g = 1. g does not depend on
 * the scaling of A.
 */
class CholmodSolver {
 public:
  /// Orders and analyses the lower triangle of the pattern: by AMD, and where that predicts 500 operations or
  /// more for each entry of L, and 5 times the entries of the matrix, also by METIS; the smaller fill wins.
  explicit CholmodSolver(PatternPtr pattern);
  ~CholmodSolver();
  CholmodSolver(CholmodSolver&&) noexcept;
  CholmodSolver& operator=(CholmodSolver&&) noexcept;

  /// Predicted entries of L.
  double n_factor_entries() const;
  /// Predicted operations of one factorization.
  double n_operations() const;

  /// sign A = L L^T; null if sign A is not positive definite.
  ReportedFactorizationPtr<double> factorize_definite(const std::vector<double>& values, double sign) const;

  /// Whether there are operations enough for each entry of L that its columns are taken together, as dense
  /// blocks.
  bool is_supernodal() const;

  /// A = L D L^T; null if a pivot is zero or the growth is above `largest_growth`. Above `negligible_growth`
  /// it goes through with_refinement(). Complex only if is_supernodal().
  ReportedFactorizationPtr<double> factorize_indefinite(const std::vector<double>& values) const;
  ReportedFactorizationPtr<Complex> factorize_indefinite(const std::vector<Complex>& values) const;

  static constexpr double negligible_growth = 100;
  static constexpr double largest_growth = 1e5;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof
