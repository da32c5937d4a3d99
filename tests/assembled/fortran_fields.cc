// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/fortran_fields.h>

#include <boost/test/unit_test.hpp>

#include <string>

using namespace halfdof;
using namespace halfdof::internal;

BOOST_AUTO_TEST_SUITE(fortran_fields)

BOOST_AUTO_TEST_CASE(numbers_as_fortran_writes_them_are_read) {
  const auto is = [](const char* text, double value) {
    const std::optional<double> number = real_number(text);
    BOOST_TEST((number && *number == value), text);
  };
  is(" 1.5 ", 1.5);
  is("+1.5", 1.5);
  is("-.5D0", -.5);
  is("1.5D+02", 150);
  is("1.5d-02", .015);
  is("7.27-4", 7.27e-4);
  is("-7.27+4", -7.27e4);
  is("1.+3", 1000);
  is("2", 2);
  is("1.556000000D+02", 155.6);
  is("1E300", 1e300);
  is("1e+3\r", 1000);
}

BOOST_AUTO_TEST_CASE(other_texts_are_no_numbers) {
  for (const char* const text :
       {"",        "  ",  "x",   "1.5x", "1.5D", "1.5D+", "+",      "-",   "1..5", "1.5-4-3",
        "1.5e3d2", "--1", "+-1", "nan",  "inf",  "1e400", "1.5+e3", "1 2", "D3",   "1.5++3"})
    BOOST_TEST(!real_number(text), text);
  BOOST_TEST(!real_number(std::string(200, '1') + "D0"));
}

BOOST_AUTO_TEST_CASE(whole_numbers_have_at_most_18_digits) {
  BOOST_TEST((whole_number(" +12 ") == GlobalIndex(12)));
  BOOST_TEST((whole_number("-12") == GlobalIndex(-12)));
  BOOST_TEST((whole_number("999999999999999999") == GlobalIndex(999999999999999999)));
  for (const char* const text : {"", "+", "-", "1.", "1 2", "x", "1000000000000000000", "+-1", "0x1"})
    BOOST_TEST(!whole_number(text), text);
}

BOOST_AUTO_TEST_CASE(fields_end_with_the_line) {
  BOOST_TEST(field("abcdef", 2, 3) == "cde");
  BOOST_TEST(field("abcdef", 4, 8) == "ef");
  BOOST_TEST(field("abcdef", 6, 8) == "");
  BOOST_TEST(trimmed(" \ta b\r") == "a b");
}

BOOST_AUTO_TEST_SUITE_END()
