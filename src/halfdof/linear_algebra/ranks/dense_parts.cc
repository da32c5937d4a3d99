// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/dense/dense_solves.h>
#include <halfdof/linear_algebra/ranks/dense_parts.h>
#include <halfdof/linear_algebra/ranks/rank_decision.h>

#include <algorithm>

namespace halfdof::internal {

MultiVector with_exact_zeros(const MultiVector& A, double rounding) {
  return (A.array().abs() > rounding).select(A, 0.);
}

MultiVector product_with_exact_zeros(const MultiVector& A, const MultiVector& B) {
  constexpr double rounding = 1e-13;
  const MultiVector AB = A * B, sizes = A.cwiseAbs() * B.cwiseAbs();
  return (AB.array().abs() > rounding * sizes.array()).select(AB, 0.);
}

RangeSplit split_range(const MultiVector& A, double size, double uncertainty, const std::string& name,
                       double rounding) {
  const auto n = static_cast<Index>(A.rows()), n_columns = static_cast<Index>(A.cols());
  if (A.size() == 0 || size == 0) return {MultiVector(n, 0), MultiVector::Identity(n, n)};
  const SingularValueDecomposition svd = singular_value_decomposition(A);
  const double least = std::max(rounding, 1e-15 * static_cast<double>(std::max(n, n_columns)) * size);
  const Index r =
      decide_rank({name, n, n_columns, 0, size, least, std::max(least, uncertainty * size)}, svd.values).rank;
  return {svd.U.leftCols(r), svd.U.rightCols(n - r)};
}

MultiVector least_squares(const MultiVector& A, const MultiVector& b, std::optional<double> threshold) {
  if (A.size() == 0 || b.size() == 0) return MultiVector::Zero(A.cols(), b.cols());
  return LeastSquares(A, threshold).solve(b);
}

std::vector<Index> independent_rows(const MultiVector& basis) {
  if (basis.size() == 0) return {};
  return independent_columns(basis.transpose(), 0.);
}

MultiVector stacked(std::initializer_list<MultiVector> parts) {
  Eigen::Index n_rows = 0, n_columns = 0;
  for (const MultiVector& part : parts) {
    n_rows += part.rows();
    n_columns = part.cols();
  }
  MultiVector all(n_rows, n_columns);
  Eigen::Index first = 0;
  for (const MultiVector& part : parts) {
    all.middleRows(first, part.rows()) = part;
    first += part.rows();
  }
  return all;
}

MultiVector side_by_side(std::initializer_list<MultiVector> parts) {
  Eigen::Index n_rows = 0, n_columns = 0;
  for (const MultiVector& part : parts) {
    n_rows = part.rows();
    n_columns += part.cols();
  }
  MultiVector all(n_rows, n_columns);
  Eigen::Index first = 0;
  for (const MultiVector& part : parts) {
    all.middleCols(first, part.cols()) = part;
    first += part.cols();
  }
  return all;
}

}  // namespace halfdof::internal
