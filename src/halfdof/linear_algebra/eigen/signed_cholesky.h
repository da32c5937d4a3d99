#pragma once

#include <halfdof/linear_algebra/eigen/direct_solver.h>

#include <optional>

namespace halfdof {

/// Neighbouring columns of a Cholesky factor that share the pattern below them, which makes them dense blocks. Numbers are
/// places in the elimination order, not rows of the matrix.
struct Supernodes {
  std::vector<Index> first_columns;      ///< of each supernode; then n
  std::vector<std::int64_t> row_starts;  ///< where in `rows` those of each begin; then the end
  std::vector<std::int64_t>
      value_starts;                 ///< where the dense block of each begins, column-major; then the end
  std::vector<Index> rows;          ///< ascending; its own columns are the first of each
  std::vector<Index> row_of_place;  ///< the permutation P
  std::vector<Index> place_of_row;  ///< and its inverse
  Index most_rows = 0;              ///< of one supernode

  Index n() const { return static_cast<Index>(row_of_place.size()); }
  std::size_t size() const { return first_columns.size() - 1; }
  Index n_columns(std::size_t s) const { return first_columns[s + 1] - first_columns[s]; }
  Index n_rows(std::size_t s) const { return static_cast<Index>(row_starts[s + 1] - row_starts[s]); }
};

using SupernodesPtr = std::shared_ptr<const Supernodes>;

/**
 * @f$ P A P^T = L S L^T @f$ of a symmetric matrix without pivoting, with S = diag(+1, -1) real, and S = 1 complex (symmetric,
 * not Hermitian): the Cholesky factorization but for the signs, which the pivots tell. Quasi-definite matrices
 * have it for every P (Vanderbei 1995). By dense blocks as CHOLMOD's: left-looking over the supernodes of its analysis (Ng
 * and Peyton 1993; Chen, Davis, Hager and Rajamanickam 2008).
 */
template <class Scalar>
class SignedCholesky {
 public:
  /// @param values One for each entry of the pattern, of both triangles.
  /// @param largest_growth Of max_i (|L||L|^T)_ii / |a_ii|, see CholmodSolver.
  /// @param only_sign Of all pivots, for definite real matrices: 1 or -1. Their growth is one, and not measured. None: any
  /// sign.
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

  /// The diagonal of S, in the order of elimination.
  const Vector& signs() const { return signs_; }
  /// max_i (|L||L|^T)_ii / |a_ii|
  double growth() const { return growth_; }
  /// Of L and S.
  double bytes() const;

 private:
  using Values = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  using Order = const std::vector<Index>*;  ///< row k comes from, or goes to, the k-th of these; null: row k

  SignedCholesky(SupernodesPtr supernodes, Values values, Vector signs, double growth);

  template <class Solve>
  DenseMatrix<Scalar> by_columns(ConstView<Scalar> b, Order from, Order to, const Solve& solve) const;
  void solve_forward(Scalar* x, Index width) const;
  void solve_backward(Scalar* x, Index width) const;
  void apply_signs(Scalar* x, Index width) const;

  SupernodesPtr supernodes_;
  Values values_;
  Vector signs_;
  double growth_;
  mutable Values columns_, rows_;  ///< kept from one solve to the next
};

}  // namespace halfdof
