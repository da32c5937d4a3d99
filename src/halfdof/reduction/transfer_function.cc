// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/constants.h>
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>
#include <halfdof/linear_algebra/scaling/equilibrating_scales.h>
#include <halfdof/reduction/transfer_function.h>

#include <Eigen/LU>

#include <limits>
#include <memory>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// The LU factorization of a dense matrix whose rows and columns may have their own units. Its solutions
/// are exact for a matrix whose entries differ from the given ones by a few units of rounding (one step of
/// iterative refinement in equilibrated rows: Skeel 1980).
class ScaledLU {
 public:
  /// @throws SingularMatrix if a pivot is zero
  explicit ScaledLU(const MultiVector& A)
      : scales_(equilibrating_scales(A.cwiseAbs())),
        A_(scales_.rows.asDiagonal() * A * scales_.columns.asDiagonal()),
        lu_(A_) {
    if ((lu_.matrixLU().diagonal().array() == 0).any())
      throw SingularMatrix("The matrix s I - A is singular, because s is an eigenvalue. Use another s.");
  }

  MultiVector solve(const MultiVector& b) const {
    const MultiVector scaled = scales_.rows.asDiagonal() * b;
    if (b.size() == 0) return scaled;
    MultiVector x = lu_.solve(scaled);
    x += MultiVector(lu_.solve(MultiVector(scaled - A_ * x)));
    return scales_.columns.asDiagonal() * x;
  }
  MultiVector solve_transposed(const MultiVector& c) const {
    const MultiVector scaled = scales_.columns.asDiagonal() * c;
    if (c.size() == 0) return scaled;
    const auto& of_transposed = lu_.transpose();
    MultiVector y = of_transposed.solve(scaled);
    y += MultiVector(of_transposed.solve(MultiVector(scaled - A_.transpose() * y)));
    return scales_.rows.asDiagonal() * y;
  }
  double log_determinant() const {
    return lu_.matrixLU().diagonal().cwiseAbs().array().log().sum() - scales_.rows.array().log().sum() -
           scales_.columns.array().log().sum();
  }

 private:
  RowColumnScales scales_;
  MultiVector A_;  ///< the matrix after equilibration
  Eigen::PartialPivLU<MultiVector> lu_;
};

/// Builds a transfer function from solutions with s E - A.
/// @param sizes |s E| + |A| @param solve Solves with s E - A @param y (s E - A)^{-T} C^T
template <class Matrix, class Solve>
TransferFunction transfer_function_of(const Matrix& sizes, const Solve& solve, const MultiVector& y,
                                      const Matrix& B, const MultiVector& C, const FeedThrough& D, double s,
                                      double log_determinant) {
  MultiVector D_s = D.D, sizes_of_D = D.D.cwiseAbs();
  if (D.D_rate.rows() > 0) {
    D_s += s * D.D_rate;
    sizes_of_D += s * D.D_rate.cwiseAbs();
  }
  const auto rounding = [=](const MultiVector& f) -> MultiVector {
    const MultiVector x = MultiVector(solve(MultiVector(B * f))).cwiseAbs(), size_of_f = f.cwiseAbs(),
                      terms = sizes * x + B.cwiseAbs() * size_of_f;
    return unit_roundoff * (y.cwiseAbs().transpose() * terms + C.cwiseAbs() * x + sizes_of_D * size_of_f);
  };
  const auto of_determinant = [=] {
    const MultiVector inverse = solve(MultiVector(MultiVector::Identity(sizes.rows(), sizes.rows())));
    return unit_roundoff * inverse.cwiseAbs().transpose().cwiseProduct(MultiVector(sizes)).sum();
  };
  return {MultiVector(D_s + y.transpose() * B), rounding, log_determinant, of_determinant};
}

}  // namespace

double log_modulus_of_determinant(const Factorization<double>& A) {
  try {
    return A.log_determinant().log_modulus;
  } catch (const NotAvailable&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

TransferFunction transfer_function(const Sparse& E, const Sparse& A, const Sparse& B, const MultiVector& C,
                                   const FeedThrough& D, double s) {
  const auto pencil = EigenEngine::factorize(EigenMatrix(Sparse(s * E - A)));
  const auto solve = [pencil](const MultiVector& b) { return pencil->solve(b); };
  const Sparse sizes = s * E.cwiseAbs() + A.cwiseAbs();
  return transfer_function_of(sizes, solve, pencil->solve_transposed(C.transpose()), B, C, D, s,
                              log_modulus_of_determinant(*pencil));
}

TransferFunction transfer_function(const MultiVector& A, const MultiVector& B, const MultiVector& C,
                                   const FeedThrough& D, double s) {
  MultiVector sizes = A.cwiseAbs(), shifted = -A;
  shifted.diagonal().array() += s;
  sizes.diagonal().array() += s;
  const auto lu = std::make_shared<const ScaledLU>(shifted);
  const auto solve = [lu](const MultiVector& b) { return lu->solve(b); };
  return transfer_function_of(sizes, solve, lu->solve_transposed(C.transpose()), B, C, D, s,
                              lu->log_determinant());
}

}  // namespace halfdof::internal
