#include <halfdof/linear_algebra/tall_blocks.h>

#include <cblas.h>

#include <algorithm>

namespace halfdof {

namespace {

/// Y = beta Y + alpha op(X) C, where op(X) is X or X^H.
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

}  // namespace

template <class Scalar>
DenseMatrix<Scalar> tall_products(const Communicator& communicator, ConstView<Scalar> X,
                                  ConstView<Scalar> Y) {
  DenseMatrix<Scalar> products = DenseMatrix<Scalar>::Zero(X.cols(), Y.cols());
  if (X.size() > 0 && Y.size() > 0) gemm(CblasConjTrans, Scalar(1), X, Y, Scalar(0), products);
  constexpr auto n_parts = static_cast<Eigen::Index>(sizeof(Scalar) / sizeof(double));
  communicator.sum(reinterpret_cast<double*>(products.data()), static_cast<int>(n_parts * products.size()));
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
  if (X.size() > 0 && Y.size() > 0) gemm(CblasNoTrans, Scalar(-1), X, C, Scalar(1), Y);
}

template <class Scalar>
void combine_in_place(View<Scalar> X, ConstView<Scalar> C) {
  constexpr Eigen::Index n_rows = 512;  // a few hundred kilobytes: they stay in the cache
  DenseMatrix<Scalar> some(n_rows, C.cols());
  for (Eigen::Index first = 0; first < X.rows() && C.cols() > 0; first += n_rows) {
    const Eigen::Index n = std::min(n_rows, X.rows() - first);
    gemm(CblasNoTrans, Scalar(1), X.middleRows(first, n), C, Scalar(0), some.topRows(n));
    X.block(first, 0, n, C.cols()) = some.topRows(n);
  }
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
template void combine_in_place<double>(View<double>, ConstView<double>);
template void combine_in_place<Complex>(View<Complex>, ConstView<Complex>);
template Vector column_norms<double>(const Communicator&, ConstView<double>);
template Vector column_norms<Complex>(const Communicator&, ConstView<Complex>);

}  // namespace halfdof
