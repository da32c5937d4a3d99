// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof::internal {

/**
 * Factorizes symmetric matrices with CHOLMOD (Chen, Davis, Hager and Rajamanickam 2008): @f$ \pm A = L L^T
 * @f$, and @f$ A = L D L^T @f$ if it is certified to be stable. For larger factors, SignedCholesky is used on
 * the supernodes of CHOLMOD's analysis, also for complex symmetric matrices; reports call it Solver::ldlt.
 * It solves for few columns in less time than CHOLMOD does (docs/ldlt.md).
 *
 * A factorization L D L^T without pivoting exists for some indefinite matrices and is stable for fewer; the
 * important case are quasi-definite matrices (Vanderbei 1995). The certificate is a bound of the growth
 * @f[ g = \max_i \frac{(|L|\,|D|\,|L|^T)_{ii}}{|a_{ii}|}. @f]
 * By Cauchy-Schwarz, every entry of |L||D||L|^T and hence the backward error (Higham 2002, theorem 9.3) is at
 * most @f$ c\,u\,g \sqrt{|a_{ii} a_{jj}|} @f$. A Cholesky factorization has the same bound with g = 1. g does
 * not depend on the scaling of A.
 */
class CholmodSolver {
 public:
  /// Orders and analyses the lower triangle of the pattern by AMD. If this predicts at least 500 operations
  /// for each entry of L, and at least 5 times as many entries as in the matrix, METIS is tried, too; the
  /// ordering with fewer entries of L is used.
  /// @param solver With Solver::ldlt, is_supernodal() is true in any case
  explicit CholmodSolver(PatternPtr pattern, Solver solver = Solver::automatic);
  ~CholmodSolver();
  CholmodSolver(CholmodSolver&&) noexcept;
  CholmodSolver& operator=(CholmodSolver&&) noexcept;

  /// Returns the predicted number of entries of L.
  double n_factor_entries() const;
  /// Returns the predicted number of operations of one factorization.
  double n_operations() const;

  /// Factorizes sign A = L L^T, where `sign` is 1 or -1; null if sign A is not positive definite.
  ReportedFactorizationPtr<double> factorize_definite(const std::vector<double>& values, double sign) const;
  /// The same by CHOLMOD, also if is_supernodal().
  ReportedFactorizationPtr<double> factorize_by_cholmod(const std::vector<double>& values, double sign) const;

  /// Returns whether the columns of L are combined to supernodes, which are dense blocks: this is faster if
  /// there are many operations for each entry of L.
  bool is_supernodal() const;

  /// Factorizes A = L D L^T; null if a pivot is zero or the growth is above `largest_growth`. If the growth
  /// is above `negligible_growth`, with_refinement() checks the accuracy. Complex matrices need
  /// is_supernodal().
  ReportedFactorizationPtr<double> factorize_indefinite(const std::vector<double>& values) const;
  ReportedFactorizationPtr<Complex> factorize_indefinite(const std::vector<Complex>& values) const;

  static constexpr double negligible_growth = 100;
  static constexpr double largest_growth = 1e5;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof::internal
