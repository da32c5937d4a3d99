// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/nastran_op4.h>

#include "support/file_matrices.h"
#include "support/shared_data.h"

using namespace halfdof;
using namespace halfdof::internal;
using test::by_rows;
using test::equal;

namespace {

struct Files {
  ScratchFolder folder;
  std::vector<FileMatrix> read(std::string_view text) const {
    return read_op4_text(folder.file("b.op4", text));
  }
};

const std::string end_of_two = "       3       1       1\n 1.000E+00\n";
const std::string dense =
    "       2       3       2       2LOW     1P,2E10.3\n"
    "       1       2       2\n"
    " 2.000E+00-3.000E+00\n"
    "       2       1       3\n"
    " 4.000E+00 5.000D+00\n"
    " 6.000E+00\n" +
    end_of_two;
/// The same, by strings: 196610 = 3 * 65536 + 2 has two words, one double, in row 2.
const std::string strings =
    "       2       3       2       2LOW     1P,2E10.3\n"
    "       1       0       5\n"
    "  327682\n"
    " 2.000E+00-3.000E+00\n"
    "       2       0       8\n"
    "  196609\n"
    " 4.000E+00\n"
    "  327682\n"
    " 5.000E+00 6.000E+00\n" +
    end_of_two;
const std::string big_strings =
    "       2      -3       2       2LOW     1P,2E10.3\n"
    "       1       0       6\n"
    "       5       2\n"
    " 2.000E+00-3.000E+00\n"
    "       2       0      10\n"
    "       3       1\n"
    " 4.000E+00\n"
    "       5       2\n"
    " 5.000E+00 6.000E+00\n" +
    end_of_two;
const MultiVector A = by_rows(3, 2, {0, 4, 2, 5, -3, 6});

}  // namespace

BOOST_FIXTURE_TEST_SUITE(nastran_op4, Files)

BOOST_AUTO_TEST_CASE(dense_columns_and_both_kinds_of_strings_give_the_same_matrix) {
  for (const std::string& text : {dense, strings, big_strings}) {
    const std::vector<FileMatrix> matrices = read(text);
    BOOST_TEST(matrices.size() == 1);
    BOOST_TEST(matrices[0].name == "LOW");
    BOOST_TEST(matrices[0].imaginary.size() == 0);
    BOOST_TEST(equal(MultiVector(matrices[0].real), A));
  }
}

BOOST_AUTO_TEST_CASE(words_of_dense_columns_may_be_half_doubles) {
  std::string text = dense;
  text.replace(text.find("       2       2\n"), 17, "       2       4\n");
  text.replace(text.find("       1       3\n"), 17, "       1       6\n");
  BOOST_TEST(equal(MultiVector(read(text).at(0).real), A));
}

BOOST_AUTO_TEST_CASE(several_matrices_of_a_file_may_be_complex_and_empty) {
  const std::string text =
      "       2       2       1       4C       1P,3E10.3\n"
      "       1       2       2\n 1.000E+00 2.000E+00\n" +
      end_of_two + dense + "       2       2       6       2NULL    1P,3E10.3\n" + end_of_two +
      "       2       2       1       3S       1P,3E10.3\n"
      "       2       0       3\n  196610\n 3.000E+00 4.000E+00\n" +
      end_of_two;
  const std::vector<FileMatrix> matrices = read(text);
  BOOST_TEST(matrices.size() == 4);
  BOOST_TEST(equal(MultiVector(matrices[0].real), by_rows(2, 2, {0, 0, 1, 0})));
  BOOST_TEST(equal(MultiVector(matrices[0].imaginary), by_rows(2, 2, {0, 0, 2, 0})));
  BOOST_TEST(equal(MultiVector(matrices[1].real), A));
  BOOST_TEST(matrices[2].real.rows() == 2);
  BOOST_TEST(matrices[2].real.nonZeros() == 0);
  BOOST_TEST(equal(MultiVector(matrices[3].real), by_rows(2, 2, {0, 0, 0, 3})));
  BOOST_TEST(equal(MultiVector(matrices[3].imaginary), by_rows(2, 2, {0, 0, 0, 4})));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_cut_off_is_refused_unless_it_ends_in_the_dummy_value) {
  for (const std::string& text : {dense, strings, big_strings})
    test::read_beginnings("b.op4", text, read_op4_text, [&](std::size_t length, const auto& matrices) {
      BOOST_TEST(test::ends_in_last_line(text, length));
      BOOST_TEST(equal(MultiVector(matrices[0].real), A));
    });
}

