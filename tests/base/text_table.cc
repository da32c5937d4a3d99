// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/text_table.h>

#include <boost/test/unit_test.hpp>

#include <limits>
#include <sstream>

using namespace halfdof;
using namespace halfdof::internal;

namespace {

std::string printed(const TextTable& table) {
  std::ostringstream out;
  out << table;
  return out.str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text_table)

BOOST_AUTO_TEST_CASE(text_is_aligned_on_the_left_and_numbers_on_the_right) {
  TextTable table({"kind", "count", {"share [%]", NumberStyle::fixed, 1}});
  table.add_row({"viscous", 120, 12.5});
  table.add_row({"algebraic", 8, 0.8});
  BOOST_TEST(printed(table) ==
             "kind       count  share [%]\n"
             "---------  -----  ---------\n"
             "viscous      120       12.5\n"
             "algebraic      8        0.8\n");
}

BOOST_AUTO_TEST_CASE(umlauts_and_greek_letters_count_as_one_character) {
  TextTable table({"ω", "name"});
  table.add_row({10, "Dämpfer"});
  table.add_row({2, "x"});
  BOOST_TEST(printed(table) == " ω  name\n--  -------\n10  Dämpfer\n 2  x\n");
}

BOOST_AUTO_TEST_CASE(a_blank_cell_leaves_a_column_of_numbers_aligned_on_the_right) {
  TextTable table({"before", "after"});
  table.add_row({Complex(-0.5, 17.705915112406586), ""});
  table.add_row({-3., Complex(-3, -0.25)});
  BOOST_TEST(printed(table) ==
             "         before       after\n"
             "---------------  ----------\n"
             "-0.5 + 17.7059i\n"
             "             -3  -3 - 0.25i\n");
}

BOOST_AUTO_TEST_CASE(a_table_without_rows_shows_its_head) {
  BOOST_TEST(printed(TextTable({"a", "bc"})) == "a  bc\n-  --\n");
}

BOOST_AUTO_TEST_CASE(numbers_are_printed_in_the_style_asked_for) {
  BOOST_TEST(to_text(17.705915112406586) == "17.7059");
  BOOST_TEST(to_text(17.705915112406586, NumberStyle::general, 10) == "17.70591511");
  BOOST_TEST(to_text(1e-12) == "1e-12");
  BOOST_TEST(to_text(1e300, NumberStyle::fixed, 0).size() == 301);
  BOOST_TEST(to_text(0.000123456, NumberStyle::scientific, 2) == "1.23e-04");
  BOOST_TEST(to_text(-std::numeric_limits<double>::quiet_NaN()) == "nan");
  BOOST_TEST(to_text(std::numeric_limits<double>::infinity()) == "inf");
  BOOST_TEST(to_text(-std::numeric_limits<double>::infinity()) == "-inf");
}

BOOST_AUTO_TEST_CASE(what_is_printed_as_zero_has_no_sign) {
  BOOST_TEST(to_text(-0.) == "0");
  BOOST_TEST(to_text(-0.004, NumberStyle::fixed, 2) == "0.00");
  BOOST_TEST(to_text(-0.006, NumberStyle::fixed, 2) == "-0.01");
  BOOST_TEST(to_text(-0., NumberStyle::scientific, 2) == "0.00e+00");
  BOOST_TEST(to_text(-8e-18) == "-8e-18");
  BOOST_TEST(to_text(Complex(-0., -0.)) == "0 + 0i");
  BOOST_TEST(to_text(Complex(1, -0.001), NumberStyle::fixed, 2) == "1.00 + 0.00i");
  BOOST_TEST(to_text(Complex(1, -0.5)) == "1 - 0.5i");
  BOOST_TEST(number_text(-0.) == "0");
}

BOOST_AUTO_TEST_CASE(a_row_of_the_wrong_length_is_refused) {
  TextTable table({"a", "b"});
  BOOST_CHECK_THROW(table.add_row({1}), InvalidInput);
  BOOST_CHECK_THROW(table.add_row({1, 2, 3}), InvalidInput);
  BOOST_TEST(table.n_rows() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
