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

/**
 * The files of one run of a case: its tables, which no other run may write meanwhile, and the checkpoint,
 * which is written at intervals and where the run does not reach its end. Before a checkpoint its rows are
 * brought to the disk, so that whatever ends the program leaves one that --resume can go on from.
 */
class CaseRun {
 public:
  /// @throws FileError if another run writes the tables, an earlier run left a checkpoint that this one does
  /// not go on from, or left none that fits; InvalidInput if the run would end before it begins
  CaseRun(const CaseFile& given, bool resumes);

  /// Where the checkpoint was left; absent: the run begins anew.
  const std::optional<NonsmoothState>& resumed() const { return resumed_; }
  /// Whether [integrator] is the one that left the checkpoint.
  bool has_same_integrator() const { return has_same_integrator_; }

  /// Begins the table, or goes on with it. @throws FileError if the checkpoint is of another model: then the
  /// table is as it was
  void begin(const Inclusions<Engine>& inclusions);
  CaseTable& table() { return *table_; }

  /// Whether a checkpoint is due at the point that the table has seen last.
  bool is_checkpoint_due() const;
  /// Writes one. @param state of that point @throws FileError: then the one before is still there
  void write(const NonsmoothState& state);

  /// Says what is left of a run that did not reach its end: of one without a step nothing to go on from, and
  /// of one that failed while its table took a point the checkpoint before.
  /// @param what "stopped", ... @param cause a sentence, or nothing
  ExitCode leave(const std::string& what, const NonsmoothState& state, const std::string& cause = "");
  /// Of a run that did. @throws FileError if its last rows cannot be written
  void finish(double dissipated);

 private:
  using Clock = std::chrono::steady_clock;

  void read(const std::string& inputs, const std::string& integrator);

  const CaseFile& given_;
  std::filesystem::path checkpoint_file_;
  FileLock table_lock_;
  std::optional<FileLock> events_lock_;
  Checkpoint checkpoint_;
  std::optional<double> last_written_;  ///< the time [s] of the checkpoint that is there
  std::int64_t last_points_ = 0;        ///< that it knows
  Clock::time_point last_clock_ = Clock::now();
  double interval_;       ///< wall-clock time between checkpoints [s]
  std::int64_t n_steps_;  ///< from checkpoint to checkpoint; 0: only by the clock
  std::optional<NonsmoothState> resumed_;
  bool has_same_integrator_ = true;
  std::optional<CaseTable> table_;
};

}  // namespace halfdof::cli
