// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/fortran_fields.h>
#include <halfdof/assembled/files/listed_entries.h>
#include <halfdof/assembled/files/nastran_dmig.h>
#include <halfdof/base/constants.h>
#include <halfdof/base/text_scanner.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

namespace halfdof::internal {

namespace {

/// A matrix that is being read. In a square matrix, rows and columns have the same numbering.
struct Dmig {
  std::string name;
  Mirror mirror = Mirror::none;
  bool is_rectangular = false, is_complex = false, is_polar = false;
  GlobalIndex n_columns =
      0;  ///< NCOL if IFO = 9, where columns have numbers; 0 if columns are degrees of freedom
  DoFNumbering rows, columns;
  std::vector<ListedEntry> real, imaginary;

  Index column_number(const FileDoF& dof) { return is_rectangular ? columns.number(dof) : rows.number(dof); }
};

/// Four fields of a card. The first group of a card names the matrix and the column, and each other group
/// contains one row.
using Group = std::array<std::string_view, 4>;

bool is_empty(const Group& group) {
  return std::all_of(group.begin(), group.end(), [](std::string_view field) { return field.empty(); });
}

class DmigReader {
 public:
  explicit DmigReader(const std::filesystem::path& file) : scanner_(file, '\n') {}

  std::vector<Dmig> read() {
    for (std::string_view line; scanner_.next_whole_line(line);)
      if (!trimmed(line).empty() && line[0] != '$') read_line(line);
    scanner_.require_last_line_end();
    if (matrices_.empty()) scanner_.fail("the file has no card DMIG that begins a matrix.");
    return std::move(matrices_);
  }

 private:
  enum class Card { other, header, column };

  void read_line(std::string_view line) {
    if (is_dmig(line)) {
      n_groups_ = 0;
      card_ = Card::column;
    } else if (!continues(line)) {
      card_ = Card::other;
    }
    if (card_ == Card::other) return;
    if (line.find('\t') != std::string_view::npos)
      fail(
          "the card contains a tab. Fields of 8 or 16 characters, or fields "
          "separated by commas, are expected.");
    if (line.find(',') != std::string_view::npos)
      read_separated_fields(line);
    else
      read_fixed_fields(line);
  }

  static bool is_dmig(std::string_view line) {
    const std::string_view word = "DMIG";
    const auto equal = [](char a, char b) { return std::toupper(static_cast<unsigned char>(a)) == b; };
    if (line.size() <= word.size() ||
        !std::equal(word.begin(), word.end(), line.begin(), [&](char b, char a) { return equal(a, b); }))
      return false;
    return line[4] == ' ' || line[4] == '*' || line[4] == ',' || line[4] == '\t';
  }

  /// Whether the line continues a card: its first field is blank or begins with + or *.
  static bool continues(std::string_view line) {
    return std::string_view(" +*,\t").find(line[0]) != std::string_view::npos;
  }

  void read_fixed_fields(std::string_view line) {
    const bool is_wide = field(line, 0, 8).find('*') != std::string_view::npos;
    const std::size_t width = is_wide ? 16 : 8, n_groups = is_wide ? 1 : 2;
    for (std::size_t g = 0; g < n_groups; ++g) {
      Group group;
      for (std::size_t k = 0; k < 4; ++k)
        group[k] = trimmed(field(line, 8 + (4 * g + k) * width, width));
      process_group(group);
    }
  }

  void read_separated_fields(std::string_view line) {
    std::size_t begin = line.find(',') + 1;
    const std::size_t n_groups = line.substr(0, begin).find('*') != std::string_view::npos ? 1 : 2;
    for (std::size_t g = 0; g < n_groups; ++g) {
      Group group;
      for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        group[k] = begin < line.size() ? trimmed(line.substr(begin, end - begin)) : std::string_view();
        begin = std::min(end, line.size()) + 1;
      }
      process_group(group);
    }
  }

