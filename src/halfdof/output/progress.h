#pragma once

#include <functional>
#include <ostream>
#include <string>

namespace halfdof {

/// Where progress is shown.
enum class ProgressDisplay {
  terminal,  ///< on a terminal; nothing in a pipe or a file
  always,    ///< in a pipe or a file too, as plain lines
  never,
};

struct ProgressOptions {
  ProgressDisplay display = ProgressDisplay::terminal;
  double seconds_between_updates = 0.25;  ///< on a terminal
  int percent_between_lines = 10;         ///< elsewhere
  std::function<double()> clock;          ///< seconds since any moment; absent: the steady clock
};

/**
 * How far a long computation is, and how long it will still take:
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
 * On a terminal one line is redrawn a few times a second:
 * `time integration  [########            ]  42 %  12 s left`. Elsewhere, if asked, a line is printed at
 * every tenth: `time integration: 40 % after 8.3 s, 12 s left`. The time left supposes that the rest goes at
 * the same pace. update() costs a look at the clock.
 */
class Progress {
 public:
  /// On std::cerr. `end` is what update() reaches at the end.
  Progress(std::string title, double end, ProgressOptions options = {});
  /// On `out`: std::cerr, std::cout and std::clog may be a terminal, any other stream is none.
  Progress(std::string title, double end, std::ostream& out, ProgressOptions options = {});
  /// leave(), if finish() was not reached.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of `end` is done; what lies outside 0 ... end is taken as its nearer bound.
  void update(double done);

  /// Says how long it took.
  void finish();
  /// Ends the line where it is, for something else to be said.
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
  double next_update_ = 0;  ///< seconds
  int next_percent_ = 0;
  bool line_is_open_ = false;
};

/// "8.3 s", "2 min 5 s", "3 h 20 min".
std::string duration_text(double seconds);

}  // namespace halfdof
