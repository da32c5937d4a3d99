#pragma once

#include "case_file.h"
#include "case_table.h"
#include "checkpoint.h"
#include "exit_code.h"
#include "model.h"
#include <optional>
#include <string>

namespace halfdof::cli {

/// The files of one run of a case: its table, and the checkpoint that it leaves where it does not reach its
/// end.
class CaseRun {
 public:
  /// @throws FileError if an earlier run left a checkpoint that this one does not go on from, or left none
  /// that fits; InvalidInput if the run would end before it begins
  CaseRun(const CaseFile& given, bool resumes);

  /// Where the checkpoint was left; absent: the run begins anew.
  const std::optional<NonsmoothState>& resumed() const { return resumed_; }
  /// Whether [integrator] is the one that left the checkpoint.
  bool has_same_integrator() const { return has_same_integrator_; }

  /// Begins the table, or goes on with it. @throws FileError
  void begin(const Inclusions<Engine>& inclusions);
  CaseTable& table() { return *table_; }

  /// Says what is left of a run that did not reach its end: of one without a step nothing to go on from.
  ExitCode leave(const std::string& what, const NonsmoothState& state);
  /// Of a run that did.
  void finish(double dissipated) const;

 private:
  const CaseFile& given_;
  std::filesystem::path checkpoint_file_;
  Checkpoint checkpoint_;
  std::optional<NonsmoothState> resumed_;
  bool has_same_integrator_ = true;
  std::optional<CaseTable> table_;
};

}  // namespace halfdof::cli