BOOST_AUTO_TEST_CASE(wrong_numbers_are_refused_with_their_line) {
  const auto replaced = [](std::string text, const std::string& old, const std::string& by) {
    return text.replace(text.find(old), old.size(), by);
  };
  const auto is_in_line = [](GlobalIndex line) {
    return [line](const FileError& error) {
      BOOST_TEST_MESSAGE(error.what());
      return error.line() == line;
    };
  };
  BOOST_CHECK_EXCEPTION(read(replaced(dense, "       2       2\n", "       3       2\n")), FileError,
                        is_in_line(3));
  BOOST_CHECK_EXCEPTION(read(replaced(dense, "-3.000E+00", "-3.00xE+00")), FileError, is_in_line(3));
  BOOST_CHECK_EXCEPTION(read(replaced(dense, "       1       2       2\n", "       4       2       2\n")),
                        FileError, is_in_line(2));
  BOOST_CHECK_EXCEPTION(read(replaced(dense, "       2       1       3", "       2       1       5")),
                        FileError, is_in_line(4));
  BOOST_CHECK_EXCEPTION(read(replaced(strings, "  327682", "  327683")), FileError, is_in_line(3));
  BOOST_CHECK_EXCEPTION(read(replaced(strings, "  327682", "  262146")), FileError, is_in_line(3));
  BOOST_CHECK_EXCEPTION(read(replaced(strings, "       5\n", "       6\n")), FileError, is_in_line(5));
  BOOST_CHECK_EXCEPTION(read(replaced(dense, "1P,2E10.3", "1P,2I10  ")), FileError, is_in_line(1));
  BOOST_CHECK_EXCEPTION(read(replaced(dense, "       2       2LOW", "       2       7LOW")), FileError,
                        is_in_line(1));
  BOOST_CHECK_EXCEPTION(read(replaced(dense, "       2       2LOW", "       8       2LOW")), FileError,
                        is_in_line(1));
  BOOST_CHECK_THROW(read("99999999       3       2       2LOW     1P,2E10.3\n"
                         "       1       2       1\n 2.000E+00\n100000000       1       1\n 1.000E+00\n"),
                    FileError);
  BOOST_CHECK_THROW(read(""), FileError);
}

BOOST_AUTO_TEST_CASE(text_files_of_pynastran_agree_in_all_three_layouts) {
  std::vector<std::vector<FileMatrix>> files;
  for (const char* const name : {"dn", "s1", "s2"}) {
    const std::filesystem::path file = test::shared_data(std::string("pynastran/mat_t_") + name + ".op4");
    if (file.empty()) return;
    files.push_back(read_op4_text(file));
    BOOST_TEST(files.back().size() == 9);
  }
  for (std::size_t k = 0; k < 9; ++k)
    for (const std::size_t other : {std::size_t(1), std::size_t(2)}) {
      BOOST_TEST(files[other][k].name == files[0][k].name);
      BOOST_TEST(equal(MultiVector(files[other][k].real), MultiVector(files[0][k].real)));
      BOOST_TEST(equal(MultiVector(files[other][k].imaginary), MultiVector(files[0][k].imaginary)));
    }
  BOOST_TEST(equal(MultiVector(files[0][0].real), MultiVector(MultiVector::Identity(10, 10))));
  BOOST_TEST(equal(MultiVector(files[0][1].real), MultiVector(-MultiVector::Identity(5, 5))));
  BOOST_TEST(equal(MultiVector(files[0][1].imaginary), MultiVector(MultiVector::Identity(5, 5))));
  BOOST_TEST(files[0][5].name == "RND1CS");
  BOOST_TEST(files[0][5].real.coeff(1, 0) == -1.6269236803054810e-02);
  BOOST_TEST(files[0][5].imaginary.coeff(3, 2) == 1.6624327003955841e-01);
}

BOOST_AUTO_TEST_SUITE_END()
