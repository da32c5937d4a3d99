// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/output/result_files.h>

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>

namespace halfdof {

namespace {

void append(std::string& line, GlobalIndex number) {
  line += std::to_string(number);
}

void append(std::string& line, double number) {
  if (std::isnan(number)) {  // to_chars would distinguish "nan" and "-nan"
    line += "nan";
    return;
  }
  char digits[32];
  line.append(
      digits,
      std::to_chars(digits, digits + sizeof digits, number + 0.).ptr);  // adding zero removes the sign of -0
}

void append(std::string& line, Complex number) {
  append(line, number.real());
  if (!(number.imag() < 0)) line += '+';
  append(line, number.imag());
  line += 'i';
}

void append(std::string& line, const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text)
    line += c == '"' ? std::string("\"\"") : std::string(1, c);
  line += '"';
}

std::uint32_t extend_checksum(std::uint32_t checksum, const char* text, std::size_t size) {
  return static_cast<std::uint32_t>(crc32_z(checksum, reinterpret_cast<const Bytef*>(text), size));
}

std::uintmax_t size_of_table(const std::filesystem::path& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error)
    throw FileError(file, "the table that should be continued cannot be read: " + error.message() + ".");
  return size;
}

/// Returns the checksum of the first `size` bytes of a file, or of the whole file if the file is shorter.
std::uint32_t checksum_of(const std::filesystem::path& file, std::uintmax_t size) {
  std::ifstream in(file, std::ios::binary);
  std::vector<char> block(std::size_t(1) << 20);
  std::uint32_t checksum = 0;
  while (size > 0 && in) {
    in.read(block.data(), static_cast<std::streamsize>(std::min<std::uintmax_t>(size, block.size())));
    checksum = extend_checksum(checksum, block.data(), static_cast<std::size_t>(in.gcount()));
    size -= static_cast<std::uintmax_t>(in.gcount());
  }
  return checksum;
}

}  // namespace

CsvTable::CsvTable(std::filesystem::path file, const std::vector<std::string>& columns)
    : file_(std::move(file)), n_columns_(columns.size()) {
  descriptor_ = open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw FileError(file_, "the table cannot be written: " + system_message(errno));
  add_row(std::vector<TableCell>(columns.begin(), columns.end()));
}

TablePrefix CsvTable::whole(const std::filesystem::path& file) {
  const std::uintmax_t size = size_of_table(file);
  return {size, checksum_of(file, size)};
}

void CsvTable::check_can_go_on(const std::filesystem::path& file, const TablePrefix& prefix) {
  const std::uintmax_t found = size_of_table(file);
  if (found < prefix.size)
    throw FileError(
        file, "the table has " + std::to_string(found) + " bytes, but had " + std::to_string(prefix.size) +
                  " bytes when the run was interrupted. The table cannot be continued. Restore the "
                  "file, or start the run again.");
  if (checksum_of(file, prefix.size) != prefix.checksum)
    throw FileError(file,
                    "the first " + std::to_string(prefix.size) +
                        " bytes of the table have changed since the run was interrupted (their CRC-32 "
                        "differs). The table cannot be continued. Restore the file, or start the run again.");
}

CsvTable::CsvTable(std::filesystem::path file, std::size_t n_columns, const TablePrefix& prefix)
    : file_(std::move(file)), n_columns_(n_columns), written_(prefix) {
  check_can_go_on(file_, prefix);
  std::error_code error;
  std::filesystem::resize_file(file_, prefix.size, error);
  if (!error) descriptor_ = open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor_ < 0)
    throw FileError(
        file_, "the table cannot be written: " + (error ? error.message() + "." : system_message(errno)));
}

CsvTable::~CsvTable() {
  try {
    flush();
  } catch (const FileError&) {
    // A destructor must not throw. To get errors, call flush() before.
  }
  close(descriptor_);
}

void CsvTable::add_row(const std::vector<TableCell>& cells) {
  std::string line;
  for (const TableCell& cell : cells) {
    if (&cell != cells.data()) line += ',';
    std::visit([&line](const auto& value) { append(line, value); }, cell.value());
  }
  write_line(line, cells.size());
}

void CsvTable::add_row(double time, const Vector& values) {
  std::string line;
  append(line, time);
  for (const double value : values) {
    line += ',';
    append(line, value);
  }
  write_line(line, static_cast<std::size_t>(values.size()) + 1);
}

void CsvTable::write_line(const std::string& line, std::size_t n_cells) {
  if (n_cells != n_columns_)
    throw InvalidInput("A row of " + file_.string() + " has " + std::to_string(n_cells) +
                       " cells, but the table has " + std::to_string(n_columns_) +
                       " columns. Give one cell for each column.");
  waiting_ += line;
  waiting_ += '\n';
  if (!gathers_) flush();
}

void CsvTable::flush() {
  for (std::size_t begin = 0; begin < waiting_.size();) {
    const ssize_t n_written = write(descriptor_, waiting_.data() + begin, waiting_.size() - begin);
    if (n_written < 0 && errno == EINTR) continue;
    if (n_written < 0) {
      const std::string reason = system_message(errno);
      static_cast<void>(ftruncate(descriptor_, static_cast<off_t>(written_.size)) ==
                        0);  // this fails for pipes, where no row can be removed
      if (!gathers_) waiting_.clear();
      throw FileError(file_, "writing failed: " + reason);
    }
    begin += static_cast<std::size_t>(n_written);
  }
  written_.checksum = extend_checksum(written_.checksum, waiting_.data(), waiting_.size());
  written_.size += waiting_.size();
  waiting_.clear();
}

void CsvTable::sync() {
  flush();
  // fsync() fails with EINVAL or EROFS for pipes and devices, which need no synchronization.
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS)
    throw FileError(file_, "writing failed: " + system_message(errno));
}

}  // namespace halfdof
