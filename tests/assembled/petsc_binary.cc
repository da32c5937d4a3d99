// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/petsc_binary.h>

#include <boost/test/unit_test.hpp>

#include <support/damaged_files.h>
#include <support/file_bytes.h>
#include <support/file_matrices.h>
#include <support/scratch_folder.h>

#include <limits>

using namespace halfdof;
using namespace halfdof::internal;
using test::by_rows;
using test::is_equal;

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// [1 0 2 0; 0 0 0 0; 4 5 0 0.5]
const MultiVector values = by_rows(3, 4, {1, 0, 2, 0, 0, 0, 0, 0, 4, 5, 0, 0.5});

/// Big-endian numbers.
template <class Number>
std::string big(const std::vector<Number>& numbers) {
  return bytes_of_all(numbers, true);
}

template <class Integer>
std::string matrix(const std::vector<double>& numbers = {1, 2, 4, 5, 0.5},
                   const std::vector<Integer>& columns = {0, 2, 0, 1, 3},
                   const std::vector<Integer>& lengths = {2, 0, 3}) {
  return big<Integer>({1211216, 3, 4, 5}) + big(lengths) + big(columns) + big(numbers);
}
const std::vector<double> complex_numbers = {1, 9, 2, 8, 4, 0, 5, 7, 0.5, 6};

struct Files {
  ScratchFolder folder;
  std::vector<FileMatrix> read(const std::string& bytes) const {
    return read_petsc(folder.file("A.petsc", bytes));
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

BOOST_FIXTURE_TEST_SUITE(petsc_binary, Files)

BOOST_AUTO_TEST_CASE(a_written_matrix_has_the_bytes_of_petsc_and_is_read_back) {
  const auto file = folder.path() / "A.petsc";
  write_petsc(file, values.sparseView());
  BOOST_TEST((text_of(file) == matrix<std::int32_t>()));
  BOOST_TEST(is_equal(read_petsc(file)[0].real, values));
  Sparse A(2, 3);
  A.insert(1, 2) = 0;
  write_petsc(file, A);
  BOOST_TEST(read_petsc(file)[0].real.nonZeros() == 1);
  A.coeffRef(0, 0) = std::numeric_limits<double>::infinity();
  BOOST_CHECK_THROW(write_petsc(file, A), InvalidInput);
}

BOOST_AUTO_TEST_CASE(real_and_complex_values_and_both_sizes_of_integers_are_told_apart) {
  BOOST_TEST(is_equal(read(matrix<std::int64_t>())[0].real, values));
  BOOST_TEST(read(matrix<std::int64_t>())[0].imaginary.size() == 0);
  for (const std::string& bytes :
       {matrix<std::int32_t>(complex_numbers), matrix<std::int64_t>(complex_numbers)}) {
    const FileMatrix complex = read(bytes)[0];
    BOOST_TEST(is_equal(complex.real, values));
    BOOST_TEST(is_equal(complex.imaginary, by_rows(3, 4, {9, 0, 8, 0, 0, 0, 0, 0, 0, 7, 0, 6})));
  }
}

BOOST_AUTO_TEST_CASE(several_matrices_stand_in_one_file) {
  const std::string dense = big<std::int32_t>({1211216, 2, 2, -1}) + big<double>({1, 2, 0, 4});
  const std::vector<FileMatrix> matrices = read(matrix<std::int32_t>() + dense + matrix<std::int32_t>());
  BOOST_REQUIRE(matrices.size() == 3u);
  BOOST_TEST(is_equal(matrices[1].real, by_rows(2, 2, {1, 2, 0, 4})));
  BOOST_TEST(matrices[1].real.nonZeros() == 3);
  BOOST_TEST(is_equal(matrices[2].real, values));
  BOOST_TEST(read(matrix<std::int32_t>(complex_numbers) + matrix<std::int32_t>(complex_numbers)).size() ==
             2u);
}

BOOST_AUTO_TEST_CASE(columns_of_a_row_may_be_unsorted_and_repeated) {
  const Sparse A = read(matrix<std::int32_t>({1, 2, 4, 5, 0.5}, {2, 0, 3, 1, 3}))[0].real;
  BOOST_TEST(is_equal(A, by_rows(3, 4, {2, 0, 1, 0, 0, 0, 0, 0, 0, 5, 0, 4.5})));
}

BOOST_AUTO_TEST_CASE(vectors_and_other_objects_are_refused_by_name) {
  const std::string vector = big<std::int32_t>({1211214, 2}) + big<double>({1, 2});
  BOOST_TEST(contains(refusal(vector), "a vector (Vec, class id 1211214) with 2 entries"));
  BOOST_TEST(contains(refusal(matrix<std::int32_t>() + vector), "byte 88: a vector"));
  BOOST_TEST(contains(refusal(big<std::int32_t>({1211218, 0})), "1211216"));
}

BOOST_AUTO_TEST_CASE(numbers_that_do_not_fit_together_are_refused) {
  BOOST_TEST(contains(refusal(matrix<std::int32_t>({1, 2, 4, 5, 0.5}, {0, 2, 0, 1, 4})), "outside 0 ... 3"));
  BOOST_TEST(contains(refusal(matrix<std::int32_t>({1, 2, 4, 5, 0.5}, {0, 2, 0, -1, 3})), "outside 0 ... 3"));
  BOOST_TEST(contains(refusal(matrix<std::int32_t>({1, 2, 4, 5, 0.5}, {0, 2, 0, 1, 3}, {2, 0, 4})), "row 2"));
  BOOST_TEST(
      contains(refusal(matrix<std::int32_t>({1, 2, 4, 5, 0.5}, {0, 2, 0, 1, 3}, {2, -1, 4})), "row 1"));
  BOOST_TEST(
      contains(refusal(matrix<std::int32_t>({1, 2, 4, 5, 0.5}, {0, 2, 0, 1, 3}, {2, 0, 2})), "5 entries"));
  BOOST_TEST(contains(refusal(matrix<std::int32_t>({1, 2, NAN, 5, 0.5})), "row 2, column 0 is nan"));
  for (const auto& sizes : std::vector<std::vector<std::int32_t>>{{1211216, 0, 2147483647, 0},
                                                                  {1211216, 0, 2147483646, 0},
                                                                  {1211216, 2147483646, 2147483646, -1},
                                                                  {1211216, -1, 1, 0},
                                                                  {1211216, 1, 1, -2}})
    BOOST_TEST(!refusal(big(sizes)).empty());
}

BOOST_AUTO_TEST_CASE(truncated_files_are_refused) {
  check_truncated_files_are_refused(matrix<std::int32_t>(), read_petsc);
  check_truncated_files_are_refused(matrix<std::int64_t>(), read_petsc);
  // A complex file without the last half of its values is a real file.
  const std::size_t real_size = matrix<std::int64_t>().size();
  check_truncated_files_are_refused(matrix<std::int64_t>(complex_numbers), [&](const auto& file) {
    if (std::filesystem::file_size(file) != real_size) return read_petsc(file);
    throw FileError(file, "a complete file");
  });
  BOOST_CHECK_THROW(read(matrix<std::int32_t>() + '\0'), FileError);
  BOOST_CHECK_THROW(read_petsc(folder.path() / "none"), FileError);
}

BOOST_AUTO_TEST_CASE(altered_files_are_read_or_refused) {
  check_altered_files_are_read_or_refused(matrix<std::int32_t>() + matrix<std::int32_t>(), 3000, 1,
                                          read_petsc);
  check_altered_files_are_read_or_refused(matrix<std::int64_t>(complex_numbers), 1000, 2, read_petsc);
}

BOOST_AUTO_TEST_SUITE_END()
