// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/nastran_op4.h>

#include <boost/test/unit_test.hpp>

#include <support/damaged_files.h>
#include <support/file_bytes.h>
#include <support/file_matrices.h>
#include <support/scratch_folder.h>
#include <support/shared_data.h>

using namespace halfdof;
using namespace halfdof::internal;
using test::by_rows;
using test::is_equal;

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// [1 0; 2 0; 0 5; 4 6]
const MultiVector values = by_rows(4, 2, {1, 0, 2, 0, 0, 5, 4, 6});

/// Builds files of either byte order with integers of 32 or 64 bits.
struct Builder {
  bool reversed = false;
  bool has_64_bits = false;

  template <class Number>
  std::string bytes(Number number) const {
    return bytes_of(number, reversed);
  }
  std::string integers(const std::vector<std::int64_t>& numbers) const {
    std::string all;
    for (const std::int64_t number : numbers)
      all += has_64_bits ? bytes(number) : bytes(static_cast<std::int32_t>(number));
    return all;
  }
  std::string record(const std::string& content) const {
    const std::string length = bytes(static_cast<std::int32_t>(content.size()));
    return length + content + length;
  }
  std::string header(std::int64_t n_columns, std::int64_t n_rows, std::int64_t type,
                     std::int64_t form = 2) const {
    return record(integers({n_columns, n_rows, form, type}) +
                  (has_64_bits ? "KG      G       " : "KGG     "));
  }
  std::string last(std::int64_t n_columns) const {
    return record(integers({n_columns + 1, 1, 1}) + bytes(1.));
  }
  /// Numbers of type 1 to 4; all imaginary parts are 0.5.
  std::string numbers(int type, const std::vector<double>& reals) const {
    std::string all;
    for (const double real : reals)
      for (const double part : {real, 0.5}) {
        if (part == 0.5 && type < 3) continue;
        all += type % 2 == 1 && !has_64_bits ? bytes(static_cast<float>(part)) : bytes(part);
      }
    return all;
  }
  std::int64_t n_words(const std::string& content) const {
    return static_cast<std::int64_t>(content.size()) / (has_64_bits ? 8 : 4);
  }
  std::string column(std::int64_t j, std::int64_t row, const std::string& content) const {
    return record(integers({j, row, n_words(content)}) + content);
  }
  std::string string(std::int64_t row, const std::string& content, bool is_big) const {
    const std::int64_t length = n_words(content) + 1;
    return (is_big ? integers({length, row}) : integers({65536 * length + row})) + content;
  }

  std::string dense(int type) const {
    return header(2, 4, type) + column(1, 1, numbers(type, {1, 2, 0, 4})) +
           column(2, 3, numbers(type, {5, 6})) + last(2);
  }
  std::string sparse(int type, bool is_big) const {
    return header(2, is_big ? -4 : 4, type) +
           column(1, 0, string(1, numbers(type, {1, 2}), is_big) + string(4, numbers(type, {4}), is_big)) +
           column(2, 0, string(3, numbers(type, {5, 6}), is_big)) + last(2);
  }
};

