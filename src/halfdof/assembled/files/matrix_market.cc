// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/listed_entries.h>
#include <halfdof/assembled/files/matrix_market.h>
#include <halfdof/assembled/files/matrix_market_parts.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/letter_case.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/profile.h>
#include <halfdof/base/text_scanner.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <sstream>
#include <string_view>
#include <vector>

namespace halfdof {

using namespace internal;

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr const char* example = "'%%MatrixMarket matrix coordinate real general'";

enum class Layout { coordinate, array };
enum class Field { real, integer, complex };
enum class Symmetry { general, symmetric, skew_symmetric, hermitian };
/// The fields of Matrix Market files that a reader accepts.
enum class Fields { real, real_and_complex };

struct Header {
  Layout layout = Layout::coordinate;
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  Index n_rows = 0;
  Index n_columns = 0;
  GlobalIndex n_values = 0;  ///< number of lines with entries
};

std::vector<std::string> lower_case_words(std::string_view line) {
  std::istringstream stream{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(lower_case(word));
  return words;
}

void read_banner(TextScanner& scanner, Header& header, Fields fields) {
  const std::string line(scanner.whole_line());
  const std::vector<std::string> words = lower_case_words(line);
  if (scanner.line() == 0)
    throw FileError(scanner.file(), 1,
                    std::string("the file is empty; it should begin with ") + example + ".");
  if (words.size() != 5 || words[0] != "%%matrixmarket")
    scanner.fail("'" + shown(line) + "' is not the first line of a Matrix Market file, such as " + example +
                 ".");
  const auto refuse = [&](const std::string& word, const std::string& known) {
    scanner.fail("'" + shown(word) + "' files are not supported here; supported is " + known + ".");
  };
  if (words[1] != "matrix") refuse(words[1], "'matrix'");
  if (words[2] == "array")
    header.layout = Layout::array;
  else if (words[2] != "coordinate")
    refuse(words[2], "'coordinate' and 'array'");
  if (words[3] == "integer")
    header.field = Field::integer;
  else if (words[3] == "complex" && fields == Fields::real_and_complex)
    header.field = Field::complex;
  else if (words[3] != "real")
    refuse(words[3], fields == Fields::real ? "'real' and 'integer'" : "'real', 'integer' and 'complex'");
  if (words[4] == "symmetric")
    header.symmetry = Symmetry::symmetric;
  else if (words[4] == "skew-symmetric")
    header.symmetry = Symmetry::skew_symmetric;
  else if (words[4] == "hermitian" && header.field == Field::complex)
    header.symmetry = Symmetry::hermitian;
  else if (words[4] != "general")
    refuse(words[4], header.field == Field::complex
                         ? "'general', 'symmetric', 'skew-symmetric' and 'hermitian'"
                         : "'general', 'symmetric' and 'skew-symmetric'");
}

/// Returns the number of values that an array file lists.
GlobalIndex n_array_values(const Header& header) {
  const GlobalIndex n = header.n_rows;
  if (header.symmetry == Symmetry::general) return n * header.n_columns;
  return header.symmetry == Symmetry::skew_symmetric ? n * (n - 1) / 2 : n * (n + 1) / 2;
}

GlobalIndex read_size(TextScanner& scanner, const char* quantity, GlobalIndex largest) {
  const GlobalIndex size = scanner.whole_number(quantity);
  if (size < 0 || size > largest)
    scanner.fail(std::string(quantity) + " is " + std::to_string(size) + "; possible is 0 ... " +
                 std::to_string(largest) + ".");
  return size;
}

void check_plausible(const TextScanner& scanner, const Header& header) {
  if (header.layout == Layout::coordinate &&
      !is_plausible(std::max(header.n_rows, header.n_columns), header.n_values))
    scanner.fail(
        "the size line announces " + std::to_string(header.n_rows) + " x " +
        std::to_string(header.n_columns) + " with " + std::to_string(header.n_values) +
        " entries. A matrix of more than 10000000 rows or columns must have at least one entry for every "
        "100 of them: correct the sizes (rows, columns, entries), or list zeros.");
}

Header read_header(TextScanner& scanner, Fields fields) {
  Header header;
  read_banner(scanner, header, fields);
  if (!scanner.next_line())
    scanner.fail("the file ends before the size line (rows, columns, and for coordinate files entries).");
  const GlobalIndex largest = std::numeric_limits<Index>::max() - 1;
  header.n_rows = static_cast<Index>(read_size(scanner, "the number of rows", largest));
  header.n_columns = static_cast<Index>(read_size(scanner, "the number of columns", largest));
  if (header.symmetry != Symmetry::general && header.n_rows != header.n_columns)
    scanner.fail("the matrix is " + std::to_string(header.n_rows) + " x " + std::to_string(header.n_columns) +
                 ", but a symmetric, skew-symmetric or hermitian matrix must be square.");
  header.n_values = header.layout == Layout::coordinate ? read_size(scanner, "the number of entries", largest)
                                                        : n_array_values(header);
  check_plausible(scanner, header);
  scanner.end_line();
  return header;
}

inline Index read_index(TextScanner& scanner, const char* quantity, Index size) {
  const GlobalIndex index = scanner.whole_number(quantity);
  if (index < 1 || index > size)
    scanner.fail(std::string(quantity) + " is " + std::to_string(index) + ", which lies outside 1 ... " +
                 std::to_string(size) + " (Matrix Market counts from one).");
  return static_cast<Index>(index - 1);
}

std::string row_and_column(Index row, Index column) {
  return "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1);
}

inline double read_integer(TextScanner& scanner, Index row, Index column) {
  const GlobalIndex value = scanner.whole_number("the value");
  if (!fits_double(value))
    scanner.fail(
        "the value in " + row_and_column(row, column) + " is " + std::to_string(value) +
        ", whose modulus exceeds 2^53, so that double precision does not represent it exactly. Scale the "
        "matrix, or write the matrix with real entries.");
  return static_cast<double>(value);
}

inline double read_value(TextScanner& scanner, Field field, Index row, Index column) {
  const double value =
      field == Field::integer ? read_integer(scanner, row, column) : scanner.real_number("the value");
  if (!std::isfinite(value))
    scanner.fail("the value in " + row_and_column(row, column) + " is " + number_text(value) +
                 ". Every entry must be finite: check the element that produces this entry.");
  return value;
}

void check_diagonal(const TextScanner& scanner, Symmetry symmetry, Index row, Index column) {
  if (row == column && symmetry == Symmetry::skew_symmetric)
    scanner.fail("the entry in " + row_and_column(row, column) +
                 " lies on the diagonal, which is zero and not listed in a skew-symmetric file.");
}

void next_value_line(TextScanner& scanner, const Header& header, GlobalIndex n_done) {
  if (!scanner.next_line())
    scanner.fail("the file ends after " + std::to_string(n_done) + " of the " +
                 std::to_string(header.n_values) +
                 " entries that its size line announces. The file is probably cut off: write it again.");
}

/// The entries of a file. The imaginary parts have the same rows and columns as the real parts; the list is
/// empty if the matrix is real.
struct Entries {
  std::vector<ListedEntry> real, imaginary;
};

/// Reads the value of an entry and appends it to the list.
inline void read_entry(TextScanner& scanner, const Header& header, Index row, Index column,
                       Entries& entries) {
  entries.real.push_back({row, column, read_value(scanner, header.field, row, column)});
  if (header.field != Field::complex) return;
  entries.imaginary.push_back({row, column, read_value(scanner, header.field, row, column)});
  if (row == column && header.symmetry == Symmetry::hermitian && entries.imaginary.back().value != 0)
    scanner.fail("the imaginary part of the entry in " + row_and_column(row, column) +
                 " is not zero, but the diagonal of a hermitian matrix is real.");
}

/// Returns an empty list with reserved memory. Every value takes at least `bytes` bytes in the file.
/// Therefore the size of the file bounds the reservation, and a wrong size line cannot exhaust the memory.
Entries reserved_entries(const TextScanner& scanner, const Header& header, GlobalIndex bytes) {
  Entries entries;
  entries.real.reserve(static_cast<std::size_t>(std::min(header.n_values, scanner.size() / bytes + 1)));
  if (header.field == Field::complex) entries.imaginary.reserve(entries.real.capacity());
  return entries;
}

/// The position of an entry above the diagonal in a symmetric or skew-symmetric file.
struct UpperEntry {
  std::size_t k;  ///< index among all entries
  GlobalIndex line;
};

/// Checks that a symmetric or skew-symmetric file lists only one of each pair of entries a_ij and a_ji.
void check_listed_once(const TextScanner& scanner, const std::vector<ListedEntry>& entries,
                       const std::vector<UpperEntry>& upper) {
  using Place = std::pair<Index, Index>;
  std::vector<Place> lower;
  if (upper.empty()) return;
  for (const ListedEntry& entry : entries)
    if (entry.row > entry.column) lower.emplace_back(entry.row, entry.column);
  std::sort(lower.begin(), lower.end());
  for (const auto& [k, line] : upper)
    if (const auto& [row, column, value] = entries[k];
        std::binary_search(lower.begin(), lower.end(), Place(column, row)))
      throw FileError(
          scanner.file(), line,
          "the entry in " + row_and_column(row, column) + " is listed, and so is the entry in " +
              row_and_column(column, row) +
              ". A symmetric, skew-symmetric or hermitian file lists only one of these two entries; "
              "if it lists all entries, its first line must say 'general'.");
}

Entries read_coordinate_entries(TextScanner& scanner, const Header& header) {
  Entries entries = reserved_entries(scanner, header, 6);
  std::vector<UpperEntry> upper;
  for (GlobalIndex k = 0; k < header.n_values; ++k) {
    next_value_line(scanner, header, k);
    const Index row = read_index(scanner, "the row index", header.n_rows);
    const Index column = read_index(scanner, "the column index", header.n_columns);
    check_diagonal(scanner, header.symmetry, row, column);
    if (row < column && header.symmetry != Symmetry::general)
      upper.push_back({entries.real.size(), scanner.line()});
    read_entry(scanner, header, row, column, entries);
    scanner.end_line();
  }
  check_listed_once(scanner, entries.real, upper);
  return entries;
}

/// Reads the values of an array file column by column. The columns of symmetric files start at the diagonal,
/// and the columns of skew-symmetric files start below the diagonal.
Entries read_array_entries(TextScanner& scanner, const Header& header) {
  Entries entries = reserved_entries(scanner, header, 2);
  // A matrix with zero rows may have billions of columns, over which the loop must not run.
  const Index n_columns = header.n_rows > 0 ? header.n_columns : 0;
  GlobalIndex n_done = 0;
  for (Index column = 0; column < n_columns; ++column) {
    const Index first_row = header.symmetry == Symmetry::general          ? 0
                            : header.symmetry == Symmetry::skew_symmetric ? column + 1
                                                                          : column;
    for (Index row = first_row; row < header.n_rows; ++row, ++n_done) {
      next_value_line(scanner, header, n_done);
      read_entry(scanner, header, row, column, entries);
      scanner.end_line();
      for (std::vector<ListedEntry>* const part : {&entries.real, &entries.imaginary})
        if (!part->empty() && part->back().value == 0) part->pop_back();
    }
  }
  return entries;
}

Entries read_entries(TextScanner& scanner, const Header& header) {
  Entries entries = header.layout == Layout::coordinate ? read_coordinate_entries(scanner, header)
                                                        : read_array_entries(scanner, header);
  if (scanner.next_line())
    scanner.fail("the file continues after the " + std::to_string(header.n_values) +
                 " entries that its size line announces.");
  return entries;
}

enum class Part { real, imaginary };

Mirror mirror_of(Symmetry symmetry, Part part = Part::real) {
  if (symmetry == Symmetry::general) return Mirror::none;
  const bool changes_sign =
      symmetry == Symmetry::skew_symmetric || (symmetry == Symmetry::hermitian && part == Part::imaginary);
  return changes_sign ? Mirror::skew_symmetric : Mirror::symmetric;
}

MultiVector to_dense(const Header& header, const std::vector<ListedEntry>& entries) {
  MultiVector dense = MultiVector::Zero(header.n_rows, header.n_columns);
  const double mirrored_sign = header.symmetry == Symmetry::skew_symmetric ? -1 : 1;
  for (const auto& [row, column, value] : entries) {
    dense(row, column) += value;
    if (header.symmetry != Symmetry::general && row != column) dense(column, row) += mirrored_sign * value;
  }
  return dense;
}

/// Reads the header of a file, and returns the result of convert(scanner, header), which reads the entries.
template <class Convert>
auto read_file(const std::filesystem::path& file, const Convert& convert, Fields fields = Fields::real) {
  const StageTimer stage("read a file");
  TextScanner scanner(file, '%');
  const Header header = read_header(scanner, fields);
  try {
    return convert(scanner, header);
  } catch (const std::bad_alloc&) {
    scanner.fail("a matrix of " + std::to_string(header.n_rows) + " x " + std::to_string(header.n_columns) +
                 " with " + std::to_string(header.n_values) + " listed entries does not fit in the memory.");
  }
}

}  // namespace

Sparse read_matrix_market(const std::filesystem::path& file) {
  return read_file(file, [](TextScanner& scanner, const Header& header) {
    const std::vector<ListedEntry> entries = read_entries(scanner, header).real;
    return compressed(scanner.file(), header.n_rows, header.n_columns, entries, mirror_of(header.symmetry));
  });
}

namespace internal {

FileMatrix read_matrix_market_parts(const std::filesystem::path& file) {
  return read_file(
      file,
      [](TextScanner& scanner, const Header& header) {
        const Entries entries = read_entries(scanner, header);
        const auto part = [&](const std::vector<ListedEntry>& listed, Part of) {
          return compressed(scanner.file(), header.n_rows, header.n_columns, listed,
                            mirror_of(header.symmetry, of));
        };
        FileMatrix matrix;
        matrix.real = part(entries.real, Part::real);
        if (header.field == Field::complex) matrix.imaginary = part(entries.imaginary, Part::imaginary);
        return matrix;
      },
      Fields::real_and_complex);
}

}  // namespace internal

Vector read_matrix_market_vector(const std::filesystem::path& file) {
  return read_file(file, [](TextScanner& scanner, const Header& header) -> Vector {
    if (header.n_columns != 1)
      scanner.fail("a vector is expected, which has one column, but this matrix has " +
                   std::to_string(header.n_columns) + " columns.");
    return to_dense(header, read_entries(scanner, header).real);
  });
}

MultiVector read_matrix_market_array(const std::filesystem::path& file) {
  return read_file(file, [](TextScanner& scanner, const Header& header) {
    if (header.layout != Layout::array)
      scanner.fail(
          "a dense matrix in 'array' layout is expected, but this matrix is sparse, in 'coordinate' layout.");
    return to_dense(header, read_entries(scanner, header).real);
  });
}

}  // namespace halfdof
