// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/matrix_market.h>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <support/file_matrices.h>
#include <sys/stat.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <unsupported/Eigen/SparseExtra>

using namespace halfdof;
using test::by_rows;
using test::equal;

namespace {

using Sparse = Eigen::SparseMatrix<double>;

struct Files {
  ScratchFolder folder;
  Sparse read(std::string_view text) const { return read_matrix_market(folder.file("K.mtx", text)); }
  std::filesystem::path file() const { return folder.path() / "K.mtx"; }
};

const std::string general = "%%MatrixMarket matrix coordinate real general\n";
const std::string unsymmetric = general +
                                "% stiffness of a toy\n"
                                "3 4 5\n"
                                "1 1 2.5\n"
                                "3 1 -1e-3\n"
                                "2 2 4\n"
                                "1 4 0\n"
                                "3 4 7.25\n";
const MultiVector unsymmetric_values = by_rows(3, 4, {2.5, 0, 0, 0, 0, 4, 0, 0, -1e-3, 0, 0, 7.25});

bool is_compressed_and_ascending(const Sparse& A) {
  if (!A.isCompressed()) return false;
  for (Index j = 0; j < A.cols(); ++j)
    for (Index p = A.outerIndexPtr()[j] + 1; p < A.outerIndexPtr()[j + 1]; ++p)
      if (A.innerIndexPtr()[p - 1] >= A.innerIndexPtr()[p]) return false;
  return true;
}

Sparse random_matrix(Index n_rows, Index n_columns, int n_entries, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(-300, 300), row(0, n_rows - 1), column(0, n_columns - 1);
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < n_entries; ++k)
    entries.emplace_back(row(random), column(random), std::ldexp(mantissa(random), exponent(random)));
  Sparse A(n_rows, n_columns);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(matrix_market, Files)

BOOST_AUTO_TEST_CASE(an_unsymmetric_file_gives_its_matrix_with_stored_zeros) {
  const Sparse A = read(unsymmetric);
  BOOST_TEST(equal(MultiVector(A), unsymmetric_values));
  BOOST_TEST(A.nonZeros() == 5);
  BOOST_TEST(is_compressed_and_ascending(A));
}

BOOST_AUTO_TEST_CASE(entries_may_come_in_any_order_and_add_up) {
  const Sparse A = read(general + "3 3 6\n3 2 1\n1 2 8\n2 2 4\n3 2 10\n1 1 5\n3 2 100\n");
  BOOST_TEST(equal(MultiVector(A), by_rows(3, 3, {5, 8, 0, 0, 4, 0, 0, 111, 0})));
  BOOST_TEST(A.nonZeros() == 4);
  BOOST_TEST(is_compressed_and_ascending(A));
}

BOOST_AUTO_TEST_CASE(duplicates_next_to_each_other_add_up) {
  const Sparse A = read(general + "2 2 4\n1 1 1\n1 1 2\n2 2 3\n2 2 4\n");
  BOOST_TEST(equal(MultiVector(A), by_rows(2, 2, {3, 0, 0, 7})));
  BOOST_TEST(A.nonZeros() == 2);
}

BOOST_AUTO_TEST_CASE(a_symmetric_file_lists_the_lower_triangle) {
  const Sparse A =
      read("%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2\n3 1 -1\n3 2 5\n3 3 7\n");
  BOOST_TEST(equal(MultiVector(A), by_rows(3, 3, {2, 0, -1, 0, 0, 5, -1, 5, 7})));
  BOOST_TEST(is_compressed_and_ascending(A));
}

BOOST_AUTO_TEST_CASE(a_symmetric_file_may_list_the_upper_triangle_and_entries_there_that_stand_twice_add_up) {
  const Sparse A =
      read("%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n1 3 -3\n2 3 5\n3 3 7\n1 3 2\n");
  BOOST_TEST(equal(MultiVector(A), by_rows(3, 3, {2, 0, -1, 0, 0, 5, -1, 5, 7})));
  BOOST_TEST(is_compressed_and_ascending(A));
  const Sparse skew =
      read("%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n1 2 -6\n3 2 -4\n");
  BOOST_TEST(equal(MultiVector(skew), by_rows(3, 3, {0, -6, 0, 6, 0, 4, 0, -4, 0})));
}

BOOST_AUTO_TEST_CASE(a_skew_symmetric_file_changes_the_sign_above_the_diagonal) {
  const Sparse A = read("%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n2 1 6\n3 2 -4\n");
  BOOST_TEST(equal(MultiVector(A), by_rows(3, 3, {0, -6, 0, 6, 0, 4, 0, -4, 0})));
}

BOOST_AUTO_TEST_CASE(comments_blank_lines_windows_line_ends_signs_and_capitals_are_accepted) {
  const Sparse A = read(
      "%%matrixmarket MATRIX Coordinate REAL General\r\n%\r\n\r\n  % note\r\n 2\t2 3 \r\n\r\n 1 1 +.5e0\r\n% "
      "inside\n"
      "2 1 -3.\n\n+2 2 1E+2\r\n\r\n% end");
  BOOST_TEST(equal(MultiVector(A), by_rows(2, 2, {.5, 0, -3, 100})));
}

BOOST_AUTO_TEST_CASE(files_of_ansys_with_a_blank_after_the_banner_and_rules_in_comments_are_read) {
  const Sparse A = read(
      "%%MatrixMarket matrix coordinate real symmetric \n%=====\n% Creator: ANSYS Inc\n% \n%=====\n2 2 2\n"
      "1 1 9.812500000001962E-01\n2 1 4.232709761708975E-02\n");
  BOOST_TEST(equal(MultiVector(A),
                   by_rows(2, 2, {9.812500000001962e-1, 4.232709761708975e-2, 4.232709761708975e-2, 0})));
}

BOOST_AUTO_TEST_CASE(exponents_of_fortran_and_a_byte_order_mark_are_read) {
  const Sparse A = read("\xEF\xBB\xBF" + general + "2 2 3\n1 1 1.5D+03\n2 1 -2d-1\n2 2 +4D0\n");
  BOOST_TEST(equal(MultiVector(A), by_rows(2, 2, {1500, 0, -0.2, 4})));
}

BOOST_AUTO_TEST_CASE(the_last_line_needs_no_end) {
  BOOST_TEST(equal(MultiVector(read(general + "1 1 1\n1 1 3.5")), by_rows(1, 1, {3.5})));
}

BOOST_AUTO_TEST_CASE(numbers_are_rounded_to_the_nearest_double) {
  const Sparse A = read(general +
                        "1 4 4\n1 1 0.1000000000000000055511151231257827021181583404541015625\n1 2 4.9e-324\n"
                        "1 3 1.7976931348623157e308\n1 4 2.2250738585072011e-308\n");
  BOOST_TEST(A.coeff(0, 0) == 0.1);
  BOOST_TEST(A.coeff(0, 1) == std::numeric_limits<double>::denorm_min());
  BOOST_TEST(A.coeff(0, 2) == std::numeric_limits<double>::max());
  BOOST_TEST(A.coeff(0, 3) == 2.2250738585072011e-308);
}

BOOST_AUTO_TEST_CASE(empty_matrices_and_matrices_without_entries_are_read) {
  BOOST_TEST(read(general + "0 0 0\n").rows() == 0);
  const Sparse A = read(general + "3 2 0\n");
  BOOST_TEST(A.rows() == 3);
  BOOST_TEST(A.cols() == 2);
  BOOST_TEST(A.nonZeros() == 0);
}

BOOST_AUTO_TEST_CASE(an_array_file_lists_columns) {
  const std::string array = "%%MatrixMarket matrix array real general\n2 3\n1\n2\n0\n4\n5\n6\n";
  const MultiVector expected = by_rows(2, 3, {1, 0, 5, 2, 4, 6});
  BOOST_TEST(equal(read_matrix_market_array(folder.file("A.mtx", array)), expected));
  BOOST_TEST(equal(MultiVector(read(array)), expected));
  BOOST_TEST(read(array).nonZeros() == 5);
}

BOOST_AUTO_TEST_CASE(a_symmetric_array_lists_the_lower_triangle_by_columns) {
  const auto symmetric =
      folder.file("A.mtx", "%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n");
  BOOST_TEST(equal(read_matrix_market_array(symmetric), by_rows(2, 2, {1, 2, 2, 3})));
  const auto skew = folder.file("B.mtx", "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n");
  BOOST_TEST(equal(read_matrix_market_array(skew), by_rows(3, 3, {0, -1, -2, 1, 0, -3, 2, 3, 0})));
}

BOOST_AUTO_TEST_CASE(vectors_are_arrays_or_coordinate_matrices_of_one_column) {
  const Vector expected = Eigen::Vector3d(1.5, 0, -2);
  const auto array = folder.file("f.mtx", "%%MatrixMarket matrix array real general\n3 1\n1.5\n0\n-2\n");
  const auto coordinate = folder.file("g.mtx", general + "3 1 3\n3 1 -2\n1 1 1\n1 1 0.5\n");
  BOOST_TEST(equal(read_matrix_market_vector(array), expected));
  BOOST_TEST(equal(read_matrix_market_vector(coordinate), expected));
  folder.file("K.mtx", unsymmetric);
  BOOST_CHECK_EXCEPTION(read_matrix_market_vector(file()), FileError, [](const FileError& error) {
    return error.line() == 3 && std::string(error.what()).find("one column") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_sparse_file_is_no_dense_matrix) {
  folder.file("K.mtx", unsymmetric);
  BOOST_CHECK_EXCEPTION(read_matrix_market_array(file()), FileError, [](const FileError& error) {
    return std::string(error.what()).find("'coordinate'") != std::string::npos;
  });
}

struct Malformed {
  const char* what;
  std::string text;
  int line;
  const char* reason;
};

std::ostream& operator<<(std::ostream& out, const Malformed& malformed) {
  return out << malformed.what;
}

const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
const std::string skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n";
const std::string array = "%%MatrixMarket matrix array real general\n";

const std::vector<Malformed> malformed_files = {
    {"empty file", "", 1, "empty"},
    {"no banner", "3 3 1\n1 1 1\n", 1, "first line"},
    {"banner cut", "%%MatrixMarket matrix coordinate real\n1 1 0\n", 1, "first line"},
    {"word too many", "%%MatrixMarket matrix coordinate real general x\n1 1 0\n", 1, "first line"},
    {"one percent sign", "%MatrixMarket matrix coordinate real general\n1 1 0\n", 1, "first line"},
    {"vector object", "%%MatrixMarket vector coordinate real general\n1 0\n", 1,
     "'vector' files are not supported"},
    {"unknown layout", "%%MatrixMarket matrix band real general\n1 1 0\n", 1, "'band'"},
    {"pattern", "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n", 1,
     "'pattern' files are not supported"},
    {"complex", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n", 1,
     "'complex' files are not supported"},
    {"hermitian", "%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", 1,
     "'hermitian' files are not supported"},
    {"no size line", general + "% nothing more\n", 2, "before the size line"},
    {"size cut", general + "3 3\n", 2, "number of entries is missing"},
    {"size too long", general + "3 3 1 1\n1 1 1\n", 2, "goes on with '1'"},
    {"array size too long", array + "3 1 3\n1\n2\n3\n", 2, "goes on with '3'"},
    {"negative size", general + "-3 3 1\n1 1 1\n", 2, "number of rows is -3"},
    {"fractional size", general + "3.5 3 1\n1 1 1\n", 2, "'3.5', which is not a whole number"},
    {"size beyond 2^31", general + "2147483648 3 1\n1 1 1\n", 2, "number of rows is 2147483648"},
    {"entries beyond 2^31", general + "3 3 4294967296\n1 1 1\n", 2, "number of entries is 4294967296"},
    {"size beyond 2^64", general + "99999999999999999999 3 1\n1 1 1\n", 2, "whole number"},
    {"symmetric but not square", symmetric + "3 2 1\n1 1 1\n", 2, "must be square"},
    {"cut after two lines", general + "3 3 3\n1 1 1\n2 2 2\n", 4, "ends after 2 of the 3 entries"},
    {"cut line", general + "3 3 2\n1 1 1\n2 2", 4, "the value is missing"},
    {"entry too many", general + "% note\n3 3 1\n1 1 1\n\n2 2 2\n", 6, "continues after the 1 entries"},
    {"row zero", general + "3 3 1\n0 1 1\n", 3, "row index is 0"},
    {"row too large", general + "3 4 1\n4 1 1\n", 3, "row index is 4, which lies outside 1 ... 3"},
    {"column too large", general + "4 3 1\n4 4 1\n", 3, "column index is 4, which lies outside 1 ... 3"},
    {"negative column", general + "3 3 1\n1 -1 1\n", 3, "column index is -1"},
    {"fractional index", general + "3 3 1\n1.0 1 1\n", 3, "'1.0', which is not a whole number"},
    {"word as value", general + "3 3 1\n1 1 one\n", 3, "'one', which is not a number"},
    {"cut exponent", general + "3 3 1\n1 1 1.5e\n", 3, "'1.5e', which is not a number"},
    {"cut Fortran exponent", general + "3 3 1\n1 1 1.5D\n", 3, "'1.5D', which is not a number"},
    {"Fortran overflow", general + "3 3 1\n1 1 1D+400\n", 3, "'1D+400', which is not within the range"},
    {"decimal comma", general + "3 3 1\n1 1 1,5\n", 3, "'1,5', which is not a number"},
    {"two signs", general + "3 3 1\n1 1 +-1\n", 3, "'+-1', which is not a number"},
    {"hexadecimal", general + "3 3 1\n1 1 0x10\n", 3, "'0x10', which is not a number"},
    {"integer beyond double precision",
     "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 1 9007199254740993\n", 3, "exceeds 2^53"},
    {"fraction in integer file", "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 1 1.5\n", 3,
     "'1.5'"},
    {"text after the value", general + "3 3 1\n1 1 1 0\n", 3, "goes on with '0'"},
    {"comment after the value", general + "3 3 1\n1 1 1 % note\n", 3, "goes on with '%'"},
    {"two values a line", array + "2 1\n1 2\n", 3, "goes on with '2'"},
    {"NaN", general + "3 3 1\n3 2 NaN\n", 3, "row 3, column 2 is nan"},
    {"infinity", general + "3 3 1\n3 2 -inf\n", 3, "row 3, column 2 is -inf"},
    {"NaN in an array", array + "2 2\n1\n2\n3\nnan\n", 6, "row 2, column 2 is nan"},
    {"overflow", general + "3 3 1\n3 2 1e400\n", 3, "'1e400', which is not within the range"},
    {"underflow", general + "3 3 1\n3 2 1e-400\n", 3, "'1e-400', which is not within the range"},
    {"both triangles", symmetric + "3 3 3\n1 1 1\n2 1 5\n1 2 5\n", 5,
     "row 1, column 2 is listed, and so is the entry in row 2, column 1"},
    {"the upper triangle first", symmetric + "3 3 3\n1 3 1\n% comment\n2 3 5\n3 2 5\n", 5,
     "row 2, column 3 is listed, and so is the entry in row 3, column 2"},
    {"both triangles, skew", skew + "3 3 2\n1 2 5\n2 1 -5\n", 3, "row 1, column 2 is listed"},
    {"skew diagonal", skew + "3 3 1\n2 2 5\n", 3, "row 2, column 2 lies on the diagonal"},
    {"null character", general + std::string("3 3 1\n1 1 1\0\n", 14), 3, "'1?', which is not a number"},
    {"old Macintosh line ends", general + "1 1 1\r1 1 1\r", 2, "number of entries"},
    {"binary without lines", general + std::string(300000, 'x'), 2, "256 KiB"},
};

BOOST_DATA_TEST_CASE(malformed_files_are_refused_with_file_line_and_reason, malformed_files) {
  Files files;
  const std::string begin = files.file().string() + ":" + std::to_string(sample.line) + ": ";
  try {
    files.read(sample.text);
    BOOST_ERROR("no error for " << sample.what);
  } catch (const FileError& error) {
    BOOST_TEST(error.line() == sample.line);
    BOOST_TEST(error.file() == files.file());
    BOOST_TEST(std::string(error.what()).substr(0, begin.size()) == begin);
    BOOST_TEST_INFO(error.what());
    BOOST_TEST(std::string(error.what()).find(sample.reason) != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_missing_file_and_a_directory_are_refused_by_name) {
  const auto names = [](const char* reason) {
    return [reason](const InvalidInput& error) {
      return std::string(error.what()).find(reason) != std::string::npos;
    };
  };
  BOOST_CHECK_EXCEPTION(read_matrix_market(folder.path() / "none.mtx"), InvalidInput,
                        names("none.mtx: the file cannot"));
  BOOST_CHECK_EXCEPTION(read_matrix_market(folder.path()), InvalidInput, names("directory"));
}

BOOST_AUTO_TEST_CASE(a_size_line_that_promises_too_much_does_not_exhaust_the_memory) {
  BOOST_CHECK_THROW(read(general + "2000000000 2000000000 2000000000\n1 1 1\n"), FileError);
  BOOST_CHECK_THROW(read(array + "2000000000 2000000000\n1\n"), FileError);
  const auto names_sizes = [](const FileError& error) {
    return error.line() == 2 && std::string(error.what()).find("with 1 entries") != std::string::npos;
  };
  for (const std::string sizes : {"2000000000 2000000000 1", "1 2000000000 1", "2000000000 1 1"})
    BOOST_CHECK_EXCEPTION(read(general + sizes + "\n1 1 1\n"), FileError, names_sizes);
  BOOST_TEST(read(general + "1000000 1000000 1\n1000000 1 7\n").coeff(999999, 0) == 7);
}

BOOST_AUTO_TEST_CASE(every_prefix_of_a_file_is_refused_with_a_line_unless_only_the_last_number_is_cut) {
  for (const std::string& text : {unsymmetric, symmetric + "% x\n2 2 3\n1 1 12\n2 1 -3\n2 2 1.25\n",
                                  array + "2 2\n1\n2.5\n\n-3\n% note\n4.25\n"}) {
    const std::size_t last_number = text.find_last_of(" \n", text.size() - 2) + 1;
    for (std::size_t n = 0; n <= last_number; ++n) {
      BOOST_TEST_INFO("first " << n << " characters of " << text);
      BOOST_CHECK_EXCEPTION(read(text.substr(0, n)), FileError,
                            [](const FileError& error) { return error.line() > 0; });
    }
    BOOST_TEST(equal(MultiVector(read(text.substr(0, text.size() - 1))), MultiVector(read(text))));
  }
}

BOOST_AUTO_TEST_CASE(random_bytes_are_refused_or_read_but_never_crash) {
  std::mt19937 random(7);
  const std::string alphabet = "0123456789 .-+eE\n\r\t%nainf";
  int n_refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = round % 2 == 0 ? unsymmetric : symmetric + "3 3 2\n1 1 1\n3 2 5\n";
    const std::size_t first = round % 4 < 2 ? 0 : general.size();
    for (int n_changes = 1 + round % 3; n_changes > 0; --n_changes) {
      const std::size_t position = first + random() % (text.size() - first);
      const char c = round % 8 < 4 ? alphabet[random() % alphabet.size()] : static_cast<char>(random() % 256);
      if (random() % 2 == 0)
        text[position] = c;
      else
        text.erase(position, 1 + random() % 5);
    }
    try {
      const Sparse A = read(text);
      BOOST_REQUIRE(is_compressed_and_ascending(A));
      BOOST_REQUIRE(MultiVector(A).allFinite());
    } catch (const FileError& error) {
      ++n_refused;
      BOOST_REQUIRE(error.line() > 0);
    }
  }
  BOOST_TEST(n_refused > 1000);
}

BOOST_AUTO_TEST_CASE(a_file_longer_than_a_block_is_read_whole) {
  const Sparse A = random_matrix(1000, 900, 60000, 3);
  write_matrix_market(file(), A);
  BOOST_TEST(std::filesystem::file_size(file()) > 1 << 20);
  const Sparse B = read_matrix_market(file());
  BOOST_TEST((B - A).norm() == 0);
  BOOST_TEST(B.nonZeros() == A.nonZeros());
}

BOOST_AUTO_TEST_CASE(a_pipe_is_refused_without_waiting_for_its_writer) {
  BOOST_REQUIRE(mkfifo(file().c_str(), 0600) == 0);
  BOOST_CHECK_EXCEPTION(read_matrix_market(file()), FileError, [](const FileError& error) {
    return std::string(error.what()).find("pipe") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(what_is_written_reads_back_bit_for_bit) {
  const Sparse A = random_matrix(50, 70, 400, 1);
  write_matrix_market(file(), A, "first line\nsecond line");
  BOOST_TEST(text_of(file()).find("\n% first line\n% second line\n50 70 ") != std::string::npos);
  const Sparse B = read_matrix_market(file());
  BOOST_TEST(equal(MultiVector(B), MultiVector(A)));
  BOOST_TEST(B.nonZeros() == A.nonZeros());

  const MultiVector D = MultiVector::Random(5, 3) / 3;
  write_matrix_market(file(), D);
  BOOST_TEST(equal(read_matrix_market_array(file()), D));
  const Vector v = D.col(1);
  write_matrix_market(file(), v);
  BOOST_TEST(equal(read_matrix_market_vector(file()), v));
}

BOOST_AUTO_TEST_CASE(another_reader_understands_what_is_written) {
  const Sparse A = random_matrix(50, 70, 400, 2);
  write_matrix_market(file(), A);
  Sparse B;
  BOOST_REQUIRE(Eigen::loadMarket(B, file().string()));
  BOOST_TEST(equal(MultiVector(B), MultiVector(A)));
}

BOOST_AUTO_TEST_CASE(a_symmetric_matrix_may_be_written_by_half) {
  const Sparse R = random_matrix(40, 40, 300, 4);
  const Sparse A = R + Sparse(R.transpose());
  write_matrix_market(file(), A, "", StoredPart::lower_if_symmetric);
  BOOST_TEST(text_of(file()).substr(0, symmetric.size()) == symmetric);
  BOOST_TEST(equal(MultiVector(read_matrix_market(file())), MultiVector(A)));
  write_matrix_market(file(), R, "", StoredPart::lower_if_symmetric);
  BOOST_TEST(text_of(file()).substr(0, general.size()) == general);
  BOOST_TEST(equal(MultiVector(read_matrix_market(file())), MultiVector(R)));
}

BOOST_AUTO_TEST_CASE(a_matrix_with_nan_is_not_written_and_the_old_file_stays) {
  folder.file("K.mtx", unsymmetric);
  Sparse A = random_matrix(5, 5, 10, 5);
  A.coeffRef(3, 2) = std::numeric_limits<double>::quiet_NaN();
  BOOST_CHECK_EXCEPTION(write_matrix_market(file(), A), InvalidInput, [](const InvalidInput& error) {
    return std::string(error.what()).find("nan in row 3, column 2") != std::string::npos;
  });
  BOOST_TEST(text_of(file()) == unsymmetric);
  BOOST_TEST(folder.n_files() == 1);
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_written_is_named) {
  const Sparse A = random_matrix(5, 5, 10, 6);
  const auto names_file = [](const FileError& error) {
    return std::string(error.what()).find("none/K.mtx: the file cannot be created") != std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(write_matrix_market(folder.path() / "none" / "K.mtx", A), FileError, names_file);
  BOOST_CHECK_THROW(write_matrix_market("/dev/full", A), FileError);
  BOOST_CHECK_THROW(write_matrix_market(folder.path(), A), FileError);
}

BOOST_AUTO_TEST_SUITE_END()
