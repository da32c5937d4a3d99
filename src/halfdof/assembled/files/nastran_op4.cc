// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/fortran_fields.h>
#include <halfdof/assembled/files/listed_entries.h>
#include <halfdof/assembled/files/nastran_op4.h>
#include <halfdof/base/text_scanner.h>

#include <algorithm>
#include <limits>

namespace halfdof::internal {

namespace {

/// The header of a matrix.
struct Op4Header {
  std::string name;
  Index n_rows = 0, n_columns = 0;
  bool is_complex = false, has_doubles = false, is_big = false;
  std::size_t width = 0;  ///< width of a value [characters]
  /// Returns the number of words of a real number.
  GlobalIndex n_words() const { return has_doubles ? 2 : 1; }
};

/// The position of the first value of a string or of a dense column in the matrix.
struct ValuePosition {
  Index column = 0, row = 0;  ///< counted from zero
};

class Op4Reader {
 public:
  explicit Op4Reader(const std::filesystem::path& file) : scanner_(file, '\n') { next_line(); }

  std::vector<FileMatrix> read() {
    std::vector<FileMatrix> matrices;
    if (is_at_end_) fail("the file is empty; it should begin with the header of a matrix.");
    while (!is_at_end_)
      matrices.push_back(read_matrix());
    return matrices;
  }

 private:
  FileMatrix read_matrix() {
    read_header();
    entries_.clear();
    imaginary_.clear();
    while (read_column())
      ;
    const auto n_entries = static_cast<GlobalIndex>(entries_.size());
    if (!is_plausible(std::max(header_.n_rows, header_.n_columns), n_entries))
      fail("the header of matrix " + shown(header_.name) + " states the size " +
           std::to_string(header_.n_rows) + " x " + std::to_string(header_.n_columns) +
           ", but the matrix has only " + std::to_string(n_entries) +
           " entries: the size is probably wrong.");
    FileMatrix matrix;
    matrix.name = header_.name;
    matrix.real = compressed(scanner_.file(), header_.n_rows, header_.n_columns, entries_, Mirror::none);
    if (header_.is_complex)
      matrix.imaginary =
          compressed(scanner_.file(), header_.n_rows, header_.n_columns, imaginary_, Mirror::none);
    return matrix;
  }

  void read_header() {
    header_ = Op4Header();
    header_.name = trimmed(field(line_, 32, 8));
    header_.n_columns = size(field(line_, 0, 8), "the number of columns");
    GlobalIndex n_rows = number(field(line_, 8, 8), "the number of rows");
    header_.is_big = n_rows < 0;
    header_.n_rows = checked_size(n_rows < 0 ? -n_rows : n_rows, "the number of rows");
    const GlobalIndex form = number(field(line_, 16, 8), "the form of the matrix"),
                      type = number(field(line_, 24, 8), "the type of the matrix");
    if (form != 1 && form != 2 && form != 6)
      fail("the form of matrix " + shown(header_.name) + " is " + std::to_string(form) +
           "; known are 1 (square), 2 (rectangular) and 6 (symmetric).");
    if (type < 1 || type > 4)
      fail("the type of matrix " + shown(header_.name) + " is " + std::to_string(type) +
           "; known are 1 and 2 (real), 3 and 4 (complex).");
    header_.is_complex = type > 2;
    header_.has_doubles = type % 2 == 0;
    read_format(trimmed(field(line_, 40, line_.size())));
    next_line();
  }

  /// Reads the width of a value from a format such as 1P,3E23.16.
  void read_format(std::string_view format) {
    const std::size_t letter = format.find_first_of("EDed"), point = format.find('.');
    const std::optional<GlobalIndex> width = letter < point && point != std::string_view::npos
                                                 ? whole_number(format.substr(letter + 1, point - letter - 1))
                                                 : std::nullopt;
    if (!width || *width < 3 || *width > 80)
      fail("the format of matrix " + shown(header_.name) + " is '" + shown(format) +
           "'; a Fortran format such as 1P,3E23.16 is expected.");
    header_.width = static_cast<std::size_t>(*width);
  }

  /// Reads a column. Returns false if the record ends the matrix and is not a column.
  bool read_column() {
    require_line("a column, or the end of the matrix, which is column " +
                 std::to_string(GlobalIndex(header_.n_columns) + 1));
    const GlobalIndex column = number(field(line_, 0, 8), "the column"),
                      row = number(field(line_, 8, 8), "the first row"),
                      n_words = number(field(line_, 16, 8), "the number of words");
    require_blank(24);
    if (column < 1 || column > GlobalIndex(header_.n_columns) + 1)
      fail("the column is " + std::to_string(column) + ", which lies outside 1 ... " +
           std::to_string(header_.n_columns) + ".");
    if (n_words < 1)
      fail("the number of words is " + std::to_string(n_words) + "; at least one is expected.");
    const bool is_end = column > header_.n_columns;
    const GlobalIndex line = scanner_.line();
    next_line();
    ValuePosition position;
    position.column = static_cast<Index>(column - 1);
    if (is_end)
      read_dummy();
    else if (row == 0)
      read_strings(position, n_words);
    else
      read_dense(position, row, n_words, line);
    return !is_end;
  }

  /// Skips the dummy value after the last column.
  void read_dummy() {
    require_line("the dummy value that ends the matrix");
    if (!real_number(field(line_, 0, header_.width)))
      fail("'" + shown(line_) + "' is not the dummy value that ends a matrix.");
    while (!is_at_end_ && line_.find('.') != std::string_view::npos &&
           line_.find(',') == std::string_view::npos)
      next_line();
  }

