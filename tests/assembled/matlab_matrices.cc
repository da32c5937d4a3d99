// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/matlab_matrices.h>
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/output/result_files.h>

#include <boost/test/unit_test.hpp>

#include <matio.h>
#include <support/damaged_files.h>
#include <support/file_bytes.h>
#include <support/file_matrices.h>
#include <support/scratch_folder.h>
#include <support/shared_data.h>
#include <zlib.h>

#include <limits>

using namespace halfdof;
using namespace halfdof::internal;
using test::by_rows;
using test::is_equal;

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// [1 0 2 0; 0 0 0 -3; 4 5 0 0.5]
const MultiVector values = by_rows(3, 4, {1, 0, 2, 0, 0, 0, 0, -3, 4, 5, 0, 0.5});

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Builds files of version 5 by hand, in either byte order.
struct Builder {
  bool reversed = false;

  std::string header(std::uint16_t version = 0x100) const {
    std::string bytes = std::string(124, ' ') + bytes_of(version, reversed);
    return bytes + bytes_of(std::uint16_t('M' << 8 | 'I'), reversed);
  }
  std::string tag(std::uint32_t type, std::size_t n) const {
    return bytes_of(type, reversed) + bytes_of(std::uint32_t(n), reversed);
  }
  template <class Number>
  std::string element(std::uint32_t type, const std::vector<Number>& numbers) const {
    std::string bytes = bytes_of_all(numbers, reversed);
    const std::size_t n = bytes.size();
    if (n > 0 && n <= 4) return bytes_of(std::uint32_t(n << 16 | type), reversed) + bytes.append(4 - n, '\0');
    return tag(type, n) + bytes.append((8 - n % 8) % 8, '\0');
  }
  std::string description(std::uint32_t array_class, std::uint32_t flags,
                          const std::vector<std::int32_t>& sizes, const std::string& name) const {
    return element<std::uint32_t>(6, {array_class | flags, 6}) + element(5, sizes) +
           element(1, std::vector<char>(name.begin(), name.end()));
  }
  std::string variable(const std::string& content) const { return tag(14, content.size()) + content; }
  std::string compressed(const std::string& variable) const {
    uLongf n = compressBound(uLong(variable.size()));
    std::string bytes(n, '\0');
    compress(reinterpret_cast<Bytef*>(bytes.data()), &n, reinterpret_cast<const Bytef*>(variable.data()),
             uLong(variable.size()));
    bytes.resize(n);
    return tag(15, n) + bytes;
  }
  std::string sparse(const std::string& name, const std::vector<std::int32_t>& rows = {0, 2, 2, 0, 1, 2},
                     const std::vector<std::int32_t>& begins = {0, 2, 3, 4, 6}) const {
    return variable(description(5, 0, {3, 4}, name) + element(5, rows) + element(5, begins) +
                    element<double>(9, {1, 4, 5, 2, -3, 0.5}));
  }
  std::string dense(const std::string& name, double first = 1) const {
    return variable(description(6, 0, {2, 2}, name) + element<double>(9, {first, 0, 3, 4}));
  }
};

struct Files {
  ScratchFolder folder;
  Builder little{};

