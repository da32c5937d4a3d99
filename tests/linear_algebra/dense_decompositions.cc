// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/dense/dense_decompositions.h>
#include <halfdof/linear_algebra/dense/dense_eigenvalues.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

using namespace halfdof;
using namespace halfdof::internal;

BOOST_AUTO_TEST_SUITE(dense_decompositions)

BOOST_AUTO_TEST_CASE(symmetric_eigenpairs_are_orthonormal_ascending_and_of_the_lower_triangle) {
  const MultiVector random = MultiVector::Random(7, 7), A = random + random.transpose();
  MultiVector lower = A.triangularView<Eigen::Lower>();
  lower(0, 6) = 1e3;  // nobody looks there
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(lower);
  BOOST_TEST((A * pairs.vectors - pairs.vectors * pairs.values.asDiagonal()).norm() < 1e-13 * A.norm());
  BOOST_TEST((pairs.vectors.transpose() * pairs.vectors - MultiVector::Identity(7, 7)).norm() < 1e-13);
  for (Index i = 1; i < 7; ++i)
    BOOST_TEST(pairs.values[i - 1] <= pairs.values[i]);
  BOOST_TEST((symmetric_eigenvalues(lower) - pairs.values).norm() < 1e-13 * A.norm());
  BOOST_TEST(symmetric_eigenpairs(MultiVector(0, 0)).values.size() == 0);
}

BOOST_AUTO_TEST_CASE(the_complex_schur_form_is_triangular_and_unitary) {
  const MultiVector A = MultiVector::Random(9, 9);
  const ComplexSchur schur = complex_schur(A);
  BOOST_TEST((schur.U * schur.T * schur.U.adjoint() - A.cast<Complex>()).norm() < 1e-13 * A.norm());
  BOOST_TEST((schur.U.adjoint() * schur.U - ComplexMultiVector::Identity(9, 9)).norm() < 1e-13);
  for (Index j = 0; j < 9; ++j)
    for (Index i = j + 1; i < 9; ++i)
      BOOST_TEST(schur.T(i, j) == Complex(0));
  BOOST_TEST(complex_schur(MultiVector(0, 0)).T.size() == 0);
}

BOOST_AUTO_TEST_CASE(pencils_of_hundreds_of_unknowns_have_their_eigenvalues) {
  // A chain of masses with some dampers, q' = v. The sums of the eigenvalues and of their squares are traces.
  constexpr Index n = 280;
  MultiVector A = MultiVector::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n).diagonal().setConstant(-2);
  A.bottomLeftCorner(n, n).diagonal(1).setOnes();
  A.bottomLeftCorner(n, n).diagonal(-1).setOnes();
  A(2 * n - 1, n - 1) = -1;
  auto minus_C = A.bottomRightCorner(n, n);
  for (Index i = 3; i < n - 1; i += 4)
    minus_C.block(i, i, 2, 2) += (MultiVector(2, 2) << -1, 1, 1, -1).finished() * 0.1 / 31.6;
  Complex sum = 0, of_squares = 0;
  for (const HomogeneousEigenvalue& value : eigenvalues(A, MultiVector::Identity(2 * n, 2 * n))) {
    const Complex lambda = value.alpha / value.beta;
    sum += lambda;
    of_squares += lambda * lambda;
  }
  BOOST_TEST(std::abs(sum - A.trace()) < 1e-11);
  BOOST_TEST(std::abs(of_squares - (A * A).trace()) < 1e-9);
}

BOOST_AUTO_TEST_CASE(singular_values_and_vectors_make_the_matrix_again) {
  for (const Index n : {3, 6, 9}) {
    const MultiVector X = MultiVector::Random(6, n);
    const SingularValueDecomposition svd = singular_value_decomposition(X);
    const Index r = std::min<Index>(6, n);
    const MultiVector product = svd.U.leftCols(r) * svd.values.asDiagonal() * svd.V.leftCols(r).transpose();
    BOOST_TEST((product - X).norm() < 1e-13 * X.norm());
    BOOST_TEST((svd.U.transpose() * svd.U - MultiVector::Identity(6, 6)).norm() < 1e-13);
    BOOST_TEST((svd.V.transpose() * svd.V - MultiVector::Identity(n, n)).norm() < 1e-13);
    BOOST_TEST((singular_values(X) - svd.values).norm() < 1e-13 * X.norm());
  }
}

BOOST_AUTO_TEST_CASE(balancing_evens_out_norms_by_powers_of_two) {
  const Vector units = Eigen::Vector4d(1e-7, 1., 1e5, 1e9);
  const MultiVector A = units.asDiagonal() * MultiVector::Random(4, 4) * units.cwiseInverse().asDiagonal();
  const auto [B, D] = balanced(A);
  BOOST_TEST((D.asDiagonal() * B * D.cwiseInverse().asDiagonal() - A).norm() == 0.);
  for (Index i = 0; i < 4; ++i) {
    int exponent = 0;
    BOOST_TEST(std::frexp(D[i], &exponent) == 0.5);
    const double ratio = B.row(i).norm() / B.col(i).norm();
    BOOST_TEST((ratio > 0.1 && ratio < 10));
  }
  BOOST_TEST(balanced(MultiVector(0, 0)).D.size() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
