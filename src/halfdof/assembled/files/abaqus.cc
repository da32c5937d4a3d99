// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/abaqus.h>
#include <halfdof/assembled/files/coordinate_list.h>
#include <halfdof/assembled/files/dof_labels.h>
#include <halfdof/assembled/files/fortran_fields.h>
#include <halfdof/base/letter_case.h>

#include <algorithm>
#include <cmath>

namespace halfdof::internal {

namespace {

bool is_one_triangle(const std::vector<ListedEntry>& entries) {
  bool has_lower = false, has_upper = false;
  for (const ListedEntry& entry : entries) {
    has_lower = has_lower || entry.row > entry.column;
    has_upper = has_upper || entry.row < entry.column;
  }
  return !has_lower || !has_upper;
}

/// The type of a matrix according to the keyword line *MATRIX INPUT above its entries.
enum class DeclaredType {
  unknown,      ///< there is no keyword line above the entries
  symmetric,    ///< the file lists one triangle or all entries
  unsymmetric,  ///< the file lists all entries
};

/// A matrix whose entries are being read.
struct InputMatrix {
  std::string name;
  DeclaredType type = DeclaredType::unknown;
  double factor = 1;
  DoFNumbering numbering;
  std::vector<ListedEntry> entries;
};

std::vector<std::string_view> split_at_commas(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    fields.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return fields;
}

class MatrixInputReader {
 public:
  explicit MatrixInputReader(const std::filesystem::path& file) : scanner_(file, '\n') {}

  std::vector<FileMatrix> read() {
    for (std::string_view line; scanner_.next_whole_line(line);) {
      line = trimmed(line);
      if (line.empty() || line.substr(0, 2) == "**") continue;
      if (line[0] == '*')
        read_keyword(line);
      else
        read_entry(line);
    }
    scanner_.require_last_line_end();
    if (inputs_.empty()) fail("the file lists no entry \"node, component, node, component, value\".");
    std::vector<FileMatrix> matrices;
    for (InputMatrix& block : inputs_)
      matrices.push_back(to_file_matrix(block));
    return matrices;
  }

 private:
  void read_keyword(std::string_view first) {
    std::string keyword(first.substr(1));
    for (std::string_view line; !keyword.empty() && keyword.back() == ',' && scanner_.next_whole_line(line);)
      keyword += trimmed(line);
    const std::vector<std::string_view> parts = split_at_commas(keyword);
    if (upper_case(parts[0]) != "MATRIX INPUT")
      fail("the keyword *" + shown(parts[0]) + " is not supported; *MATRIX INPUT is expected.");
    InputMatrix block;
    block.type = DeclaredType::symmetric;
    for (std::size_t k = 1; k < parts.size(); ++k)
      if (!parts[k].empty()) read_parameter(block, parts[k]);
    for (const InputMatrix& other : inputs_)
      if (upper_case(other.name) == upper_case(block.name))
        fail("a second matrix has the name '" + shown(block.name) +
             "'. Give each *MATRIX INPUT a NAME of its own.");
    inputs_.push_back(std::move(block));
  }

  void read_parameter(InputMatrix& block, std::string_view text) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string key = upper_case(trimmed(text.substr(0, equals)));
    const std::string_view value = trimmed(text.substr(std::min(equals + 1, text.size())));
    if (key == "NAME") {
      block.name = value;
    } else if (key == "TYPE") {
      const std::string type = upper_case(value);
      if (type != "SYMMETRIC" && type != "UNSYMMETRIC")
        fail("the TYPE of the matrix is '" + shown(value) + "'; known are SYMMETRIC and UNSYMMETRIC.");
      block.type = type == "SYMMETRIC" ? DeclaredType::symmetric : DeclaredType::unsymmetric;
    } else if (key == "SCALE FACTOR") {
      const std::optional<double> factor = real_number(value);
      if (!factor || *factor == 0)
        fail("the SCALE FACTOR is '" + shown(value) + "'; a number other than 0 is expected.");
      block.factor = *factor;
    } else if (key == "INPUT") {
      fail("the entries are listed in the file '" + shown(value) +
           "'. Give that file in place of this file.");
    } else {
      fail("the parameter " + shown(key) +
           " of *MATRIX INPUT is not known; known are NAME, TYPE and SCALE FACTOR.");
    }
  }

  void read_entry(std::string_view line) {
    std::vector<std::string_view> fields = split_at_commas(line);
    if (fields.size() == 6 && fields[5].empty()) fields.pop_back();
    if (fields.size() != 5)
      fail("the line is '" + shown(line) +
           "'; node, component, node, component and value are expected, with commas between them.");
    if (inputs_.empty()) inputs_.emplace_back();
    InputMatrix& block = inputs_.back();
    const Index i = block.numbering.number(dof(fields[0], fields[1], "row"));
    const Index j = block.numbering.number(dof(fields[2], fields[3], "column"));
    const std::optional<double> value = real_number(fields[4]);
    if (!value || !std::isfinite(block.factor * *value))
      fail("the value is '" + shown(fields[4]) +
           "', which is no finite number in double precision. Check the element that produces this entry.");
    block.entries.push_back({i, j, block.factor * *value});
  }

