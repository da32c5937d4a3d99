// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/matrix_market.h>
#include <halfdof/assembled/files/matrix_writers.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/profile.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace halfdof {

using namespace internal;

namespace {

using Sparse = Eigen::SparseMatrix<double>;

void write_header(AtomicFile& out, const char* kind, const std::string& comment) {
  out.write("%%MatrixMarket matrix ");
  out.write(kind);
  out.write("\n");
  out.write_lines("% ", comment);
}

void write_number(AtomicFile& out, GlobalIndex value, char end) {
  out.write(value);
  out.write({&end, 1});
}

void check_value(double value, GlobalIndex row, GlobalIndex column) {
  if (!std::isfinite(value))
    throw InvalidInput("The matrix to be written holds " + number_text(value) + " in row " +
                       std::to_string(row) + ", column " + std::to_string(column) +
                       " (counted from zero). A Matrix Market file can contain finite numbers only.");
}

void write_value(AtomicFile& out, double value, GlobalIndex row, GlobalIndex column) {
  check_value(value, row, column);
  out.write(value);
  out.write("\n");
}

void write_value(AtomicFile& out, Complex value, GlobalIndex row, GlobalIndex column) {
  check_value(value.real(), row, column);
  out.write(value.real());
  out.write(" ");
  write_value(out, value.imag(), row, column);
}

/// The word of the first line of a file for the entries.
template <class Scalar>
constexpr const char* name_of_field = std::is_same_v<Scalar, Complex> ? "complex" : "real";

template <class Scalar>
void write_coordinates(const std::filesystem::path& file, const Eigen::SparseMatrix<Scalar>& matrix,
                       const std::string& comment, StoredPart part) {
  using Entry = typename Eigen::SparseMatrix<Scalar>::InnerIterator;
  const StageTimer stage("write a file");
  const bool lower_only = part == StoredPart::lower_if_symmetric && is_exactly_symmetric(matrix);
  GlobalIndex n_entries = 0;
  for (Index j = 0; j < matrix.outerSize(); ++j)
    for (Entry entry(matrix, j); entry; ++entry)
      n_entries += !lower_only || entry.row() >= j;

  const std::string field = name_of_field<Scalar>;
  AtomicFile out(file);
  write_header(out, ("coordinate " + field + (lower_only ? " symmetric" : " general")).c_str(), comment);
  write_number(out, matrix.rows(), ' ');
  write_number(out, matrix.cols(), ' ');
  write_number(out, n_entries, '\n');
  for (Index j = 0; j < matrix.outerSize(); ++j)
    for (Entry entry(matrix, j); entry; ++entry) {
      if (lower_only && entry.row() < j) continue;
      write_number(out, entry.row() + 1, ' ');
      write_number(out, j + 1, ' ');
      write_value(out, entry.value(), entry.row(), j);
    }
  out.commit();
}

template <class Scalar>
void write_array(const std::filesystem::path& file, ConstView<Scalar> matrix, const std::string& comment) {
  const StageTimer stage("write a file");
  AtomicFile out(file);
  write_header(out, (std::string("array ") + name_of_field<Scalar> + " general").c_str(), comment);
  write_number(out, matrix.rows(), ' ');
  write_number(out, matrix.cols(), '\n');
  for (Eigen::Index j = 0; j < matrix.cols(); ++j)
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      write_value(out, matrix(i, j), i, j);
  out.commit();
}

}  // namespace

void write_matrix_market(const std::filesystem::path& file, const Sparse& matrix, const std::string& comment,
                         StoredPart part) {
  write_coordinates(file, matrix, comment, part);
}

void write_matrix_market(const std::filesystem::path& file, const Eigen::SparseMatrix<Complex>& matrix,
                         const std::string& comment, StoredPart part) {
  write_coordinates(file, matrix, comment, part);
}

void write_matrix_market(const std::filesystem::path& file, ConstView<double> matrix,
                         const std::string& comment) {
  write_array<double>(file, matrix, comment);
}

void write_matrix_market(const std::filesystem::path& file, ConstView<Complex> matrix,
                         const std::string& comment) {
  write_array<Complex>(file, matrix, comment);
}

}  // namespace halfdof
