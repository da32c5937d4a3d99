#include <halfdof/linear_algebra/trilinos/combination.h>
#include <halfdof/linear_algebra/trilinos/local_rows.h>

#include <cmath>

namespace halfdof::trilinos {

template <class Scalar>
DenseMatrix<Scalar> Combination<Scalar>::residual(ConstView<Scalar> x, ConstView<Scalar> b) const {
  DenseMatrix<Scalar> r = b;
  for (const auto& [factor, A] : terms_)
    if (factor != Scalar(0)) A.add_product(-factor, x, r);
  return r;
}

template <class Scalar>
DenseMatrix<Scalar> Combination<Scalar>::transposed_residual(ConstView<Scalar> x, ConstView<Scalar> b) const {
  DenseMatrix<Scalar> r = b;
  for (const auto& [factor, A] : terms_)
    if (factor != Scalar(0)) A.add_transposed_product(-factor, x, r);
  return r;
}

template <class Scalar>
MultiVector Combination<Scalar>::bound_of_product(const MultiVector& x) const {
  MultiVector bound = MultiVector::Zero(rows().n_local(), x.cols());
  for (Eigen::Index c = 0; c < x.cols(); ++c)
    for (const auto& [factor, A] : terms_) {
      const Vector stored = at_stored_columns(A, x.col(c));
      const double magnitude = std::abs(factor);
      for_each_entry(A, [&, c](int row, int column, double value) {
        bound(row, c) += magnitude * std::abs(value) * stored[column];
      });
    }
  return bound;
}

template class Combination<double>;
template class Combination<Complex>;

}  // namespace halfdof::trilinos