  void read_strings(ValuePosition position, GlobalIndex n_words) {
    while (n_words > 0) {
      require_line("a string of column " + std::to_string(position.column + 1));
      GlobalIndex length = 0, row = 0;
      if (header_.is_big) {
        length = number(field(line_, 0, 8), "the length of the string");
        row = number(field(line_, 8, 8), "the row of the string");
        require_blank(16);
      } else {
        const GlobalIndex both = number(line_, "the length and row of the string");
        length = both / 65536;
        row = both % 65536;
      }
      n_words -= length + (header_.is_big ? 1 : 0);
      const GlobalIndex n_words_of_values = length - 1;
      if (length < 2 || n_words < 0 || n_words_of_values % words_of_entry() != 0)
        fail("the string has " + std::to_string(n_words_of_values) + " words, but whole entries of " +
             std::to_string(words_of_entry()) +
             " words within the number of words of the column are expected.");
      position.row = row_of(row, n_words_of_values / words_of_entry());
      next_line();
      read_values(position, n_words_of_values / header_.n_words());
    }
  }

  void read_dense(ValuePosition position, GlobalIndex row, GlobalIndex n_words, GlobalIndex line) {
    // Some programs count each value as one word, and others count each double as two words.
    GlobalIndex n_values = 0;
    const GlobalIndex per_entry = header_.is_complex ? 2 : 1;
    position.row = row_of(row, 1);
    while (n_values < n_words && !is_at_end_ && line_.find('.') != std::string_view::npos)
      n_values += read_line(position, n_values, n_words - n_values);
    if ((n_values != n_words && n_values * header_.n_words() != n_words) || n_values % per_entry != 0)
      throw FileError(scanner_.file(), line,
                      "column " + std::to_string(position.column + 1) + " should have " +
                          std::to_string(n_words) + " words, but " + std::to_string(n_values) +
                          " values follow.");
  }

  void read_values(const ValuePosition& position, GlobalIndex n) {
    for (GlobalIndex n_done = 0; n_done < n;) {
      require_line("a line of values");
      n_done += read_line(position, n_done, n - n_done);
    }
  }

  /// Reads the values of the current line, and returns their number.
  /// @param n_done Number of values in the lines before @param n Number of values in this line and the next
  ///     lines
  GlobalIndex read_line(const ValuePosition& position, GlobalIndex n_done, GlobalIndex n) {
    const std::size_t width = header_.width;
    GlobalIndex k = 0;
    for (std::size_t begin = 0; begin < line_.size() && !trimmed(line_.substr(begin)).empty();
         begin += width, ++k) {
      const std::string_view text = field(line_, begin, width);
      const std::optional<double> value = real_number(text);
      if (!value || text.size() < width)
        fail("the value is '" + shown(text) + "'; a finite number in double precision in " +
             std::to_string(width) + " characters is expected.");
      if (k == n) fail("the line has more values than the " + std::to_string(n) + " that are left.");
      add(position, n_done + k, *value);
    }
    if (k == 0) fail("a line of values is expected, not a blank one.");
    next_line();
    return k;
  }

  void add(const ValuePosition& position, GlobalIndex k, double value) {
    const GlobalIndex row = position.row + (header_.is_complex ? k / 2 : k);
    if (row >= header_.n_rows)
      fail("row " + std::to_string(row + 1) + " lies outside 1 ... " + std::to_string(header_.n_rows) + ".");
    std::vector<ListedEntry>& entries = header_.is_complex && k % 2 == 1 ? imaginary_ : entries_;
    entries.push_back({static_cast<Index>(row), position.column, value});
  }

  /// Returns the number of words of an entry, real or complex, in a string.
  GlobalIndex words_of_entry() const { return header_.n_words() * (header_.is_complex ? 2 : 1); }

  Index row_of(GlobalIndex row, GlobalIndex n_entries) const {
    if (row < 1 || row > header_.n_rows || n_entries > header_.n_rows - row + 1)
      fail(std::to_string(n_entries) + " rows from row " + std::to_string(row) + " on lie outside 1 ... " +
           std::to_string(header_.n_rows) + ".");
    return static_cast<Index>(row - 1);
  }

  /// Reads the next line that is not blank.
  void next_line() {
    do
      is_at_end_ = !scanner_.next_whole_line(line_);
    while (!is_at_end_ && trimmed(line_).empty());
  }

  void require_line(const std::string& what) const {
    if (is_at_end_)
      fail("the file ends in matrix " + shown(header_.name) + " before " + what +
           ". The file is probably cut off.");
  }

  void require_blank(std::size_t begin) const {
    if (!trimmed(field(line_, begin, line_.size())).empty())
      fail("the line continues with '" + shown(trimmed(line_.substr(begin))) + "' where it should end.");
  }

  GlobalIndex number(std::string_view field, const char* quantity) const {
    const std::optional<GlobalIndex> number = whole_number(field);
    if (!number)
      fail(std::string(quantity) + " is '" + shown(trimmed(field)) + "', which is no whole number.");
    return *number;
  }

  Index size(std::string_view field, const char* quantity) const {
    return checked_size(number(field, quantity), quantity);
  }

  Index checked_size(GlobalIndex size, const char* quantity) const {
    if (size < 0 || size >= std::numeric_limits<Index>::max() - 1)
      fail(std::string(quantity) + " is " + std::to_string(size) + "; 0 to 2^31 - 3 are possible.");
    return static_cast<Index>(size);
  }

  [[noreturn]] void fail(const std::string& reason) const { scanner_.fail(reason); }

  TextScanner scanner_;
  std::string_view line_;
  bool is_at_end_ = false;
  Op4Header header_;
  std::vector<ListedEntry> entries_, imaginary_;
};

}  // namespace

std::vector<FileMatrix> read_op4_text(const std::filesystem::path& file) {
  return Op4Reader(file).read();
}

}  // namespace halfdof::internal
