// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/npy_array.h>
#include <halfdof/assembled/files/numpy_files.h>
#include <halfdof/assembled/files/zip_archive.h>

#include <boost/test/unit_test.hpp>

#include <minizip/zip.h>
#include <support/damaged_files.h>
#include <support/file_bytes.h>
#include <support/file_matrices.h>
#include <support/scratch_folder.h>

#include <map>

using namespace halfdof;
using namespace halfdof::internal;
using test::by_rows;
using test::is_equal;

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Members = std::map<std::string, std::string>;

const std::string little_or_big[2] = {"<", ">"};

std::string npy(const std::string& type, const std::string& shape, const std::string& numbers) {
  return npy_header(type, shape) + numbers;
}
template <class Number>
std::string vector_of(const std::string& type, const std::vector<Number>& numbers, bool big_endian = false) {
  return npy(little_or_big[big_endian] + type, "(" + std::to_string(numbers.size()) + ",)",
             bytes_of_all(numbers, big_endian));
}

/// Files of the tests, written by zlib's minizip as Python's zipfile does.
struct Files {
  ScratchFolder folder;

  std::filesystem::path archive(const Members& members, int level = 0, int zip64 = 0) const {
    const auto path = folder.path() / "system.npz";
    std::filesystem::remove(path);
    const zipFile zip = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
    for (const auto& [name, bytes] : members) {
      const zip_fileinfo info = {};
      zipOpenNewFileInZip64(zip, (name + ".npy").c_str(), &info, nullptr, 0, nullptr, 0, nullptr,
                            level > 0 ? Z_DEFLATED : 0, level, zip64);
      zipWriteInFileInZip(zip, bytes.data(), static_cast<unsigned>(bytes.size()));
      zipCloseFileInZip(zip);
    }
    zipClose(zip, nullptr);
    return path;
  }
  FileMatrix read_one(const Members& members) const {
    const std::vector<FileMatrix> matrices = read_npz(archive(members));
    BOOST_REQUIRE(matrices.size() == 1u);
    return matrices.front();
  }
  std::string refusal(const Members& members) const {
    try {
      read_npz(archive(members));
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// [1 0 2 0; 0 0 0 -3; 4 5 0 0.5]
const MultiVector values = by_rows(3, 4, {1, 0, 2, 0, 0, 0, 0, -3, 4, 5, 0, 0.5});

Members csr() {
  return {{"format", npy("|S3", "()", "csr")},
          {"shape", vector_of<std::int64_t>("i8", {3, 4})},
          {"indptr", vector_of<std::int32_t>("i4", {0, 2, 3, 6})},
          {"indices", vector_of<std::int32_t>("i4", {0, 2, 3, 0, 1, 3})},
          {"data", vector_of<double>("f8", {1, 2, -3, 4, 5, 0.5})}};
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(numpy_files, Files)

BOOST_AUTO_TEST_CASE(a_written_matrix_is_read_back_exactly) {
  Sparse A(3, 4);
  A.insert(2, 0) = 1. / 3;
  A.insert(0, 1) = 1e-300;
  A.insert(1, 3) = 0;
  const auto file = folder.path() / "A.npz";
  write_npz(file, A);
  const std::vector<FileMatrix> matrices = read_npz(file);
  BOOST_REQUIRE(matrices.size() == 1u);
  BOOST_TEST(is_equal(matrices[0].real, A));
  BOOST_TEST(matrices[0].real.nonZeros() == 3);
  BOOST_TEST(matrices[0].name.empty());
  BOOST_TEST(matrices[0].imaginary.size() == 0);
  write_npz(file, Sparse(0, 2));
  BOOST_TEST(read_npz(file)[0].real.cols() == 2);
}

BOOST_AUTO_TEST_CASE(nothing_is_written_for_nan_or_where_writing_fails) {
  Sparse A(2, 2);
  A.insert(1, 0) = std::nan("");
  BOOST_CHECK_THROW(write_npz(folder.path() / "A.npz", A), InvalidInput);
  BOOST_TEST(folder.n_files() == 0);
  BOOST_CHECK_THROW(write_npz(folder.path() / "none" / "A.npz", Sparse(2, 2)), FileError);
  BOOST_CHECK_THROW(write_npz("/dev/full", Sparse(2, 2)), FileError);
}

BOOST_AUTO_TEST_CASE(rows_and_columns_are_not_confused) {
  BOOST_TEST(is_equal(read_one(csr()).real, values));
  Members csc = csr();
  csc["format"] = npy("<U3", "()", bytes_of_all<std::uint32_t>({'c', 's', 'c'}));
  csc["shape"] = vector_of<std::int64_t>("i8", {4, 3});
  BOOST_TEST(is_equal(read_one(csc).real, values.transpose()));
}

BOOST_AUTO_TEST_CASE(deflated_and_large_archives_are_read) {
  for (const int level : {0, 1, 9})
    for (const int zip64 : {0, 1})
      BOOST_TEST(is_equal(read_npz(archive(csr(), level, zip64))[0].real, values));
}

BOOST_AUTO_TEST_CASE(indices_may_have_64_bits_and_any_byte_order) {
  for (const bool big_endian : {false, true}) {
    Members members = csr();
    members["shape"] = vector_of<std::int64_t>("i8", {3, 4}, big_endian);
    members["indptr"] = vector_of<std::int64_t>("i8", {0, 2, 3, 6}, big_endian);
    members["indices"] = vector_of<std::int64_t>("i8", {0, 2, 3, 0, 1, 3}, big_endian);
    members["data"] = vector_of<double>("f8", {1, 2, -3, 4, 5, 0.5}, big_endian);
    BOOST_TEST(is_equal(read_one(members).real, values));
    members["indices"] = vector_of<std::uint16_t>("u2", {0, 2, 3, 0, 1, 3}, big_endian);
    members["data"] = vector_of<float>("f4", {1, 2, -3, 4, 5, 0.5}, big_endian);
    BOOST_TEST(is_equal(read_one(members).real, values));
  }
}

BOOST_AUTO_TEST_CASE(integers_and_booleans_become_real_numbers) {
  const MultiVector row = by_rows(1, 2, {-2, 7});
  const auto read = [&](const std::string& array) { return read_npy(folder.file("a.npy", array))[0].real; };
  BOOST_TEST(is_equal(read(npy("|i1", "(1, 2)", bytes_of_all<std::int8_t>({-2, 7}))), row));
  BOOST_TEST(is_equal(read(npy(">i2", "(1, 2)", bytes_of_all<std::int16_t>({-2, 7}, true))), row));
  BOOST_TEST(is_equal(read(npy("<i4", "(1, 2)", bytes_of_all<std::int32_t>({-2, 7}))), row));
  BOOST_TEST(is_equal(read(npy("<i8", "(1, 2)", bytes_of_all<std::int64_t>({-2, 7}))), row));
  BOOST_TEST(
      is_equal(read(npy("<u8", "(1, 2)", bytes_of_all<std::uint64_t>({1, 7}))), by_rows(1, 2, {1, 7})));
  BOOST_TEST(is_equal(read(npy("|b1", "(1, 2)", std::string("\0\1", 2))), by_rows(1, 2, {0, 1})));
  for (const int beyond : {1, 2})
    BOOST_CHECK_THROW(read(npy("<i8", "(1, 1)", bytes_of((std::int64_t(1) << 53) + beyond))), FileError);
  BOOST_CHECK_EXCEPTION(read(npy("<f2", "(1, 1)", "ab")), FileError, [](const FileError& error) {
    return std::string(error.what()).find("16 bits") != std::string::npos;
  });
  BOOST_CHECK_THROW(read(npy("<f2", "(1, 1)", "ab")), FileError);
}

BOOST_AUTO_TEST_CASE(complex_values_have_two_parts) {
  Members members = csr();
  members["data"] = npy("<c16", "(6,)", bytes_of_all<double>({1, 9, 2, 0, -3, 1, 4, 0, 5, 0, 0.5, -7}));
  const FileMatrix matrix = read_one(members);
  BOOST_TEST(is_equal(matrix.real, values));
  BOOST_TEST(is_equal(matrix.imaginary, by_rows(3, 4, {9, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, -7})));
  const auto dense =
      read_npy(folder.file("a.npy", npy(">c8", "(1, 2)", bytes_of_all<float>({1, 2, 0, 4}, true))));
  BOOST_TEST(is_equal(dense[0].real, by_rows(1, 2, {1, 0})));
  BOOST_TEST(is_equal(dense[0].imaginary, by_rows(1, 2, {2, 4})));
}

BOOST_AUTO_TEST_CASE(unsorted_and_repeated_entries_are_sorted_and_added) {
  Members members = csr();
  members["indices"] = vector_of<std::int32_t>("i4", {2, 0, 3, 1, 0, 1});
  BOOST_TEST(is_equal(read_one(members).real, by_rows(3, 4, {2, 0, 1, 0, 0, 0, 0, -3, 5, 4.5, 0, 0})));
  members["format"] = npy("|S3", "()", "csc");
  members["shape"] = vector_of<std::int64_t>("i8", {4, 3});
  BOOST_TEST(is_equal(read_one(members).real, by_rows(4, 3, {2, 0, 5, 0, 0, 4.5, 1, 0, 0, 0, -3, 0})));
  const Members coo = {{"format", npy("|S3", "()", "coo")},
                       {"shape", vector_of<std::int64_t>("i8", {2, 3})},
                       {"row", vector_of<std::int32_t>("i4", {1, 0, 1, 0})},
                       {"col", vector_of<std::int32_t>("i4", {2, 1, 2, 0})},
                       {"data", vector_of<double>("f8", {1, 2, 3, 0})}};
  const Sparse A = read_one(coo).real;
  BOOST_TEST(is_equal(A, by_rows(2, 3, {0, 2, 0, 0, 0, 4})));
  BOOST_TEST(A.nonZeros() == 3);
}

BOOST_AUTO_TEST_CASE(diagonals_and_blocks_are_read) {
  // scipy.sparse.dia_matrix(([[1, 2, 3, 4], [5, 6, 7, 8]], [0, -1]), shape=(3, 4))
  const Members dia = {{"format", npy("|S3", "()", "dia")},
                       {"shape", vector_of<std::int64_t>("i8", {3, 4})},
                       {"offsets", vector_of<std::int32_t>("i4", {0, -1})},
                       {"data", npy("<f8", "(2, 4)", bytes_of_all<double>({1, 2, 3, 4, 5, 6, 7, 8}))}};
  BOOST_TEST(is_equal(read_one(dia).real, by_rows(3, 4, {1, 0, 0, 0, 5, 2, 0, 0, 0, 6, 3, 0})));
  const Members bsr = {{"format", npy("|S3", "()", "bsr")},
                       {"shape", vector_of<std::int64_t>("i8", {4, 3})},
                       {"indptr", vector_of<std::int32_t>("i4", {0, 1, 2})},
                       {"indices", vector_of<std::int32_t>("i4", {2, 0})},
                       {"data", npy("<f8", "(2, 2, 1)", bytes_of_all<double>({1, 2, 3, 4}))}};
  BOOST_TEST(is_equal(read_one(bsr).real, by_rows(4, 3, {0, 0, 1, 0, 0, 2, 3, 0, 0, 4, 0, 0})));
}

BOOST_AUTO_TEST_CASE(dense_arrays_have_the_order_of_c_or_of_fortran) {
  const std::string numbers = bytes_of_all<double>({1, 2, 3, 0, 5, 6});
  const std::string header = "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }";
  const auto with_version = [&](char version) {
    std::string array = std::string("\x93NUMPY") + version + '\0' + bytes_of(std::uint16_t(header.size()));
    if (version > 1) array += std::string(2, '\0');
    return array + header + numbers;
  };
  for (const char version : {'\1', '\2', '\3'})
    BOOST_TEST(is_equal(read_npy(folder.file("a.npy", with_version(version)))[0].real,
                        by_rows(2, 3, {1, 3, 5, 2, 0, 6})));
  BOOST_CHECK_THROW(read_npy(folder.file("a.npy", with_version('\4'))), FileError);
  const FileMatrix in_rows = read_npy(folder.file("a.npy", npy("<f8", "(2, 3)", numbers)))[0];
  BOOST_TEST(is_equal(in_rows.real, by_rows(2, 3, {1, 2, 3, 0, 5, 6})));
  BOOST_TEST(in_rows.real.nonZeros() == 5);
}

BOOST_AUTO_TEST_CASE(several_matrices_have_names_and_other_arrays_are_skipped) {
  Members members = {{"K", npy("<f8", "(1, 2)", bytes_of_all<double>({1, 2}))},
                     {"f", vector_of<double>("f8", {1, 2, 3})},
                     {"label", npy("<U1", "()", bytes_of(std::uint32_t('x')))},
                     {"pickled", npy("|O", "()", "whatever")},
                     {"table", npy_header("<f8", "(2,)").replace(20, 5, "[('a'")}};
  for (const auto& [name, bytes] : csr())
    members["M_" + name] = bytes;
  std::vector<SkippedVariable> skipped;
  const std::vector<FileMatrix> matrices = read_npz(archive(members), &skipped);
  BOOST_REQUIRE(matrices.size() == 2u);
  BOOST_TEST(matrices[0].name == "M");
  BOOST_TEST(is_equal(matrices[0].real, values));
  BOOST_TEST(matrices[1].name == "K");
  BOOST_TEST(is_equal(matrices[1].real, by_rows(1, 2, {1, 2})));
  BOOST_REQUIRE(skipped.size() == 4u);
  BOOST_TEST(contains(skipped[2].reason, "save_npz"));
}

BOOST_AUTO_TEST_CASE(archives_without_a_matrix_say_what_they_hold) {
  BOOST_TEST(contains(refusal({{"K", npy("|O", "()", "")}}), "pickled"));
  BOOST_TEST(contains(refusal({{"f", vector_of<double>("f8", {1})}}), "'f': it has 1 dimensions"));
  Members unknown = csr();
  unknown.erase("format");
  BOOST_TEST(contains(refusal(unknown), "no 'format'"));
  Members incomplete = csr();
  incomplete.erase("indices");
  BOOST_TEST(contains(refusal(incomplete), "no 'indices'"));
}

BOOST_AUTO_TEST_CASE(arrays_that_do_not_fit_together_are_refused) {
  const auto with = [](const std::string& name, const std::string& bytes) {
    Members members = csr();
    members[name] = bytes;
    return members;
  };
  BOOST_TEST(contains(refusal(with("indices", vector_of<std::int32_t>("i4", {0, 2, 4, 0, 1, 3}))),
                      "outside 0 ... 3"));
  BOOST_TEST(
      contains(refusal(with("indices", vector_of<std::int32_t>("i4", {0, 2, -1, 0, 1, 3}))), "outside"));
  BOOST_TEST(contains(refusal(with("indices", vector_of<std::int32_t>("i4", {0, 2}))), "requires 6"));
  BOOST_TEST(contains(refusal(with("indices", vector_of<double>("f8", {0, 2, 3, 0, 1, 3}))), "integers"));
  BOOST_TEST(
      contains(refusal(with("indptr", vector_of<std::int32_t>("i4", {0, 3, 2, 6}))), "before the beginning"));
  BOOST_TEST(contains(refusal(with("indptr", vector_of<std::int32_t>("i4", {1, 2, 3, 6}))), "run from 1"));
  BOOST_TEST(contains(refusal(with("indptr", vector_of<std::int32_t>("i4", {0, 2, 6}))), "4 items"));
  BOOST_TEST(contains(refusal(with("data", vector_of<double>("f8", {1, 2, NAN, 4, 5, 6}))),
                      "row 1, column 3 is nan (counted from zero)"));
  BOOST_TEST(contains(refusal(with("data", vector_of<double>("f8", {1}))), "requires 6"));
  BOOST_TEST(contains(refusal(with("format", npy("|S3", "()", "lil"))), "lil"));
  BOOST_TEST(contains(refusal(with("shape", vector_of<std::int64_t>("i8", {3, -4}))), "outside"));
  BOOST_TEST(contains(refusal(with("shape", vector_of<std::int64_t>("i8", {3, 2000000000}))),
                      "one entry for every 100"));
}

BOOST_AUTO_TEST_CASE(sizes_are_compared_with_the_file_before_memory_is_allocated) {
  const std::vector<std::string> shapes = {"(999999999999999999, 999999999999999999)", "(1000000, 1000000)",
                                           "(2000000000, 0)", "(0, 999999999999999999)"};
  for (const std::string& shape : shapes)
    BOOST_CHECK_THROW(read_npy(folder.file("a.npy", npy("<f8", shape, ""))), FileError);
}

BOOST_AUTO_TEST_CASE(headers_that_are_no_dictionary_of_an_array_are_refused) {
  const std::vector<std::string> headers = {
      "",
      "{",
      "{}",
      "{'descr'",
      "{'descr': '<f8'}",
      "{'descr': '<f8', 'fortran_order': No, 'shape': (1, 1)}",
      "{'descr': 'f8', 'fortran_order': False, 'shape': (1, 1)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 1)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), 'more': 1}",
      "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1, 1)}",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1 1)}"};
  for (const std::string& header : headers) {
    const std::string array =
        std::string("\x93NUMPY\1\0", 8) + bytes_of(std::uint16_t(header.size())) + header;
    BOOST_CHECK_THROW(read_npy(folder.file("a.npy", array + bytes_of(1.))), FileError);
  }
}

BOOST_AUTO_TEST_CASE(truncated_files_are_refused) {
  check_truncated_files_are_refused(npy("<f8", "(1, 2)", bytes_of_all<double>({1, 2})), read_npy);
  check_truncated_files_are_refused(text_of(archive(csr())), [](const auto& file) { read_npz(file); });
  check_truncated_files_are_refused(text_of(archive(csr(), 9, 1)), [](const auto& file) { read_npz(file); });
  BOOST_CHECK_THROW(read_npy(folder.file("a.npy", npy("<f8", "(1, 1)", bytes_of_all<double>({1, 2})))),
                    FileError);
  BOOST_CHECK_THROW(read_npz(folder.path() / "none.npz"), FileError);
  BOOST_CHECK_THROW(read_npz(folder.path()), FileError);
}

BOOST_AUTO_TEST_CASE(a_wrong_check_sum_of_an_array_is_found) {
  std::string bytes = text_of(archive(csr()));
  const std::size_t at =
      bytes.find("\x93NUMPY") + 127;  // the last byte before the numbers of the first array
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  BOOST_CHECK_EXCEPTION(read_npz(folder.file("altered.npz", bytes)), FileError, [](const FileError& error) {
    return contains(error.what(), "zip archive is cut off or corrupt");
  });
}

BOOST_AUTO_TEST_CASE(altered_files_are_read_or_refused) {
  check_altered_files_are_read_or_refused(npy("<f8", "(1, 2)", bytes_of_all<double>({1, 2})), 2000, 1,
                                          read_npy);
  // Check sums hide what stands in altered arrays, which are therefore altered before the archive is made.
  std::mt19937 random(2);
  for (int k = 0; k < 1000; ++k) {
    Members members = csr();
    auto& bytes = std::next(members.begin(), random() % 5)->second;
    bytes[random() % bytes.size()] = static_cast<char>(random());
    refusal(members);
  }
  const auto read = [](const auto& file) { read_npz(file); };
  check_altered_files_are_read_or_refused(text_of(archive(csr())), 1000, 3, read);
  check_altered_files_are_read_or_refused(text_of(archive(csr(), 9, 1)), 1000, 4, read);
}

BOOST_AUTO_TEST_SUITE_END()
