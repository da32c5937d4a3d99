// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/ranks/nilpotent_form.h>

#include <boost/test/unit_test.hpp>

#include "linear_algebra/matrices.h"

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(nilpotent_forms)

BOOST_AUTO_TEST_CASE(chains_in_turned_coordinates_become_strictly_triangular) {
  // Chains of three, two and one.
  MultiVector chains = MultiVector::Zero(6, 6);
  chains(0, 1) = 2;
  chains(1, 2) = 3;
  chains(3, 4) = 0.5;
  const MultiVector X = random_vectors(6, 6, 4) + 3 * MultiVector::Identity(6, 6),
                    N = X * chains * X.inverse();
  const NilpotentForm form = nilpotent_form(N, 1e-10);
  BOOST_TEST((form.U * form.T * form.U.transpose() - N).norm() < 1e-12 * N.norm());
  BOOST_TEST((form.U.transpose() * form.U - MultiVector::Identity(6, 6)).norm() < 1e-13);
  BOOST_TEST(form.T.triangularView<Eigen::Lower>().toDenseMatrix().isZero(0));
  BOOST_TEST(form.dropped < 1e-13);
  BOOST_TEST(!(form.T * form.T).isZero(1e-3));
  BOOST_TEST((form.T * form.T * form.T).isZero(1e-12));
}

BOOST_AUTO_TEST_CASE(what_is_dropped_is_told) {
  const MultiVector N = (MultiVector(2, 2) << 0, 1, 1e-6, 0).finished();
  const NilpotentForm form = nilpotent_form(N, 1e-11);
  BOOST_TEST(std::abs(form.dropped - 1e-6) < 1e-12);
  BOOST_TEST(form.T.triangularView<Eigen::Lower>().toDenseMatrix().isZero(0));
  BOOST_TEST(nilpotent_form(MultiVector(0, 0), 1).T.size() == 0);
  BOOST_TEST(nilpotent_form(MultiVector::Constant(1, 1, 1e-14), 1e-10).T(0, 0) == 0.);
}

BOOST_AUTO_TEST_SUITE_END()
