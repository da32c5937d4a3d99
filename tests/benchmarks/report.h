// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/base/text_table.h>
#include <halfdof/linear_algebra/dense/blas.h>
#include <halfdof/output/result_files.h>

#include <errno.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace halfdof::benchmark {

using namespace internal;

/// One comparison: what a peer takes, or a limit of the machine, in the same run as ours.
struct Comparison {
  std::string job;          ///< "20 modes nearest zero"
  std::string model;        ///< "2D, 100172 DoFs"
  std::string peer;         ///< "SLEPc PEP, TOAR with MUMPS"
  double ours, theirs;      ///< in the unit
  double goal;              ///< of theirs/ours; 0: none
  double disagreement = 0;  ///< of the results, relative
  double allowed = 1e-6;    ///< disagreement up to which they agree
  std::string unit = "s";
};

/**
 * Prints a table at its end. Each row goes at once to the file that the environment names as
 * HALFDOF_BENCHMARK_CSV, so that an interrupted run leaves what it finished.
 */
class Report {
 public:
  /// @throws NotAvailable beside the reference BLAS, which is several times slower in all that is compared
  /// here
  Report() {
    if (const BlasInUse blas = blas_in_use(); blas.is_reference)
      throw NotAvailable("The BLAS in use, " + blas.library +
                         ", is the reference one: ratios would be those of its dgemm. Install "
                         "libopenblas0-pthread, or choose it by update-alternatives.");
    keep_freed_memory();  // as the program does, and the peers in their processes
    if (const char* const file = std::getenv("HALFDOF_BENCHMARK_CSV")) open(file);
  }
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;
  ~Report() { std::cout << '\n' << table_; }

  void add(const Comparison& of) {
    const double ratio = of.theirs / of.ours;
    const std::string verdict = !(of.disagreement <= of.allowed) ? "disagree"
                                : of.goal == 0                   ? ""
                                : ratio >= of.goal               ? "met"
                                                                 : "missed";
    std::vector<TableCell> row = {of.job,  of.model, of.peer, of.ours,         of.theirs,
                                  of.unit, ratio,    of.goal, of.disagreement, verdict};
    table_.add_row(row);
    row.insert(row.begin(), program_invocation_short_name);
    if (file_) file_->add_row(row);
  }

 private:
  /// Goes on with the table of the programs before.
  void open(const std::filesystem::path& file) {
    const std::vector<std::string> columns = {"program", "job",   "model", "peer",      "ours",   "theirs",
                                              "unit",    "ratio", "goal",  "differ by", "verdict"};
    if (std::filesystem::exists(file))
      file_.emplace(file, columns.size(), CsvTable::whole(file));
    else
      file_.emplace(file, columns);
  }

  TextTable table_{{"job",
                    "model",
                    "peer",
                    {"ours", NumberStyle::general, 3},
                    {"theirs", NumberStyle::general, 3},
                    "unit",
                    {"theirs/ours", NumberStyle::general, 3},
                    {"goal", NumberStyle::general, 3},
                    {"differ by", NumberStyle::scientific, 1},
                    ""}};
  std::optional<CsvTable> file_;
};

}  // namespace halfdof::benchmark
