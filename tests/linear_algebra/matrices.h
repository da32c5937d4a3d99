// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/linear_algebra/eigen/engine.h>

#include <algorithm>
#include <limits>
#include <random>
#include <utility>
#include <vector>

/// Small matrices for the tests of the Eigen engine.
namespace halfdof::test {

/// All entries of a dense matrix, zeros included, become stored entries.
inline EigenMatrix with_all_stored(const MultiVector& dense) {
  EigenMatrix::Storage entries(dense.rows(), dense.cols());
  for (Index j = 0; j < dense.cols(); ++j)
    for (Index i = 0; i < dense.rows(); ++i)
      entries.insert(i, j) = dense(i, j);
  return EigenMatrix(std::move(entries));
}

/// The nonzero entries of a dense matrix.
inline EigenMatrix sparse(const MultiVector& dense) {
  return EigenMatrix(EigenMatrix::Storage(dense.sparseView()));
}

/// Entries in (-1, 1), about `per_column` of them in each column, the same in every run. Regular with
/// probability one: a permuted diagonal lies under them.
inline MultiVector random_sparse(Index n, double per_column, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> value(-1., 1.);
  std::bernoulli_distribution present(std::min(1., per_column / n));
  MultiVector A = MultiVector::Zero(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      if (present(generator)) A(i, j) = value(generator);
  std::vector<Index> permutation(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i)
    permutation[static_cast<std::size_t>(i)] = i;
  std::shuffle(permutation.begin(), permutation.end(), generator);
  for (Index j = 0; j < n; ++j)
    A(permutation[static_cast<std::size_t>(j)], j) += 3.;
  return A;
}

/// B^T B + 1: symmetric positive definite, and as sparse as B allows.
inline MultiVector random_definite(Index n, unsigned seed) {
  const MultiVector B = random_sparse(n, 1.5, seed);
  return B.transpose() * B + MultiVector::Identity(n, n);
}

/// Equal in shape and, to the last bit, in all entries.
inline bool equal(const MultiVector& A, const MultiVector& B) {
  return A.rows() == B.rows() && A.cols() == B.cols() && A == B;
}

inline MultiVector random_vectors(Index n, Index n_columns, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> value(-1., 1.);
  return MultiVector::NullaryExpr(n, n_columns, [&](Eigen::Index, Eigen::Index) { return value(generator); });
}

/// The 5-point (n_z = 1) or 7-point Laplacian on a grid, Dirichlet values all around.
inline EigenMatrix laplacian(Index n_x, Index n_y, Index n_z) {
  const Index n = n_x * n_y * n_z;
  std::vector<Eigen::Triplet<double>> entries;
  const auto couple = [&](Index i, Index j) {
    entries.emplace_back(i, j, -1.);
    entries.emplace_back(j, i, -1.);
  };
  for (Index i = 0; i < n; ++i) {
    entries.emplace_back(i, i, n_z > 1 ? 6. : 4.);
    if (i % n_x + 1 < n_x) couple(i, i + 1);
    if (i / n_x % n_y + 1 < n_y) couple(i, i + n_x);
    if (i + n_x * n_y < n) couple(i, i + n_x * n_y);
  }
  EigenMatrix::Storage matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return EigenMatrix(std::move(matrix));
}

/// |b - A x| relative to |A||x| + |b|, the largest: near 1e-16 for a stable solution whatever the condition
/// and the scaling of A. @param A Dense or sparse
template <class Matrix, class Scalar>
double backward_error(const Matrix& A, const DenseMatrix<Scalar>& x, const DenseMatrix<Scalar>& b) {
  const MultiVector r = (b - A * x).cwiseAbs();
  const MultiVector terms = A.cwiseAbs() * MultiVector(x.cwiseAbs()) + b.cwiseAbs();
  return (r.array() / terms.array().max(std::numeric_limits<double>::min()))
      .template maxCoeff<Eigen::PropagateNaN>();
}

}  // namespace halfdof::test
