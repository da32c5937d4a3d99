#include <halfdof/linear_algebra/eigen/engine.h>

namespace halfdof {

EigenMatrix EigenEngine::scaled(const Matrix& A, const Vector& row_factors, const Vector& column_factors) {
  return EigenMatrix(
      EigenMatrix::Storage(row_factors.asDiagonal() * A.entries() * column_factors.asDiagonal()));
}

}  // namespace halfdof
