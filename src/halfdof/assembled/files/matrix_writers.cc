// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/calculix.h>
#include <halfdof/assembled/files/column_storage.h>
#include <halfdof/assembled/files/dof_labels.h>
#include <halfdof/assembled/files/fortran_fields.h>
#include <halfdof/assembled/files/matrix_writers.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/printable.h>
#include <halfdof/base/profile.h>
#include <halfdof/base/shape_text.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

namespace halfdof::internal {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

std::string title_of(const FileMatrix& matrix) {
  return matrix.name.empty() ? std::string("The matrix") : "Matrix " + printable(matrix.name);
}

[[noreturn]] void refuse(const FileMatrix& matrix, const std::string& reason) {
  throw InvalidInput(title_of(matrix) + " " + reason);
}

void require_square(const FileMatrix& matrix, const char* format) {
  if (matrix.real.rows() != matrix.real.cols() || !matrix.columns.empty())
    refuse(matrix, "is " + shape_text(matrix.real) + ", but " + format + " holds square matrices only.");
}

void require_labels(const FileMatrix& matrix, const char* format) {
  if (matrix.rows.empty())
    refuse(matrix, std::string("has no labels of its rows, and ") + format +
                       " needs the node and component of each row. Give the labels by --dofs FILE.");
}

/// Checks that the labels are unique, and that the format can represent them.
void check_labels(const FileMatrix& matrix, const std::vector<FileDoF>& dofs, const char* format,
                  std::int64_t first_node, int last_component) {
  std::vector<FileDoF> sorted = dofs;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    refuse(matrix,
           "has two rows for " + described(*twice) + ", but " + format + " identifies rows by their labels.");
  for (const FileDoF& dof : sorted)
    if (dof.node < first_node || dof.component > last_component)
      refuse(matrix, "has a row for " + described(dof) + ", which " + format + " cannot represent.");
}

/// Returns for each row whether the row has an entry.
template <class Matrix>
std::vector<bool> rows_with_entries(const Matrix& A) {
  std::vector<bool> is_used(static_cast<std::size_t>(A.rows()));
  for (Index j = 0; j < A.cols(); ++j)
    for (typename Matrix::InnerIterator entry(A, j); entry; ++entry)
      is_used[static_cast<std::size_t>(entry.row())] = true;
  return is_used;
}

/// Returns A with an explicit zero in each row and column without entries, so that a file lists every DoF.
/// The zero is on the diagonal of a square matrix, and in the first row or column of a rectangular matrix.
template <class Matrix>
Matrix with_zeros_in_empty_rows(const Matrix& A, bool is_square) {
  const std::vector<bool> rows = rows_with_entries(A), columns = rows_with_entries(Matrix(A.transpose()));
  Matrix result = A;
  for (Index i = 0; i < A.rows(); ++i)
    if (!rows[static_cast<std::size_t>(i)] && !(is_square && columns[static_cast<std::size_t>(i)]))
      result.coeffRef(i, is_square ? i : 0) = 0;
  for (Index j = 0; j < A.cols() && !is_square; ++j)
    if (!columns[static_cast<std::size_t>(j)]) result.coeffRef(0, j) = 0;
  result.makeCompressed();
  return result;
}

void write_entry(AtomicFile& out, const std::string& before, double value) {
  out.write(before);
  out.write(value);
  out.write("\n");
}

std::string text_of(const FileDoF& dof) {
  return std::to_string(dof.node) + "," + std::to_string(dof.component);
}

/// Returns a number in the notation of Nastran, with as many digits as fit in 16 characters.
std::string field_of(double value) {
  for (int n_digits = 17; n_digits > 0; --n_digits) {
    const std::string text = scientific_text(value, n_digits, 'e');
    const std::size_t e = text.find('e');
    std::string mantissa = text.substr(0, e), exponent = text.substr(e + 1);
    if (mantissa.find('.') == std::string::npos) mantissa += '.';
    while (mantissa.back() == '0')
      mantissa.pop_back();
    exponent.erase(1, exponent.find_first_not_of('0', 1) - 1);  // erases all digits if the exponent is zero
    const std::string field = exponent.size() == 1 ? mantissa : mantissa + exponent;
    if (field.size() <= 16) return field;
  }
  return {};
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

std::string left(const std::string& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

/// Checks that the name of a matrix consists of at most eight letters and digits, and begins with a letter.
void check_short_name(const FileMatrix& matrix, const char* format) {
  const std::string& name = matrix.name;
  const auto is_alphanumeric = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  if (name.empty() || name.size() > 8 || std::isalpha(static_cast<unsigned char>(name[0])) == 0 ||
      !std::all_of(name.begin(), name.end(), is_alphanumeric))
    throw InvalidInput(
        "'" + printable(name) + "' is not a valid name of a matrix in a file of " + format +
        ". A name begins with a letter and has at most 8 letters and digits. Give names by --names.");
}

/// Returns the fields of a value, and raises the error to the relative difference of each part from its
/// field.
std::string fields_of(double value, double& error) {
  const std::string field = field_of(value);
  if (value != 0) error = std::max(error, std::abs(real_number(field).value_or(0) / value - 1));
  return right(field, 16);
}

std::string fields_of(std::complex<double> value, double& error) {
  return fields_of(value.real(), error) + fields_of(value.imag(), error);
}

/// Number of the type of entries of DMIG and OP4: real or complex, in double precision.
template <class Scalar>
constexpr int type_number = std::is_same_v<Scalar, double> ? 2 : 4;

/// Writes the cards of one DMIG matrix. @param entries Of the matrix @return As write_nastran_dmig()
template <class Scalar>
double write_dmig(AtomicFile& out, const FileMatrix& matrix, const Eigen::SparseMatrix<Scalar>& entries) {
  const char* const format = "Nastran DMIG";
  check_short_name(matrix, format);
  require_labels(matrix, format);
  check_labels(matrix, matrix.rows, format, 1, 6);
  check_labels(matrix, matrix.columns, format, 1, 6);
  const bool is_square = matrix.columns.empty() && matrix.real.rows() == matrix.real.cols();
  const bool is_symmetric = is_square && is_exactly_symmetric(entries);
  const Eigen::SparseMatrix<Scalar> A = with_zeros_in_empty_rows(entries, is_square);
  const int form = is_symmetric ? 6 : is_square ? 1 : matrix.columns.empty() ? 9 : 2;
  out.write(left("DMIG", 8) + left(matrix.name, 8) + right("0", 8) + right(std::to_string(form), 8) +
            right(std::to_string(type_number<Scalar>), 8) + right("0", 8) + right("", 16) +
            (form == 9 ? right(std::to_string(A.cols()), 8) : std::string()) + "\n");
  double error = 0;
  for (Index j = 0; j < A.cols(); ++j) {
    const FileDoF column = is_square                ? matrix.rows[static_cast<std::size_t>(j)]
                           : matrix.columns.empty() ? FileDoF{j + 1, 0}
                                                    : matrix.columns[static_cast<std::size_t>(j)];
    bool has_begun = false;
    for (typename Eigen::SparseMatrix<Scalar>::InnerIterator entry(A, j); entry; ++entry) {
      const FileDoF row = matrix.rows[static_cast<std::size_t>(entry.row())];
      if (is_symmetric && row < column) continue;
      if (!has_begun)
        out.write(left("DMIG*", 8) + left(matrix.name, 16) + right(std::to_string(column.node), 16) +
                  right(std::to_string(column.component), 16) + "\n");
      has_begun = true;
      out.write(left("*", 8) + right(std::to_string(row.node), 16) +
                right(std::to_string(row.component), 16) + fields_of(entry.value(), error) + "\n");
    }
  }
  return error;
}

/// Returns a number in 23 characters. An exponent of three digits is written without the letter E.
std::string op4_field(double value) {
  std::string text = scientific_text(value, 17, 'E');
  if (const std::size_t e = text.find('E'); text.size() - e > 4) text.erase(e, 1);
  return right(text, 23);
}

/// Entries of a column in consecutive rows; of a complex column, the real and the imaginary part of each.
struct Op4String {
  Index row, n_rows;
  std::vector<double> values;
};

void append(std::vector<double>& values, double value) {
  values.push_back(value);
}

void append(std::vector<double>& values, std::complex<double> value) {
  values.insert(values.end(), {value.real(), value.imag()});
}

template <class Scalar>
std::vector<Op4String> strings_of(const Eigen::SparseMatrix<Scalar>& A, Index j) {
  constexpr std::size_t longest = 500;  // so that 65536 (L + 1) + row has at most eight digits
  std::vector<Op4String> strings;
  for (typename Eigen::SparseMatrix<Scalar>::InnerIterator entry(A, j); entry; ++entry) {
    const auto row = static_cast<Index>(entry.row());
    if (strings.empty() || strings.back().values.size() >= longest ||
        strings.back().row + strings.back().n_rows != row)
      strings.push_back({row, 0, {}});
    ++strings.back().n_rows;
    append(strings.back().values, entry.value());
  }
  return strings;
}

/// @param A The entries of the matrix
template <class Scalar>
void write_op4(AtomicFile& out, const FileMatrix& matrix, const Eigen::SparseMatrix<Scalar>& A) {
  check_short_name(matrix, "Nastran OP4");
  const bool is_big = A.rows() > 65535;
  const auto number = [](std::int64_t n) { return right(std::to_string(n), 8); };
  if (std::max(A.rows(), A.cols()) > 9'999'999)
    refuse(matrix, "is " + shape_text(A) + ", but Nastran OP4 has at most 9999999 rows and columns.");
  const int form = is_exactly_symmetric(A) ? 6 : A.rows() == A.cols() ? 1 : 2;
  out.write(number(A.cols()) + number(is_big ? -A.rows() : A.rows()) + number(form) +
            number(type_number<Scalar>) + left(matrix.name, 8) + "1P,3E23.16\n");
  for (Index j = 0; j < A.cols(); ++j) {
    const std::vector<Op4String> strings = strings_of(A, j);
    std::int64_t n_words = 0;
    for (const Op4String& string : strings)
      n_words += 2 * static_cast<std::int64_t>(string.values.size()) + (is_big ? 2 : 1);
    if (n_words > 0) out.write(number(j + 1) + number(0) + number(n_words) + "\n");
    for (const Op4String& string : strings) {
      const std::int64_t length = 2 * static_cast<std::int64_t>(string.values.size()) + 1;
      out.write(is_big ? number(length) + number(string.row + 1) + "\n"
                       : number(65536 * length + string.row + 1) + "\n");
      for (std::size_t k = 0; k < string.values.size(); ++k)
        out.write(op4_field(string.values[k]) + (k % 3 == 2 || k + 1 == string.values.size() ? "\n" : ""));
    }
  }
  out.write(number(A.cols() + 1) + number(1) + number(1) + "\n" + op4_field(1) + "\n");
}

void check_all_finite(const std::vector<FileMatrix>& matrices, const char* format) {
  for (const FileMatrix& matrix : matrices) {
    check_finite_to_write(matrix.real, format);
    check_finite_to_write(matrix.imaginary, format);
  }
}

}  // namespace

void write_calculix(const std::filesystem::path& file, const FileMatrix& matrix) {
  const StageTimer stage("write a file");
  const char* const format = "matrix storage of CalculiX";
  require_square(matrix, format);
  check_finite_to_write(matrix.real, format);
  if (!is_exactly_symmetric(matrix.real))
    refuse(matrix, "is not symmetric, but CalculiX stores one triangle.");
  for (const FileDoF& dof : matrix.rows)
    if (dof.node < 1)
      refuse(matrix, "has a row for " + described(dof) + ", but CalculiX counts nodes from 1.");
  AtomicFile out(file);
  for (Index j = 0; j < matrix.real.cols(); ++j) {
    const std::string column = std::to_string(j + 1) + " ";
    bool has_diagonal = false;
    for (Sparse::InnerIterator entry(matrix.real, j); entry && entry.row() <= j; ++entry) {
      write_entry(out, std::to_string(entry.row() + 1) + " " + column, entry.value());
      has_diagonal = entry.row() == j;
    }
    if (!has_diagonal) write_entry(out, column + column, 0);
  }
  if (!matrix.rows.empty()) {
    AtomicFile list(without_gz(file).replace_extension(".dof"));
    for (const FileDoF& dof : matrix.rows)
      list.write(std::to_string(dof.node) + "." + std::to_string(dof.component) + "\n");
    list.commit();
  }
  out.commit();
}

void write_abaqus_coordinate(const std::filesystem::path& file, const FileMatrix& matrix) {
  const StageTimer stage("write a file");
  const char* const format = "coordinate list of Abaqus";
  require_square(matrix, format);
  check_finite_to_write(matrix.real, format);
  const Sparse transposed = matrix.real.transpose();
  const Sparse A = is_exactly_symmetric(matrix.real) ? matrix.real : Sparse(matrix.real + 0. * transposed);
  const Index n = static_cast<Index>(A.cols());
  AtomicFile out(file);
  bool has_last = false;
  for (Index j = 0; j < n; ++j)
    for (Sparse::InnerIterator entry(A, j); entry; ++entry) {
      write_entry(out, std::to_string(entry.row() + 1) + " " + std::to_string(j + 1) + " ", entry.value());
      has_last = has_last || entry.row() == n - 1 || j == n - 1;
    }
  if (!has_last) write_entry(out, std::to_string(n) + " " + std::to_string(n) + " ", 0);
  out.commit();
}

void write_abaqus_matrix_input(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices) {
  const StageTimer stage("write a file");
  const char* const format = "matrix input of Abaqus";
  check_all_finite(matrices, format);
  AtomicFile out(file);
  for (const FileMatrix& matrix : matrices) {
    require_square(matrix, format);
    require_labels(matrix, format);
    check_labels(matrix, matrix.rows, format, std::numeric_limits<std::int64_t>::min(), 1000);
    if (matrix.name.empty() || matrix.name.find_first_of(",=*\n\r") != std::string::npos)
      throw InvalidInput(
          "'" + printable(matrix.name) +
          "' is not a valid name of a matrix in a file of Abaqus: a name must not be empty and must "
          "not contain commas, =, * or line ends. Give names by --names.");
    const bool is_symmetric = is_exactly_symmetric(matrix.real);
    out.write("*MATRIX INPUT, NAME=" + matrix.name +
              (is_symmetric ? ", TYPE=SYMMETRIC\n" : ", TYPE=UNSYMMETRIC\n"));
    const Sparse A = with_zeros_in_empty_rows(matrix.real, true);
    for (Index j = 0; j < A.cols(); ++j)
      for (Sparse::InnerIterator entry(A, j); entry; ++entry)
        if (!is_symmetric || entry.row() >= j)
          write_entry(out,
                      text_of(matrix.rows[static_cast<std::size_t>(entry.row())]) + ", " +
                          text_of(matrix.rows[static_cast<std::size_t>(j)]) + ", ",
                      entry.value());
  }
  out.commit();
}

double write_nastran_dmig(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices) {
  const StageTimer stage("write a file");
  check_all_finite(matrices, "file of DMIG cards");
  AtomicFile out(file);
  double error = 0;
  for (const FileMatrix& matrix : matrices)
    error = std::max(error, matrix.is_complex() ? write_dmig(out, matrix, matrix.complex())
                                                : write_dmig(out, matrix, matrix.real));
  out.commit();
  return error;
}

void write_op4_text(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices) {
  const StageTimer stage("write a file");
  check_all_finite(matrices, "file of OUTPUT4");
  AtomicFile out(file);
  for (const FileMatrix& matrix : matrices)
    if (matrix.is_complex())
      write_op4(out, matrix, matrix.complex());
    else
      write_op4(out, matrix, matrix.real);
  out.commit();
}

}  // namespace halfdof::internal
