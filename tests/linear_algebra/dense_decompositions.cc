#include <halfdof/linear_algebra/dense_decompositions.h>

#include <boost/test/unit_test.hpp>

using namespace halfdof;

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

BOOST_AUTO_TEST_SUITE_END()
