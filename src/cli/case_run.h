// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "case_file.h"
#include "case_table.h"
#include "checkpoint.h"
#include "exit_code.h"
#include "file_lock.h"
#include "model.h"
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace halfdof::cli {

using namespace internal;

/**
 * The output files of one run of a case: its tables, which are locked against other runs, and the
 * checkpoint, which is written at intervals, and when the run does not reach its end. All rows before a
 * checkpoint are written to the disk first, so that --resume can continue from it whatever ends the program.
 */
class CaseRun {
 public:
  /// @throws FileError if another run writes the tables, if an earlier run left a checkpoint and this run
  ///     does not resume it, or if no suitable checkpoint exists for a run that resumes
  /// @throws InvalidInput if the end of the run is before its beginning
  CaseRun(const CaseFile& given, bool resumes);

  /// State of the checkpoint from which the run resumes; absent for a new run.
  const std::optional<NonsmoothState>& resumed() const { return resumed_; }
  /// Whether [integrator] is unchanged since the checkpoint.
  bool has_same_integrator() const { return has_same_integrator_; }

  /// Begins the table, or continues it. @throws FileError if the checkpoint does not fit the model; the table
  /// is then unchanged
  void begin(const Inclusions<Engine>& inclusions);
  CaseTable& table() { return *table_; }

  /// Returns whether a checkpoint is due at the last point of the table.
  bool is_checkpoint_due() const;
  /// Writes a checkpoint. @param state state at the last point of the table @throws FileError; the previous
  /// checkpoint is then unchanged
  void write(const NonsmoothState& state);

  /// Writes a checkpoint of a run that did not reach its end, and prints how it can be resumed. No checkpoint
  /// is written if the run has made no step, or if it failed while its table processed a point; then the
  /// previous checkpoint is kept.
  /// @param what "stopped" or "interrupted" @param cause a sentence, or empty
  ExitCode leave(const std::string& what, const NonsmoothState& state, const std::string& cause = "");
  /// Completes the files of a run that reached its end, and removes the checkpoint. @throws FileError if the
  /// last rows cannot be written
  void finish(double dissipated);

 private:
  using Clock = std::chrono::steady_clock;

  void read(const std::string& inputs, const std::string& integrator);

  const CaseFile& given_;
  std::filesystem::path checkpoint_file_;
  FileLock table_lock_;
  std::optional<FileLock> events_lock_;
  Checkpoint checkpoint_;
  std::optional<double> last_written_;  ///< time of the last checkpoint [s]
  std::int64_t last_points_ = 0;        ///< number of points of the table at the last checkpoint
  Clock::time_point last_clock_ = Clock::now();
  double interval_;       ///< wall-clock time between checkpoints [s]
  std::int64_t n_steps_;  ///< number of steps between checkpoints; 0: they depend on the clock only
  std::optional<NonsmoothState> resumed_;
  bool has_same_integrator_ = true;
  std::optional<CaseTable> table_;
};

}  // namespace halfdof::cli
