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

/// The form T = Z S Z^{-1} with S in real Schur form. Z is orthogonal at first; then leading blocks of S are
/// decoupled from the rest one after the other.
class SchurForm {
 public:
  explicit SchurForm(const MultiVector& T)
      : S_(T), Z_(T.rows(), T.cols()), n_(static_cast<lapack_int>(T.rows())) {
    Vector real(n_), imaginary(n_);
    lapack_int n_selected = 0;
    if (n_ > 0 && LAPACKE_dgees(LAPACK_COL_MAJOR, 'V', 'N', nullptr, n_, S_.data(), n_, &n_selected,
                                real.data(), imaginary.data(), Z_.data(), n_) != 0)
      throw NoConvergence("The Schur form of a dense " + std::to_string(n_) + " x " + std::to_string(n_) +
                              " matrix did not converge.",
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
      throw NoConvergence("A Schur form could not be reordered.", 1.);
  }

  /// Decouples the rows begin ... begin + size - 1 from the rows below. @param X The result of decoupling()
  void take_off(lapack_int begin, lapack_int size, const MultiVector& X) {
    Z_.rightCols(X.cols()) += Z_.middleCols(begin, size) * X;
    S_.block(begin, begin + size, size, X.cols()).setZero();
  }

 private:
  MultiVector S_, Z_;
  lapack_int n_;
};

/// Solves S_11 X - X S_22 = -S_12, where S_11 begins in row `begin` of S and has `size` rows, and S_22
/// consists of all rows below. No value if an entry of X is too large.
std::optional<MultiVector> decoupling(const MultiVector& S, lapack_int begin, lapack_int size,
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

/// Returns the first row of the block at or below row `from` whose eigenvalue is nearest to the mean of the
/// eigenvalues in rows begin ... from - 1.
lapack_int nearest_block(const SchurForm& schur, lapack_int begin, lapack_int from) {
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
  SchurForm schur(T);
  BlockDiagonalForm form;
  lapack_int size = 0;
  for (lapack_int begin = 0; begin < schur.n(); begin += size) {
    size = schur.size_at(begin);
    std::optional<MultiVector> X;
    while (begin + size < schur.n() && !(X = decoupling(schur.S(), begin, size, largest))) {
      schur.move(nearest_block(schur, begin, begin + size), begin + size);
      size += schur.size_at(begin + size);
    }
    if (X) schur.take_off(begin, size, *X);
    form.J.emplace_back(schur.S().block(begin, begin, size, size));
  }
  form.Z = schur.Z();
  form.Z_inverse = solve_dense(form.Z, MultiVector::Identity(schur.n(), schur.n()));
  return form;
}

}  // namespace halfdof::internal
