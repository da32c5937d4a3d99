#pragma once

#include <halfdof/linear_algebra/eigen/signed_elimination.h>

#include <optional>

namespace halfdof {

/**
 * @f$ P A P^T = L S L^T @f$ of a symmetric matrix without pivoting, with S = diag(+1, -1) real, and S = 1
 * complex (symmetric, not Hermitian): the Cholesky factorization but for the signs, which the pivots tell.
 * Quasi-definite matrices have it for every P (Vanderbei 1995). By dense blocks as CHOLMOD's: left-looking
 * over the supernodes of its analysis (Ng and Peyton 1993; Chen, Davis, Hager and Rajamanickam 2008).
 */
template <class Scalar>
class SignedCholesky {
 public:
  /// @param values One for each entry of the pattern, of both triangles.
  /// @param largest_growth Of max_i (|L||L|^T)_ii / |a_ii|, see CholmodSolver.
  /// @param only_sign Of all pivots, for definite real matrices: 1 or -1. Their growth is one, and not
  /// measured. None: any sign.
  /// @return Nothing if a pivot is zero or of another sign, or the growth is above the largest.
  static std::optional<SignedCholesky> factorize(SupernodesPtr supernodes, const SquarePattern& pattern,
                                                 const std::vector<Scalar>& values, double largest_growth,
                                                 std::optional<double> only_sign = {});

  /// A^{-1} b
  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const;
  /// z = L^{-1} P b
  DenseMatrix<Scalar> forward(ConstView<Scalar> b) const;
  /// P^T L^{-T} S z
  DenseMatrix<Scalar> backward(ConstView<Scalar> z) const;
  /// S L^{-1} P h
  DenseMatrix<Scalar> transposed_backward(ConstView<Scalar> h) const;

  /// det A
  LogDeterminant<Scalar> log_determinant() const;
  /// The diagonal of S, in the order of elimination.
  const Vector& signs() const { return factors_.signs; }
  /// max_i (|L||L|^T)_ii / |a_ii|
  double growth() const { return factors_.growth; }
  /// Of L and S.
  double bytes() const { return factors_.bytes(); }

 private:
  using Values = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  using Order = const std::vector<Index>*;  ///< row k comes from, or goes to, the k-th of these; null: row k

  SignedCholesky(SupernodesPtr supernodes, SignedFactors<Scalar> factors);

  template <class Solve>
  DenseMatrix<Scalar> by_columns(ConstView<Scalar> b, Order from, Order to, const Solve& solve) const;
  void solve_forward(Scalar* x, Index width) const;
  void solve_backward(Scalar* x, Index width) const;
  void apply_signs(Scalar* x, Index width) const;

  SupernodesPtr supernodes_;
  SignedFactors<Scalar> factors_;
  mutable Values columns_, rows_;  ///< kept from one solve to the next
};

}  // namespace halfdof
