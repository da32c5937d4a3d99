// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/fortran_fields.h>
#include <halfdof/assembled/files/harwell_boeing.h>
#include <halfdof/assembled/files/listed_entries.h>
#include <halfdof/base/letter_case.h>
#include <halfdof/base/text_scanner.h>

#include <algorithm>
#include <limits>

namespace halfdof::internal {

namespace {

/// The header lines of a file.
struct Header {
  std::string key, type;
  bool has_right_sides = false;
  Index n_rows = 0, n_columns = 0;
  GlobalIndex n_entries = 0;
  FortranFormat starts, rows, values;
};

class HarwellBoeingReader {
 public:
  explicit HarwellBoeingReader(const std::filesystem::path& file) : scanner_(file, '\n') {}

  FileMatrix read() {
    read_header();
    const std::vector<GlobalIndex> starts = read_starts();
    std::vector<ListedEntry> entries = read_rows(starts), imaginary;
    read_values(entries, imaginary);
    if (scanner_.ends_without_line_end() && last_field_.size() < header_.values.width)
      scanner_.require_last_line_end();
    if (!header_.has_right_sides && next_line())
      fail("the file continues after the values whose number its header states.");
    FileMatrix matrix;
    matrix.name = header_.key;
    matrix.real = compress_entries(entries, false);
    if (header_.type[0] == 'C') matrix.imaginary = compress_entries(imaginary, true);
    return matrix;
  }

 private:
  void read_header() {
    require_line("the title");
    header_.key = std::string(trimmed(field(line_, 72, 8)));
    require_line("the numbers of lines");
    const std::string_view n_of_right_sides = trimmed(field(line_, 56, 14));
    header_.has_right_sides =
        !n_of_right_sides.empty() && number(n_of_right_sides, "the number of lines of right-hand sides") > 0;
    require_line("the type and the size of the matrix");
    read_type(trimmed(field(line_, 0, 3)));
    header_.n_rows = size(field(line_, 14, 14), "the number of rows");
    header_.n_columns = size(field(line_, 28, 14), "the number of columns");
    header_.n_entries = size(field(line_, 42, 14), "the number of entries");
    if (header_.type[1] != 'R' && header_.n_rows != header_.n_columns && header_.type[1] != 'U')
      fail("the matrix is " + std::to_string(header_.n_rows) + " x " + std::to_string(header_.n_columns) +
           ", but its type " + header_.type + " requires a square matrix.");
    if (!is_plausible(std::max(header_.n_rows, header_.n_columns), header_.n_entries))
      fail("the header states a matrix of " + std::to_string(header_.n_rows) + " x " +
           std::to_string(header_.n_columns) + " with " + std::to_string(header_.n_entries) +
           " entries only. At least one entry for every 100 rows and columns is "
           "expected: the header is probably wrong.");
    require_line("the formats");
    header_.starts = format(field(line_, 0, 16), "I");
    header_.rows = format(field(line_, 16, 16), "I");
    header_.values = format(field(line_, 32, 20), header_.type[0] == 'I' ? "I" : "EDFG");
    if (header_.has_right_sides) require_line("the type of the right-hand sides");
  }

  void read_type(std::string_view text) {
    header_.type = upper_case(text);
    const auto is_one_of = [this](std::size_t k, std::string_view letters) {
      return letters.find(header_.type[k]) != std::string_view::npos;
    };
    if (header_.type.size() != 3 || !is_one_of(0, "RIC") || !is_one_of(1, "USHZR") || !is_one_of(2, "A"))
      fail("the type of the matrix is '" + shown(text) +
           "'. The type must have three letters: R, I or C (real, integer, complex), then U, S, H, Z or R "
           "(unsymmetric, symmetric, Hermitian, skew-symmetric, rectangular), then A (assembled).");
  }

  FortranFormat format(std::string_view text, std::string_view letters) const {
    const std::optional<FortranFormat> format = fortran_format(text, letters);
    if (!format)
      fail("the format is '" + shown(trimmed(text)) +
           "'; a Fortran format such as (13I6) for whole numbers or (4E20.12) for values is expected.");
    return *format;
  }

