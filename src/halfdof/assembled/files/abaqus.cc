// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/abaqus.h>
#include <halfdof/assembled/files/coordinate_list.h>

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

FileDoF read_dof(TextScanner& scanner, const char* node_quantity, const char* component_quantity) {
  const GlobalIndex node = scanner.whole_number(node_quantity);
  scanner.expect_separator(node_quantity);
  const GlobalIndex component = scanner.whole_number(component_quantity);
  if (component < 0 || component > 1000)
    scanner.fail(std::string(component_quantity) + " is " + std::to_string(component) +
                 "; 1 to 6 are displacements and rotations, and no component is above 1000.");
  scanner.expect_separator(component_quantity);
  return {node, static_cast<int>(component)};
}

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
  TextScanner scanner(file, '*', ',');
  std::vector<ListedEntry> entries;
  DoFNumbering numbering;
  while (scanner.next_line()) {
    const FileDoF row = read_dof(scanner, "the node of the row", "the component of the row"),
                  column = read_dof(scanner, "the node of the column", "the component of the column");
    const double value = read_finite_value(scanner);
    scanner.end_line();
    const Index i = numbering.number(row);
    entries.push_back({i, numbering.number(column), value});
  }
  if (entries.empty()) scanner.fail("the file lists no entry \"node, component, node, component, value\".");
  std::vector<FileMatrix> matrices(1);
  std::vector<Index> renumbered;
  matrices[0].rows = numbering.ascending(renumbered);
  for (ListedEntry& entry : entries) {
    entry.row = renumbered[static_cast<std::size_t>(entry.row)];
    entry.column = renumbered[static_cast<std::size_t>(entry.column)];
  }
  const Index n = numbering.size();
  const bool is_complete = lists_both_triangles(file, n, entries);
  matrices[0].real = compressed(file, n, n, entries, is_complete ? Mirror::none : Mirror::symmetric);
  return matrices;
}

}  // namespace halfdof::internal