struct Files {
  ScratchFolder folder;
  Builder little{};
  std::vector<FileMatrix> read(const std::string& bytes) const {
    return read_op4_binary(folder.file("model.op4", bytes));
  }
  std::string refusal(const std::string& bytes) const {
    try {
      read(bytes);
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(nastran_op4_binary, Files)

BOOST_AUTO_TEST_CASE(all_layouts_types_byte_orders_and_sizes_of_words_are_read) {
  for (const bool reversed : {false, true})
    for (const bool has_64_bits : {false, true})
      for (const int type : {1, 2, 3, 4}) {
        const Builder build{reversed, has_64_bits};
        for (const std::string& bytes :
             {build.dense(type), build.sparse(type, false), build.sparse(type, true)}) {
          const std::vector<FileMatrix> matrices = read(bytes);
          BOOST_REQUIRE(matrices.size() == 1u);
          BOOST_TEST(matrices[0].name == "KGG");
          BOOST_TEST(is_equal(matrices[0].real, values));
          BOOST_TEST((matrices[0].imaginary.size() > 0) == (type > 2));
          if (type > 2) BOOST_TEST(matrices[0].imaginary.coeff(3, 1) == 0.5);
          if (type > 2) BOOST_TEST(matrices[0].imaginary.coeff(0, 1) == 0);
        }
      }
}

BOOST_AUTO_TEST_CASE(several_matrices_and_empty_columns_are_read) {
  const std::vector<FileMatrix> matrices =
      read(little.dense(2) + little.header(3, 3, 2, 6) + little.last(3) + little.sparse(2, true));
  BOOST_REQUIRE(matrices.size() == 3u);
  BOOST_TEST(is_equal(matrices[1].real, MultiVector::Zero(3, 3)));
  BOOST_TEST(is_equal(matrices[2].real, values));
}

BOOST_AUTO_TEST_CASE(records_that_do_not_fit_are_refused) {
  const std::string numbers = little.numbers(2, {1, 2});
  BOOST_TEST(contains(refusal(little.header(2, 4, 2) + little.column(1, 4, numbers) + little.last(2)),
                      "outside 1 ... 4"));
  BOOST_TEST(contains(refusal(little.header(2, 4, 2) + little.column(1, -1, numbers) + little.last(2)),
                      "outside 1 ... 4"));
  BOOST_TEST(contains(refusal(little.header(2, 4, 2) + little.column(0, 1, numbers) + little.last(2)),
                      "outside 1 ... 2"));
  BOOST_TEST(contains(refusal(little.header(2, 4, 5) + little.last(2)), "the type is 5"));
  BOOST_TEST(contains(refusal(little.header(2, 4, 2, 8) + little.last(2)), "the form is 8"));
  BOOST_TEST(contains(refusal(little.header(2000000000, 4, 2) + little.last(2000000000)),
                      "one entry for every 100"));
  BOOST_TEST(contains(refusal(little.header(-2, 4, 2)), "-2"));
  BOOST_TEST(contains(refusal(little.header(2, 4, 2) + little.record(little.integers({1, 1, 3}) + numbers)),
                      "3 words"));
  BOOST_TEST(contains(
      refusal(little.header(2, 4, 2) + little.column(1, 0, little.integers({65536 * 9 + 1}) + numbers)),
      "should have 8 words"));
  BOOST_TEST(contains(
      refusal(little.header(2, 4, 2) + little.column(1, 1, little.numbers(2, {1, NAN})) + little.last(2)),
      "row 2, column 1 is nan (counted from one)"));
  BOOST_TEST(contains(refusal("       2       4       2       2KGG     1P,3E23.16\n"), "24 or 48"));
  std::string unequal = little.dense(2);
  unequal[28] = 25;
  BOOST_TEST(contains(refusal(unequal), "should end with its length"));
}

BOOST_AUTO_TEST_CASE(truncated_files_are_refused) {
  check_truncated_files_are_refused(little.dense(2), read_op4_binary);
  check_truncated_files_are_refused(Builder{true, true}.sparse(4, true), read_op4_binary);
}

BOOST_AUTO_TEST_CASE(altered_files_are_read_or_refused) {
  check_altered_files_are_read_or_refused(little.dense(2), 2000, 1, read_op4_binary);
  check_altered_files_are_read_or_refused(Builder{true, false}.sparse(3, false), 2000, 2, read_op4_binary);
  check_altered_files_are_read_or_refused(Builder{false, true}.sparse(2, true), 1000, 3, read_op4_binary);
}

BOOST_AUTO_TEST_CASE(the_layouts_that_nastran_writes_hold_the_same_matrices) {
  const auto dense = test::shared_data("pynastran/mat_b_dn.op4");
  if (dense.empty()) return;
  const std::vector<FileMatrix> matrices = read_op4_binary(dense);
  BOOST_TEST(!matrices.empty());
  for (const char* name : {"pynastran/mat_b_s1.op4", "pynastran/mat_b_s2.op4"}) {
    const std::vector<FileMatrix> others = read_op4_binary(test::shared_data(name));
    BOOST_REQUIRE(others.size() == matrices.size());
    for (std::size_t k = 0; k < matrices.size(); ++k) {
      BOOST_TEST(others[k].name == matrices[k].name);
      BOOST_TEST(is_equal(others[k].real, matrices[k].real));
      BOOST_TEST(is_equal(others[k].imaginary, matrices[k].imaginary));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
