// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense/ordered_schur_form.h>

#include <lapacke.h>

#include <cmath>
#include <limits>
#include <string>

namespace halfdof::internal {

namespace {

lapack_int decompose(MultiVector& H, MultiVector& Q) {
  const auto n = static_cast<lapack_int>(H.rows());
  lapack_int n_selected = 0;
  Vector real(n), imaginary(n);
  return LAPACKE_dgees(LAPACK_COL_MAJOR, 'V', 'N', nullptr, n, H.data(), n, &n_selected, real.data(),
                       imaginary.data(), Q.data(), n);
}

lapack_int decompose(ComplexMultiVector& H, ComplexMultiVector& Q) {
  const auto n = static_cast<lapack_int>(H.rows());
  lapack_int n_selected = 0;
  ComplexVector values(n);
  return LAPACKE_zgees(LAPACK_COL_MAJOR, 'V', 'N', nullptr, n, H.data(), n, &n_selected, values.data(),
                       Q.data(), n);
}

/// Moves the diagonal block that begins at row `from` to row `to`. The block stops before a block with
/// eigenvalues that are equal to its own eigenvalues up to rounding.
void move_block(MultiVector& T, MultiVector& Q, Index from, Index to) {
  const auto n = static_cast<lapack_int>(T.rows());
  lapack_int first = from + 1, last = to + 1;
  Vector work(n);
  LAPACKE_dtrexc_work(LAPACK_COL_MAJOR, 'V', n, T.data(), n, Q.data(), n, &first, &last, work.data());
}

void move_block(ComplexMultiVector& T, ComplexMultiVector& Q, Index from, Index to) {
  const auto n = static_cast<lapack_int>(T.rows());
  LAPACKE_ztrexc_work(LAPACK_COL_MAJOR, 'V', n, T.data(), n, Q.data(), n, from + 1, to + 1);
}

template <class Scalar>
bool begins_pair(const DenseMatrix<Scalar>& T, Index i) {
  return i + 1 < T.rows() && T(i + 1, i) != Scalar(0);
}

/// Returns the eigenvalue that belongs to row i. The first row of a complex pair has the eigenvalue with
/// positive imaginary part.
template <class Scalar>
Complex eigenvalue(const DenseMatrix<Scalar>& T, Index i) {
  if (!begins_pair(T, i)) return T(i, i);
  // In the Schur form of LAPACK, the two diagonal entries of a 2 x 2 block are equal, and the two other
  // entries have opposite signs.
  return {std::real(T(i, i)), std::sqrt(std::abs(T(i, i + 1))) * std::sqrt(std::abs(T(i + 1, i)))};
}

template <class Scalar>
ComplexVector eigenvalues(const DenseMatrix<Scalar>& T) {
  ComplexVector all(T.rows());
  for (Index i = 0; i < T.rows(); ++i) {
    all[i] = eigenvalue(T, i);
    if (begins_pair(T, i)) {
      all[i + 1] = std::conj(all[i]);
      ++i;
    }
  }
  return all;
}

}  // namespace

template <class Scalar>
OrderedSchurForm<Scalar> ordered_schur_form(DenseMatrix<Scalar> H, Index n_first) {
  const auto n = static_cast<Index>(H.rows());
  OrderedSchurForm<Scalar> schur{DenseMatrix<Scalar>(n, n), std::move(H), {}, {}};
  if (n > 0 && decompose(schur.T, schur.Q) != 0)
    throw NoConvergence(
        "The QR iteration for the Schur form of a dense " + std::to_string(n) + " x " + std::to_string(n) +
            " matrix did not converge. Check the coefficients for values that are not finite, "
            "and the units for bad scaling.",
        std::numeric_limits<double>::quiet_NaN());
  for (Index to = 0; to < n && to < n_first; ++to) {
    Index largest = to;
    for (Index i = to; i < n; i += begins_pair(schur.T, i) ? 2 : 1)
      if (std::abs(eigenvalue(schur.T, i)) > std::abs(eigenvalue(schur.T, largest))) largest = i;
    if (largest > to) move_block(schur.T, schur.Q, largest, to);
    if (begins_pair(schur.T, to)) ++to;
  }
  schur.values = eigenvalues(schur.T);
  schur.magnitudes = schur.values.cwiseAbs();
  return schur;
}

template OrderedSchurForm<double> ordered_schur_form(MultiVector, Index);
template OrderedSchurForm<Complex> ordered_schur_form(ComplexMultiVector, Index);

}  // namespace halfdof::internal
