// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <functional>
#include <ostream>
#include <string>

namespace halfdof {

/// The kinds of output on which progress is shown.
enum class ProgressDisplay {
  terminal,  ///< only on a terminal, not in a pipe or a file
  always,    ///< also in a pipe or a file, as plain lines
  never,
};

/// Options of Progress.
struct ProgressOptions {
  ProgressDisplay display = ProgressDisplay::terminal;
  double seconds_between_updates = 0.25;  ///< time between two updates of the line on a terminal
  int percent_between_lines = 10;         ///< progress between two lines in a pipe or a file
  std::function<double()> clock;  ///< returns seconds since an arbitrary moment; absent: the steady clock
};

/**
 * Shows the progress of a long computation and an estimate of the remaining time:
 *
 * @code
 * Progress progress("time integration", end_time);
 * for (double time = 0; time < end_time; time += step) {
 *   ...
 *   progress.update(time);
 * }
 * progress.finish();
 * @endcode
 *
 * On a terminal, one line is redrawn a few times per second:
 * `time integration  [########            ]  42 %  12 s left`. On other outputs, if requested, a new line is
 * printed for every 10 %: `time integration: 40 % after 8.3 s, 12 s left`. The remaining time is estimated
 * from the average speed so far. A call of update() takes little more time than reading the clock.
 */
class Progress {
 public:
  /// Shows progress on std::cerr. @param end The argument of update() at the end of the computation
  Progress(std::string title, double end, ProgressOptions options = {});
  /// Shows progress on `out`. Only std::cerr, std::cout and std::clog can be terminals; any other stream is
  /// treated as a file.
  Progress(std::string title, double end, std::ostream& out, ProgressOptions options = {});
  /// Calls leave() unless finish() was called.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Reports that the part `done` of `end` is complete. A value outside 0 ... `end` is replaced by the nearer
  /// bound.
  void update(double done);

  /// Shows the total time.
  void finish();
  /// Ends the line on the terminal, so that other output can follow.
  void leave();

 private:
  enum class Form { none, redrawn, lines };

  void redraw(double fraction, const std::string& remark);

  std::string title_;
  double end_;
  std::ostream& out_;
  ProgressOptions options_;
  Form form_;
  double start_ = 0;
  double next_update_ = 0;  ///< time of the next update [s]
  int next_percent_ = 0;
  bool line_is_open_ = false;
};

/// Returns a text such as "8.3 s", "2 min 5 s" or "3 h 20 min".
std::string duration_text(double seconds);

}  // namespace halfdof
