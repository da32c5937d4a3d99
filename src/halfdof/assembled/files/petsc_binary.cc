// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/byte_reader.h>
#include <halfdof/assembled/files/column_storage.h>
#include <halfdof/assembled/files/petsc_binary.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/profile.h>

#include <limits>
#include <new>

namespace halfdof::internal {

namespace {

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

constexpr std::int64_t matrix_id = 1211216, vector_id = 1211214;
constexpr std::int64_t dense_mark = -1;  ///< the number of entries that a file states for a dense matrix

/// The configuration of the PETSc library that wrote a file.
struct Configuration {
  std::uint64_t integer_size = 4;  ///< 4 or 8 [bytes]
  std::uint64_t scalar_size = 8;   ///< 8: real, 16: complex [bytes]
  bool is_complex() const { return scalar_size == 16; }
};

std::int64_t integer_at(const char* p, std::uint64_t size) {
  return size == 4 ? number_at<std::int32_t>(p, ByteOrder::big) : number_at<std::int64_t>(p, ByteOrder::big);
}

/// A matrix or a vector of a file, with pointers to its arrays.
struct Record {
  std::uint64_t begin = 0;
  std::int64_t id = 0, n_rows = 0, n_columns = 0, n_entries = 0;
  const char *row_lengths = nullptr, *columns = nullptr, *values = nullptr;
};

std::uint64_t checked_size(std::int64_t size, const char* quantity, const ByteReader& reader) {
  if (size < 0)
    reader.fail(std::string(quantity) + " before this byte is " + std::to_string(size) +
                "; it must not be negative.");
  return static_cast<std::uint64_t>(size);
}

Record next_record(ByteReader& reader, const Configuration& configuration) {
  const auto integer = [&](const char* quantity) {
    return integer_at(reader.take(1, configuration.integer_size, quantity), configuration.integer_size);
  };
  Record record;
  record.begin = reader.position();
  record.id = integer("a class id");
  if (record.id != matrix_id && record.id != vector_id) {
    reader.go_to(record.begin);
    reader.fail("the class id " + std::to_string(matrix_id) +
                " of a matrix of PETSc is expected here, but the file contains " + std::to_string(record.id) +
                ".");
  }
  record.n_rows = integer("the number of rows");
  const std::uint64_t n_rows = checked_size(record.n_rows, "the number of rows", reader);
  if (record.id == vector_id) {
    record.values = reader.take(n_rows, configuration.scalar_size, "the values of a vector");
    return record;
  }
  record.n_columns = integer("the number of columns");
  const std::uint64_t n_columns = checked_size(record.n_columns, "the number of columns", reader);
  record.n_entries = integer("the number of entries");
  if (record.n_entries == dense_mark) {
    if (n_columns > 0 && n_rows > reader.n_left() / n_columns)
      reader.fail("the file ends before the values of a dense matrix of " + std::to_string(n_rows) + " x " +
                  std::to_string(n_columns) + ".");
    record.values = reader.take(n_rows * n_columns, configuration.scalar_size, "the values");
    return record;
  }
  const std::uint64_t n_entries = checked_size(record.n_entries, "the number of entries", reader);
  record.row_lengths = reader.take(n_rows, configuration.integer_size, "the numbers of entries of the rows");
  record.columns = reader.take(n_entries, configuration.integer_size, "the columns of the entries");
  record.values = reader.take(n_entries, configuration.scalar_size, "the values of the entries");
  return record;
}

/// Returns all records of a file. @throws FileError if the last record does not end at the end of the file
std::vector<Record> records_of(ByteReader reader, const Configuration& configuration) {
  std::vector<Record> records;
  do
    records.push_back(next_record(reader, configuration));
  while (!reader.at_end());
  return records;
}

/// Whether the lengths of all records add up to the size of the file if PETSc had the given configuration.
bool file_matches(const ByteReader& reader, const Configuration& configuration) {
  try {
    records_of(reader, configuration);
    return true;
  } catch (const FileError&) {
    return false;
  }
}

/// Finds the configuration: the size of integers by the first class id, and the size of scalars by the size
/// of the file.
Configuration configuration_of(ByteReader reader) {
  Configuration configuration;
  if (reader.size() >= 8 && reader.number<std::int32_t>("a class id") == 0) configuration.integer_size = 8;
  reader.go_to(0);
  Configuration complex = configuration;
  complex.scalar_size = 16;
  return !file_matches(reader, configuration) && file_matches(reader, complex) ? complex : configuration;
}

/// Writes the real parts (offset 0) or the imaginary parts (offset 8) of n values to `values`.
void copy_values(const char* p, std::uint64_t offset, const Configuration& configuration, Index n,
                 double* values) {
  p += offset;
  for (Index k = 0; k < n; ++k, p += configuration.scalar_size)
    values[k] = number_at<double>(p, ByteOrder::big);
}

Eigen::SparseMatrix<double> sparse_part(const Record& record, std::uint64_t offset,
                                        const Configuration& configuration, const RejectFile& refuse) {
  const auto n = static_cast<Index>(record.n_entries);
  SparseRows A(static_cast<Index>(record.n_rows), static_cast<Index>(record.n_columns));
  A.resizeNonZeros(n);
  std::int64_t end = 0;
  for (Index i = 0; i < A.rows(); ++i) {
    const std::int64_t length =
        integer_at(record.row_lengths + configuration.integer_size * static_cast<std::uint64_t>(i),
                   configuration.integer_size);
    if (length < 0 || length > n - end)
      refuse("row " + std::to_string(i) + " (counted from zero) should have " + std::to_string(length) +
             " entries, but only " + std::to_string(n - end) + " of the " + std::to_string(n) +
             " entries are left.");
    end += length;
    A.outerIndexPtr()[i + 1] = static_cast<Index>(end);
  }
  const char* p = record.columns;
  for (Index k = 0; k < n; ++k, p += configuration.integer_size) {
    const std::int64_t column = integer_at(p, configuration.integer_size);
    if (column < 0 || column >= record.n_columns)
      refuse("the column of entry " + std::to_string(k) + " is " + std::to_string(column) +
             ", which lies outside 0 ... " + std::to_string(record.n_columns - 1) + ".");
    A.innerIndexPtr()[k] = static_cast<Index>(column);
  }
  copy_values(record.values, offset, configuration, n, A.valuePtr());
  return by_columns(std::move(A), refuse);
}

Eigen::SparseMatrix<double> dense_part(const Record& record, std::uint64_t offset,
                                       const Configuration& configuration, const RejectFile& refuse) {
  const auto value = [&](std::size_t k) {
    return number_at<double>(record.values + offset + k * configuration.scalar_size, ByteOrder::big);
  };
  return nonzeros<Eigen::RowMajor>(static_cast<Index>(record.n_rows), static_cast<Index>(record.n_columns),
                                   value, refuse);
}

FileMatrix matrix_of(ByteReader reader, const Record& record, const Configuration& configuration) {
  reader.go_to(record.begin);
  const RejectFile refuse = [&](const std::string& reason) {
    reader.fail("in the matrix that begins here, " + reason);
  };
  if (record.id == vector_id)
    reader.fail("a vector (Vec, class id " + std::to_string(vector_id) + ") with " +
                std::to_string(record.n_rows) +
                " entries begins here, but only matrices are supported. Write the "
                "matrices to a file without vectors.");
  const auto part = [&](std::uint64_t offset) {
    if (record.n_entries == dense_mark) {
      check_dense_size(record.n_rows, record.n_columns, refuse);
      return dense_part(record, offset, configuration, refuse);
    }
    check_sparse_size(record.n_rows, record.n_columns, record.n_entries, refuse);
    return sparse_part(record, offset, configuration, refuse);
  };
  FileMatrix matrix;
  part(0).swap(matrix.real);
  if (configuration.is_complex()) part(8).swap(matrix.imaginary);
  check_finite(matrix, 0, refuse);
  return matrix;
}

std::vector<FileMatrix> matrices_of(const std::filesystem::path& file) {
  const ByteBlock bytes = read_bytes(file);
  const ByteReader reader(file, {bytes.data.get(), bytes.size}, ByteOrder::big);
  const Configuration configuration = configuration_of(reader);
  std::vector<FileMatrix> matrices;
  for (const Record& record : records_of(reader, configuration))
    matrices.push_back(matrix_of(reader, record, configuration));
  for (std::size_t k = 0; k < matrices.size() && matrices.size() > 1; ++k)
    matrices[k].name = std::to_string(k + 1);
  return matrices;
}

/// Writes n numbers in big-endian order, block by block.
template <class Number>
void write_numbers(AtomicFile& out, const Number* numbers, std::int64_t n) {
  constexpr std::int64_t block_size = 4096;
  std::string block;
  for (std::int64_t begin = 0; begin < n; begin += block_size) {
    const std::int64_t end = std::min(n, begin + block_size);
    block.resize(static_cast<std::size_t>(end - begin) * sizeof(Number));
    for (std::int64_t k = begin; k < end; ++k) {
      const auto swapped = number_at<Number>(reinterpret_cast<const char*>(numbers + k), ByteOrder::big);
      std::memcpy(block.data() + static_cast<std::size_t>(k - begin) * sizeof(Number), &swapped,
                  sizeof swapped);
    }
    out.write(block);
  }
}

void write_matrix(AtomicFile& out, const Eigen::SparseMatrix<double>& matrix) {
  check_finite_to_write(matrix, "file of PETSc");
  SparseRows A(matrix);
  A.makeCompressed();
  const Index header[4] = {static_cast<Index>(matrix_id), static_cast<Index>(A.rows()),
                           static_cast<Index>(A.cols()), static_cast<Index>(A.nonZeros())};
  std::vector<Index> row_lengths;
  row_lengths.reserve(static_cast<std::size_t>(A.rows()));
  for (Index i = 0; i < A.rows(); ++i)
    row_lengths.push_back(A.outerIndexPtr()[i + 1] - A.outerIndexPtr()[i]);
  write_numbers(out, header, 4);
  write_numbers(out, row_lengths.data(), A.rows());
  write_numbers(out, A.innerIndexPtr(), A.nonZeros());
  write_numbers(out, A.valuePtr(), A.nonZeros());
}

}  // namespace

std::vector<FileMatrix> read_petsc(const std::filesystem::path& file) {
  try {
    return matrices_of(file);
  } catch (const std::bad_alloc&) {
    throw FileError(file, "what the file holds does not fit in the memory.");
  }
}

void write_petsc(const std::filesystem::path& file, const std::vector<FileMatrix>& matrices) {
  const StageTimer stage("write a file");
  AtomicFile out(file);
  for (const FileMatrix& matrix : matrices)
    write_matrix(out, matrix.real);
  out.commit();
}

void write_petsc(const std::filesystem::path& file, const Eigen::SparseMatrix<double>& matrix) {
  FileMatrix only;
  only.real = matrix;
  write_petsc(file, {only});
}

}  // namespace halfdof::internal
