#include <halfdof/output/csv_table.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>

namespace halfdof {

namespace {

void append(std::string& line, GlobalIndex number) {
  line += std::to_string(number);
}

void append(std::string& line, double number) {
  if (std::isnan(number)) {  // to_chars would tell "nan" from "-nan"
    line += "nan";
    return;
  }
  char digits[32];
  line.append(digits, std::to_chars(digits, digits + sizeof digits, number + 0.).ptr);  // -0 has no sign
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

}  // namespace

CsvTable::CsvTable(std::filesystem::path file, const std::vector<std::string>& columns)
    : file_(std::move(file)), n_columns_(columns.size()) {
  descriptor_ = open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw FileError(file_, "the table cannot be written: " + system_message(errno));
  add_row(std::vector<TableCell>(columns.begin(), columns.end()));
}

void CsvTable::check_can_go_on(const std::filesystem::path& file, std::uintmax_t size) {
  std::error_code error;
  const std::uintmax_t found = std::filesystem::file_size(file, error);
  if (error) throw FileError(file, "the table to go on with cannot be read: " + error.message() + ".");
  if (found < size)
    throw FileError(file, "the table has " + std::to_string(found) + " bytes, but had " +
                              std::to_string(size) + " when it was left. It cannot be gone on with.");
}

CsvTable::CsvTable(std::filesystem::path file, std::size_t n_columns, std::uintmax_t size)
    : file_(std::move(file)), n_columns_(n_columns), size_(size) {
  check_can_go_on(file_, size);
  std::error_code error;
  std::filesystem::resize_file(file_, size, error);
  if (!error) descriptor_ = open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor_ < 0)
    throw FileError(
        file_, "the table cannot be written: " + (error ? error.message() + "." : system_message(errno)));
}

CsvTable::~CsvTable() {
  close(descriptor_);
}

void CsvTable::add_row(const std::vector<TableCell>& cells) {
  std::string line;
  for (const TableCell& cell : cells) {
    if (&cell != cells.data()) line += ',';
    std::visit([&line](const auto& value) { append(line, value); }, cell.value());
  }
  write_line(std::move(line), cells.size());
}

void CsvTable::add_row(double time, const Vector& values) {
  std::string line;
  append(line, time);
  for (const double value : values) {
    line += ',';
    append(line, value);
  }
  write_line(std::move(line), static_cast<std::size_t>(values.size()) + 1);
}

void CsvTable::write_line(std::string line, std::size_t n_cells) {
  if (n_cells != n_columns_)
    throw InvalidInput("A row of " + file_.string() + " has " + std::to_string(n_cells) +
                       " cells, but the table has " + std::to_string(n_columns_) +
                       " columns. Give one cell for each column.");
  line += '\n';
  for (std::size_t begin = 0; begin < line.size();) {
    const ssize_t n_written = write(descriptor_, line.data() + begin, line.size() - begin);
    if (n_written < 0 && errno == EINTR) continue;
    if (n_written < 0) {
      const std::string reason = system_message(errno);
      static_cast<void>(ftruncate(descriptor_, static_cast<off_t>(size_)) ==
                        0);  // pipes have no rows to take back
      throw FileError(file_, "writing failed: " + reason);
    }
    begin += static_cast<std::size_t>(n_written);
  }
  size_ += line.size();
}

}  // namespace halfdof
