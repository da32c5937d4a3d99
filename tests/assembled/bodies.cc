// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/builders/bodies.h>

#include <boost/test/unit_test.hpp>

#include "eigen_systems.h"

using namespace halfdof;
using namespace halfdof::internal;

namespace {

/// Springs between pairs of five DoFs, and the given ones held.
AssembledSystem<EigenEngine> springs(const std::vector<std::pair<Index, Index>>& between,
                                     std::vector<Index> constrained = {}) {
  MultiVector K = MultiVector::Identity(5, 5);
  for (const auto& [i, j] : between)
    K(i, j) = -1;
  SystemDescription<EigenEngine> description;
  description.stiffness = test::matrix_of<EigenEngine>(K);
  description.constrained = std::move(constrained);
  return AssembledSystem<EigenEngine>(std::move(description));
}

using List = std::vector<Index>;

}  // namespace

BOOST_AUTO_TEST_SUITE(bodies)

BOOST_AUTO_TEST_CASE(what_springs_connect_is_one_body_and_bodies_are_numbered_by_their_lowest_dofs) {
  const Bodies found = find_bodies(springs({{4, 1}, {3, 0}, {1, 2}}));
  BOOST_TEST(found.n_bodies == 2);
  BOOST_TEST(found.body_of == (List{0, 1, 1, 0, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_constrained_dof_belongs_to_none_and_connects_none) {
  const Bodies found = find_bodies(springs({{0, 1}, {1, 2}, {3, 2}, {3, 4}}, {2}));
  BOOST_TEST(found.n_bodies == 2);
  BOOST_TEST(found.body_of == (List{0, 0, -1, 1, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(mass_connects_stored_zeros_do_not) {
  SystemDescription<EigenEngine> description;
  description.stiffness = test::with_stored_zeros(MultiVector::Identity(3, 3));
  BOOST_TEST(find_bodies(AssembledSystem<EigenEngine>(description)).n_bodies == 3);
  MultiVector M = MultiVector::Zero(3, 3);
  M(2, 0) = 1;
  description.mass = test::matrix_of<EigenEngine>(M);
  const Bodies found = find_bodies(AssembledSystem<EigenEngine>(description));
  BOOST_TEST(found.body_of == (List{0, 1, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
