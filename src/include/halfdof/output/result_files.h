// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/base/text_table.h>
#include <halfdof/base/types.h>

#include <Eigen/SparseCore>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace halfdof {

/// The size and the checksum of the beginning of a table. With a TablePrefix, a resumed run checks that a
/// file begins with the rows that the interrupted run has written.
struct TablePrefix {
  std::uintmax_t size = 0;     ///< number of bytes
  std::uint32_t checksum = 0;  ///< CRC-32 of these bytes, as computed by zlib's crc32()
};

/**
 * A table in a text file of comma-separated values (as in RFC 4180, but with \\n as line end), for
 * spreadsheets and plotting programs:
 *
 * @code
 * CsvTable table("response.csv", {"frequency [Hz]", "real", "imaginary"});
 * table.add_row({1.5, H.real(), H.imag()});
 * @endcode
 *
 * Numbers have the fewest digits (at most 17) that are read back as the same double; complex numbers are
 * written as in MATLAB, 1.5-2i. Text that contains a comma, a quote or a line end is quoted. Each row is
 * written to the file in one piece before add_row() returns, so that an interrupted run leaves a valid table.
 * If the disk is full, a row that was written in part is removed. For many short rows, gather_rows() is
 * faster: rows are then collected in memory until flush() writes them, which takes a fifth of the time.
 */
class CsvTable {
 public:
  /// Returns the size and the checksum of a whole file, with which rows can be added below the rows of
  /// another run. @throws FileError if the file cannot be read
  static TablePrefix whole(const std::filesystem::path& file);

  /// Checks that a table can be continued. @throws FileError unless the file can be read and begins with the
  /// given prefix
  static void check_can_go_on(const std::filesystem::path& file, const TablePrefix& prefix);

  /// Creates the file, or replaces an existing file. @throws FileError if the file cannot be written
  CsvTable(std::filesystem::path file, const std::vector<std::string>& columns);
  /// Continues a table that another run has begun: keeps the first `prefix.size` bytes of the file, and
  /// removes the rest. @param prefix The result of prefix() in the other run @throws FileError if the file is
  /// missing or does not begin with the prefix
  CsvTable(std::filesystem::path file, std::size_t n_columns, const TablePrefix& prefix);
  /// Calls flush(), and ignores errors.
  ~CsvTable();
  CsvTable(const CsvTable&) = delete;
  CsvTable& operator=(const CsvTable&) = delete;

  /// Adds a row. @throws InvalidInput unless there is one cell for each column
  /// @throws FileError if writing fails, for instance on a full disk
  void add_row(const std::vector<TableCell>& cells);

  /// Adds a row of a time series: the time, followed by the entries of a vector.
  void add_row(double time, const Vector& values);

  /// Collects all further rows in memory until flush() is called. If flush() fails, the rows remain in
  /// memory.
  void gather_rows() { gathers_ = true; }
  /// Returns the number of bytes of rows that were not written yet.
  std::size_t n_waiting() const { return waiting_.size(); }
  /// Writes all rows in memory to the file in one piece. @throws FileError if the rows cannot be written; the
  /// file is then unchanged
  void flush();
  /// Calls flush() and writes the file to the disk, so that it survives a failure of the machine.
  void sync();

  const std::filesystem::path& file() const { return file_; }

  /// Returns the size and the checksum of all rows that have been written to the file.
  const TablePrefix& prefix() const { return written_; }

 private:
  void write_line(const std::string& line, std::size_t n_cells);

  std::filesystem::path file_;
  std::size_t n_columns_;
  TablePrefix written_;
  std::string waiting_;
  bool gathers_ = false;
  int descriptor_ = -1;
};

/// A named variable of a MATLAB file: a real or complex matrix, dense or sparse (a vector is n x 1), or text.
class MatlabVariable {
 public:
  using Sparse = Eigen::SparseMatrix<double>;
  using ComplexSparse = Eigen::SparseMatrix<Complex>;
  using Value = std::variant<MultiVector, ComplexMultiVector, Sparse, ComplexSparse, std::string>;

  MatlabVariable(std::string name, ConstView<double> matrix)
      : name_(std::move(name)), value_(MultiVector(matrix)) {}
  MatlabVariable(std::string name, ConstView<Complex> matrix)
      : name_(std::move(name)), value_(ComplexMultiVector(matrix)) {}
  MatlabVariable(std::string name, Sparse matrix) : name_(std::move(name)), value_(std::move(matrix)) {}
  MatlabVariable(std::string name, ComplexSparse matrix)
      : name_(std::move(name)), value_(std::move(matrix)) {}
  MatlabVariable(std::string name, std::string text) : name_(std::move(name)), value_(std::move(text)) {}

  const std::string& name() const { return name_; }
  const Value& value() const { return value_; }

 private:
  std::string name_;
  Value value_;
};

/**
 * Writes a MATLAB file (.mat, version 5, uncompressed), which MATLAB, Octave and SciPy can load:
 *
 * @code
 * write_matlab_file("mount.mat", {{"A", A}, {"B", B}, {"K", stiffness}, {"state_order", "q_I, q_C, v_I"}});
 * @endcode
 *
 * Stored zeros of sparse matrices are kept. The file appears under its name only when it is complete (see
 * AtomicFile).
 *
 * @throws InvalidInput if a name is not a MATLAB identifier (a letter, then letters, digits and underscores,
 *     at most 63 characters in total) or is used twice, if text is not ASCII, or if a variable exceeds 2 GiB,
 *     the limit of version 5
 * @throws FileError if the file cannot be written
 */
void write_matlab_file(const std::filesystem::path& file, const std::vector<MatlabVariable>& variables);

}  // namespace halfdof
