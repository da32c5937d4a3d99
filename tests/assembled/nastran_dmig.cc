// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/nastran_dmig.h>

#include "support/file_matrices.h"
#include "support/shared_data.h"
#include <cmath>
#include <functional>

using namespace halfdof;
using namespace halfdof::internal;
using test::by_rows;
using test::equal;

namespace {

struct Files {
  ScratchFolder folder;
  std::vector<FileMatrix> read(std::string_view text) const {
    return read_nastran_dmig(folder.file("b.pch", text));
  }
};

// Columns of 8 and 16 characters; the ruler is a comment.
const std::string wide =
    "$2345678........2.......3.......4.......5.......6.......7.......8.......9\n"
    "DMIG    KAAX           0       6       2       0                       2\n"
    "DMIG*   KAAX                         101               1\n"
    "*                    101               1 1.500000000D+02\n"
    "DMIG*   KAAX                         105               3\n"
    "*                    101               1-7.250000000D+01\n"
    "*                    105               3 4.000000000D+00\n";
const MultiVector K = by_rows(2, 2, {150, -72.5, -72.5, 4});

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(nastran_dmig, Files)

BOOST_AUTO_TEST_CASE(a_symmetric_matrix_in_wide_fields_lists_one_triangle) {
  const FileMatrix matrix = read(wide).at(0);
  BOOST_TEST(matrix.name == "KAAX");
  BOOST_TEST((matrix.rows == std::vector<FileDoF>{{101, 1}, {105, 3}}));
  BOOST_TEST(matrix.columns.empty());
  BOOST_TEST(matrix.imaginary.size() == 0);
  BOOST_TEST(equal(MultiVector(matrix.real), K));
}

BOOST_AUTO_TEST_CASE(narrow_fields_hold_two_rows_a_line_and_exponents_need_no_letter) {
  const FileMatrix matrix = read(
                                "DMIG    A       0       1       1       0\n"
                                "DMIG    A       1       0               1       0       2.5+1\n"
                                "+       2       0       7.27-4          3       0       -1.\n"
                                "DMIG    A       3                       1               .5\n")
                                .at(0);
  BOOST_TEST((matrix.rows == std::vector<FileDoF>{{1, 0}, {2, 0}, {3, 0}}));
  BOOST_TEST(equal(MultiVector(matrix.real), by_rows(3, 3, {25, 0, .5, 7.27e-4, 0, 0, -1, 0, 0})));
}

BOOST_AUTO_TEST_CASE(fields_may_be_separated_by_commas_and_lines_end_as_in_windows) {
  const FileMatrix matrix = read("DMIG,A,0,6,1,0\r\nDMIG,A,1,2,,1,2,2.0,,\r\n,3,1,-4.\r\n").at(0);
  BOOST_TEST((matrix.rows == std::vector<FileDoF>{{1, 2}, {3, 1}}));
  BOOST_TEST(equal(MultiVector(matrix.real), by_rows(2, 2, {2, -4, -4, 0})));
}

BOOST_AUTO_TEST_CASE(rectangular_matrices_have_labels_of_columns_or_numbers_of_columns) {
  const std::vector<FileMatrix> matrices = read(
      "DMIG    A       0       2       2       0\n"
      "DMIG    A       7       1               3       2       5.\n"
      "DMIG    B       0       9       2       0                       3\n"
      "DMIG    B       2       0               3       2       6.\n");
  BOOST_TEST(matrices.size() == 2);
  BOOST_TEST((matrices[0].rows == std::vector<FileDoF>{{3, 2}}));
  BOOST_TEST((matrices[0].columns == std::vector<FileDoF>{{7, 1}}));
  BOOST_TEST(equal(MultiVector(matrices[0].real), by_rows(1, 1, {5})));
  BOOST_TEST(matrices[1].columns.size() == 3);
  BOOST_TEST(equal(MultiVector(matrices[1].real), by_rows(1, 3, {0, 6, 0})));
}

BOOST_AUTO_TEST_CASE(complex_matrices_have_two_parts_also_as_amplitude_and_phase) {
  const FileMatrix rectangular = read(
                                     "DMIG    A       0       6       3       0\n"
                                     "DMIG    A       1       1               1       1       2.      -3.\n"
                                     "+       2       1       4.\n")
                                     .at(0);
  BOOST_TEST(equal(MultiVector(rectangular.real), by_rows(2, 2, {2, 4, 4, 0})));
  BOOST_TEST(equal(MultiVector(rectangular.imaginary), by_rows(2, 2, {-3, 0, 0, 0})));
  const FileMatrix polar = read(
                               "DMIG    A       0       1       4       0       1\n"
                               "DMIG    A       1       1               1       1       2.      90.\n")
                               .at(0);
  BOOST_TEST(std::abs(polar.real.coeff(0, 0)) < 1e-15);
  BOOST_TEST(polar.imaginary.coeff(0, 0) == 2);
}

BOOST_AUTO_TEST_CASE(other_cards_with_their_continuations_are_skipped) {
  const std::string text =
      "SPOINT  1001    THRU    1004\n+       12\n\n" + wide + "ASET1   123     1\n        5       6\n";
  BOOST_TEST(equal(MultiVector(read(text).at(0).real), K));
}

BOOST_AUTO_TEST_CASE(wrong_cards_are_refused_with_their_line) {
  const std::string header = "DMIG    A       0       1       2       0\n";
  const auto message = [this](const std::string& text) { return message_of([&] { read(text); }); };
  BOOST_TEST(message("DMIG    A       1       1               1       1       2.\n")
                 .find(":1: matrix A has no header") != std::string::npos);
  BOOST_TEST(message(header + header).find(":2: matrix A has a second header") != std::string::npos);
  BOOST_TEST(message("DMIG    A       0       3       2\n").find("IFO") != std::string::npos);
  BOOST_TEST(message("DMIG    A       0       1       5\n").find("TIN") != std::string::npos);
  BOOST_TEST(message(header + "DMIG    A       1       7               1       1       2.\n").find(":2: ") !=
             std::string::npos);
  BOOST_TEST(message(header + "DMIG    A       1       1               1       1       x\n").find("'x'") !=
             std::string::npos);
  BOOST_TEST(message(header + "DMIG    A       1       1               1       1       NaN\n").find("NaN") !=
             std::string::npos);
  BOOST_TEST(message(header + "DMIG    A       1       1               1       1       2.      1.\n")
                 .find("imaginary") != std::string::npos);
  BOOST_TEST(message("DMIG    A       0       9       2       0                       3\n"
                     "DMIG    A       4       0               1       1       2.\n")
                 .find("1 ... 3 (NCOL)") != std::string::npos);
  BOOST_TEST(
      message("DMIG    A       0       9       2       0                       2000000000\n").find("NCOL") !=
      std::string::npos);
  BOOST_TEST(message("GRID    1\n").find("no card DMIG") != std::string::npos);
  BOOST_TEST(
      message(
          "DMIG    A       0       6       2\nDMIG    A       1       1               1       1       2.\n"
          "+       2       1       3.\nDMIG    A       2       1               1       1       3.\n")
          .find("both a_ij and a_ji") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(of_a_file_that_is_cut_off_complete_lines_are_read) {
  test::read_beginnings("b.pch", wide, read_nastran_dmig, [](std::size_t, const auto& matrices) {
    BOOST_TEST(matrices.size() == 1);
    BOOST_TEST(matrices[0].real.rows() <= 2);
  });
}

BOOST_AUTO_TEST_CASE(a_punch_file_of_pynastran_holds_six_matrices) {
  const std::filesystem::path file = test::shared_data("pynastran/dmig.pch");
  if (file.empty()) return;
  const std::vector<FileMatrix> matrices = read_nastran_dmig(file);
  BOOST_TEST(matrices.size() == 6);
  BOOST_TEST(matrices[0].name == "KAAX");
  BOOST_TEST(matrices[0].rows.size() == 15);
  // Springs in a row: without ground the rows would sum to zero, and the file has five digits.
  const MultiVector stiffness = matrices[0].real;
  BOOST_TEST(stiffness(0, 0) == 155.6);
  BOOST_TEST(stiffness(0, 1) == -155.6);
  BOOST_TEST(stiffness(1, 0) == -155.6);
  BOOST_TEST(stiffness.isApprox(stiffness.transpose()));
  BOOST_TEST(matrices[1].name == "MAAX");
  BOOST_TEST(matrices[1].real.coeff(0, 0) == 1.324200034);
  BOOST_TEST(matrices[5].name == "MUG1T");
  BOOST_TEST(matrices[5].real.cols() == 90);
  BOOST_TEST(matrices[5].real.nonZeros() > 0);
}

BOOST_AUTO_TEST_CASE(a_sparse_punch_file_of_pynastran_is_read) {
  const std::filesystem::path file = test::shared_data("pynastran/dmig_sparse.pch");
  if (file.empty()) return;
  const FileMatrix K_36 = read_nastran_dmig(file).at(0);
  BOOST_TEST(K_36.real.rows() == 36);  // NCOL of its header
  BOOST_TEST(K_36.real.coeff(0, 0) == 2.877660236e6);
  BOOST_TEST(K_36.real.coeff(0, 1) == 4.41381033e5);
}

BOOST_AUTO_TEST_SUITE_END()
