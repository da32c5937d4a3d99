#pragma once

#include <halfdof/base/file_error.h>
#include <halfdof/base/table_cell.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace halfdof {

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
 * row that finds the disk full is taken back.
 */
class CsvTable {
 public:
  /// @throws FileError unless the file has at least so many bytes, and can so be gone on with
  static void check_can_go_on(const std::filesystem::path& file, std::uintmax_t size);

  /// Begins the file, replacing an old one. @throws FileError if that is impossible
  CsvTable(std::filesystem::path file, const std::vector<std::string>& columns);
  /// Goes on with a table that was begun before, of which `size` bytes are kept, as size() told.
  /// @throws FileError if it is shorter, or missing
  CsvTable(std::filesystem::path file, std::size_t n_columns, std::uintmax_t size);
  ~CsvTable();
  CsvTable(const CsvTable&) = delete;
  CsvTable& operator=(const CsvTable&) = delete;

  /// @throws InvalidInput unless there is one cell for each column
  /// @throws FileError if writing fails, for instance on a full disk
  void add_row(const std::vector<TableCell>& cells);

  /// A row of a time series: the time first, then the entries of a vector.
  void add_row(double time, const Vector& values);

  const std::filesystem::path& file() const { return file_; }

  /// Bytes of the rows so far.
  std::uintmax_t size() const { return size_; }

 private:
  void write_line(std::string line, std::size_t n_cells);

  std::filesystem::path file_;
  std::size_t n_columns_;
  std::uintmax_t size_ = 0;
  int descriptor_ = -1;
};

}  // namespace halfdof
