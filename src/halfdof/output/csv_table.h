#pragma once

#include <halfdof/base/file_error.h>
#include <halfdof/base/table_cell.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace halfdof {

/// The first bytes of a table, by which a run that goes on recognizes what it left.
struct TablePrefix {
  std::uintmax_t size = 0;     ///< bytes
  std::uint32_t checksum = 0;  ///< CRC-32 of them, as zlib's crc32() computes it
};

/**
 * A table as a text file of comma-separated values (as in RFC 4180, but with \\n as line end), for
 * spreadsheets and plotting programs:
 *
 * @code
 * CsvTable table("response.csv", {"frequency [Hz]", "real", "imaginary"});
 * table.add_row({1.5, H.real(), H.imag()});
 * @endcode
 *
 * Numbers have the fewest digits (at most 17) that read back as the same double; complex ones are written as
 * MATLAB does, 1.5-2i. Text that holds a comma, a quote or a line end is quoted. Each row reaches the file in
 * one piece before add_row() returns, so that an interrupted run leaves a valid table of the rows so far; a
 * row that finds the disk full is taken back. Where rows are many and short, gather_rows() lets them wait for
 * flush(), which costs a fifth of the time.
 */
class CsvTable {
 public:
  /// The prefix that is all of a file, to add rows below what another run has written.
  /// @throws FileError if the file cannot be read
  static TablePrefix whole(const std::filesystem::path& file);

  /// @throws FileError unless the file begins with these bytes, and can so be gone on with
  static void check_can_go_on(const std::filesystem::path& file, const TablePrefix& prefix);

  /// Begins the file, replacing an old one. @throws FileError if that is impossible
  CsvTable(std::filesystem::path file, const std::vector<std::string>& columns);
  /// Goes on with a table that was begun before, of which only `prefix` is kept, as prefix() told.
  /// @throws FileError if it does not begin so, or is missing
  CsvTable(std::filesystem::path file, std::size_t n_columns, const TablePrefix& prefix);
  /// Flushes, without a word on what fails then.
  ~CsvTable();
  CsvTable(const CsvTable&) = delete;
  CsvTable& operator=(const CsvTable&) = delete;

  /// @throws InvalidInput unless there is one cell for each column
  /// @throws FileError if writing fails, for instance on a full disk
  void add_row(const std::vector<TableCell>& cells);

  /// A row of a time series: the time first, then the entries of a vector.
  void add_row(double time, const Vector& values);

  /// From here on rows wait in memory until flush(); those that find the disk full go on waiting.
  void gather_rows() { gathers_ = true; }
  /// Bytes that wait.
  std::size_t n_waiting() const { return waiting_.size(); }
  /// Writes the rows that wait, in one piece. @throws FileError if that fails: then the file ends where it
  /// did before
  void flush();
  /// flush(), and brings the file to the disk, so that it survives a failure of the machine.
  void sync();

  const std::filesystem::path& file() const { return file_; }

  /// The rows that have reached the file.
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

}  // namespace halfdof
