// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/signed_elimination.h>

#include <optional>

namespace halfdof::internal {

/**
 * The factorization @f$ P A P^T = L S L^T @f$ of a symmetric matrix without pivoting, where P is a
 * permutation and L is lower triangular. For real matrices, S is the diagonal matrix of the signs (+1 or -1)
 * of the pivots; for complex symmetric (not Hermitian) matrices, S = I. The factorization of a real matrix
 * with S = I is the Cholesky factorization. Quasi-definite matrices have a signed factorization for every P
 * (Vanderbei 1995). As in CHOLMOD, the factorization is left-looking and works on dense blocks, the
 * supernodes of CHOLMOD's analysis (Ng and Peyton 1993; Chen, Davis, Hager and Rajamanickam 2008).
 */
template <class Scalar>
class SignedCholesky {
 public:
  /// Factorizes a symmetric matrix.
  /// @param values One value for each entry of the pattern, which contains both triangles
  /// @param largest_growth Bound of the growth max_i (|L||L|^T)_ii / |a_ii|, see CholmodSolver
  /// @param only_sign The required sign of all pivots, 1 or -1, for definite real matrices, whose growth is
  ///   one and is not measured; no value if all signs are admissible
  /// @return The factorization; no value if a pivot is zero or has another sign, or the growth exceeds the
  /// bound
  static std::optional<SignedCholesky> factorize(SupernodesPtr supernodes, const SquarePattern& pattern,
                                                 const std::vector<Scalar>& values, double largest_growth,
                                                 std::optional<double> only_sign = {});

  /// Returns A^{-1} b.
  DenseMatrix<Scalar> solve(ConstView<Scalar> b) const;
  /// Returns z = L^{-1} P b.
  DenseMatrix<Scalar> forward(ConstView<Scalar> b) const;
  /// Returns P^T L^{-T} S z.
  DenseMatrix<Scalar> backward(ConstView<Scalar> z) const;
  /// Returns S L^{-1} P h.
  DenseMatrix<Scalar> transposed_backward(ConstView<Scalar> h) const;

  /// Returns det A.
  LogDeterminant<Scalar> log_determinant() const;
  /// Returns the diagonal of S in the order of elimination.
  const Vector& signs() const { return factors_.signs; }
  /// Returns the growth max_i (|L||L|^T)_ii / |a_ii|.
  double growth() const { return factors_.growth; }
  /// Returns the memory of L and S [bytes].
  double bytes() const { return factors_.bytes(); }

 private:
  using Values = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  using Order = const std::vector<Index>*;  ///< a permutation of rows; a null pointer is the identity

  SignedCholesky(SupernodesPtr supernodes, SignedFactors<Scalar> factors);

  template <class Solve>
  DenseMatrix<Scalar> solve_by_groups(ConstView<Scalar> b, Order from, Order to, const Solve& solve) const;
  void solve_forward(Scalar* x, Index width) const;
  void solve_backward(Scalar* x, Index width) const;
  void apply_signs(Scalar* x, Index width) const;

  SupernodesPtr supernodes_;
  SignedFactors<Scalar> factors_;
  mutable Values columns_, rows_;  ///< workspaces that are kept from one solve to the next
};

}  // namespace halfdof::internal
