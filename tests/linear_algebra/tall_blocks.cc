// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/partition.h>
#include <halfdof/linear_algebra/kernels/tall_blocks.h>

#include <boost/test/unit_test.hpp>

#include "linear_algebra/matrices.h"
#include <cmath>
#include <type_traits>

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

namespace {

template <class Scalar>
DenseMatrix<Scalar> random_block(Index n_rows, Index n_columns, unsigned seed) {
  DenseMatrix<Scalar> X = random_vectors(n_rows, n_columns, seed).template cast<Scalar>();
  if constexpr (std::is_same_v<Scalar, Complex>) X.imag() = random_vectors(n_rows, n_columns, seed + 100);
  return X;
}

template <class Scalar>
bool agree(const DenseMatrix<Scalar>& A, const DenseMatrix<Scalar>& B, Index n_terms) {
  return A.rows() == B.rows() && A.cols() == B.cols() &&
         (A.size() == 0 || (A - B).cwiseAbs().maxCoeff() < 1e-14 * (n_terms + 1));
}

/// All functions against plain products, for one size.
template <class Scalar>
void check(Index n_rows, Index m, Index k) {
  const Partition rows(1);
  const Communicator& communicator = rows.communicator();
  const DenseMatrix<Scalar> X = random_block<Scalar>(n_rows, m, 1), Y = random_block<Scalar>(n_rows, k, 2),
                            C = random_block<Scalar>(m, k, 3), left = Y - X * C;
  DenseMatrix<Scalar> both(n_rows, m + k), Z = Y;
  both << X, left;
  BOOST_TEST_CONTEXT(n_rows << " rows, " << m << " and " << k << " columns") {
    BOOST_TEST(agree<Scalar>(tall_products<Scalar>(communicator, X, Y), X.adjoint() * Y, n_rows));
    BOOST_TEST(agree<Scalar>(tall_combination<Scalar>(X, C), X * C, m));
    subtract_combination<Scalar>(X, C, Z);
    BOOST_TEST(agree<Scalar>(Z, left, m));
    Z = Y;
    const DenseMatrix<Scalar> products = subtract_combination_and_multiply<Scalar>(communicator, X, C, Z);
    BOOST_TEST(agree<Scalar>(Z, left, m));
    BOOST_TEST(agree<Scalar>(products, both.adjoint() * left, (m + 1) * n_rows));
    if (k > m) return;
    DenseMatrix<Scalar> combined = X;
    combine_in_place<Scalar>(combined, C);
    BOOST_TEST(agree<Scalar>(combined.leftCols(k), X * C, m));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tall_blocks)

// Fewer rows than processors take at once, as many, some more; parts of what is treated at once; more columns
// than have kernels of their own.
BOOST_AUTO_TEST_CASE(products_are_those_of_dense_matrices) {
  for (const Index n_rows : {0, 1, 7, 8, 9, 511, 512, 513, 1100})
    for (const Index m : {0, 1, 3, 4, 5, 18})
      for (const Index k : {1, 2, 3, 4, 5}) {
        check<double>(n_rows, m, k);
        check<Complex>(n_rows, m, k);
      }
}

// As vectors of a Krylov basis lie: behind each other in one array, which is longer than they are.
BOOST_AUTO_TEST_CASE(blocks_may_be_parts_of_one_array) {
  const Partition rows(1);
  const Communicator& communicator = rows.communicator();
  MultiVector all = random_vectors(700, 12, 4);
  const MultiVector before = all, X = all.block(13, 0, 601, 7), Y = all.block(13, 7, 601, 3),
                    C = random_vectors(7, 3, 5);
  subtract_combination<double>(all.block(13, 0, 601, 7), C, all.block(13, 7, 601, 3));
  MultiVector expected = before;
  expected.block(13, 7, 601, 3) = Y - X * C;
  BOOST_TEST((all - expected).cwiseAbs().maxCoeff() < 1e-14);
  const MultiVector products =
      tall_products<double>(communicator, all.block(13, 0, 601, 7), all.block(13, 7, 601, 3));
  BOOST_TEST((products - X.transpose() * (Y - X * C)).cwiseAbs().maxCoeff() < 1e-11);
}

// A product with a number that is none is none, and no other.
BOOST_AUTO_TEST_CASE(what_is_no_number_stays_in_its_row_and_column) {
  const Partition rows(1);
  const Communicator& communicator = rows.communicator();
  const MultiVector X = random_vectors(20, 6, 1);
  MultiVector Y = random_vectors(20, 3, 2);
  Y(9, 1) = std::nan("");
  const MultiVector products = tall_products<double>(communicator, X, Y);
  BOOST_TEST(products.col(1).array().isNaN().all());
  BOOST_TEST(!products.col(0).array().isNaN().any());
  BOOST_TEST(!products.col(2).array().isNaN().any());
}

BOOST_AUTO_TEST_SUITE_END()
