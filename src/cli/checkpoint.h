// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>
#include <halfdof/output/result_files.h>

#include "step_columns.h"
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace halfdof::cli {

using namespace internal;

/// All data that a run needs to continue as if it had not been interrupted.
struct Checkpoint {
  std::string inputs;      ///< fingerprint of the case without [integrator], and of all files that it reads
  std::string integrator;  ///< fingerprint of [integrator]
  NonsmoothState state;    ///< state at the last point of the table
  std::int64_t n_points = 0;  ///< number of points of the table so far
  TablePrefix table, events;  ///< prefixes of the two files at this point
  StepTotals totals;          ///< sums of the columns over all steps
};

/// Returns the name of the checkpoint, such as out.csv.checkpoint.
std::filesystem::path checkpoint_of(const std::filesystem::path& table);

/// Writes a checkpoint with all digits of each number and a checksum. The function returns when the complete
/// file is on the disk; until then the previous file is unchanged. @throws FileError
void write_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint);

/// Reads a checkpoint. @throws FileError if the file is missing, is not a checkpoint, or was changed
Checkpoint read_checkpoint(const std::filesystem::path& file);

/// Returns a fingerprint of a text and of the contents of files (FNV-1a, 64 bit). It gives no protection
/// against forgery.
std::string fingerprint(const std::string& text, const std::vector<std::filesystem::path>& files = {});

}  // namespace halfdof::cli
