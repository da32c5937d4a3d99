// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/trajectory.h>
#include <halfdof/output/result_files.h>

#include "case_file.h"
#include "checkpoint.h"
#include "checks.h"
#include "impact_energy.h"
#include "model.h"
#include "step_columns.h"
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof::cli {

using namespace internal;

/// Returns the files that a case writes, before it is checked that they can be written.
std::vector<OutputFile> files_written(const CaseFile& given);

/// Times of rows if [output] has an interval: the start, and all later times at multiples of the interval.
class RowTimes {
 public:
  explicit RowTimes(const CaseFile& given);

  /// Whether the case has an interval.
  bool are_regular() const { return interval_.has_value(); }
  /// Returns the first row time after `time`, but at most the end of the run.
  double next(double time) const;
  /// Returns whether a row is due at this time.
  bool has(double time) const;

 private:
  double at(double count) const { return begin_ + count * *interval_; }

  double begin_, end_;
  std::optional<double> interval_;
};

/// Observer that writes the [output] of a case. It is called with every step. Rows are written after at most
/// a tenth of a second, if steps are not longer than that.
class CaseTable {
 public:
  /// Creates the files. @throws FileError with the line of a DoF that does not have the quantity
  CaseTable(const CaseFile& given, const Inclusions<Engine>& inclusions);
  /// Continues the files of a checkpoint.
  CaseTable(const CaseFile& given, const Inclusions<Engine>& inclusions, const Checkpoint& from);

  /// Adds a point. A point that was added before, such as the first one of a resumed run, is not written
  /// again.
  void operator()(const NonsmoothObservation<Engine>& now);

  /// Returns whether a point at this time is written as a row.
  bool is_due(double time) const;
  /// Whether columns contain sums over all steps.
  bool has_sums() const { return step_columns_.has_sums(); }
  /// Counts a point that is not written and has no events.
  void pass(double time);

  /// Writes all rows so far to the disk. @throws FileError
  void sync();
  /// Stores the state of the files in a checkpoint, after sync().
  void describe(Checkpoint& checkpoint) const;

  std::int64_t n_points() const { return n_points_; }
  /// Energy added by impacts, over all points so far.
  const ImpactEnergy& impact_energy() const { return impact_energy_; }
  /// Returns whether the point at this time was processed completely, with its row and its sums.
  bool has_seen(double time) const { return last_time_ == time; }

 private:
  CaseTable(const CaseFile& given, const Inclusions<Engine>& inclusions, const Checkpoint* from);
  std::vector<TableCell> row_of(const NonsmoothObservation<Engine>& now) const;
  void add_events(const NonsmoothObservation<Engine>& now);
  void flush_if_due();

  std::vector<GlobalIndex> displacement_, velocity_;
  bool has_reactions_, has_dissipated_;
  std::int64_t every_;
  RowTimes row_times_;
  double end_;
  std::optional<double> last_time_;  ///< time of the last point; absent while a point is being processed
  std::int64_t n_points_ = 0;
  StepColumns step_columns_;
  ImpactEnergy impact_energy_;
  std::unique_ptr<CsvTable> table_, events_;
  std::chrono::steady_clock::time_point last_flush_;
};

}  // namespace halfdof::cli
