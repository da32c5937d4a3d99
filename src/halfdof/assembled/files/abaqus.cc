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

/// What a list of matrix input says about its shape.
enum class Shape {
  unknown,      ///< there is no keyword line above it
  symmetric,    ///< one triangle, or all entries
  unsymmetric,  ///< all entries
};

/// A list of matrix input as it is read.
struct Block {
  std::string name;
  Shape shape = Shape::unknown;
  double factor = 1;
  DoFNumbering numbering;
  std::vector<ListedEntry> entries;
};

std::vector<std::string_view> separated(std::string_view line) {
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
    if (blocks_.empty()) fail("the file lists no entry \"node, component, node, component, value\".");
    std::vector<FileMatrix> matrices;
    for (Block& block : blocks_)
      matrices.push_back(finished(block));
    return matrices;
  }

 private:
  void read_keyword(std::string_view first) {
    std::string keyword(first.substr(1));
    for (std::string_view line; !keyword.empty() && keyword.back() == ',' && scanner_.next_whole_line(line);)
      keyword += trimmed(line);
    const std::vector<std::string_view> parts = separated(keyword);
    if (upper_case(parts[0]) != "MATRIX INPUT")
      fail("the keyword *" + shown(parts[0]) + " is not read here; known is *MATRIX INPUT.");
    Block block;
    block.shape = Shape::symmetric;
    for (std::size_t k = 1; k < parts.size(); ++k)
      if (!parts[k].empty()) read_parameter(block, parts[k]);
    for (const Block& other : blocks_)
      if (upper_case(other.name) == upper_case(block.name))
        fail("a second matrix has the name '" + shown(block.name) +
             "'. Give each *MATRIX INPUT a NAME of its own.");
    blocks_.push_back(std::move(block));
  }

  void read_parameter(Block& block, std::string_view text) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string key = upper_case(trimmed(text.substr(0, equals)));
    const std::string_view value = trimmed(text.substr(std::min(equals + 1, text.size())));
    if (key == "NAME") {
      block.name = value;
    } else if (key == "TYPE") {
      const std::string type = upper_case(value);
      if (type != "SYMMETRIC" && type != "UNSYMMETRIC")
        fail("the TYPE of the matrix is '" + shown(value) + "'; known are SYMMETRIC and UNSYMMETRIC.");
      block.shape = type == "SYMMETRIC" ? Shape::symmetric : Shape::unsymmetric;
    } else if (key == "SCALE FACTOR") {
      const std::optional<double> factor = real_number(value);
      if (!factor || *factor == 0)
        fail("the SCALE FACTOR is '" + shown(value) + "', which is no number but 0.");
      block.factor = *factor;
    } else if (key == "INPUT") {
      fail("the entries stand in the file '" + shown(value) + "': give that file instead of this one.");
    } else {
      fail("the parameter " + shown(key) +
           " of *MATRIX INPUT is not known; known are NAME, TYPE and SCALE "
           "FACTOR.");
    }
  }

  void read_entry(std::string_view line) {
    std::vector<std::string_view> fields = separated(line);
    if (fields.size() == 6 && fields[5].empty()) fields.pop_back();
    if (fields.size() != 5)
      fail("the line is '" + shown(line) +
           "'; node, component, node, component and value are expected, with commas between them.");
    if (blocks_.empty()) blocks_.emplace_back();
    Block& block = blocks_.back();
    const Index i = block.numbering.number(dof(fields[0], fields[1], "row"));
    const Index j = block.numbering.number(dof(fields[2], fields[3], "column"));
    const std::optional<double> value = real_number(fields[4]);
    if (!value || !std::isfinite(block.factor * *value))
      fail("the value is '" + shown(fields[4]) +
           "', which is no finite number in double precision. Look for the element that produces it.");
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

  FileMatrix finished(Block& block) const {
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
          " lists some entry twice. Abaqus lists each once: the file may be two files in one. Write a line "
          "*MATRIX INPUT, NAME=... above each matrix.");
    const bool is_complete =
        block.shape == Shape::unsymmetric || lists_both_triangles(scanner_.file(), n, block.entries);
    if (!is_complete && block.shape == Shape::unknown && !is_one_triangle(block.entries))
      refuse(
          " has entries below and above the diagonal (in ascending order of nodes and components), but never "
          "both a_ij and a_ji, and the file does not say which it means. Write a line *MATRIX INPUT, "
          "NAME=..., "
          "TYPE=SYMMETRIC or TYPE=UNSYMMETRIC above it.");
    if (is_complete && block.shape == Shape::symmetric) require_symmetric(A, matrix.rows, refuse);
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
          refuse(" is of TYPE=SYMMETRIC and lists entries of both triangles, but they differ for (" +
                 described(dofs[static_cast<std::size_t>(entry.row())]) + ") and (" +
                 described(dofs[static_cast<std::size_t>(j)]) +
                 "). List one triangle, or say TYPE=UNSYMMETRIC.");
  }

  [[noreturn]] void fail(const std::string& reason) const { scanner_.fail(reason); }

  TextScanner scanner_;
  std::vector<Block> blocks_;
};

}  // namespace

std::vector<FileMatrix> read_abaqus_coordinate(const std::filesystem::path& file) {
  TextScanner scanner(file, '*');
  const CoordinateList list = read_coordinate_list(scanner, [](const ListedEntry&) {});
  const bool is_complete = lists_both_triangles(file, list.n, list.entries);
  if (!is_complete && !is_one_triangle(list.entries))
    throw FileError(file,
                    "the file lists entries below and above the diagonal, but never both a_ij and a_ji. One "
                    "triangle of a symmetric matrix or all entries are expected; write other matrices as "
                    "Matrix Market files, whose first line says which they are.");
  std::vector<FileMatrix> matrices(1);
  matrices[0].real =
      compressed(file, list.n, list.n, list.entries, is_complete ? Mirror::none : Mirror::symmetric);
  return matrices;
}

std::vector<FileMatrix> read_abaqus_matrix_input(const std::filesystem::path& file) {
  return MatrixInputReader(file).read();
}

}  // namespace halfdof::internal
