// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/characteristic_rate.h>
#include <halfdof/assembled/term_scales.h>
#include <halfdof/linear_algebra/entries.h>
#include <halfdof/linear_algebra/instantiate.h>
#include <halfdof/linear_algebra/norms.h>
#include <halfdof/linear_algebra/scaling/equilibrating_scales.h>

namespace halfdof::internal {

namespace {

/// Divides each scale by the square root of its row or column sum. Scales of null rows and columns are not
/// changed.
void divide_by_roots(Vector& scales, const Vector& sums) {
  for (Index i = 0; i < scales.size(); ++i)
    if (sums[i] > 0) scales[i] /= std::sqrt(sums[i]);
}

/// Computes scales that make the row and column sums of a nonnegative matrix about one, by the iteration of
/// Ruiz (2001). The function equilibrate() is not used here, because it ends as soon as all sums lie between
/// 1/2 and 2: this is enough for a condition number, but not for bounds by which residuals are divided.
template <class Matrix>
RowColumnScales balance_of(const Matrix& A) {
  constexpr int n_iterations = 6;  // reduces ratios of 1e18 between sums to less than two
  RowColumnScales balance{Vector::Ones(A.rows().n_local()), Vector::Ones(A.rows().n_local())};
  for (int iteration = 0; iteration < n_iterations; ++iteration) {
    Vector row_sums = Vector::Zero(balance.rows.size()), column_sums = row_sums;
    A.add_product(1., balance.columns, row_sums);
    A.add_transposed_product(1., balance.rows, column_sums);
    divide_by_roots(balance.rows, balance.rows.cwiseProduct(row_sums));
    divide_by_roots(balance.columns, balance.columns.cwiseProduct(column_sums));
  }
  return balance;
}

/// Whether every nonzero row of A has a positive diagonal entry. @param sums Row sums of the moduli of A
template <class Engine>
bool has_positive_diagonal(const typename Engine::Matrix& A, const Vector& sums) {
  const Vector diagonal = diagonal_of<Engine>(A);
  return !A.rows().communicator().any(((sums.array() > 0) && (diagonal.array() <= 0)).any());
}

}  // namespace

template <class Engine>
TermScales<Engine>::TermScales(const FreeSystem<Engine>& system)
    : system_(system), rate_(characteristic_rate(system)) {
  const typename Engine::Matrix M = absolute_of<Engine>(system.M()), C = absolute_of<Engine>(system.C()),
                                K = absolute_of<Engine>(system.K());
  const RowColumnScales balance = balance_of(Engine::sum(1, Engine::sum(rate_ * rate_, M, rate_, C), 1, K));
  row_scales_ = balance.rows;
  column_scales_ = balance.columns;
  const auto row_sums = [&](const typename Engine::Matrix& A) {
    Vector sums = Vector::Zero(column_scales_.size());
    A.add_product(1., column_scales_, sums);
    return sums;
  };
  const auto column_sums = [&](const typename Engine::Matrix& A) {
    Vector sums = Vector::Zero(row_scales_.size());
    A.add_transposed_product(1., row_scales_, sums);
    return sums;
  };
  M_rows_ = row_sums(M);
  C_rows_ = row_sums(C);
  K_rows_ = row_sums(K);
  M_columns_ = column_sums(M);
  C_columns_ = column_sums(C);
  K_columns_ = column_sums(K);
  has_own_left_vectors_ = system.is_symmetric() && has_positive_diagonal<Engine>(system.M(), M_rows_) &&
                          has_positive_diagonal<Engine>(system.C(), C_rows_);
}

template <class Engine>
Vector TermScales<Engine>::scaled_max_norms(ConstView<Complex> x) const {
  return largest_entries(system_.dofs().communicator(),
                         column_scales_.cwiseInverse().asDiagonal() * moduli(x));
}

template <class Engine>
MultiVector TermScales<Engine>::operator()(const ComplexVector& eigenvalues, ConstView<Complex> x) const {
  const Vector size = scaled_max_norms(x), modulus = eigenvalues.cwiseAbs();
  return M_rows_ * modulus.cwiseAbs2().cwiseProduct(size).transpose() +
         C_rows_ * modulus.cwiseProduct(size).transpose() + K_rows_ * size.transpose();
}

template <class Engine>
Vector TermScales<Engine>::bilinear_bound(const ComplexVector& eigenvalues, ConstView<Complex> p,
                                          ConstView<Complex> x) const {
  const Vector modulus = eigenvalues.cwiseAbs();
  const auto sums = [&](const MultiVector& squares, const Vector& M, const Vector& C, const Vector& K) {
    Vector all = (squares.transpose() * M).cwiseProduct(modulus.cwiseAbs2()) +
                 (squares.transpose() * C).cwiseProduct(modulus) + squares.transpose() * K;
    system_.dofs().communicator().sum(all.data(), static_cast<int>(all.size()));
    return all;
  };
  return sums(row_scales_.cwiseInverse().asDiagonal() * p.cwiseAbs2(), M_rows_, C_rows_, K_rows_)
      .cwiseProduct(sums(column_scales_.cwiseInverse().asDiagonal() * x.cwiseAbs2(), M_columns_, C_columns_,
                         K_columns_))
      .cwiseSqrt();
}

template <class Engine>
MultiVector TermScales<Engine>::term_bounds(ConstView<Complex> a, ConstView<Complex> v,
                                            ConstView<Complex> q) const {
  return M_rows_ * scaled_max_norms(a).transpose() + C_rows_ * scaled_max_norms(v).transpose() +
         K_rows_ * scaled_max_norms(q).transpose();
}

template class TermScales<InstantiatedEngine>;

}  // namespace halfdof::internal
