// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/kernels/narrow_products.h>
#include <halfdof/linear_algebra/kernels/tall_blocks.h>

#include <cblas.h>

#include <algorithm>
#include <functional>
#include <type_traits>

namespace halfdof::internal {

namespace {

/// Computes Y = beta Y + alpha op(X) C, where op(X) is X or X^H.
void gemm(CBLAS_TRANSPOSE op, double alpha, ConstView<double> X, ConstView<double> C, double beta,
          View<double> Y) {
  cblas_dgemm(CblasColMajor, op, CblasNoTrans, static_cast<int>(Y.rows()), static_cast<int>(Y.cols()),
              static_cast<int>(C.rows()), alpha, X.data(), static_cast<int>(X.outerStride()), C.data(),
              static_cast<int>(C.outerStride()), beta, Y.data(), static_cast<int>(Y.outerStride()));
}

void gemm(CBLAS_TRANSPOSE op, Complex alpha, ConstView<Complex> X, ConstView<Complex> C, Complex beta,
          View<Complex> Y) {
  cblas_zgemm(CblasColMajor, op, CblasNoTrans, static_cast<int>(Y.rows()), static_cast<int>(Y.cols()),
              static_cast<int>(C.rows()), &alpha, X.data(), static_cast<int>(X.outerStride()), C.data(),
              static_cast<int>(C.outerStride()), &beta, Y.data(), static_cast<int>(Y.outerStride()));
}

template <class Scalar>
constexpr bool is_real = std::is_same_v<Scalar, double>;

/// Adds X^H Y to P for a block of rows.
template <class Scalar>
void add_products(ConstView<Scalar> X, ConstView<Scalar> Y, View<Scalar> P) {
  if (X.size() == 0 || Y.size() == 0) return;
  if constexpr (is_real<Scalar>)
    if (Y.cols() <= max_narrow_columns) return add_narrow_products(X, Y, P);
  gemm(CblasConjTrans, Scalar(1), X, Y, Scalar(1), P);
}

/// Calls process(first row, number of rows) for successive blocks of rows. The blocks are so small that their
/// rows of X stay in the cache.
void for_row_blocks(Eigen::Index n_rows, const std::function<void(Eigen::Index, Eigen::Index)>& process) {
  constexpr Eigen::Index block_size = 512;
  for (Eigen::Index first = 0; first < n_rows; first += block_size)
    process(first, std::min(block_size, n_rows - first));
}

template <class Scalar>
void sum(const Communicator& communicator, DenseMatrix<Scalar>& products) {
  constexpr auto n_parts = static_cast<Eigen::Index>(sizeof(Scalar) / sizeof(double));
  communicator.sum(reinterpret_cast<double*>(products.data()), static_cast<int>(n_parts * products.size()));
}

}  // namespace

template <class Scalar>
DenseMatrix<Scalar> tall_products(const Communicator& communicator, ConstView<Scalar> X,
                                  ConstView<Scalar> Y) {
  DenseMatrix<Scalar> products = DenseMatrix<Scalar>::Zero(X.cols(), Y.cols());
  for_row_blocks(Y.rows(), [&](Eigen::Index first, Eigen::Index n) {
    add_products<Scalar>(X.middleRows(first, n), Y.middleRows(first, n), products);
  });
  sum(communicator, products);
  return products;
}

template <class Scalar>
DenseMatrix<Scalar> tall_combination(ConstView<Scalar> X, ConstView<Scalar> C) {
  DenseMatrix<Scalar> Y = DenseMatrix<Scalar>::Zero(X.rows(), C.cols());
  if (X.size() > 0 && C.size() > 0) gemm(CblasNoTrans, Scalar(1), X, C, Scalar(0), Y);
  return Y;
}

template <class Scalar>
void subtract_combination(ConstView<Scalar> X, ConstView<Scalar> C, View<Scalar> Y) {
  if (X.size() == 0 || Y.size() == 0) return;
  if constexpr (is_real<Scalar>)
    if (Y.cols() <= max_narrow_columns) return subtract_narrow_combination(X, C, Y);
  gemm(CblasNoTrans, Scalar(-1), X, C, Scalar(1), Y);
}

template <class Scalar>
DenseMatrix<Scalar> subtract_combination_and_multiply(const Communicator& communicator, ConstView<Scalar> X,
                                                      ConstView<Scalar> C, View<Scalar> Y) {
  DenseMatrix<Scalar> products = DenseMatrix<Scalar>::Zero(X.cols() + Y.cols(), Y.cols());
  for_row_blocks(Y.rows(), [&](Eigen::Index first, Eigen::Index n) {
    const auto X_some = X.middleRows(first, n);
    auto Y_some = Y.middleRows(first, n);
    subtract_combination<Scalar>(X_some, C, Y_some);
    add_products<Scalar>(X_some, Y_some, products.topRows(X.cols()));
    add_products<Scalar>(Y_some, Y_some, products.bottomRows(Y.cols()));
  });
  sum(communicator, products);
  return products;
}

template <class Scalar>
void combine_in_place(View<Scalar> X, ConstView<Scalar> C) {
  if (C.cols() == 0) return;
  DenseMatrix<Scalar> combined;
  for_row_blocks(X.rows(), [&](Eigen::Index first, Eigen::Index n) {
    combined.resize(n, C.cols());
    gemm(CblasNoTrans, Scalar(1), X.middleRows(first, n), C, Scalar(0), combined);
    X.block(first, 0, n, C.cols()) = combined;
  });
}

template <class Scalar>
Vector column_norms(const Communicator& communicator, ConstView<Scalar> X) {
  Vector squares = X.colwise().squaredNorm().transpose();
  communicator.sum(squares.data(), static_cast<int>(squares.size()));
  return squares.cwiseSqrt();
}

template MultiVector tall_products<double>(const Communicator&, ConstView<double>, ConstView<double>);
template ComplexMultiVector tall_products<Complex>(const Communicator&, ConstView<Complex>,
                                                   ConstView<Complex>);
template MultiVector tall_combination<double>(ConstView<double>, ConstView<double>);
template ComplexMultiVector tall_combination<Complex>(ConstView<Complex>, ConstView<Complex>);
template void subtract_combination<double>(ConstView<double>, ConstView<double>, View<double>);
template void subtract_combination<Complex>(ConstView<Complex>, ConstView<Complex>, View<Complex>);
template MultiVector subtract_combination_and_multiply<double>(const Communicator&, ConstView<double>,
                                                               ConstView<double>, View<double>);
template ComplexMultiVector subtract_combination_and_multiply<Complex>(const Communicator&,
                                                                       ConstView<Complex>, ConstView<Complex>,
                                                                       View<Complex>);
template void combine_in_place<double>(View<double>, ConstView<double>);
template void combine_in_place<Complex>(View<Complex>, ConstView<Complex>);
template Vector column_norms<double>(const Communicator&, ConstView<double>);
template Vector column_norms<Complex>(const Communicator&, ConstView<Complex>);

}  // namespace halfdof::internal
