#include <halfdof/assembled/matrix_market.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/number_text.h>
#include <halfdof/base/profile.h>
#include <halfdof/base/text_scanner.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <new>
#include <sstream>
#include <string_view>
#include <vector>

namespace halfdof {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Rows or columns that are read however few entries there are.
constexpr GlobalIndex always_read = 10'000'000;
/// Above them, as many for each entry.
constexpr GlobalIndex per_entry = 100;

constexpr const char* example = "'%%MatrixMarket matrix coordinate real general'";

enum class Layout { coordinate, array };
enum class Field { real, integer };
enum class Symmetry { general, symmetric, skew_symmetric };

struct Header {
  Layout layout = Layout::coordinate;
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  Index n_rows = 0;
  Index n_columns = 0;
  GlobalIndex n_values = 0;  ///< lines that follow
};

/// One line of the file; counted from zero.
struct Entry {
  Index row;
  Index column;
  double value;
};

std::vector<std::string> lower_case_words(std::string_view line) {
  std::istringstream stream{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; stream >> word; words.push_back(word))
    for (char& c : word)
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return words;
}

void read_banner(TextScanner& scanner, Header& header) {
  const std::string line(scanner.whole_line());
  const std::vector<std::string> words = lower_case_words(line);
  if (scanner.line() == 0)
    throw FileError(scanner.file(), 1,
                    std::string("the file is empty; it should begin with ") + example + ".");
  if (words.size() != 5 || words[0] != "%%matrixmarket")
    scanner.fail("'" + shown(line) + "' is not the first line of a Matrix Market file, such as " + example +
                 ".");
  const auto refuse = [&](const std::string& word, const std::string& known) {
    scanner.fail("'" + shown(word) + "' files are not read here; known is " + known + ".");
  };
  if (words[1] != "matrix") refuse(words[1], "'matrix'");
  if (words[2] == "array")
    header.layout = Layout::array;
  else if (words[2] != "coordinate")
    refuse(words[2], "'coordinate' and 'array'");
  if (words[3] == "integer")
    header.field = Field::integer;
  else if (words[3] != "real")
    refuse(words[3], "'real' and 'integer'");
  if (words[4] == "symmetric")
    header.symmetry = Symmetry::symmetric;
  else if (words[4] == "skew-symmetric")
    header.symmetry = Symmetry::skew_symmetric;
  else if (words[4] != "general")
    refuse(words[4], "'general', 'symmetric' and 'skew-symmetric'");
}

/// How many values an array file lists.
GlobalIndex n_array_values(const Header& header) {
  const GlobalIndex n = header.n_rows;
  if (header.symmetry == Symmetry::general) return n * header.n_columns;
  return header.symmetry == Symmetry::symmetric ? n * (n + 1) / 2 : n * (n - 1) / 2;
}

GlobalIndex read_size(TextScanner& scanner, const char* quantity, GlobalIndex largest) {
  const GlobalIndex size = scanner.whole_number(quantity);
  if (size < 0 || size > largest)
    scanner.fail(std::string(quantity) + " is " + std::to_string(size) + "; possible is 0 ... " +
                 std::to_string(largest) + ".");
  return size;
}

/// A sparse matrix takes room for each column, whatever its entries: a wrong size line could exhaust memory.
void check_plausible(const TextScanner& scanner, const Header& header) {
  const GlobalIndex largest = std::max(header.n_rows, header.n_columns);
  if (header.layout == Layout::coordinate && largest > always_read && largest / per_entry > header.n_values)
    scanner.fail("the size line announces " + std::to_string(header.n_rows) + " x " +
                 std::to_string(header.n_columns) + " with " + std::to_string(header.n_values) +
                 " entries. Above " + std::to_string(always_read) +
                 " rows or columns at least one entry for each " + std::to_string(per_entry) +
                 " of them is expected: correct the sizes (rows, columns, entries), or list zeros.");
}

Header read_header(TextScanner& scanner) {
  Header header;
  read_banner(scanner, header);
  if (!scanner.next_line())
    scanner.fail("the file ends before the size line (rows, columns, and for coordinate files entries).");
  const GlobalIndex largest = std::numeric_limits<Index>::max() - 1;
  header.n_rows = static_cast<Index>(read_size(scanner, "the number of rows", largest));
  header.n_columns = static_cast<Index>(read_size(scanner, "the number of columns", largest));
  if (header.symmetry != Symmetry::general && header.n_rows != header.n_columns)
    scanner.fail("the matrix is " + std::to_string(header.n_rows) + " x " + std::to_string(header.n_columns) +
                 ", but a symmetric or skew-symmetric one must be square.");
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

inline double read_value(TextScanner& scanner, Field field, Index row, Index column) {
  const double value = field == Field::real ? scanner.real_number("the value")
                                            : static_cast<double>(scanner.whole_number("the value"));
  if (!std::isfinite(value))
    scanner.fail("the value in " + row_and_column(row, column) + " is " + number_text(value) +
                 ". Every entry must be finite: look for the element that produces it.");
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
                 " entries that its size line announces. It is probably cut off: write it again.");
}

/// An honest file needs `bytes` for each of its values, so that a wrong size line cannot exhaust the memory.
std::vector<Entry> room_for_values(const TextScanner& scanner, const Header& header, GlobalIndex bytes) {
  std::vector<Entry> entries;
  entries.reserve(static_cast<std::size_t>(std::min(header.n_values, scanner.size() / bytes + 1)));
  return entries;
}

/// Where an entry above the diagonal of a symmetric or skew-symmetric file stands.
struct UpperEntry {
  std::size_t k;  ///< among all entries
  GlobalIndex line;
};

/// Of each pair of entries a_ij and a_ji, a symmetric or skew-symmetric file lists one.
void check_listed_once(const TextScanner& scanner, const std::vector<Entry>& entries,
                       const std::vector<UpperEntry>& upper) {
  using Place = std::pair<Index, Index>;
  std::vector<Place> lower;
  if (upper.empty()) return;
  for (const Entry& entry : entries)
    if (entry.row > entry.column) lower.emplace_back(entry.row, entry.column);
  std::sort(lower.begin(), lower.end());
  for (const auto& [k, line] : upper)
    if (const auto& [row, column, value] = entries[k];
        std::binary_search(lower.begin(), lower.end(), Place(column, row)))
      throw FileError(
          scanner.file(), line,
          "the entry in " + row_and_column(row, column) + " is listed, and so is that in " +
              row_and_column(column, row) +
              ". A symmetric or skew-symmetric file lists one of both, which stands for the other; "
              "if it lists all entries, its first line must say 'general'.");
}

std::vector<Entry> read_coordinate_entries(TextScanner& scanner, const Header& header) {
  std::vector<Entry> entries = room_for_values(scanner, header, 6);
  std::vector<UpperEntry> upper;
  for (GlobalIndex k = 0; k < header.n_values; ++k) {
    next_value_line(scanner, header, k);
    const Index row = read_index(scanner, "the row index", header.n_rows);
    const Index column = read_index(scanner, "the column index", header.n_columns);
    check_diagonal(scanner, header.symmetry, row, column);
    if (row < column && header.symmetry != Symmetry::general)
      upper.push_back({entries.size(), scanner.line()});
    entries.push_back({row, column, read_value(scanner, header.field, row, column)});
    scanner.end_line();
  }
  check_listed_once(scanner, entries, upper);
  return entries;
}

/// Column by column, from the diagonal (symmetric) or from below it (skew-symmetric) where half is listed.
std::vector<Entry> read_array_entries(TextScanner& scanner, const Header& header) {
  std::vector<Entry> entries = room_for_values(scanner, header, 2);
  // A file of a few bytes may announce billions of columns without an entry.
  const Index n_columns = header.n_rows > 0 ? header.n_columns : 0;
  GlobalIndex n_done = 0;
  for (Index column = 0; column < n_columns; ++column) {
    const Index first_row = header.symmetry == Symmetry::general     ? 0
                            : header.symmetry == Symmetry::symmetric ? column
                                                                     : column + 1;
    for (Index row = first_row; row < header.n_rows; ++row, ++n_done) {
      next_value_line(scanner, header, n_done);
      const double value = read_value(scanner, header.field, row, column);
      scanner.end_line();
      if (value != 0) entries.push_back({row, column, value});
    }
  }
  return entries;
}

std::vector<Entry> read_entries(TextScanner& scanner, const Header& header) {
  std::vector<Entry> entries = header.layout == Layout::coordinate ? read_coordinate_entries(scanner, header)
                                                                   : read_array_entries(scanner, header);
  if (scanner.next_line())
    scanner.fail("the file goes on after the " + std::to_string(header.n_values) +
                 " entries that its size line announces.");
  return entries;
}

/// Calls receive(row, column, value) for each entry of the matrix, both triangles.
template <class Receive>
void for_both_triangles(const Header& header, const std::vector<Entry>& entries, const Receive& receive) {
  const double mirrored_sign = header.symmetry == Symmetry::skew_symmetric ? -1 : 1;
  for (const Entry& entry : entries) {
    receive(entry.row, entry.column, entry.value);
    if (header.symmetry != Symmetry::general && entry.row != entry.column)
      receive(entry.column, entry.row, mirrored_sign * entry.value);
  }
}

/// True if the rows of each column strictly ascend; `sorted` tells whether they at least do not descend.
bool has_unique_ascending_rows(const Sparse& A, bool& sorted) {
  const Index* rows = A.innerIndexPtr();
  bool unique = true;
  sorted = true;
  for (Index j = 0; j < A.cols(); ++j)
    for (Index p = A.outerIndexPtr()[j] + 1; p < A.outerIndexPtr()[j + 1]; ++p) {
      unique = unique && rows[p - 1] < rows[p];
      sorted = sorted && rows[p - 1] <= rows[p];
    }
  return unique;
}

/// Adds up neighbours in the same row.
void add_duplicates(Sparse& A) {
  Index* const rows = A.innerIndexPtr();
  double* const values = A.valuePtr();
  Index n_kept = 0;
  Index begin = 0;
  for (Index j = 0; j < A.cols(); ++j) {
    const Index end = A.outerIndexPtr()[j + 1];
    const Index first = n_kept;
    for (Index p = begin; p < end; ++p) {
      if (n_kept > first && rows[n_kept - 1] == rows[p]) {
        values[n_kept - 1] += values[p];
      } else {
        rows[n_kept] = rows[p];
        values[n_kept++] = values[p];
      }
    }
    A.outerIndexPtr()[j + 1] = n_kept;
    begin = end;
  }
  A.resizeNonZeros(n_kept);
}

/// A counting sort by column, which keeps the order of the file within each column.
Sparse compress(const TextScanner& scanner, const Header& header, const std::vector<Entry>& entries) {
  GlobalIndex n_entries = 0;
  for_both_triangles(header, entries, [&](Index, Index, double) { ++n_entries; });
  if (n_entries > std::numeric_limits<Index>::max())
    scanner.fail("the matrix has " + std::to_string(n_entries) + " entries, more than 2^31 - 1.");
  Sparse A(header.n_rows, header.n_columns);
  Index* const begin = A.outerIndexPtr();
  for_both_triangles(header, entries, [&](Index, Index column, double) { ++begin[column + 1]; });
  for (Index j = 0; j < header.n_columns; ++j)
    begin[j + 1] += begin[j];
  A.resizeNonZeros(static_cast<Index>(n_entries));
  std::vector<Index> next(begin, begin + header.n_columns);
  Index* const rows = A.innerIndexPtr();
  double* const values = A.valuePtr();
  for_both_triangles(header, entries, [&](Index row, Index column, double value) {
    const Index p = next[static_cast<std::size_t>(column)]++;
    rows[p] = row;
    values[p] = value;
  });
  bool sorted;
  if (has_unique_ascending_rows(A, sorted)) return A;
  if (!sorted) A = Sparse(A.transpose()).transpose();  // two more counting sorts
  add_duplicates(A);
  return A;
}

MultiVector to_dense(const Header& header, const std::vector<Entry>& entries) {
  MultiVector dense = MultiVector::Zero(header.n_rows, header.n_columns);
  for_both_triangles(header, entries,
                     [&](Index row, Index column, double value) { dense(row, column) += value; });
  return dense;
}

/// Reads `file`; convert(scanner, header, entries) makes the result.
template <class Convert>
auto read_file(const std::filesystem::path& file, const Convert& convert) {
  const Stage stage("read a file");
  TextScanner scanner(file, '%');
  const Header header = read_header(scanner);
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
    return compress(scanner, header, read_entries(scanner, header));
  });
}

Vector read_matrix_market_vector(const std::filesystem::path& file) {
  return read_file(file, [](TextScanner& scanner, const Header& header) -> Vector {
    if (header.n_columns != 1)
      scanner.fail("a vector is wanted, which has one column; this matrix has " +
                   std::to_string(header.n_columns) + ".");
    return to_dense(header, read_entries(scanner, header));
  });
}

MultiVector read_matrix_market_array(const std::filesystem::path& file) {
  return read_file(file, [](TextScanner& scanner, const Header& header) {
    if (header.layout != Layout::array)
      scanner.fail("a dense matrix in 'array' layout is wanted; this one is 'coordinate', that is sparse.");
    return to_dense(header, read_entries(scanner, header));
  });
}

}  // namespace halfdof
