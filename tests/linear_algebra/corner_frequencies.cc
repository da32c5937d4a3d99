// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/linear_algebra/corner_frequencies.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

Vector numbers(std::initializer_list<double> values) {
  Vector vector(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), vector.data());
  return vector;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(corner_frequencies_of_rows)

BOOST_AUTO_TEST_CASE(weakly_damped_rows_have_one_corner_frequency_and_overdamped_rows_have_two) {
  const std::vector<double> rates =
      corner_frequencies(numbers({1, 1e-9, 0}), numbers({0.1, 1, 0}), numbers({1e4, 1, 5}), 8);
  const std::vector<double> exact{1, 100, 1e9};
  BOOST_REQUIRE(rates.size() == exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i)
    BOOST_TEST(rates[i] == exact[i], boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(neighbouring_frequencies_differ_by_a_factor_of_ten_and_their_number_is_limited) {
  Vector k(40);
  for (Index i = 0; i < 40; ++i)
    k[i] = std::pow(4., i);  // rates 2^i
  const std::vector<double> rates = corner_frequencies(Vector::Ones(40), Vector::Zero(40), k, 5);
  BOOST_TEST(rates.size() == 5);
  BOOST_TEST(rates.front() == 1);
  BOOST_TEST(rates.back() > 1e10);
  for (std::size_t i = 0; i + 1 < rates.size(); ++i)
    BOOST_TEST(rates[i + 1] >= 10 * rates[i]);
}

BOOST_AUTO_TEST_CASE(frequencies_of_zero_and_infinity_are_omitted) {
  BOOST_TEST(corner_frequencies(numbers({0, 1}), numbers({0, 0}), numbers({1, 0}), 8).empty());
}

BOOST_AUTO_TEST_SUITE_END()
