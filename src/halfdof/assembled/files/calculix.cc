// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/calculix.h>
#include <halfdof/assembled/files/coordinate_list.h>
#include <halfdof/base/letter_case.h>

#include <initializer_list>
#include <system_error>

namespace halfdof::internal {

namespace {

namespace fs = std::filesystem;

std::vector<FileDoF> read_dofs(const fs::path& file) {
  TextScanner scanner(file, '#', '.');
  std::vector<FileDoF> dofs;
  while (scanner.next_line()) {
    const GlobalIndex node = scanner.whole_number("the node");
    scanner.expect_separator("the node");
    const GlobalIndex component = scanner.whole_number("the component");
    if (node < 1) scanner.fail("the node is " + std::to_string(node) + "; nodes count from 1.");
    if (component < 0 || component > 1000)
      scanner.fail("the component is " + std::to_string(component) + "; 0 to 6 are expected.");
    dofs.push_back({node, static_cast<int>(component)});
    scanner.end_line();
  }
  scanner.require_last_line_end();
  return dofs;
}

/// Returns the degrees of freedom of the n rows of a matrix. If the list has n/2 lines (cyclic symmetry),
/// both halves of the rows get the same labels.
std::vector<FileDoF> dofs_of_rows(const fs::path& list, const fs::path& matrix, Index n) {
  std::vector<FileDoF> dofs = read_dofs(list);
  const auto n_rows = static_cast<std::size_t>(n);
  if (2 * dofs.size() == n_rows) {
    const std::vector<FileDoF> of_real_part = dofs;
    dofs.insert(dofs.end(), of_real_part.begin(), of_real_part.end());
  }
  if (dofs.size() != n_rows)
    throw FileError(list,
                    "the file lists " + std::to_string(dofs.size()) + " degrees of freedom, but " +
                        matrix.filename().string() + " has " + std::to_string(n) +
                        " rows. One degree of freedom for each row is expected, or with cyclic symmetry "
                        "one for every two rows. Use files of the same run, or remove this list.");
  return dofs;
}

}  // namespace

fs::path without_gz(const fs::path& file) {
  return lower_case(file.extension().string()) == ".gz" ? fs::path(file).replace_extension() : file;
}

std::string lower_case_extension(const fs::path& file) {
  return lower_case(without_gz(file).extension().string());
}

fs::path list_of_dofs_of(const fs::path& matrix) {
  const fs::path list = without_gz(matrix).replace_extension(".dof");
  fs::path in_capitals = list;
  in_capitals.replace_extension(".DOF");
  std::error_code ignored;
  return !fs::exists(list, ignored) && fs::exists(in_capitals, ignored) ? in_capitals : list;
}

bool is_list_of_dofs(const fs::path& file) {
  return lower_case_extension(file) == ".dof";
}

bool has_calculix_extension(const fs::path& file) {
  const std::string extension = lower_case_extension(file);
  for (const char* const known : {".sti", ".mas", ".con", ".sph", ".str"})
    if (extension == known) return true;
  return false;
}

std::vector<FileMatrix> read_calculix(const fs::path& file) {
  TextScanner scanner(file, '#');
  const CoordinateList list = read_coordinate_list(scanner, [&scanner](const ListedEntry& entry) {
    if (entry.row > entry.column)
      scanner.fail("row " + std::to_string(entry.row + 1) + ", column " + std::to_string(entry.column + 1) +
                   " lies below the diagonal, but CalculiX stores the upper triangle. If the file lists both "
                   "triangles, give its name the extension .mtx.");
  });
  if (const ListedEntry& last = list.entries.back(); last.row != last.column)
    scanner.fail("the file ends in row " + std::to_string(last.row + 1) + " of column " +
                 std::to_string(last.column + 1) +
                 " and not on the diagonal, where CalculiX ends a column. The file is probably cut off.");
  std::vector<FileMatrix> matrices(1);
  matrices[0].real = compressed(file, list.n, list.n, list.entries, Mirror::symmetric);
  const fs::path beside = list_of_dofs_of(file);
  std::error_code ignored;
  if (fs::exists(beside, ignored)) matrices[0].rows = dofs_of_rows(beside, file, list.n);
  return matrices;
}

}  // namespace halfdof::internal
