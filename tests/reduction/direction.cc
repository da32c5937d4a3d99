// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/reduction/direction.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace halfdof;

BOOST_AUTO_TEST_SUITE(directions)

BOOST_AUTO_TEST_CASE(weights_of_one_dof_are_summed_and_sorted) {
  const Direction direction({{7, 1.}, {2, 0.5}, {7, 2.}});
  BOOST_REQUIRE(direction.entries().size() == 2);
  BOOST_TEST(direction.entries()[0].dof == 2);
  BOOST_TEST(direction.entries()[0].weight == 0.5);
  BOOST_TEST(direction.entries()[1].dof == 7);
  BOOST_TEST(direction.entries()[1].weight == 3.);
}

BOOST_AUTO_TEST_CASE(weights_that_cancel_up_to_rounding_are_dropped) {
  const Direction direction({{1, 0.1}, {1, 0.2}, {1, -0.3}, {4, 1.}});
  BOOST_REQUIRE(direction.entries().size() == 1);
  BOOST_TEST(direction.entries()[0].dof == 4);
}

BOOST_AUTO_TEST_CASE(small_weights_that_do_not_cancel_are_kept) {
  const Direction direction({{1, 1.}, {2, 1e-30}});
  BOOST_TEST(direction.entries().size() == 2u);
}

BOOST_AUTO_TEST_CASE(bad_directions_are_refused) {
  BOOST_CHECK_THROW(Direction({}), InvalidInput);
  BOOST_CHECK_THROW(Direction({{0, 0.}}), InvalidInput);
  BOOST_CHECK_THROW(Direction({{3, 1.}, {3, -1.}}), InvalidInput);
  BOOST_CHECK_THROW(Direction({{-1, 1.}}), InvalidInput);
  BOOST_CHECK_THROW(Direction({{0, std::nan("")}}), InvalidInput);
  BOOST_CHECK_THROW(Direction({{0, std::numeric_limits<double>::infinity()}}), InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_relative_motion_has_opposite_weights) {
  const Direction direction = between(5, 3);
  BOOST_TEST(direction.entries()[0].weight == -1.);
  BOOST_TEST(direction.entries()[1].weight == 1.);
  BOOST_CHECK_THROW(between(4, 4), InvalidInput);
}

BOOST_AUTO_TEST_CASE(parallel_directions_are_found_with_their_factor) {
  const Direction a({{0, 1.}, {3, -2.}});
  BOOST_TEST(parallel_factor(a, Direction({{3, 1.}, {0, -0.5}})).value() == -0.5);
  BOOST_TEST(parallel_factor(a, combine(1., a, 1e-16, a)).value() == 1.);
  BOOST_TEST(!parallel_factor(a, Direction({{0, 1.}, {3, -2.0001}})));
  BOOST_TEST(!parallel_factor(a, Direction({{0, 1.}})));
  BOOST_TEST(!parallel_factor(a, Direction({{0, 1.}, {2, -2.}})));
}

BOOST_AUTO_TEST_CASE(columns_are_split_into_free_and_constrained_rows) {
  // DoF 1 is constrained: free DoFs 0, 2, 3 are numbered 0, 1, 2.
  const Partition dofs(4);
  const Selection free({0, 2, 3}, dofs), constrained({1}, dofs);
  const DirectionMatrix H({Direction({{1, -1.}, {2, 3.}}), Direction({{0, 2.}})}, dofs, free, constrained);
  BOOST_TEST(H.n_directions() == 2);
  MultiVector expected(3, 2);
  expected << 0, 2, 3, 0, 0, 0;
  BOOST_TEST((H.columns(0, 2) - expected).norm() == 0.);
  BOOST_TEST((H.force(Vector::Ones(2)) - expected * Vector::Ones(2)).norm() == 0.);
  BOOST_TEST(
      (H.components(Vector::LinSpaced(3, 1., 3.)) - expected.transpose() * Vector::LinSpaced(3, 1., 3.))
          .norm() == 0.);
  const Vector s = H.constrained_components(Vector::Constant(1, 5.));
  BOOST_TEST(s[0] == -5.);
  BOOST_TEST(s[1] == 0.);
}

BOOST_AUTO_TEST_CASE(a_dof_that_is_not_assembled_is_refused) {
  const Partition dofs(4);
  const Selection free({0, 1, 2, 3}, dofs), none({}, dofs);
  BOOST_CHECK_THROW(DirectionMatrix({Direction({{4, 1.}})}, dofs, free, none), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
