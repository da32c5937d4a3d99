#pragma once

#include <halfdof/base/file_error.h>
#include <halfdof/base/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * Degrees of freedom listed in a text file: one 0-based assembled index a line, `#` begins a comment, blank
 * lines are welcome:
 *
 * @code{.unparsed}
 * # clamped end
 * 0
 * 1    # y
 * @endcode
 */
namespace halfdof {

/**
 * The DoFs listed in `file`, in its order. One that is listed again, as the corner of two clamped edges would
 * be, counts once.
 * @throws FileError with the line if an index is no whole number, negative, or not below n_dofs (if given)
 */
std::vector<Index> read_dof_list(const std::filesystem::path& file,
                                 std::optional<GlobalIndex> n_dofs = std::nullopt);

/// Writes such a file; `comment` may have several lines.
void write_dof_list(const std::filesystem::path& file, const std::vector<Index>& dofs,
                    const std::string& comment = "");

}  // namespace halfdof
