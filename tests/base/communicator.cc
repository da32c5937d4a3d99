// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/partition.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>
#include <vector>

using namespace halfdof;

BOOST_AUTO_TEST_SUITE(communicator)

BOOST_AUTO_TEST_CASE(one_process_reduces_to_itself) {
  const Communicator& self = *Communicator::self();
  BOOST_TEST(self.rank() == 0);
  BOOST_TEST(self.size() == 1);
  BOOST_TEST(self.sum(2.5) == 2.5);
  BOOST_TEST(self.max(-2.5) == -2.5);
  BOOST_TEST(self.count(1234567890123) == 1234567890123);
  BOOST_TEST(self.sum_before(5) == 0);
  BOOST_TEST(self.any(true));
  BOOST_TEST(!self.any(false));
}

BOOST_AUTO_TEST_CASE(gathering_from_one_process_gives_what_it_has) {
  const Communicator& self = *Communicator::self();
  const std::string bytes("a\0b", 3);
  BOOST_TEST(self.gather(bytes) == std::vector<std::string>{bytes}, boost::test_tools::per_element());
  BOOST_TEST(gather(self, std::vector<double>{1.5, -2.}) == (std::vector<double>{1.5, -2.}),
             boost::test_tools::per_element());
  BOOST_TEST(gather(self, std::vector<GlobalIndex>{1234567890123}) == std::vector<GlobalIndex>{1234567890123},
             boost::test_tools::per_element());
  BOOST_TEST(gather(self, std::vector<double>{}).empty());
}

BOOST_AUTO_TEST_CASE(inner_products_are_those_of_all_columns) {
  MultiVector x(2, 2), y(2, 3);
  x << 1, 2, 3, 4;
  y << 1, 0, 2, 0, 1, 1;
  MultiVector expected(2, 3);
  expected << 1, 3, 5, 2, 4, 8;
  BOOST_TEST((inner_products(*Communicator::self(), x, y) - expected).norm() == 0.);
  BOOST_TEST(norm(*Communicator::self(), Vector(x.col(0))) == std::sqrt(10.));
  BOOST_TEST(norm(*Communicator::self(), ComplexVector(Complex(0, 1) * x.col(0))) == std::sqrt(10.));
  BOOST_TEST(norm(*Communicator::self(), Vector(0)) == 0.);
}

BOOST_AUTO_TEST_CASE(a_check_that_fails_together_keeps_its_message) {
  const Communicator& self = *Communicator::self();
  BOOST_CHECK_NO_THROW(call_together(self, [] {}));
  BOOST_CHECK_EXCEPTION(call_together(self, [] { throw InvalidInput("row 3"); }), InvalidInput,
                        [](const InvalidInput& error) { return std::string(error.what()) == "row 3"; });
}

BOOST_AUTO_TEST_SUITE_END()