  /// Returns the first m fields of the current line. The line has to end behind the last of these fields.
  std::vector<std::string_view> fields_of_line(std::size_t m, std::size_t width) const {
    std::vector<std::string_view> fields;
    for (std::size_t i = 0; i < m; ++i)
      fields.push_back(field(line_, i * width, width));
    if (const std::string_view rest = trimmed(field(line_, m * width, line_.size())); !rest.empty())
      fail("the line continues with '" + shown(rest) + "' behind its " + std::to_string(m) + " fields of " +
           std::to_string(width) + " characters.");
    return fields;
  }

  /// Reads lines until they contain n numbers, and calls receive(k, m) for each line: k numbers are in the
  /// lines before, and m numbers are in the line.
  template <class Receive>
  void read_lines(GlobalIndex n, const FortranFormat& format, const char* what, const Receive& receive) {
    for (GlobalIndex k = 0; k < n;) {
      if (!next_line())
        fail("the file ends after " + std::to_string(k) + " of the " + std::to_string(n) + " " + what +
             ". The file is probably cut off.");
      const auto m = std::min(static_cast<GlobalIndex>(format.n_per_line), n - k);
      receive(k, static_cast<std::size_t>(m));
      k += m;
    }
  }

  /// Reads n whole numbers and calls receive(k, text) with the text of number k.
  template <class Receive>
  void read_numbers(GlobalIndex n, const FortranFormat& format, const char* what, const Receive& receive) {
    read_lines(n, format, what, [&](GlobalIndex k, std::size_t m) {
      for (const std::string_view text : fields_of_line(m, format.width))
        receive(k++, text);
    });
  }

  std::vector<GlobalIndex> read_starts() {
    std::vector<GlobalIndex> starts;
    const GlobalIndex first = 1;
    read_numbers(GlobalIndex(header_.n_columns) + 1, header_.starts, "starts of columns",
                 [&](GlobalIndex, std::string_view text) {
                   const GlobalIndex start = number(text, "the start of a column");
                   if (start < (starts.empty() ? first : starts.back()) || start > header_.n_entries + 1)
                     fail("the start of column " + std::to_string(starts.size() + 1) + " is " +
                          std::to_string(start) + "; the starts ascend from 1 to " +
                          std::to_string(header_.n_entries + 1) + ".");
                   starts.push_back(start);
                 });
    if (starts.front() != 1 || starts.back() != header_.n_entries + 1)
      fail("the starts of the columns run from " + std::to_string(starts.front()) + " to " +
           std::to_string(starts.back()) + " instead of 1 to " + std::to_string(header_.n_entries + 1) +
           ", the number of entries plus one.");
    return starts;
  }

  std::vector<ListedEntry> read_rows(const std::vector<GlobalIndex>& starts) {
    std::vector<ListedEntry> entries;
    Index column = 0;
    read_numbers(header_.n_entries, header_.rows, "rows", [&](GlobalIndex k, std::string_view text) {
      const GlobalIndex row = number(text, "the row");
      if (row < 1 || row > header_.n_rows)
        fail("the row is " + std::to_string(row) + ", which lies outside 1 ... " +
             std::to_string(header_.n_rows) + ".");
      while (starts[static_cast<std::size_t>(column) + 1] <= k + 1)
        ++column;
      entries.push_back({static_cast<Index>(row - 1), column, 0});
    });
    return entries;
  }

  void read_values(std::vector<ListedEntry>& entries, std::vector<ListedEntry>& imaginary) {
    const bool is_complex = header_.type[0] == 'C';
    const GlobalIndex n = header_.n_entries * (is_complex ? 2 : 1);
    read_lines(n, header_.values, "values", [&](GlobalIndex k, std::size_t m) {
      for (const double value : values_of_line(m)) {
        if (!is_complex) {
          entries[static_cast<std::size_t>(k)].value = value;
        } else if (k % 2 == 0) {
          entries[static_cast<std::size_t>(k / 2)].value = value;
        } else {
          imaginary.push_back(entries[static_cast<std::size_t>(k / 2)]);
          imaginary.back().value = value;
        }
        ++k;
      }
    });
  }

