#pragma once

#include <halfdof/assembled/free_system.h>

namespace halfdof {

/**
 * How large the terms of @f$ P(\lambda) x = (\lambda^2 M + \lambda C + K) x @f$ are at most in each row, so
 * that residuals can be called small whatever the units of rows and of columns are (newtons beside coulombs,
 * metres beside volts):
 * @f[ w_i(\lambda, x) = \max_j \frac{|x_j|}{c_j} \sum_j \bigl(|\lambda|^2 |M_{ij}| + |\lambda| |C_{ij}| +
 *     |K_{ij}|\bigr)\, c_j . @f]
 * The scales c_j and r_i make all row and column sums of
 * @f$ r_i (\tau^2 |M_{ij}| + \tau |C_{ij}| + |K_{ij}|)\, c_j @f$ about equal (iteration of Ruiz, 2001), with
 * @f$\tau@f$ = characteristic_rate(). A row whose DoFs are at rest in x is so measured by what the moving
 * ones would do there, not by its own rounding errors.
 *
 * Numbering: free. Constant; cheap to copy.
 */
template <class Engine>
class TermScales {
 public:
  /// Collective.
  explicit TermScales(const FreeSystem<Engine>& system);

  const FreeSystem<Engine>& system() const { return system_; }
  /// characteristic_rate() of the system [1/s].
  double rate() const { return rate_; }
  /// Whether M, C and K are.
  bool is_symmetric() const { return is_symmetric_; }
  /// c of the local free DoFs.
  const Vector& column_scales() const { return column_scales_; }
  /// w, one column for each eigenvalue. Shapes: x local free DoFs x k, result the same. Collective.
  MultiVector operator()(const ComplexVector& eigenvalues, ConstView<Complex> x) const;
  /// The same for M a + C v + K q.
  MultiVector of_terms(ConstView<Complex> a, ConstView<Complex> v, ConstView<Complex> q) const;
  /// A bound of |x|^T (|lambda|^2 |M| + |lambda| |C| + |K|) |x| for symmetric matrices, close for smooth x: with row sums for
  /// the matrices, @f$ \sum_i |x_i|^2 / c_i \sum_j (\dots)_{ij}\, c_j @f$. One entry for each column.
  Vector between(const ComplexVector& eigenvalues, ConstView<Complex> x) const;

 private:
  /// max_j |x_j| / c_j of each column.
  Vector size_of(ConstView<Complex> x) const;

  FreeSystem<Engine> system_;
  double rate_;
  bool is_symmetric_;
  Vector column_scales_;
  Vector M_rows_, C_rows_, K_rows_;  ///< row sums of |M_ij| c_j and so on
};

}  // namespace halfdof
