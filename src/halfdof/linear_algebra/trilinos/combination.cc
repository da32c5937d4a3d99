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
Vector Combination<Scalar>::bound_of_product(const Vector& x) const {
  Vector bound = Vector::Zero(rows().n_local());
  for (const auto& [factor, A] : terms_) {
    const Vector stored = at_stored_columns(A, x);
    const double magnitude = std::abs(factor);
    for_each_entry(A, [&](int row, int column, double value) {
      bound[row] += magnitude * std::abs(value) * stored[column];
    });
  }
  return bound;
}

template class Combination<double>;
template class Combination<Complex>;

}  // namespace halfdof::trilinos
