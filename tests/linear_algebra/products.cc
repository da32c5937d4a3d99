// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include <boost/test/unit_test.hpp>

namespace {

using namespace halfdof;

EigenMatrix sparse(const MultiVector& dense) {
  return EigenMatrix(EigenMatrix::Storage(dense.sparseView()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(products)

BOOST_AUTO_TEST_CASE(a_matrix_is_made_of_its_rows) {
  const MultiVector A = (MultiVector(2, 3) << 1, 0, 2, 0, -3, 4).finished();
  const EigenMatrix made = EigenEngine::from_rows(OwnedRows(A.sparseView()), Partition(2), Partition(3));
  BOOST_TEST((EigenEngine::to_dense(made) - A).isZero(0));
  BOOST_CHECK_THROW(EigenEngine::from_rows(OwnedRows(A.sparseView()), Partition(3), Partition(3)),
                    InvalidInput);
}

BOOST_AUTO_TEST_CASE(rows_come_back_as_they_were_given) {
  const MultiVector A = (MultiVector(2, 3) << 1, 0, 2, 0, -3, 4).finished();
  BOOST_TEST((MultiVector(EigenEngine::to_rows(sparse(A))) - A).isZero(0));
}

BOOST_AUTO_TEST_CASE(equal_scaling_of_rows_and_columns_keeps_symmetry_to_the_last_digit) {
  const MultiVector A = (MultiVector(2, 2) << 0.1, 0.3, 0.3, 0.7).finished();
  const Vector s = (Vector(2) << 1. / 3, 1. / 7).finished();
  const MultiVector scaled = EigenEngine::to_dense(EigenEngine::scaled(sparse(A), s, s));
  BOOST_TEST(scaled(0, 1) == scaled(1, 0));
  BOOST_TEST(scaled(0, 1) == 0.3 / 21, boost::test_tools::tolerance(1e-15));
}

BOOST_AUTO_TEST_CASE(a_factorization_tells_whether_it_found_a_positive_definite_matrix) {
  const MultiVector A = (MultiVector(2, 2) << 2, 1, 1, 2).finished();
  const MultiVector indefinite = (MultiVector(2, 2) << 1, 2, 2, 1).finished();
  const auto found = [](const MultiVector& matrix) {
    return EigenEngine::factorize(sparse(matrix))->report().is_positive_definite;
  };
  BOOST_TEST(found(A));
  BOOST_TEST(!found(-A));
  BOOST_TEST(!found(indefinite));
  BOOST_TEST(found(MultiVector::Identity(2, 2)));
  BOOST_TEST(!found(-MultiVector::Identity(2, 2)));
}

BOOST_AUTO_TEST_CASE(triple_products_of_unsymmetric_and_rectangular_matrices_equal_the_dense_ones) {
  const MultiVector T = (MultiVector(3, 2) << 1, 0, 0.5, 2, 0, -1).finished();
  const MultiVector A = (MultiVector(3, 3) << 1, 2, 0, 0, 3, -4, 5, 0, 1).finished();
  const MultiVector S = (MultiVector(3, 1) << 2, 0, 3).finished();
  const EigenMatrix product = EigenEngine::triple_product(sparse(T), sparse(A), sparse(S));
  BOOST_TEST((EigenEngine::to_dense(product) - T.transpose() * A * S).isZero(0));
}

BOOST_AUTO_TEST_CASE(triple_products_store_no_zeros) {
  const MultiVector A = (MultiVector(2, 2) << 1, -1, -1, 1).finished();
  const MultiVector ones = MultiVector::Ones(2, 1);
  BOOST_TEST(EigenEngine::triple_product(sparse(ones), sparse(A), sparse(ones)).n_local_entries() == 0);
}

BOOST_AUTO_TEST_CASE(factors_that_do_not_fit_are_refused) {
  const EigenMatrix A = sparse(MultiVector::Ones(2, 2));
  const EigenMatrix T = sparse(MultiVector::Ones(3, 2));
  BOOST_CHECK_THROW(EigenEngine::triple_product(T, A, A), InvalidInput);
}

BOOST_AUTO_TEST_CASE(complex_transposed_products_are_not_conjugated) {
  const MultiVector A = (MultiVector(2, 3) << 1, 0, 2, 0, -3, 4).finished();
  const ComplexMultiVector x = (ComplexMultiVector(2, 1) << Complex(1, 2), Complex(0, -1)).finished();
  ComplexMultiVector y = ComplexMultiVector::Ones(3, 1);
  sparse(A).add_transposed_product(Complex(0, 2), x, y);
  BOOST_TEST((y - ComplexMultiVector::Ones(3, 1) - Complex(0, 2) * A.transpose() * x).norm() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
