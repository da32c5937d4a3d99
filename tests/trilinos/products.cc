// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>

#include <boost/test/unit_test.hpp>

#include "random_systems.h"

namespace {

using namespace halfdof;
using namespace halfdof::test;

MultiVector whole(const TrilinosMatrix& A) {
  return TrilinosEngine::to_dense(A);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(products)

BOOST_AUTO_TEST_CASE(triple_products_of_unsymmetric_and_rectangular_matrices_equal_the_dense_ones) {
  for (const Layout layout : all_layouts) {
    const MultiVector T = random_sparse(9, 5, 0.4);
    const MultiVector A = random_sparse(9, 9, 0.4);
    const MultiVector S = random_sparse(9, 7, 0.4);
    const Partition n = partition(9, layout);
    const TrilinosMatrix product =
        TrilinosEngine::triple_product(with_stored_zeros(T, n, partition(5, layout)), with_stored_zeros(A, n),
                                       with_stored_zeros(S, n, partition(7, layout)));
    const MultiVector expected = T.transpose() * A * S;
    // Sums of at most 81 terms below one.
    BOOST_TEST((whole(product) - expected).cwiseAbs().maxCoeff() <= 1e-14);
    BOOST_TEST(product.rows().n_local() == partition(5, layout).n_local());
    BOOST_TEST(product.columns().n_local() == partition(7, layout).n_local());
  }
}

BOOST_AUTO_TEST_CASE(triple_products_store_no_zeros) {
  const Partition n = partition(4, Layout::scattered);
  const MultiVector I = MultiVector::Identity(4, 4);
  MultiVector A = MultiVector::Zero(4, 4);
  A(1, 2) = 3;
  const TrilinosMatrix product = TrilinosEngine::triple_product(
      with_stored_zeros(I, n), with_stored_zeros(A, n), with_stored_zeros(I, n));
  BOOST_TEST(n.communicator().count(product.n_local_entries()) == 1);
  BOOST_TEST((whole(product) - A).isZero(0));
}

BOOST_AUTO_TEST_CASE(factors_that_do_not_fit_are_refused) {
  const TrilinosMatrix A = with_stored_zeros(random_dense(4, 4), partition(4, Layout::consecutive));
  const TrilinosMatrix T = with_stored_zeros(random_dense(5, 4), partition(5, Layout::consecutive),
                                             partition(4, Layout::consecutive));
  BOOST_CHECK_THROW(TrilinosEngine::triple_product(T, A, A), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
