// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/block_diagonal.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace halfdof::internal {

namespace {

/// The form T = Z S Z^{-1} with S in real Schur form. Z is orthogonal at first and changes as the leading
/// blocks of S are decoupled from the rest one after the other.
class DecoupledSchurForm {
 public:
  explicit DecoupledSchurForm(const MultiVector& T)
      : S_(T), Z_(T.rows(), T.cols()), n_(static_cast<lapack_int>(T.rows())) {
    Vector real(n_), imaginary(n_);
    lapack_int n_selected = 0;
    if (n_ > 0 && LAPACKE_dgees(LAPACK_COL_MAJOR, 'V', 'N', nullptr, n_, S_.data(), n_, &n_selected,
                                real.data(), imaginary.data(), Z_.data(), n_) != 0)
      throw NoConvergence(
          "The QR iteration (dgees) for the Schur form of a dense " + std::to_string(n_) + " x " +
              std::to_string(n_) +
              " matrix did not converge. Check the coefficients for values that are not finite, "
              "and the units for bad scaling.",
          1.);
  }

  const MultiVector& S() const { return S_; }
  const MultiVector& Z() const { return Z_; }
  lapack_int n() const { return n_; }

  /// Returns the order of the diagonal block that begins in this row.
  lapack_int size_at(lapack_int row) const { return row + 1 < n_ && S_(row + 1, row) != 0. ? 2 : 1; }

  Complex eigenvalue_at(lapack_int row) const {
    if (size_at(row) == 1) return S_(row, row);
    const double half = (S_(row, row) - S_(row + 1, row + 1)) / 2;
    const double square = half * half + S_(row, row + 1) * S_(row + 1, row);
    return Complex((S_(row, row) + S_(row + 1, row + 1)) / 2, std::sqrt(std::max(-square, 0.)));
  }

  /// Moves the block that begins in row `from` up to row `to`.
  void move(lapack_int from, lapack_int to) {
    lapack_int first = from + 1, last = to + 1;
    if (LAPACKE_dtrexc(LAPACK_COL_MAJOR, 'V', n_, S_.data(), n_, Z_.data(), n_, &first, &last) < 0)
      throw NoConvergence(
          "LAPACK could not exchange diagonal blocks of a real Schur form (dtrexc), as it happens if the "
          "matrix has entries that are not finite. Check the coefficients.",
          1.);
  }

  /// Decouples the rows begin ... begin + size - 1 from the rows below. @param X The result of
  /// solve_decoupling_equation()
  void decouple_rows(lapack_int begin, lapack_int size, const MultiVector& X) {
    Z_.rightCols(X.cols()) += Z_.middleCols(begin, size) * X;
    S_.block(begin, begin + size, size, X.cols()).setZero();
  }

 private:
  MultiVector S_, Z_;
  lapack_int n_;
};

/// Solves the Sylvester equation S_11 X - X S_22 = -S_12 for the blocks of S = [S_11 S_12; 0 S_22], where
/// S_11 begins in row `begin` of S and has `size` rows, and S_22 consists of all rows below. No value is
/// returned if an entry of X is larger than `largest`.
std::optional<MultiVector> solve_decoupling_equation(const MultiVector& S, lapack_int begin, lapack_int size,
                                                     double largest) {
  const auto n = static_cast<lapack_int>(S.rows());
  const lapack_int rest = n - begin - size;
  const MultiVector S_11 = S.block(begin, begin, size, size), S_22 = S.bottomRightCorner(rest, rest);
  MultiVector X = -S.block(begin, begin + size, size, rest);
  double scale = 1;
  const lapack_int info = LAPACKE_dtrsyl(LAPACK_COL_MAJOR, 'N', 'N', -1, size, rest, S_11.data(), size,
                                         S_22.data(), rest, X.data(), size, &scale);
  if (info < 0 || scale == 0) return std::nullopt;
  X /= scale;
  if (!X.allFinite() || X.cwiseAbs().maxCoeff() > largest) return std::nullopt;
  return X;
}

/// Returns the first row of the diagonal block, at or below row `from`, whose eigenvalue is nearest to the
/// mean of the eigenvalues in rows begin ... from - 1.
lapack_int nearest_block(const DecoupledSchurForm& schur, lapack_int begin, lapack_int from) {
  Complex mean = 0;
  double count = 0;
  for (lapack_int row = begin; row < from; row += schur.size_at(row)) {
    mean += schur.eigenvalue_at(row) * static_cast<double>(schur.size_at(row));
    count += schur.size_at(row);
  }
  mean /= count;
  lapack_int nearest = from;
  double distance = std::numeric_limits<double>::infinity();
  for (lapack_int row = from; row < schur.n(); row += schur.size_at(row))
    if (const double here = std::abs(schur.eigenvalue_at(row) - mean); here < distance) {
      distance = here;
      nearest = row;
    }
  return nearest;
}

}  // namespace

BlockDiagonalForm block_diagonal_form(const MultiVector& T, double largest) {
  DecoupledSchurForm schur(T);
  BlockDiagonalForm form;
  lapack_int size = 0;
  for (lapack_int begin = 0; begin < schur.n(); begin += size) {
    size = schur.size_at(begin);
    std::optional<MultiVector> X;
    while (begin + size < schur.n() && !(X = solve_decoupling_equation(schur.S(), begin, size, largest))) {
      schur.move(nearest_block(schur, begin, begin + size), begin + size);
      size += schur.size_at(begin + size);
    }
    if (X) schur.decouple_rows(begin, size, *X);
    form.J.emplace_back(schur.S().block(begin, begin, size, size));
  }
  form.Z = schur.Z();
  form.Z_inverse = solve_dense(form.Z, MultiVector::Identity(schur.n(), schur.n()));
  return form;
}

}  // namespace halfdof::internal
