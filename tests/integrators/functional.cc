// SPDX-License-Identifier: LGPL-2.1-or-later
#include <boost/test/unit_test.hpp>

#include "chain/convergence.h"

BOOST_AUTO_TEST_SUITE(functional)

BOOST_AUTO_TEST_CASE(every_step_of_implicit_euler_minimizes_the_functional_of_bastien_and_lamarque) {
  // (5.3c), with the paper's own reduction: it grows from its minimizer at least as its quadratic part.
  for (const ChainCase& chosen : seven_cases()) {
    BOOST_TEST_CONTEXT(chosen.name) {
      const double smallest = smallest_quotient(ChainModel(chain_of(5, chosen.inertia, chosen.end)));
      // The functional is about 10, its smallest differences 1e-6 times the quotient: rounding is 1e-9.
      BOOST_TEST(smallest > 1 - 1e-6);
      BOOST_TEST(smallest < 1.5);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
