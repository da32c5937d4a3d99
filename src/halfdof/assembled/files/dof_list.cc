// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/dof_finder.h>
#include <halfdof/assembled/files/fortran_fields.h>
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/text_scanner.h>

#include <limits>
#include <unordered_set>

namespace halfdof {

using namespace internal;

namespace {

/// Checks that an assembled index is not negative and is below `end`.
void check_exists(const TextScanner& scanner, GlobalIndex dof, GlobalIndex end) {
  if (dof < 0 || dof >= end)
    scanner.fail("DoF " + std::to_string(dof) + " does not exist: assembled indices run from 0 to " +
                 std::to_string(end - 1) + ". Indices of DoFs count from 0; only .mtx files count from 1.");
}

}  // namespace

std::vector<Index> read_dof_list(const std::filesystem::path& file, std::optional<GlobalIndex> n_dofs) {
  const GlobalIndex end = n_dofs.value_or(std::numeric_limits<Index>::max());
  std::vector<Index> dofs;
  std::unordered_set<GlobalIndex> listed;
  TextScanner scanner(file, '#');
  while (scanner.next_line()) {
    const GlobalIndex dof = scanner.whole_number("the DoF");
    check_exists(scanner, dof, end);
    if (listed.insert(dof).second) dofs.push_back(static_cast<Index>(dof));
    if (scanner.at_comment())
      scanner.skip_line();
    else
      scanner.end_line();
  }
  return dofs;
}

std::vector<Index> read_dof_list(const std::filesystem::path& file, GlobalIndex n_dofs,
                                 const DoFLabels& labels) {
  const DoFFinder finder(labels);
  std::vector<Index> dofs;
  std::unordered_set<GlobalIndex> listed;
  TextScanner scanner(file, '#');
  const auto index_of = [&](std::string_view text) {
    try {
      return dof_index(text, finder);
    } catch (const InvalidInput& error) {
      scanner.fail(error.what());
    }
  };
  for (std::string_view line; scanner.next_whole_line(line);) {
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const GlobalIndex dof = index_of(line);
    check_exists(scanner, dof, n_dofs);
    if (listed.insert(dof).second) dofs.push_back(static_cast<Index>(dof));
  }
  return dofs;
}

void write_dof_list(const std::filesystem::path& file, const std::vector<Index>& dofs,
                    const std::string& comment) {
  AtomicFile out(file);
  out.write_lines("# ", comment);
  for (const Index dof : dofs) {
    out.write(static_cast<GlobalIndex>(dof));
    out.write("\n");
  }
  out.commit();
}

}  // namespace halfdof
