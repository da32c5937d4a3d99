// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/free_system.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

using FreeEigenMatrix = FreeMatrix<EigenEngine>;

MultiVector dense(const EigenMatrix& A) {
  return EigenEngine::to_dense(A);
}

/// Unsymmetric, with zeros, and with DoFs 1 and 4 constrained, whose entries are far larger than all others.
struct Example {
  Example() : A(test::RandomNumbers(3).matrix(7, 7)), free({0, 2, 3, 5, 6}, Partition(7)) {
    for (Index i = 0; i < A.size(); i += 3)
      A.reshaped()[i] = 0;
    for (const Index constrained : {1, 4}) {
      A.row(constrained).array() += 1e12;
      A.col(constrained).array() += 1e12;
    }
    A(free.local(), 3).setZero();
  }

  MultiVector of_free() const { return A(free.local(), free.local()); }

  MultiVector A;
  Selection free;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(free_matrix)

BOOST_AUTO_TEST_CASE(norms_and_blocks_are_those_of_the_matrix_that_is_made_later) {
  const Example example;
  const FreeEigenMatrix matrix(test::with_stored_zeros(example.A), example.free);
  const Selection some({0, 3}, example.free.partition()), others({1, 4}, example.free.partition()),
      columns({0, 2, 3}, example.free.partition());

  const Vector norms = matrix.column_norms(),
               expected = example.of_free().cwiseAbs().colwise().sum().transpose();
  BOOST_TEST((norms - expected).norm() <= 1e-15 * expected.norm());
  BOOST_TEST(norms[2] == 0.);  // which meets constrained rows alone

  const std::vector<EigenMatrix> blocks = matrix.row_blocks({some, others}, columns);
  BOOST_TEST((dense(blocks[0]) - example.of_free()(some.local(), columns.local())).isZero(0));
  BOOST_TEST((dense(blocks[1]) - example.of_free()(others.local(), columns.local())).isZero(0));

  BOOST_TEST(matrix.rows().n_local() == 5);
  BOOST_TEST((dense(matrix()) - example.of_free()).isZero(0));
  BOOST_TEST(matrix().n_local_entries() == (example.of_free().array() != 0).count());
}

BOOST_AUTO_TEST_CASE(copies_share_what_was_made) {
  const Example example;
  const FreeEigenMatrix matrix(test::matrix_of<EigenEngine>(example.A), example.free), copy = matrix;
  BOOST_TEST(&matrix().entries() == &copy().entries());
}

BOOST_AUTO_TEST_CASE(entries_are_shared_with_the_assembled_matrix_where_nothing_is_constrained) {
  const EigenMatrix A = test::matrix_of<EigenEngine>(Example().A);
  const FreeEigenMatrix matrix(A, Selection({0, 1, 2, 3, 4, 5, 6}, Partition(7)));
  BOOST_TEST(&matrix().entries() == &A.entries());
}

BOOST_AUTO_TEST_CASE(a_matrix_in_other_coordinates_is_taken_as_it_is) {
  const EigenMatrix A = test::matrix_of<EigenEngine>(Example().of_free());
  const FreeEigenMatrix matrix(A);
  BOOST_TEST(&matrix().entries() == &A.entries());
  BOOST_TEST((matrix.column_norms() - EigenEngine::column_norms(A)).isZero(0));
  const Selection all({0, 1, 2, 3, 4}, A.rows()), some({1, 4}, A.rows());
  BOOST_TEST((dense(matrix.row_blocks({some}, all).front()) - dense(A)(some.local(), Eigen::all)).isZero(0));
}

BOOST_AUTO_TEST_CASE(without_free_dofs_there_is_nothing) {
  const FreeEigenMatrix matrix(test::matrix_of<EigenEngine>(Example().A), Selection({}, Partition(7)));
  BOOST_TEST(matrix.column_norms().size() == 0);
  BOOST_TEST(matrix().n_local_entries() == 0);
  BOOST_TEST(matrix.row_blocks({Selection({}, Partition(0))}, Selection({}, Partition(0))).size() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