  FileDoF dof(std::string_view node_text, std::string_view component_text, const std::string& place) const {
    const std::optional<GlobalIndex> node = whole_number(node_text), component = whole_number(component_text);
    if (!node || !component)
      fail("the DoF of the " + place + " is '" + shown(node_text) + ", " + shown(component_text) +
           "'; whole numbers of a node and a component are expected.");
    if (*component < 0 || *component > 1000)
      fail("the component of the " + place + " is " + std::to_string(*component) +
           "; 1 to 6 are displacements and rotations, and no component is above 1000.");
    return {*node, static_cast<int>(*component)};
  }

  FileMatrix to_file_matrix(InputMatrix& block) const {
    const std::string name = block.name.empty() ? "The matrix" : "Matrix '" + shown(block.name) + "'";
    const auto refuse = [&](const std::string& reason) { throw FileError(scanner_.file(), name + reason); };
    if (block.entries.empty()) refuse(" has no entries.");
    FileMatrix matrix;
    matrix.name = block.name;
    std::vector<Index> renumbered;
    matrix.rows = block.numbering.ascending(renumbered);
    for (ListedEntry& entry : block.entries) {
      entry.row = renumbered[static_cast<std::size_t>(entry.row)];
      entry.column = renumbered[static_cast<std::size_t>(entry.column)];
    }
    const Index n = block.numbering.size();
    Eigen::SparseMatrix<double> A = compressed(scanner_.file(), n, n, block.entries, Mirror::none);
    if (A.nonZeros() != static_cast<Eigen::Index>(block.entries.size()))
      refuse(
          " lists some entry twice, but Abaqus lists each entry once: the file may contain several matrices. "
          "Write a line *MATRIX INPUT, NAME=... above each matrix.");
    const bool is_complete =
        block.type == DeclaredType::unsymmetric || lists_both_triangles(scanner_.file(), n, block.entries);
    if (!is_complete && block.type == DeclaredType::unknown && !is_one_triangle(block.entries))
      refuse(
          " has entries below and above the diagonal (in ascending order of nodes and components), but never "
          "both a_ij and a_ji, and the file does not say whether the matrix is symmetric. Write a line "
          "*MATRIX INPUT, NAME=..., TYPE=SYMMETRIC or TYPE=UNSYMMETRIC above the entries.");
    if (is_complete && block.type == DeclaredType::symmetric) require_symmetric(A, matrix.rows, refuse);
    if (!is_complete) A = compressed(scanner_.file(), n, n, block.entries, Mirror::symmetric);
    matrix.real.swap(A);
    return matrix;
  }

  template <class Refuse>
  static void require_symmetric(const Eigen::SparseMatrix<double>& A, const std::vector<FileDoF>& dofs,
                                const Refuse& refuse) {
    const Eigen::SparseMatrix<double> difference = A - Eigen::SparseMatrix<double>(A.transpose());
    for (Index j = 0; j < difference.cols(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(difference, j); entry; ++entry)
        if (entry.value() != 0)
          refuse(" is of TYPE=SYMMETRIC and lists entries of both triangles, but the entries differ for (" +
                 described(dofs[static_cast<std::size_t>(entry.row())]) + ") and (" +
                 described(dofs[static_cast<std::size_t>(j)]) +
                 "). List one triangle, or write TYPE=UNSYMMETRIC.");
  }

  [[noreturn]] void fail(const std::string& reason) const { scanner_.fail(reason); }

  TextScanner scanner_;
  std::vector<InputMatrix> inputs_;
};

}  // namespace

std::vector<FileMatrix> read_abaqus_coordinate(const std::filesystem::path& file) {
  TextScanner scanner(file, '*');
  const CoordinateList list = read_coordinate_list(scanner, [](const ListedEntry&) {});
  const bool is_complete = lists_both_triangles(file, list.n, list.entries);
  if (!is_complete && !is_one_triangle(list.entries))
    throw FileError(file,
                    "the file lists entries below and above the diagonal, but never both a_ij and a_ji. One "
                    "triangle of a symmetric matrix or all entries are expected. Write other matrices as "
                    "Matrix Market files, whose first line says whether a matrix is symmetric.");
  std::vector<FileMatrix> matrices(1);
  matrices[0].real =
      compressed(file, list.n, list.n, list.entries, is_complete ? Mirror::none : Mirror::symmetric);
  return matrices;
}

std::vector<FileMatrix> read_abaqus_matrix_input(const std::filesystem::path& file) {
  return MatrixInputReader(file).read();
}

}  // namespace halfdof::internal