  /// Returns the m values of the current line. The function hb_write of SciPy writes fields that are one
  /// character narrower than the format in the header. Such lines are recognized by their length, m (width -
  /// 1).
  std::vector<double> values_of_line(std::size_t m) {
    const std::size_t width = header_.values.width;
    const bool may_be_narrow = header_.values.letter != 'I' && m > 1 && width > 1 &&
                               line_.substr(0, line_.find_last_not_of(" \t\r") + 1).size() == m * (width - 1);
    std::string_view wrong, ignored;
    std::vector<double> values, narrow;
    const bool are_wide = read_fields(m, width, values, wrong);
    const bool are_narrow = may_be_narrow && read_fields(m, width - 1, narrow, ignored);
    if (are_wide && are_narrow && values != narrow)
      fail("the line can be read as fields of " + std::to_string(width) + " characters and as fields of " +
           std::to_string(width - 1) +
           " characters, with different values. Write the file again in another format.");
    if (are_narrow) return narrow;
    if (!are_wide)
      fail("the value is '" + shown(trimmed(wrong)) + "', which is no finite number in double precision" +
           (header_.values.letter == 'I' ? ", or an integer beyond 2^53." : "."));
    return values;
  }

  /// Reads m fields of the current line, and returns whether all of them are numbers. @param wrong Set to the
  /// last field that was read, which is no number if the result is false
  bool read_fields(std::size_t m, std::size_t width, std::vector<double>& values, std::string_view& wrong) {
    for (const std::string_view text : fields_of_line(m, width)) {
      last_field_ = wrong = text;
      const std::optional<double> value =
          header_.values.letter == 'I' ? integer_value(text) : value_of_field(text, header_.values);
      if (!value) return false;
      values.push_back(*value);
    }
    return true;
  }

  static std::optional<double> integer_value(std::string_view text) {
    const std::optional<GlobalIndex> integer = whole_number(text);
    if (!integer || !fits_double(*integer)) return {};
    return static_cast<double>(*integer);
  }

  Eigen::SparseMatrix<double> compress_entries(const std::vector<ListedEntry>& entries,
                                               bool is_imaginary) const {
    const char symmetry = header_.type[1];
    Mirror mirror = Mirror::none;
    if (symmetry == 'S' || (symmetry == 'H' && !is_imaginary)) mirror = Mirror::symmetric;
    if (symmetry == 'Z' || (symmetry == 'H' && is_imaginary)) mirror = Mirror::skew_symmetric;
    if (mirror != Mirror::none && lists_both_triangles(scanner_.file(), header_.n_rows, entries))
      throw FileError(
          scanner_.file(),
          "the type " + header_.type +
              " means that the file lists one triangle, but both a_ij and a_ji are listed for some i and j.");
    return compressed(scanner_.file(), header_.n_rows, header_.n_columns, entries, mirror);
  }

  bool next_line() {
    while (scanner_.next_whole_line(line_))
      if (!trimmed(line_).empty()) return true;
    return false;
  }

  void require_line(const char* what) {
    // The title may be blank.
    if (!scanner_.next_whole_line(line_))
      fail(std::string("the file ends before ") + what + ". The file is probably cut off.");
  }

  GlobalIndex number(std::string_view text, const char* quantity) const {
    const std::optional<GlobalIndex> number = whole_number(text);
    if (!number)
      fail(std::string(quantity) + " is '" + shown(trimmed(text)) + "', which is no whole number.");
    return *number;
  }

  Index size(std::string_view text, const char* quantity) const {
    const GlobalIndex size = number(text, quantity);
    if (size < 0 || size >= std::numeric_limits<Index>::max() - 1)
      fail(std::string(quantity) + " is " + std::to_string(size) + "; 0 to 2^31 - 3 are possible.");
    return static_cast<Index>(size);
  }

  [[noreturn]] void fail(const std::string& reason) const { scanner_.fail(reason); }

  TextScanner scanner_;
  std::string_view line_, last_field_;
  Header header_;
};

}  // namespace

std::vector<FileMatrix> read_harwell_boeing(const std::filesystem::path& file) {
  return {HarwellBoeingReader(file).read()};
}

}  // namespace halfdof::internal