  void process_group(const Group& group) {
    const std::size_t k = n_groups_++;
    if (k == 0 && whole_number(group[1]) == 0)
      begin_matrix(group);
    else if (k == 0)
      begin_column(group);
    else if (card_ == Card::column)
      add_row(group);
    else if (k == 1)
      finish_header(group);
    else if (!is_empty(group))
      fail("the header card of matrix " + current().name + " has more than 8 fields.");
  }

  void begin_matrix(const Group& group) {
    card_ = Card::header;
    if (group[0].empty()) fail("the header card has no name.");
    const std::string name(group[0]);
    if (find(name) < matrices_.size())
      fail("matrix " + shown(name) + " has a second header card. Give each matrix a name of its own.");
    Dmig matrix;
    matrix.name = name;
    const GlobalIndex form = number(group[2], "IFO, the form of the matrix,"),
                      type = number(group[3], "TIN, the type of the matrix,");
    if (form != 1 && form != 2 && form != 6 && form != 9)
      fail("IFO, the form of matrix " + shown(name) + ", is " + std::to_string(form) +
           "; known are 1 (square), 2 and 9 (rectangular) and 6 (symmetric).");
    if (type < 1 || type > 4)
      fail("TIN, the type of matrix " + shown(name) + ", is " + std::to_string(type) +
           "; known are 1 and 2 (real), 3 and 4 (complex).");
    if (form == 6) matrix.mirror = Mirror::symmetric;
    matrix.is_rectangular = form == 2 || form == 9;
    matrix.is_complex = type > 2;
    has_numbered_columns_ = form == 9;
    matrices_.push_back(std::move(matrix));
    current_ = matrices_.size() - 1;
  }

  void finish_header(const Group& group) {
    if (!group[1].empty()) current().is_polar = number(group[1], "POLAR") != 0;
    if (!has_numbered_columns_) return;
    const GlobalIndex n = number(group[3], "NCOL, the number of columns,");
    if (n < 1 || n >= std::numeric_limits<Index>::max())
      fail("NCOL, the number of columns of matrix " + shown(current().name) + ", is " + std::to_string(n) +
           "; a positive number is expected.");
    current().n_columns = n;
  }

  void begin_column(const Group& group) {
    current_ = find(group[0]);
    if (current_ == matrices_.size())
      fail("matrix " + shown(group[0]) + " has no header card \"DMIG NAME 0 IFO TIN\" above this line.");
    column_ = dof(group[1], group[2], "the node of the column", "the component of the column");
    if (const GlobalIndex n = current().n_columns; n > 0 && (column_.node < 1 || column_.node > n))
      fail("the column of matrix " + shown(current().name) + " is " + std::to_string(column_.node) +
           ", which lies outside 1 ... " + std::to_string(n) + " (NCOL).");
    if (current().n_columns == 0) column_number_ = current().column_number(column_);
  }

  void add_row(const Group& group) {
    if (is_empty(group)) return;
    Dmig& matrix = current();
    const FileDoF row = dof(group[0], group[1], "the node of the row", "the component of the row");
    const Index i = matrix.rows.number(row);
    const Index j = matrix.n_columns > 0 ? static_cast<Index>(column_.node - 1) : column_number_;
    const double a = value(group[2]);
    if (!matrix.is_complex) {
      if (!group[3].empty() && value(group[3]) != 0)
        fail("matrix " + shown(matrix.name) + " is real (TIN), but the row has an imaginary part.");
      matrix.real.push_back({i, j, a});
      return;
    }
    const double b = group[3].empty() ? 0 : value(group[3]), angle = b * pi / 180;
    matrix.real.push_back({i, j, matrix.is_polar ? a * std::cos(angle) : a});
    matrix.imaginary.push_back({i, j, matrix.is_polar ? a * std::sin(angle) : b});
  }

  /// Returns the index of the matrix with the given name, or the number of matrices if no matrix has this
  /// name.
  std::size_t find(std::string_view name) const {
    if (current_ < matrices_.size() && matrices_[current_].name == name) return current_;
    const auto has_name = [&](const Dmig& matrix) { return matrix.name == name; };
    return static_cast<std::size_t>(std::find_if(matrices_.begin(), matrices_.end(), has_name) -
                                    matrices_.begin());
  }

