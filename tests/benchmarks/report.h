#pragma once

#include <halfdof/base/text_table.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace halfdof::benchmark {

/// One comparison: what a peer takes, or a limit of the machine, in the same run as ours.
struct Comparison {
  std::string job;          ///< "20 modes nearest zero"
  std::string model;        ///< "2D, 100172 DoFs"
  std::string peer;         ///< "SLEPc PEP, TOAR with MUMPS"
  double ours, theirs;      ///< [s]
  double goal;              ///< of theirs/ours
  double disagreement = 0;  ///< of the results, relative
  double allowed = 1e-6;    ///< disagreement up to which they agree
};

/// Prints a table at its end, and appends its rows to the file that the environment names as HALFDOF_BENCHMARK_CSV.
class Report {
 public:
  Report() = default;
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;
  ~Report() {
    std::cout << '\n' << table_;
    if (const char* const file = std::getenv("HALFDOF_BENCHMARK_CSV")) append(file);
  }

  void add(const Comparison& of) {
    const double ratio = of.theirs / of.ours;
    const std::string verdict = !(of.disagreement <= of.allowed) ? "results differ"
                                : ratio >= of.goal               ? "reached"
                                                                 : "missed";
    table_.add_row({of.job, of.model, of.peer, of.ours, of.theirs, ratio, of.goal, of.disagreement, verdict});
    rows_.push_back(
        {of.job, of.model, of.peer, of.ours, of.theirs, ratio, of.goal, of.disagreement, verdict});
  }

 private:
  void append(const std::filesystem::path& file) const {
    std::ofstream out(file, std::ios::app);
    for (const std::vector<TableCell>& row : rows_) {
      const char* separator = "";
      for (const TableCell& cell : row) {
        out << separator;
        if (const auto* text = std::get_if<std::string>(&cell.value()))
          out << '"' << *text << '"';
        else
          out << std::get<double>(cell.value());
        separator = ",";
      }
      out << '\n';
    }
  }

  TextTable table_{{"job",
                    "model",
                    "peer",
                    {"ours [s]", NumberStyle::general, 3},
                    {"theirs [s]", NumberStyle::general, 3},
                    {"theirs/ours", NumberStyle::general, 3},
                    {"goal", NumberStyle::general, 3},
                    {"differ by", NumberStyle::scientific, 1},
                    ""}};
  std::vector<std::vector<TableCell>> rows_;
};

}  // namespace halfdof::benchmark
