// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/dof_labels.h>
#include <halfdof/assembled/files/file_format.h>
#include <halfdof/output/matrix_files.h>

#include "support/file_matrices.h"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <string>
#include <utility>

using namespace halfdof;
using namespace halfdof::internal;
using test::by_rows;
using test::equal;

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// A matrix with labels, of numbers with few digits, which all formats hold exactly; DoF 3 has no entries.
FileMatrix small_matrix(bool is_symmetric) {
  FileMatrix matrix;
  matrix.name = "KAA";
  const double a = is_symmetric ? -1.25 : 0, b = is_symmetric ? 3e-120 : 7;
  matrix.real = by_rows(5, 5, {4,    -1.25,
                               0,    0,
                               0,  //
                               a,    2,
                               0,    0,
                               b,  //
                               0,    0,
                               -0.5, 0,
                               0,  //
                               0,    0,
                               0,    0,
                               0,  //
                               0,    is_symmetric ? b : 0,
                               0,    0,
                               0})
                    .sparseView();
  matrix.rows = {{2, 1}, {2, 3}, {5, 0}, {7, 2}, {7, 6}};
  return matrix;
}

bool is_one_of(FileFormat format, std::initializer_list<FileFormat> formats) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

bool keeps_labels(FileFormat format) {
  return is_one_of(format, {FileFormat::calculix, FileFormat::abaqus_matrix_input, FileFormat::nastran_dmig});
}

