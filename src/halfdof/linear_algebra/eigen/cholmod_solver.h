// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

namespace halfdof::internal {

/**
 * Factorizes symmetric matrices with CHOLMOD (Chen, Davis, Hager and Rajamanickam 2008): definite matrices as
 * @f$ \pm A = L L^T @f$, and indefinite matrices as @f$ A = L D L^T @f$ if a bound of the growth certifies
 * that this factorization is stable. For larger factors, and for complex symmetric matrices, SignedCholesky
 * is used on the supernodes of CHOLMOD's analysis; reports call this solver Solver::ldlt. SignedCholesky
 * needs less time than CHOLMOD for solves with few right-hand sides (docs/ldlt.md).
 *
 * A factorization L D L^T without pivoting exists for some indefinite matrices and is stable for fewer; the
 * important case are quasi-definite matrices (Vanderbei 1995). The certificate is a bound of the growth
 * @f[ g = \max_i \frac{(|L|\,|D|\,|L|^T)_{ii}}{|a_{ii}|}. @f]
 * By the Cauchy-Schwarz inequality, the entries of |L||D||L|^T are at most @f$ g \sqrt{|a_{ii} a_{jj}|} @f$,
 * and hence the backward error (Higham 2002, theorem 9.3) is at most @f$ c\,u\,g \sqrt{|a_{ii} a_{jj}|} @f$,
 * with the unit roundoff u and a constant c. A Cholesky factorization has the same bound with g = 1. The
 * growth g does not depend on the scaling of A.
 */
class CholmodSolver {
 public:
  /// Orders and analyses the lower triangle of the pattern by AMD. If AMD predicts at least 500 operations
  /// for each entry of L, and at least 5 times as many entries of L as of the matrix, METIS is tried, too.
  /// The ordering with fewer entries of L is used.
  /// @param solver With Solver::ldlt, supernodes are used for every pattern
  explicit CholmodSolver(PatternPtr pattern, Solver solver = Solver::automatic);
  ~CholmodSolver();
  CholmodSolver(CholmodSolver&&) noexcept;
  CholmodSolver& operator=(CholmodSolver&&) noexcept;

  /// Returns the predicted number of entries of L.
  double n_factor_entries() const;
  /// Returns the predicted number of operations of one factorization.
  double n_operations() const;

  /// Computes the Cholesky factorization sign A = L L^T, where `sign` is 1 or -1. The result is null if sign
  /// A is not positive definite.
  ReportedFactorizationPtr<double> factorize_definite(const std::vector<double>& values, double sign) const;
  /// Computes the Cholesky factorization sign A = L L^T by CHOLMOD, even if is_supernodal() is true. The
  /// result is null if sign A is not positive definite.
  ReportedFactorizationPtr<double> factorize_by_cholmod(const std::vector<double>& values, double sign) const;

  /// Returns whether the columns of L are combined to supernodes, which are stored as dense blocks.
  /// Supernodes are faster if the factorization needs many operations for each entry of L.
  bool is_supernodal() const;

  /// Factorizes an indefinite matrix as A = L D L^T. The result is null if a pivot is zero or the growth is
  /// above `largest_growth`. If the growth is above `negligible_growth`, with_refinement() checks the
  /// accuracy. For complex matrices, is_supernodal() must be true.
  ReportedFactorizationPtr<double> factorize_indefinite(const std::vector<double>& values) const;
  ReportedFactorizationPtr<Complex> factorize_indefinite(const std::vector<Complex>& values) const;

  /// Growth up to which solves need no check of their accuracy.
  static constexpr double negligible_growth = 100;
  /// Growth above which a factorization without pivoting is rejected.
  static constexpr double largest_growth = 1e5;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace halfdof::internal
