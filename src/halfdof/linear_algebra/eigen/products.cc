// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <string>

namespace halfdof {

EigenMatrix EigenEngine::from_rows(const OwnedRows& owned, const Partition& rows, const Partition& columns) {
  if (owned.rows() != rows.n_local() || owned.cols() != columns.n_local())
    throw InvalidInput("The given rows of a matrix have the shape " + std::to_string(owned.rows()) + " x " +
                       std::to_string(owned.cols()) + ", but its partitions require " +
                       std::to_string(rows.n_local()) + " x " + std::to_string(columns.n_local()) + ".");
  return EigenMatrix(EigenMatrix::Storage(owned));
}

OwnedRows EigenEngine::to_rows(const Matrix& A) {
  return A.entries();
}

EigenMatrix EigenEngine::triple_product(const Matrix& T, const Matrix& A, const Matrix& S) {
  if (T.rows().n_local() != A.rows().n_local() || A.columns().n_local() != S.rows().n_local())
    throw InvalidInput(
        "In the product T^T A S, T must have as many rows as A, and S as many rows as A has "
        "columns, but T has " +
        std::to_string(T.rows().n_local()) + " rows, S has " + std::to_string(S.rows().n_local()) +
        " rows, and A is " + std::to_string(A.rows().n_local()) + " x " +
        std::to_string(A.columns().n_local()) + ".");
  const EigenMatrix::Storage AS = A.entries() * S.entries();
  EigenMatrix::Storage product = T.entries().transpose() * AS;
  product.prune([](Eigen::Index, Eigen::Index, double value) { return value != 0.; });
  return EigenMatrix(std::move(product));
}

}  // namespace halfdof