  GlobalIndex number(std::string_view field, const char* quantity) const {
    const std::optional<GlobalIndex> number = whole_number(field);
    if (!number) fail(std::string(quantity) + " is '" + shown(field) + "', which is no whole number.");
    return *number;
  }

  FileDoF dof(std::string_view node, std::string_view component, const char* node_quantity,
              const char* component_quantity) const {
    const GlobalIndex c = component.empty() ? 0 : number(component, component_quantity);
    if (c < 0 || c > 6)
      fail(std::string(component_quantity) + " is " + std::to_string(c) + "; 0 to 6 are possible.");
    const GlobalIndex n = number(node, node_quantity);
    if (n < 1) fail(std::string(node_quantity) + " is " + std::to_string(n) + "; nodes count from 1.");
    return {n, static_cast<int>(c)};
  }

  double value(std::string_view field) const {
    const std::optional<double> number = real_number(field);
    if (!number) fail("the value is '" + shown(field) + "', which is no finite number in double precision.");
    return *number;
  }

  [[noreturn]] void fail(const std::string& reason) const { scanner_.fail(reason); }
  Dmig& current() { return matrices_[current_]; }

  TextScanner scanner_;
  std::vector<Dmig> matrices_;
  std::size_t current_ = 0;
  Card card_ = Card::other;
  bool has_numbered_columns_ = false;
  std::size_t n_groups_ = 0;  ///< number of groups of the current card that were read
  FileDoF column_ = {0, 0};
  Index column_number_ = 0;
};

/// Converts a matrix that was read completely to compressed columns, with rows in ascending order of node and
/// component.
FileMatrix to_file_matrix(const std::filesystem::path& file, Dmig& dmig) {
  FileMatrix matrix;
  matrix.name = dmig.name;
  std::vector<Index> row_of, column_of;
  matrix.rows = dmig.rows.ascending(row_of);
  Index n_columns = static_cast<Index>(dmig.n_columns);
  if (dmig.n_columns > 0) {
    if (!is_plausible(dmig.n_columns, static_cast<GlobalIndex>(dmig.real.size())))
      throw FileError(file, "matrix " + shown(dmig.name) + " has " + std::to_string(dmig.n_columns) +
                                " columns according to NCOL, but only " + std::to_string(dmig.real.size()) +
                                " entries: NCOL is probably wrong.");
    matrix.columns.reserve(static_cast<std::size_t>(n_columns));
    for (Index j = 0; j < n_columns; ++j)
      matrix.columns.push_back({j + 1, 0});
  } else if (dmig.is_rectangular) {
    matrix.columns = dmig.columns.ascending(column_of);
    n_columns = dmig.columns.size();
  } else {
    column_of = row_of;
    n_columns = dmig.rows.size();
  }
  for (std::vector<ListedEntry>* const entries : {&dmig.real, &dmig.imaginary})
    for (ListedEntry& entry : *entries) {
      entry.row = row_of[static_cast<std::size_t>(entry.row)];
      if (!column_of.empty()) entry.column = column_of[static_cast<std::size_t>(entry.column)];
    }
  if (dmig.mirror == Mirror::symmetric && lists_both_triangles(file, n_columns, dmig.real))
    throw FileError(file,
                    "matrix " + shown(dmig.name) +
                        " is symmetric (IFO = 6), but both a_ij and a_ji are listed for some i and j. List "
                        "only one of the two entries, or set IFO to 1.");
  const Index n_rows = dmig.rows.size();
  matrix.real = compressed(file, n_rows, n_columns, dmig.real, dmig.mirror);
  if (dmig.is_complex) matrix.imaginary = compressed(file, n_rows, n_columns, dmig.imaginary, dmig.mirror);
  return matrix;
}

}  // namespace

std::vector<FileMatrix> read_nastran_dmig(const std::filesystem::path& file) {
  std::vector<Dmig> read = DmigReader(file).read();
  std::vector<FileMatrix> matrices;
  matrices.reserve(read.size());
  for (Dmig& dmig : read)
    matrices.push_back(to_file_matrix(file, dmig));
  return matrices;
}

}  // namespace halfdof::internal
