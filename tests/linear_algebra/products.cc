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

BOOST_AUTO_TEST_SUITE_END()
