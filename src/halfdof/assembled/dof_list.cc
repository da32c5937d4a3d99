#include <halfdof/assembled/dof_list.h>
#include <halfdof/base/atomic_file.h>
#include <halfdof/base/text_scanner.h>

#include <limits>
#include <sstream>
#include <unordered_set>

namespace halfdof {

std::vector<Index> read_dof_list(const std::filesystem::path& file, std::optional<GlobalIndex> n_dofs) {
  const GlobalIndex end = n_dofs.value_or(std::numeric_limits<Index>::max());
  std::vector<Index> dofs;
  std::unordered_set<GlobalIndex> listed;
  TextScanner scanner(file, '#');
  while (scanner.next_line()) {
    const GlobalIndex dof = scanner.whole_number("the DoF");
    if (dof < 0 || dof >= end)
      scanner.fail("DoF " + std::to_string(dof) + " does not exist: assembled indices run from 0 to " +
                   std::to_string(end - 1) + ". They count from 0; only .mtx files count from 1.");
    if (listed.insert(dof).second) dofs.push_back(static_cast<Index>(dof));
    if (scanner.at_comment())
      scanner.skip_line();
    else
      scanner.end_line();
  }
  return dofs;
}

void write_dof_list(const std::filesystem::path& file, const std::vector<Index>& dofs,
                    const std::string& comment) {
  AtomicFile out(file);
  std::istringstream lines(comment);
  for (std::string line; std::getline(lines, line);)
    out.write("# " + line + "\n");
  for (const Index dof : dofs) {
    out.write(static_cast<GlobalIndex>(dof));
    out.write("\n");
  }
  out.commit();
}

}  // namespace halfdof
