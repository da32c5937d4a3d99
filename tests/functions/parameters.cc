// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/functions/parameters.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace halfdof;

namespace {

/// Returns a check that the message of an error contains a text.
auto mentions(const std::string& text) {
  return
      [text](const InvalidInput& error) { return std::string(error.what()).find(text) != std::string::npos; };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(parameters)

BOOST_AUTO_TEST_CASE(a_formula_knows_its_parameters_as_constants) {
  const Parameters values = {{"omega", -3.}, {"mu", 0.25}, {"e2", 7.}};
  const ScalarFunction load = expression("mu*omega^2*cos(omega*t) + 1e2*e2", values);
  for (const double t : {0., 0.3, 2.}) {
    BOOST_TEST(load(t) == 0.25 * 9 * std::cos(3 * t) + 700, boost::test_tools::tolerance(1e-15));
    BOOST_TEST(load.derivative(t) == -0.25 * 27 * std::sin(3 * t), boost::test_tools::tolerance(1e-14));
  }
  BOOST_TEST(load.is_differentiated_exactly());
  BOOST_TEST(expression("-omega^2", values)(0) == -9.);
  BOOST_TEST(expression("2-omega", values)(0) == 5.);
}

BOOST_AUTO_TEST_CASE(all_digits_of_a_value_are_kept) {
  const double third = 1. / 3, tiny = -std::numeric_limits<double>::denorm_min();
  BOOST_TEST(expression("a", {{"a", third}})(0) == third);
  BOOST_TEST(expression("a", {{"a", tiny}})(0) == tiny);
}

BOOST_AUTO_TEST_CASE(words_of_a_formula_are_told_from_numbers_and_functions) {
  const std::vector<std::string> expected = {"E", "b_1", "omega"};
  BOOST_TEST(parameters_in("1e3*omega + 2.5E-3*max(b_1, sin(t)) + E*.5 + pi*_e") == expected);
  BOOST_TEST(parameters_in("1 - t").empty());
}

BOOST_AUTO_TEST_CASE(a_word_that_is_no_parameter_is_named) {
  BOOST_CHECK_EXCEPTION(expression("2*omga", {{"omega", 1.}}), InvalidInput, mentions("\"omga\""));
  BOOST_CHECK_EXCEPTION(expression("2*omega +", {{"omega", 1.}}), InvalidInput, mentions("2*omega +"));
  BOOST_CHECK_EXCEPTION(ParameterFormula("2*mu")({{"omega", 1.}}), InvalidInput, mentions("\"mu\""));
}

BOOST_AUTO_TEST_CASE(names_that_formulas_use_already_are_refused) {
  for (const char* const name : {"t", "pi", "e", "sin", "max", "", "2a", "a b", "_a", "a-b"})
    BOOST_CHECK_THROW(check_parameters({{name, 1.}}), InvalidInput);
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()})
    BOOST_CHECK_EXCEPTION(check_parameters({{"mu", value}}), InvalidInput, mentions("mu"));
  BOOST_CHECK_NO_THROW(check_parameters({{"omega", 0.}, {"mu_2", -1.}, {"E", 1e300}}));
}

BOOST_AUTO_TEST_CASE(a_factor_is_a_finite_number_that_does_not_depend_on_time) {
  const ParameterFormula factor("1/(omega - 2)");
  BOOST_TEST(factor({{"omega", 4.}, {"other", 1.}}) == 0.5);
  BOOST_CHECK_EXCEPTION(factor({{"omega", 2.}}), InvalidInput, mentions("inf at omega = 2"));
  BOOST_CHECK_EXCEPTION(ParameterFormula("sqrt(omega)")({{"omega", -1.}}), InvalidInput, mentions("nan"));
  BOOST_CHECK_EXCEPTION(ParameterFormula("omega*t"), InvalidInput, mentions("time"));
  BOOST_TEST(ParameterFormula(-2.5)({}) == -2.5);
  BOOST_TEST(ParameterFormula()({}) == 1.);
  BOOST_CHECK_THROW(ParameterFormula(std::nan("")), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
