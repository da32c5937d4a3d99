// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/pseudo_random.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

/// Process 1 of three; the others own 4 and 2 rows. Stands for MPI where only numbers matter.
class MiddleProcess : public Communicator {
 public:
  int rank() const override { return 1; }
  int size() const override { return 3; }
  void sum(double* values, int n) const override {
    for (int i = 0; i < n; ++i)
      values[i] += 6;
  }
  GlobalIndex sum_before(GlobalIndex) const override { return 4; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(partition)

BOOST_AUTO_TEST_CASE(one_process_owns_all_rows) {
  const Partition partition(3);
  BOOST_TEST(partition.n_global() == 3);
  BOOST_TEST(partition.n_local() == 3);
  for (Index i = 0; i < 3; ++i) {
    BOOST_TEST(partition.global_index(i) == i);
    BOOST_TEST(partition.local_index(i) == i);
  }
  BOOST_TEST(partition.local_index(-1) == -1);
  BOOST_TEST(partition.local_index(3) == -1);
}

BOOST_AUTO_TEST_CASE(no_rows_are_a_partition) {
  BOOST_TEST(Partition().n_global() == 0);
  BOOST_TEST(Partition().local_index(0) == -1);
  BOOST_TEST(Partition(std::vector<GlobalIndex>{}, Communicator::self()).n_local() == 0);
}

BOOST_AUTO_TEST_CASE(rows_by_rank_are_numbered_after_those_of_lower_ranks) {
  const Partition partition(5, std::make_shared<MiddleProcess>());
  BOOST_TEST(partition.n_global() == 11);
  BOOST_TEST(partition.global_index(0) == 4);
  BOOST_TEST(partition.global_index(4) == 8);
  BOOST_TEST(partition.local_index(8) == 4);
  BOOST_TEST(partition.local_index(3) == -1);
  BOOST_TEST(partition.local_index(9) == -1);
}

BOOST_AUTO_TEST_CASE(any_order_of_owned_rows_is_kept_and_found_again) {
  const std::vector<GlobalIndex> owned = {7, 2, 9, 0};
  const Partition partition(owned, std::make_shared<MiddleProcess>());
  BOOST_TEST(partition.n_local() == 4);
  BOOST_TEST(partition.n_global() == 10);
  for (Index i = 0; i < 4; ++i) {
    BOOST_TEST(partition.global_index(i) == owned[static_cast<std::size_t>(i)]);
    BOOST_TEST(partition.local_index(owned[static_cast<std::size_t>(i)]) == i);
  }
  for (const GlobalIndex other : {-1, 1, 3, 8, 10})
    BOOST_TEST(partition.local_index(other) == -1);
}

BOOST_AUTO_TEST_CASE(a_selection_numbers_its_rows_consecutively) {
  const Selection selection({1, 3, 4}, Partition(6));
  BOOST_TEST(selection.n_local() == 3);
  BOOST_TEST(selection.n_global() == 3);
  BOOST_TEST(selection.partition().global_index(2) == 2);
  BOOST_TEST(Selection().n_local() == 0);
}

BOOST_AUTO_TEST_CASE(restriction_takes_the_selected_rows_and_addition_is_its_transpose) {
  const Selection selection({1, 3, 4}, Partition(6));
  const MultiVector x = MultiVector::Random(6, 2);
  const MultiVector y = MultiVector::Random(3, 2);
  const MultiVector restricted = selection.selected_rows(x);
  for (Index i = 0; i < 3; ++i)
    BOOST_TEST((restricted.row(i) - x.row(selection.local()[static_cast<std::size_t>(i)])).norm() == 0.);

  MultiVector sum = MultiVector::Zero(6, 2);
  selection.add_to(y, sum);
  // (J^T x) . y = x . (J y)
  BOOST_TEST((restricted.array() * y.array()).sum() == (x.array() * sum.array()).sum(),
             boost::test_tools::tolerance(1e-14));
  selection.add_to(y, sum);
  BOOST_TEST((selection.selected_rows(sum) - 2 * y).norm() < 1e-15);
  BOOST_TEST(sum.row(0).norm() + sum.row(2).norm() + sum.row(5).norm() == 0.);
}

BOOST_AUTO_TEST_CASE(restriction_takes_complex_vectors_and_empty_selections) {
  const ComplexVector z = ComplexVector::Random(4);
  const ComplexMultiVector restricted = Selection({0, 2}, Partition(4)).selected_rows(z);
  BOOST_TEST((restricted(1, 0) == z[2]));
  const MultiVector nothing = Selection({}, Partition(4)).selected_rows(MultiVector(4, 3));
  BOOST_TEST(nothing.rows() == 0);
  BOOST_TEST(nothing.cols() == 3);
}

BOOST_AUTO_TEST_CASE(pseudo_random_numbers_belong_to_their_row_and_column) {
  const MultiVector whole = pseudo_random(Partition(1000), 2);
  const Partition others({7, 3}, Communicator::self());
  BOOST_TEST((pseudo_random(others, 2).row(0) - whole.row(7)).norm() == 0);
  BOOST_TEST(whole.cwiseAbs().maxCoeff() < 1);
  // Mean and covariance of 1000 uniform numbers: three standard deviations.
  BOOST_TEST(std::abs(whole.col(0).mean()) < 3 / std::sqrt(3000.));
  BOOST_TEST(std::abs(whole.col(0).dot(whole.col(1))) < 3 * std::sqrt(1000.) / 3);
}

BOOST_AUTO_TEST_SUITE_END()
