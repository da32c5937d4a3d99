// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/harwell_boeing.h>

#include "support/file_matrices.h"

using namespace halfdof;
using namespace halfdof::internal;
using test::by_rows;
using test::equal;

namespace {

struct Files {
  ScratchFolder folder;
  FileMatrix read(std::string_view text) const {
    return read_harwell_boeing(folder.file("b.hb", text)).at(0);
  }
};

std::string field(const std::string& text, std::size_t width) {
  return std::string(width - text.size(), ' ') + text;
}

/// A file of a 3 x 3 matrix with entries in rows 1, 3 | 2 | 3 of its columns.
std::string file_of(const std::string& type, const std::string& values,
                    const std::string& format = "(2D10.3)") {
  const std::string title = "a matrix";
  return title + std::string(72 - title.size(), ' ') + "KEY     \n" + field("4", 14) + field("1", 14) +
         field("1", 14) + field("2", 14) + field("0", 14) + "\n" + type + std::string(11, ' ') +
         field("3", 14) + field("3", 14) + field("4", 14) + field("0", 14) + "\n" +
         "(4I3)           (4I3)           " + format + "\n  1  3  4  5\n" + "  1  3  2  3\n" + values;
}

const std::string four = " 1.000D+00-2.000D+00\n 3.000E+00 4.000E+00\n";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(harwell_boeing, Files)

BOOST_AUTO_TEST_CASE(types_say_what_the_other_triangle_is) {
  const FileMatrix matrix = read(file_of("RUA", four));
  BOOST_TEST(matrix.name == "KEY");
  BOOST_TEST(equal(MultiVector(matrix.real), by_rows(3, 3, {1, 0, 0, 0, 3, 0, -2, 0, 4})));
  BOOST_TEST(matrix.imaginary.size() == 0);
  BOOST_TEST(
      equal(MultiVector(read(file_of("rsa", four)).real), by_rows(3, 3, {1, 0, -2, 0, 3, 0, -2, 0, 4})));
}

BOOST_AUTO_TEST_CASE(complex_and_hermitian_matrices_have_two_parts) {
  const std::string eight =
      " 1.000D+00 0.000D+00\n-2.000D+00 5.000D+00\n 3.000E+00 0.000D+00\n 4.000E+00 0.000D+00\n";
  const FileMatrix complex = read(file_of("CUA", eight)), hermitian = read(file_of("CHA", eight)),
                   symmetric = read(file_of("CSA", eight));
  BOOST_TEST(equal(MultiVector(complex.imaginary), by_rows(3, 3, {0, 0, 0, 0, 0, 0, 5, 0, 0})));
  BOOST_TEST(equal(MultiVector(hermitian.real), by_rows(3, 3, {1, 0, -2, 0, 3, 0, -2, 0, 4})));
  BOOST_TEST(equal(MultiVector(hermitian.imaginary), by_rows(3, 3, {0, 0, -5, 0, 0, 0, 5, 0, 0})));
  BOOST_TEST(equal(MultiVector(symmetric.imaginary), by_rows(3, 3, {0, 0, 5, 0, 0, 0, 5, 0, 0})));
}

BOOST_AUTO_TEST_CASE(formats_with_a_scale_and_without_a_count_are_known) {
  BOOST_TEST(read(file_of("RUA", four, "(1P,2E10.3)")).real.coeff(2, 0) == -2);
  BOOST_TEST(read(file_of("RUA", four, "(1P2E10.3)")).real.coeff(2, 0) == -2);
  BOOST_TEST(read(file_of("RUA", "1.\n-2.\n3.\n4.\n", "(F10.3)")).real.coeff(2, 0) == -2);
  BOOST_TEST(read(file_of("RUA", four, "(2(1PE10.3))")).real.coeff(2, 0) == -2);
  BOOST_TEST(read(file_of("RUA", four, "(1P,2(E10.3E2))")).real.coeff(2, 0) == -2);
}

BOOST_AUTO_TEST_CASE(a_missing_point_and_a_scale_without_an_exponent_count_as_in_fortran) {
  const MultiVector expected = by_rows(3, 3, {1, 0, 0, 0, 3.25, 0, -2, 0, 40});
  BOOST_TEST(
      equal(MultiVector(read(file_of("RUA", "  1000 -2000\n  3250 40000\n", "(2F6.3)")).real), expected));
  BOOST_TEST(equal(MultiVector(read(file_of("RUA", " 1000E0 -20D+2\n  3.25 40000-0\n", "(2E7.3)")).real),
                   by_rows(3, 3, {1, 0, 0, 0, 3.25, 0, -2, 0, 40})));
  BOOST_TEST(equal(MultiVector(read(file_of("RUA", " 10.0-2.E0\n3250. 4.E1\n", "(1P,2F5.1)")).real),
                   by_rows(3, 3, {1, 0, 0, 0, 325, 0, -2, 0, 40})));
}

BOOST_AUTO_TEST_CASE(integers_may_touch_and_must_fit_into_double_precision) {
  BOOST_TEST(equal(MultiVector(read(file_of("IUA", "1000-200\n32504000\n", "(2I4)")).real),
                   by_rows(3, 3, {1000, 0, 0, 0, 3250, 0, -200, 0, 4000})));
  BOOST_TEST(read(file_of("IUA", "9007199254740992\n1\n1\n1\n", "(I16)")).real.coeff(0, 0) ==
             9007199254740992.);
  BOOST_CHECK_THROW(read(file_of("IUA", "9007199254740993\n1\n1\n1\n", "(I16)")), FileError);
}

BOOST_AUTO_TEST_CASE(fields_of_scipy_are_one_character_narrower_than_its_format_says) {
  const std::string narrow = "-9.99E-121-2.89E-121\n-1.42E-121 4.00E+000\n";
  BOOST_TEST(equal(MultiVector(read(file_of("RUA", narrow, "(2E11.2)")).real),
                   by_rows(3, 3, {-9.99e-121, 0, 0, 0, -1.42e-121, 0, -2.89e-121, 0, 4})));
  // Both widths give numbers, but different ones.
  BOOST_CHECK_THROW(read(file_of("RUA", "1.0E+002.0E+00\n1.0E+002.0E+00\n", "(2E8.1)")), FileError);
  BOOST_CHECK_THROW(read(file_of("RUA", " 1.0E+00 2.0E+00 3.0E+00\n 1.0E+00\n", "(2E8.1)")), FileError);
}

BOOST_AUTO_TEST_CASE(right_sides_are_skipped) {
  std::string text = file_of("RUA", four + " 1.000E+00 1.000E+00\n 1.000E+00\n");
  text.replace(text.find(field("0", 14) + "\nRUA"), 14, field("2", 14));
  text.insert(text.find("  1  3  4  5"), "F" + std::string(13, ' ') + field("1", 14) + field("0", 14) + "\n");
  BOOST_TEST(read(text).real.coeff(1, 1) == 3);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_cut_off_is_refused_unless_only_the_last_line_end_is_missing) {
  const std::string text = file_of("RSA", four);
  test::read_beginnings("b.hb", text, read_harwell_boeing, [&](std::size_t length, const auto& matrices) {
    BOOST_TEST(length + 1 == text.size());
    BOOST_TEST(matrices[0].real.nonZeros() == 5);
  });
}

BOOST_AUTO_TEST_CASE(wrong_files_are_refused) {
  const auto replaced = [](std::string text, const std::string& old, const std::string& by) {
    return text.replace(text.find(old), old.size(), by);
  };
  const std::string good = file_of("RSA", four);
  for (const char* const type : {"PSA", "RSE", "XSA", "RXA", "RS "})
    BOOST_CHECK_THROW(read(file_of(type, four)), FileError);
  BOOST_CHECK_THROW(read(good + " 1.000E+00\n"), FileError);
  BOOST_CHECK_THROW(read(replaced(good, "  1  3  4  5", "  1  3  2  5")), FileError);
  BOOST_CHECK_THROW(read(replaced(good, "  1  3  4  5", "  1  3  4  6")), FileError);
  BOOST_CHECK_THROW(read(replaced(good, "  1  3  4  5", "  2  3  4  5")), FileError);
  BOOST_CHECK_THROW(read(replaced(good, "  1  3  2  3", "  1  4  2  3")), FileError);
  BOOST_CHECK_THROW(read(replaced(good, " 3.000E+00", " 3.000X+00")), FileError);
  BOOST_CHECK_THROW(read(replaced(good, "(4I3) ", "(4A3) ")), FileError);
  const std::string header = field("3", 14) + field("3", 14) + field("4", 14);
  BOOST_CHECK_THROW(read(replaced(good, header, field("3", 14) + field("4", 14) + field("4", 14))),
                    FileError);
  BOOST_CHECK_THROW(
      read(replaced(good, header, field("2000000000", 14) + field("2000000000", 14) + field("4", 14))),
      FileError);
  BOOST_CHECK_THROW(read(replaced(good, header, field("3", 14) + field("3", 14) + field("2000000000", 14))),
                    FileError);
  BOOST_CHECK_THROW(read("a\n"), FileError);
}

BOOST_AUTO_TEST_SUITE_END()
