#pragma once

#include <halfdof/base/types.h>

namespace halfdof {

/// A x of a sparse square matrix of an Engine. Shape: x local rows x k
template <class Matrix>
MultiVector matrix_times(const Matrix& A, ConstView<double> x) {
  MultiVector y = MultiVector::Zero(x.rows(), x.cols());
  A.add_product(1., x, y);
  return y;
}

}  // namespace halfdof
