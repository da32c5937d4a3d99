#pragma once

#include <halfdof/integrators/nonsmooth_observation.h>
#include <halfdof/output/csv_table.h>

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

/// What a case writes, before it is checked that all of it can be.
std::vector<OutputFile> files_written(const CaseFile& given);

/// When rows are due where [output] asks for an interval: at the start, and each interval from there.
class RowTimes {
 public:
  explicit RowTimes(const CaseFile& given);

  /// Whether an interval is asked for.
  bool are_regular() const { return interval_.has_value(); }
  /// The first that is later, if it is not behind the end of the run; else that end.
  double next(double time) const;
  /// Whether one is due now.
  bool has(double time) const;

 private:
  double at(double count) const { return begin_ + count * *interval_; }

  double begin_, end_;
  std::optional<double> interval_;
};

/// Writes the [output] of a case while it runs: an observer that sees every step. Rows wait for a tenth of a
/// second at most, if steps are no longer than that.
class CaseTable {
 public:
  /// Begins the files. @throws FileError with the line of a DoF that has no such quantity
  CaseTable(const CaseFile& given, const Inclusions<Engine>& inclusions);
  /// Goes on with them where a checkpoint left them.
  CaseTable(const CaseFile& given, const Inclusions<Engine>& inclusions, const Checkpoint& from);

  /// A point that it has seen already, as the first of a run that goes on, is not written again.
  void operator()(const NonsmoothObservation<Engine>& now);

  /// Whether a point at this time would be a row.
  bool is_due(double time) const;
  /// Whether columns sum up what happens in every step.
  bool has_sums() const { return step_columns_.has_sums(); }
  /// A point that is no row, whose events are not told.
  void pass(double time);

  /// Brings all rows so far to the disk. @throws FileError
  void sync();
  /// What a checkpoint has to know of the files, after sync().
  void describe(Checkpoint& checkpoint) const;

  std::int64_t n_points() const { return n_points_; }
  /// What impacts have added, of the points that were seen.
  const ImpactEnergy& impact_energy() const { return impact_energy_; }
  /// Whether the point at this time was seen, and nothing went wrong before its rows and sums were complete.
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
  std::optional<double> last_time_;  ///< of the last point; absent while one is being seen
  std::int64_t n_points_ = 0;
  StepColumns step_columns_;
  ImpactEnergy impact_energy_;
  std::unique_ptr<CsvTable> table_, events_;
  std::chrono::steady_clock::time_point last_flush_;
};

}  // namespace halfdof::cli