struct Files {
  ScratchFolder folder;
  std::filesystem::path path(const WrittenFormat& format, const std::string& stem) const {
    return folder.path() /
           (stem + "-" + format.name + (format.extensions.empty() ? ".list" : format.extensions[0]));
  }
  FileMatrix written_and_read(const WrittenFormat& format, const std::string& stem,
                              const FileMatrix& matrix) const {
    const std::filesystem::path file = path(format, stem);
    write_matrices(file, format.format, {matrix});
    BOOST_TEST((format_of(file) == format.format));
    return read_content(file).matrices.at(0);
  }
  std::string refusal(FileFormat format, const std::string& name,
                      const std::vector<FileMatrix>& matrices) const {
    try {
      write_matrices(folder.path() / name, format, matrices);
    } catch (const InvalidInput& error) {
      BOOST_TEST(!std::filesystem::exists(folder.path() / name));
      return error.what();
    }
    return "";
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(matrix_files, Files)

BOOST_AUTO_TEST_CASE(every_format_is_read_back_from_every_other_one_with_the_same_entries_and_labels) {
  for (const bool is_symmetric : {true, false}) {
    const FileMatrix matrix = small_matrix(is_symmetric);
    for (const WrittenFormat& first : written_formats())
      for (const WrittenFormat& second : written_formats()) {
        if (!is_symmetric && (first.format == FileFormat::calculix || second.format == FileFormat::calculix))
          continue;
        BOOST_TEST_CONTEXT(first.name << " -> " << second.name
                                      << (is_symmetric ? ", symmetric" : ", unsymmetric")) {
          FileMatrix read = written_and_read(first, "first", matrix);
          BOOST_TEST(equal(MultiVector(read.real), MultiVector(matrix.real)));
          BOOST_TEST((read.rows == (keeps_labels(first.format) ? matrix.rows : std::vector<FileDoF>())));
          read.name = matrix.name;
          read.rows = matrix.rows;
          read = written_and_read(second, "second", read);
          BOOST_TEST(equal(MultiVector(read.real), MultiVector(matrix.real)));
          BOOST_TEST((read.rows == (keeps_labels(second.format) ? matrix.rows : std::vector<FileDoF>())));
        }
      }
  }
}

BOOST_AUTO_TEST_CASE(numbers_keep_all_digits_where_the_format_has_room_for_them) {
  std::mt19937_64 random(1);
  MultiVector values(9, 9);
  for (Index i = 0; i < 9; ++i)
    for (Index j = 0; j < 9; ++j)
      values(i, j) =
          std::ldexp(static_cast<double>(random() >> 11) - 4e15, static_cast<int>(random() % 1900) - 1000);
  FileMatrix matrix;
  matrix.name = "K";
  matrix.real = MultiVector(values + values.transpose()).sparseView();
  for (int k = 0; k < 9; ++k)
    matrix.rows.push_back({k / 3 + 1, k % 3 + 1});
  for (const WrittenFormat& format : written_formats())
    BOOST_TEST_CONTEXT(format.name) {
      const FileMatrix read = written_and_read(format, "K", matrix);
      const MultiVector difference = MultiVector(read.real) - MultiVector(matrix.real);
      const double error = difference.cwiseQuotient(MultiVector(matrix.real)).cwiseAbs().maxCoeff();
      // Sixteen characters hold a sign, a point, an exponent such as +299 and ten digits.
      BOOST_TEST(error <= (format.format == FileFormat::nastran_dmig ? 5e-10 : 0));
    }
}

BOOST_AUTO_TEST_CASE(rectangular_matrices_and_several_are_written_where_the_format_holds_them) {
  FileMatrix first = small_matrix(false), second;
  second.name = "G";
  second.real = by_rows(2, 5, {0, 1, 0, 0, 0, 0, 0, 0, 0, 0}).sparseView();
  second.rows = {{1, 0}, {2, 0}};
  for (const WrittenFormat& format : written_formats()) {
    if (!is_one_of(format.format, {FileFormat::numpy_npz, FileFormat::matlab, FileFormat::matlab_hdf5,
                                   FileFormat::nastran_op4, FileFormat::nastran_dmig}))
      continue;
    const auto file = path(format, "both");
    write_matrices(file, format.format, {first, second});
    for (const FileMatrix& matrix : read_content(file).matrices)
      BOOST_TEST(equal(MultiVector(matrix.real), MultiVector(matrix.name == "G" ? second.real : first.real)),
                 format.name << " " << matrix.name);
    BOOST_TEST(read_content(file).matrices.size() == 2u);
  }
  second.columns = first.rows;
  const auto file = folder.path() / "G.pch";
  write_matrices(file, FileFormat::nastran_dmig, {second});
  const FileMatrix read = read_content(file).matrices[0];
  BOOST_TEST((read.columns == first.rows));
  BOOST_TEST(equal(MultiVector(read.real), MultiVector(second.real)));
}

// RBwrite() of SuiteSparse would leave out the values of a matrix of ones.
BOOST_AUTO_TEST_CASE(rectangular_matrices_and_ones_are_written_to_harwell_boeing_and_hdf5_files) {
  for (const auto& values :
       {by_rows(2, 3, {1, 0, 1, 0, 1, 0}), by_rows(3, 1, {0, 0, 0}), by_rows(1, 1, {1})}) {
    FileMatrix matrix;
    matrix.name = "a_long_name";
    matrix.real = values.sparseView();
    const auto file = folder.path() / "ones.hb";
    const std::vector<std::string> remarks = write_matrices(file, FileFormat::harwell_boeing, {matrix});
    BOOST_TEST_REQUIRE(remarks.size() == 1u);
    BOOST_TEST(contains(remarks[0], "was cut off"));
    BOOST_TEST(read_content(file).matrices[0].name == "a_long_n");
    BOOST_TEST(equal(MultiVector(read_content(file).matrices[0].real), values));
    BOOST_TEST(write_matrices(folder.path() / "ones.mat", FileFormat::matlab_hdf5, {matrix}).empty());
    const FileContent read = read_content(folder.path() / "ones.mat");
    BOOST_TEST((read.format == FileFormat::matlab_hdf5));
    BOOST_TEST(read.matrices[0].name == "a_long_name");
    BOOST_TEST(equal(MultiVector(read.matrices[0].real), values));
  }
}

// Numbers of entries, rows and columns have different numbers of digits. A line has at most 80 characters.
BOOST_AUTO_TEST_CASE(fields_of_harwell_boeing_files_have_room_for_the_largest_number_of_each_kind) {
  for (const auto& [n_rows, n_columns] : {std::pair<Index, Index>{120, 2}, {2, 120}, {12, 12}, {1, 9}}) {
    FileMatrix matrix;
    matrix.name = "K";
    MultiVector values(n_rows, n_columns);
    for (Index i = 0; i < n_rows; ++i)
      for (Index j = 0; j < n_columns; ++j)
        values(i, j) = 1000. * i + j + 0.5;
    matrix.real = values.sparseView();
    for (const double factor : {0., -0.25}) {
      matrix.imaginary = factor == 0 ? Sparse() : Sparse(factor * matrix.real);
      const auto file = folder.path() / "fields.hb";
      write_matrices(file, FileFormat::harwell_boeing, {matrix});
      const FileMatrix read = read_content(file).matrices[0];
      BOOST_TEST(equal(MultiVector(read.real), values));
      BOOST_TEST(read.is_complex() == matrix.is_complex());
      if (matrix.is_complex()) BOOST_TEST(equal(MultiVector(read.imaginary), MultiVector(factor * values)));
      std::ifstream lines(file);
      for (std::string line; std::getline(lines, line);)
        BOOST_TEST(line.size() <= 80u);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_column_of_a_thousand_rows_and_a_tall_matrix_are_written_in_strings_of_op4) {
  FileMatrix matrix;
  matrix.name = "TALL";
  for (const Index n : {1000, 70000}) {
    Sparse A(n, 2);
    for (Index i = 0; i < n; ++i)
      if (i % 700 != 5) A.insert(i, 1) = i + 0.5;
    A.makeCompressed();
    matrix.real = A;
    write_matrices(folder.path() / "tall.op4", FileFormat::nastran_op4, {matrix});
    const Sparse read = read_content(folder.path() / "tall.op4").matrices[0].real;
    BOOST_TEST(Sparse(read - A).norm() == 0);
    BOOST_TEST(read.nonZeros() == A.nonZeros());
  }
}

BOOST_AUTO_TEST_CASE(what_a_format_cannot_hold_is_refused_with_the_reason) {
  FileMatrix unsymmetric = small_matrix(false), unlabelled = small_matrix(true),
             internal = small_matrix(true), twice = small_matrix(true), wide = small_matrix(true);
  unlabelled.rows.clear();
  internal.rows[0].node = -4;
  twice.rows[1] = twice.rows[0];
  wide.real = by_rows(1, 2, {1, 2}).sparseView();
  wide.rows.clear();
  BOOST_TEST(contains(refusal(FileFormat::calculix, "a.sti", {unsymmetric}), "not symmetric"));
  BOOST_TEST(contains(refusal(FileFormat::calculix, "a.mtx", {unlabelled}), "needs the extension .sti"));
  BOOST_TEST(contains(refusal(FileFormat::matrix_market, "a.sti", {unlabelled}), "another extension"));
  BOOST_TEST(contains(refusal(FileFormat::nastran_dmig, "a.pch", {unlabelled}), "--dofs FILE"));
  BOOST_TEST(contains(refusal(FileFormat::nastran_dmig, "a.pch", {internal}), "internal node -4"));
  BOOST_TEST(contains(refusal(FileFormat::nastran_dmig, "a.pch", {twice}), "two rows for node 2, x"));
  BOOST_TEST(contains(refusal(FileFormat::abaqus_matrix_input, "a.inp", {twice}), "two rows for node 2, x"));
  BOOST_TEST(refusal(FileFormat::abaqus_matrix_input, "a.inp", {internal}) == "");
  BOOST_TEST(contains(refusal(FileFormat::abaqus_coordinate, "a.txt", {wide}), "square matrices only"));
  BOOST_TEST(
      contains(refusal(FileFormat::matrix_market, "a.mtx", {unlabelled, unlabelled}), "contain one matrix"));
  unlabelled.name = "much too long";
  BOOST_TEST(contains(refusal(FileFormat::nastran_op4, "a.op4", {unlabelled}), "--names"));
  for (const FileFormat format : {FileFormat::matlab, FileFormat::matlab_hdf5})
    BOOST_TEST(contains(refusal(format, "a.mat", {unlabelled}), "MATLAB variable"));
  BOOST_TEST(contains(refusal(FileFormat::matlab_hdf5, "a.mat", {twice, twice}), "two variables"));
  BOOST_TEST(
      contains(refusal(FileFormat::harwell_boeing, "a.hb", {unlabelled, unlabelled}), "contain one matrix"));
  unlabelled.name = "n\xc3\xb6";
  BOOST_TEST(contains(refusal(FileFormat::harwell_boeing, "a.hb", {unlabelled}), "--names"));
  FileMatrix infinite = small_matrix(true);
  infinite.real.coeffRef(0, 0) = HUGE_VAL;
  for (const WrittenFormat& format : written_formats())
    if (!is_one_of(format.format, {FileFormat::matlab, FileFormat::matlab_hdf5}))  // have infinite numbers
      BOOST_CHECK_THROW(write_matrices(path(format, "inf"), format.format, {infinite}), InvalidInput);
}

BOOST_AUTO_TEST_CASE(complex_matrices_are_read_back_or_refused_with_the_cause) {
  for (const bool is_symmetric : {true, false}) {
    FileMatrix matrix = small_matrix(is_symmetric);
    matrix.imaginary = 0.25 * matrix.real;
    matrix.imaginary.coeffRef(3, 3) = -3;  // where the real part has no entry
    for (const WrittenFormat& format : written_formats())
      if (is_one_of(format.format, {FileFormat::petsc, FileFormat::calculix, FileFormat::abaqus_coordinate,
                                    FileFormat::abaqus_matrix_input})) {
        BOOST_TEST(contains(refusal(format.format, path(format, "c").filename().string(), {matrix}),
                            "is complex, but"));
      } else {
        const FileMatrix found = written_and_read(format, "c", matrix);
        BOOST_TEST((MultiVector(found.real) - MultiVector(matrix.real)).norm() == 0, format.name);
        BOOST_TEST((MultiVector(found.imaginary) - MultiVector(matrix.imaginary)).norm() == 0, format.name);
      }
  }
}

BOOST_AUTO_TEST_CASE(several_matrices_of_a_petsc_file_are_told_by_their_numbers) {
  const FileMatrix K = small_matrix(true), M = small_matrix(false);
  const auto file = folder.path() / "both.petsc";
  write_matrices(file, FileFormat::petsc, {K, M});
  BOOST_TEST((MultiVector(read_matrix(folder.path() / "both.petsc:2")) - MultiVector(M.real)).norm() == 0);
  BOOST_TEST((MultiVector(read_matrix(folder.path() / "both.petsc:1")) - MultiVector(K.real)).norm() == 0);
}

BOOST_AUTO_TEST_CASE(lists_of_labels_are_read_back) {
  const std::vector<FileDoF> dofs = {{2, 1}, {-3, 6}, {7, 0}, {7, 11}};
  write_dof_labels(folder.path() / "dofs.txt", dofs);
  BOOST_TEST((file_dofs_of(read_dof_labels(folder.path() / "dofs.txt", 4)) == dofs));
  BOOST_CHECK_THROW(file_dofs_of(read_dof_labels(folder.file("words.txt", "1 phi\n"), 1)), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
