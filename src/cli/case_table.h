#pragma once

#include <halfdof/integrators/nonsmooth_observation.h>
#include <halfdof/output/csv_table.h>

#include "case_section.h"
#include "checkpoint.h"
#include "checks.h"
#include "model.h"
#include <memory>
#include <string>
#include <vector>

namespace halfdof::cli {

/// What a case writes, before it is checked that all of it can be.
std::vector<OutputFile> files_written(const CaseFile& given);

/// Writes the [output] of a case while it runs: an observer that sees every step. Rows reach the file at
/// once.
class CaseTable {
 public:
  /// Begins the files. @throws FileError with the line of a DoF that has no such quantity
  CaseTable(const CaseFile& given, const Inclusions<Engine>& inclusions);
  /// Goes on with them where a checkpoint left them. A point that it
  /// has seen is not written again.
  CaseTable(const CaseFile& given, const Inclusions<Engine>& inclusions, const Checkpoint& from);

  void operator()(const NonsmoothObservation<Engine>& now);

  /// What a checkpoint has to know of the files.
  void describe(Checkpoint& checkpoint) const;

  std::int64_t n_points() const { return n_points_; }

 private:
  CaseTable(const CaseFile& given, const Inclusions<Engine>& inclusions, const Checkpoint* from);
  void add_row(const NonsmoothObservation<Engine>& now);
  void add_events(const NonsmoothObservation<Engine>& now);

  std::vector<GlobalIndex> displacement_, velocity_;
  bool has_reactions_, has_dissipated_;
  std::int64_t every_;
  double end_;
  bool skips_next_;
  bool is_recorded_ = false;  ///< the last point
  std::int64_t n_points_ = 0;
  std::unique_ptr<CsvTable> table_, events_;
};

}  // namespace halfdof::cli