  std::vector<FileMatrix> read(const std::string& bytes,
                               std::vector<SkippedVariable>* skipped = nullptr) const {
    return read_matlab(folder.file("system.mat", bytes), skipped);
  }
  std::string refusal(const std::string& bytes) const {
    try {
      read(bytes);
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }

  /// A file of version 7.3 with a dense, a complex and a sparse matrix, text, and a struct.
  std::filesystem::path hdf5(matio_compression compression) const {
    const auto path = folder.path() / "system73.mat";
    std::filesystem::remove(path);
    mat_t* const mat = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT73);
    BOOST_REQUIRE(mat != nullptr);
    const auto write = [&](const char* name, matio_classes kind, matio_types type,
                           std::vector<std::size_t> sizes, void* data, int flags = 0) {
      matvar_t* const variable =
          Mat_VarCreate(name, kind, type, int(sizes.size()), sizes.data(), data, flags);
      BOOST_REQUIRE(variable != nullptr);
      BOOST_TEST(Mat_VarWrite(mat, variable, compression) == 0);
      Mat_VarFree(variable);
    };
    std::vector<double> D = {1, 0, 3, 4, 5, 6}, zeros(6, 0.5), numbers = {1, 4, 5, 2, -3, 0.5};
    std::vector<std::int16_t> integers = {-1, 2};
    mat_complex_split_t parts = {D.data(), zeros.data()};
    std::vector<mat_uint32_t> rows = {0, 2, 2, 0, 1, 2}, begins = {0, 2, 3, 4, 6};
    mat_sparse_t sparse = {6, rows.data(), 6, begins.data(), 5, 6, numbers.data()};
    write("D", MAT_C_DOUBLE, MAT_T_DOUBLE, {2, 3}, D.data());
    write("H", MAT_C_DOUBLE, MAT_T_DOUBLE, {2, 3}, &parts, MAT_F_COMPLEX);
    write("I", MAT_C_INT16, MAT_T_INT16, {1, 2}, integers.data());
    write("K", MAT_C_SPARSE, MAT_T_DOUBLE, {3, 4}, &sparse, MAT_F_DONT_COPY_DATA);
    write("text", MAT_C_CHAR, MAT_T_UINT8, {1, 5}, const_cast<char*>("hello"));
    write("A3", MAT_C_DOUBLE, MAT_T_DOUBLE, {1, 2, 3}, D.data());
    Mat_Close(mat);
    return path;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(matlab_matrices, Files)

BOOST_AUTO_TEST_CASE(written_matrices_are_read_back_exactly) {
  Sparse K(3, 4);
  K.insert(2, 0) = 1. / 3;
  K.insert(0, 1) = 1e-300;
  K.insert(1, 3) = 0;
  const ComplexMultiVector H = values + Complex(0, 1) * values.cwiseAbs2();
  const auto file = folder.path() / "system.mat";
  write_matlab_file(file, {{"K", K}, {"D", values}, {"H", H}, {"nothing", Sparse(2, 3)}, {"text", "hello"}});
  std::vector<SkippedVariable> skipped;
  const std::vector<FileMatrix> matrices = read_matlab(file, &skipped);
  BOOST_REQUIRE(matrices.size() == 4u);
  BOOST_TEST(matrices[0].name == "K");
  BOOST_TEST(is_equal(matrices[0].real, K));
  BOOST_TEST(matrices[0].real.nonZeros() == 3);
  BOOST_TEST(is_equal(matrices[1].real, values));
  BOOST_TEST(matrices[1].real.nonZeros() == 6);
  BOOST_TEST(matrices[1].imaginary.size() == 0);
  BOOST_TEST(is_equal(matrices[2].imaginary, values.cwiseAbs2()));
  BOOST_TEST(matrices[3].real.cols() == 3);
  BOOST_REQUIRE(skipped.size() == 1u);
  BOOST_TEST(skipped[0].name == "text");
  BOOST_TEST(skipped[0].reason == "it is text");
}

BOOST_AUTO_TEST_CASE(both_byte_orders_and_compressed_variables_are_read) {
  for (const bool reversed : {false, true}) {
    const Builder build{reversed};
    for (const std::string& variables :
         {build.sparse("K") + build.dense("D"),
          build.compressed(build.sparse("K")) + build.compressed(build.dense("D"))}) {
      const std::vector<FileMatrix> matrices = read(build.header() + variables);
      BOOST_REQUIRE(matrices.size() == 2u);
      BOOST_TEST(matrices[0].name == "K");
      BOOST_TEST(is_equal(matrices[0].real, values));
      BOOST_TEST(matrices[1].name == "D");
      BOOST_TEST(is_equal(matrices[1].real, by_rows(2, 2, {1, 3, 0, 4})));
    }
  }
}

BOOST_AUTO_TEST_CASE(numbers_of_all_types_are_read) {
  // MATLAB stores numbers in the smallest type that holds them, whatever the class.
  const auto with = [&](const std::string& numbers) {
    return read(little.header() + little.variable(little.description(6, 0, {1, 2}, "A") + numbers))[0].real;
  };
  const MultiVector row = by_rows(1, 2, {3, 7});
  BOOST_TEST(is_equal(with(little.element<std::int8_t>(1, {3, 7})), row));
  BOOST_TEST(is_equal(with(little.element<std::uint8_t>(2, {3, 7})), row));
  BOOST_TEST(is_equal(with(little.element<std::int16_t>(3, {3, 7})), row));
  BOOST_TEST(is_equal(with(little.element<std::uint16_t>(4, {3, 7})), row));
  BOOST_TEST(is_equal(with(little.element<std::int32_t>(5, {-3, 7})), by_rows(1, 2, {-3, 7})));
  BOOST_TEST(is_equal(with(little.element<std::uint32_t>(6, {3, 7})), row));
  BOOST_TEST(is_equal(with(little.element<float>(7, {3, 7})), row));
  BOOST_TEST(is_equal(with(little.element<std::int64_t>(12, {3, 7})), row));
  BOOST_TEST(is_equal(with(little.element<std::uint64_t>(13, {3, 7})), row));
  BOOST_CHECK_THROW(with(little.element<std::int64_t>(12, {3, std::int64_t(1) << 60})), FileError);
  BOOST_CHECK_THROW(with(little.element<std::uint16_t>(16, {3, 7})), FileError);
}

BOOST_AUTO_TEST_CASE(version_7_3_is_read) {
  for (const auto compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
    std::vector<SkippedVariable> skipped;
    const std::vector<FileMatrix> matrices = read_matlab(hdf5(compression), &skipped);
    BOOST_REQUIRE(matrices.size() == 4u);
    BOOST_TEST(is_equal(matrices[0].real, by_rows(2, 3, {1, 3, 5, 0, 4, 6})));
    BOOST_TEST(is_equal(matrices[1].real, by_rows(2, 3, {1, 3, 5, 0, 4, 6})));
    BOOST_TEST(is_equal(matrices[1].imaginary, MultiVector::Constant(2, 3, 0.5)));
    BOOST_TEST(is_equal(matrices[2].real, by_rows(1, 2, {-1, 2})));
    BOOST_TEST(matrices[3].name == "K");
    BOOST_TEST(is_equal(matrices[3].real, values));
    BOOST_REQUIRE(skipped.size() == 2u);
    BOOST_TEST(skipped[1].name == "text");
    BOOST_TEST(skipped[0].reason == "it has 3 dimensions, and a matrix has 2");
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_matrix_is_skipped_with_its_reason_and_entries_are_read_as_they_are) {
  const auto kind = [&](std::uint32_t array_class, const std::string& name) {
    return little.variable(little.description(array_class, 0, {1, 1}, name));
  };
  std::vector<SkippedVariable> skipped;
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<FileMatrix> matrices =
      read(little.header() + kind(1, "cell") + kind(2, "structure") + little.dense("holes", nan) +
               little.sparse("K") + kind(16, "handle"),
           &skipped);
  BOOST_REQUIRE(matrices.size() == 2u);
  BOOST_TEST(std::isnan(matrices[0].real.coeff(0, 0)));
  BOOST_REQUIRE(skipped.size() == 3u);
  BOOST_TEST(skipped[0].reason == "it is a cell array");
  BOOST_TEST(skipped[1].reason == "it is a struct");
  BOOST_TEST(skipped[2].reason == "it is a function handle");
  std::string bytes =
      little.header() + little.dense("K", nan) + little.dense("rest", nan) + little.dense("M");
  const auto file = folder.file("holes.mat", bytes.replace(0, 6, "MATLAB"));
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  };
  const std::string place = "matrix K: the value in row 1, column 1 is nan (counted from one)";
  BOOST_TEST(contains(message([&] { read_model({file}); }), place));
  BOOST_TEST(contains(message([&] { read_matrix(file.string() + ":K"); }), place));
  BOOST_TEST(read_matrix(file.string() + ":M").rows() > 0);
  BOOST_TEST(contains(refusal(little.header() + kind(2, "model")), "no matrix. 'model': it is a struct."));
  BOOST_TEST(contains(refusal(little.header()), "no matrix"));
}

BOOST_AUTO_TEST_CASE(parts_that_do_not_fit_together_are_refused) {
  const auto with = [&](const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& begins) {
    return refusal(little.header() + little.sparse("K", rows, begins));
  };
  BOOST_TEST(contains(with({0, 2, 3, 0, 1, 2}, {0, 2, 3, 4, 6}), "outside 0 ... 2"));
  BOOST_TEST(contains(with({0, 2, -1, 0, 1, 2}, {0, 2, 3, 4, 6}), "'K' is damaged"));
  BOOST_TEST(contains(with({0, 2, 2, 0}, {0, 2, 3, 4, 6}), "6 rows"));
  BOOST_TEST(contains(with({0, 2, 2, 0, 1, 2}, {0, 2, 3, 6}), "5 beginnings"));
  BOOST_TEST(contains(with({0, 2, 2, 0, 1, 2}, {0, 4, 3, 4, 6}), "before the beginning"));
  BOOST_TEST(contains(with({0, 2, 2, 0, 1, 2}, {0, 2, 3, 4, 7}), "7 rows"));
  BOOST_TEST(contains(refusal(little.header() + little.dense("D") + little.dense("D")), "two variables 'D'"));
  for (const auto& sizes : std::vector<std::vector<std::int32_t>>{{2, 3}, {-1, -1}, {2147483647, 2147483647}})
    BOOST_TEST(!refusal(little.header() + little.variable(little.description(6, 0, sizes, "D") +
                                                          little.element<double>(9, {1, 2, 3, 4})))
                    .empty());
  BOOST_TEST(contains(refusal(little.header(0x300)), "no MATLAB file"));
  BOOST_TEST(contains(refusal("hello"), "5 bytes"));
}

BOOST_AUTO_TEST_CASE(repeated_and_unsorted_rows_are_added_and_sorted) {
  const Sparse K = read(little.header() + little.sparse("K", {2, 0, 1, 0, 1, 1}))[0].real;
  BOOST_TEST(is_equal(K, by_rows(3, 4, {4, 0, 2, 0, 0, 5, 0, -2.5, 1, 0, 0, 0})));
}

BOOST_AUTO_TEST_CASE(truncated_files_are_refused) {
  const auto check_file = [&](const std::string& bytes, std::size_t n_first) {
    // A file that ends after its first variable is complete.
    check_truncated_files_are_refused(bytes, [&](const auto& file) {
      read_matlab(file);
      if (std::filesystem::file_size(file) == n_first) throw FileError(file, "a complete file");
    });
  };
  const std::string plain = little.header() + little.sparse("K"),
                    compressed = little.header() + little.compressed(little.sparse("K"));
  check_file(plain + little.dense("D"), plain.size());
  check_file(compressed + little.compressed(little.dense("D")), compressed.size());
  check_truncated_files_are_refused(text_of(hdf5(MAT_COMPRESSION_NONE)).substr(0, 2000),
                                    [](const auto& file) { read_matlab(file); });
  const std::string bytes = text_of(hdf5(MAT_COMPRESSION_ZLIB));
  for (std::size_t n = 0; n < bytes.size(); n += 97)
    BOOST_CHECK_THROW(read(bytes.substr(0, n)), FileError);
}

BOOST_AUTO_TEST_CASE(a_wrong_check_sum_of_a_compressed_variable_is_found) {
  std::string bytes = little.header() + little.compressed(little.dense("D"));
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  BOOST_TEST(contains(refusal(bytes), "corrupt"));
}

BOOST_AUTO_TEST_CASE(altered_files_of_version_5_are_read_or_refused) {
  const auto read_file = [](const auto& file) { read_matlab(file); };
  const std::string variables = little.sparse("K") + little.dense("D");
  check_altered_files_are_read_or_refused(little.header() + variables, 3000, 1, read_file);
  check_altered_files_are_read_or_refused(
      little.header() + little.compressed(little.sparse("K")) + little.compressed(little.dense("D")), 1000, 2,
      read_file);
}

BOOST_AUTO_TEST_CASE(models_that_others_made_are_read) {
  const auto named = [](const std::vector<FileMatrix>& matrices, const std::string& name) {
    for (const FileMatrix& matrix : matrices)
      if (matrix.name == name) return matrix.real;
    BOOST_FAIL("there is no matrix " << name);
    return Sparse();
  };
  const auto n_null_columns = [](const Sparse& A) {
    Index n = 0;
    for (Index j = 0; j < A.cols(); ++j)
      n += A.col(j).norm() == 0;
    return n;
  };
  if (const auto file = test::shared_data("nlevp/shaft.mat"); !file.empty()) {
    const auto matrices = read_matlab(file);
    BOOST_TEST(n_null_columns(named(matrices, "M")) == 201);
    BOOST_TEST(named(matrices, "C").nonZeros() == 1);
    BOOST_TEST(named(matrices, "K").rows() == 400);
  }
  if (const auto file = test::shared_data("nlevp/piston.mat"); !file.empty()) {
    const auto matrices = read_matlab(file);
    BOOST_TEST(2025 - n_null_columns(named(matrices, "M")) == 486);
    const Sparse K = named(matrices, "K");
    BOOST_TEST(Sparse(K - Sparse(K.transpose())).norm() > 0);
  }
  if (const auto file = test::shared_data("mmess/g600.mat"); !file.empty()) {
    const auto matrices = read_matlab(file);
    BOOST_TEST(matrices.size() == 10u);
    BOOST_TEST(named(matrices, "G").rows() == 1);
    BOOST_TEST(named(matrices, "G").cols() == 600);
    BOOST_TEST(n_null_columns(named(matrices, "M")) == 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
