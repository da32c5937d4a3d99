// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/engine.h>

#include <cmath>

namespace halfdof::internal {

/// Returns whether all entries are finite. The function is fast enough for a check in every time step: the
/// sum of squares is vectorized, and allFinite() checks the entries one by one only if the sum is not finite.
inline bool are_finite(const Vector& x) {
  return std::isfinite(x.squaredNorm()) || x.allFinite();
}

/// Returns the matrix |A| of the absolute values of the entries of A.
template <class Engine>
typename Engine::Matrix absolute_of(const typename Engine::Matrix& A) {
  const OwnedRows rows = Engine::to_rows(A).cwiseAbs();
  return Engine::from_rows(rows, A.rows(), A.columns());
}

/// Returns the local part of the diagonal of a square matrix. Shape: A.rows().n_local().
template <class Engine>
Vector diagonal_of(const typename Engine::Matrix& A) {
  const OwnedRows owned = Engine::to_rows(A);
  Vector diagonal = Vector::Zero(owned.rows());
  for (Index i = 0; i < owned.rows(); ++i)
    for (OwnedRows::InnerIterator entry(owned, i); entry; ++entry)
      if (entry.col() == A.rows().global_index(i)) diagonal[i] += entry.value();
  return diagonal;
}

/// Returns the largest absolute value of the entries of A: 0 if A has no entries, NaN if an entry is NaN.
inline double largest_entry(const Eigen::Ref<const MultiVector>& A) {
  return A.size() > 0 ? A.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0.;
}

/// Returns A x for a sparse square matrix of an engine. Shape: x local rows x k.
template <class Matrix>
MultiVector matrix_times(const Matrix& A, ConstView<double> x) {
  MultiVector y = MultiVector::Zero(x.rows(), x.cols());
  A.add_product(1., x, y);
  return y;
}

}  // namespace halfdof::internal
