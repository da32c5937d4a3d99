#pragma once

#include <halfdof/base/file_error.h>
#include <halfdof/integrators/nonsmooth_state.h>
#include <halfdof/output/csv_table.h>

#include "step_columns.h"
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace halfdof::cli {

/// All that a run needs to go on as if it had not been interrupted.
struct Checkpoint {
  std::string inputs;         ///< fingerprint of the case but [integrator], and of all files that it reads
  std::string integrator;     ///< fingerprint of [integrator]
  NonsmoothState state;       ///< the last that the table has seen
  std::int64_t n_points = 0;  ///< that the table has seen
  TablePrefix table, events;  ///< what the files then held
  StepTotals totals;          ///< of columns
};

/// out.csv.checkpoint
std::filesystem::path checkpoint_of(const std::filesystem::path& table);

/// Every number with all its digits, and a checksum. Returns when the file is on the disk in one piece; until
/// then the one before stays what it was. @throws FileError
void write_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint);

/// @throws FileError if it is missing, none, or not what was written
Checkpoint read_checkpoint(const std::filesystem::path& file);

/// Of a text and the contents of files; not safe against malice (FNV-1a, 64 bit).
std::string fingerprint(const std::string& text, const std::vector<std::filesystem::path>& files = {});

}  // namespace halfdof::cli
