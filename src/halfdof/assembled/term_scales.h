// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/free_system.h>

namespace halfdof::internal {

/**
 * Upper bounds w on the sum of the moduli of the terms of @f$ P(\lambda) x = (\lambda^2 M + \lambda C + K) x
 * @f$ in each row. The ratio of a residual to its bound is a backward error that does not depend on the units
 * of rows and columns (newtons and coulombs, metres and volts in one system):
 * @f[ w_i(\lambda, x) = \max_j \frac{|x_j|}{c_j} \sum_j \bigl(|\lambda|^2 |M_{ij}| + |\lambda| |C_{ij}| +
 *     |K_{ij}|\bigr)\, c_j . @f]
 * The scales c_j and r_i make all row and column sums of
 * @f$ r_i (\tau^2 |M_{ij}| + \tau |C_{ij}| + |K_{ij}|)\, c_j @f$ about equal (iteration of Ruiz, 2001), with
 * @f$\tau@f$ = characteristic_rate(). The maximum over j is taken over all DoFs. Therefore the bound of a row
 *     whose DoFs are at rest in x depends on the largest motion in x, and not on the rounding errors of these
 *     DoFs.
 *
 * Numbering: free. Objects are constant and cheap to copy.
 */
template <class Engine>
class TermScales {
 public:
  /// Computes the scales r and c. Collective.
  explicit TermScales(const FreeSystem<Engine>& system);

  const FreeSystem<Engine>& system() const { return system_; }
  /// Returns characteristic_rate() of the system [1/s].
  double rate() const { return rate_; }
  /**
   * Whether each right eigenvector x is also a left eigenvector, and x^T P'(lambda) x measures the
   * sensitivity of the eigenvalue to rounding. Both hold if M, C and K are symmetric, and each nonzero row of
   * M and of C has a positive diagonal entry, as in semidefinite matrices. With indefinite matrices, x^T P' x
   * may vanish even for well conditioned eigenvalues.
   */
  bool has_own_left_vectors() const { return has_own_left_vectors_; }
  /// Returns c for the local free DoFs.
  const Vector& column_scales() const { return column_scales_; }
  /// Computes w for each eigenvalue and the corresponding column of x. Shapes: x and result local free DoFs x
  /// k. Collective.
  MultiVector operator()(const ComplexVector& eigenvalues, ConstView<Complex> x) const;
  /// Computes upper bounds on the terms of M a + C v + K q in the same way.
  MultiVector term_bounds(ConstView<Complex> a, ConstView<Complex> v, ConstView<Complex> q) const;
  /**
   * Computes an upper bound on @f$ |p|^T\, T(\lambda)\, |x|,\ T = |\lambda|^2 |M| + |\lambda| |C| + |K| @f$,
   * which is tight for smooth p and x (Schur's test):
   * @f[ \Bigl( \sum_i \frac{|p_i|^2}{r_i} \sum_j T_{ij}\, c_j \Bigr)^{1/2}
   *     \Bigl( \sum_j \frac{|x_j|^2}{c_j} \sum_i r_i\, T_{ij} \Bigr)^{1/2} . @f]
   * The result has one entry for each column. Collective.
   */
  Vector bilinear_bound(const ComplexVector& eigenvalues, ConstView<Complex> p, ConstView<Complex> x) const;

 private:
  /// Computes max_j |x_j| / c_j for each column of x.
  Vector scaled_max_norms(ConstView<Complex> x) const;

  FreeSystem<Engine> system_;
  double rate_;
  bool has_own_left_vectors_;
  Vector row_scales_, column_scales_;
  Vector M_rows_, C_rows_, K_rows_;           ///< row sums of |M_ij| c_j and so on
  Vector M_columns_, C_columns_, K_columns_;  ///< column sums of r_i |M_ij| and so on
};

}  // namespace halfdof::internal
