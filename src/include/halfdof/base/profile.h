// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace halfdof {

/// The cost of a stage since the start of the profile.
struct ProfiledStage {
  std::string name;
  int depth = 0;  ///< number of enclosing stages
  std::int64_t n_calls = 0;
  double wall = 0;                 ///< wall time [s], inner stages included
  double processor = 0;            ///< processor time of all threads of this process [s]
  double peak_memory = 0;          ///< peak memory of this process until the stage last ended [bytes]
  std::vector<std::string> notes;  ///< remarks of solvers (Stage::note()), without repetitions
};

/**
 * Measures the time and the memory that the stages of this process need. The stages of the library,
 * from reading a file to the steps of a run, report to the profile. The profile is off until start() is
 * called; while the profile is off, a stage costs only the check of a flag. A stage that is called from
 * several other stages is listed once within each. Only one thread may use the profile.
 *
 * @code
 * Profile::of_process().start();
 * const auto reduced = reduce(assembled);
 * std::cout << Profile::of_process();
 * @endcode
 */
class Profile {
 public:
  /// A function that is called at the start and at the end of each stage. It must not throw at the end
  /// of a stage.
  using Listener = std::function<void(const std::string& name, bool begins)>;

  static Profile& of_process();

  /// Discards earlier measurements and starts measuring. No stage may be running.
  void start(Listener listener = {});
  /// Stops measuring; the measurements are kept.
  void stop() { is_on_ = false; }
  bool is_on() const { return is_on_; }

  /// Returns the stages in the order in which they first ran; a stage precedes the stages within it.
  std::vector<ProfiledStage> stages() const;

 private:
  friend class StageTimer;
  struct Node {
    ProfiledStage stage;
    std::vector<std::size_t> inner;
  };

  std::size_t enter(const char* name);
  void leave(std::size_t node, double wall, double processor);
  void list(std::size_t node, int depth, std::vector<ProfiledStage>& all) const;

  bool is_on_ = false;
  Listener listener_;
  std::vector<Node> nodes_;  ///< tree of the stages; nodes_[0] is the root, which stands for no stage
  std::vector<std::size_t> running_;
};

/// Prints a table of stage, calls, wall and processor time and peak memory, followed by the notes.
std::ostream& operator<<(std::ostream& out, const Profile& profile);

/// A stage of the library. It reports the time between its construction and its destruction to
/// Profile::of_process().
class StageTimer {
 public:
  explicit StageTimer(const char* name) {
    if (Profile::of_process().is_on()) begin(name);
  }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;
  ~StageTimer() {
    if (is_reported_) end();
  }

  /// Adds the remark of a solver to the stage. `text` is not called while the profile is off.
  void note(const std::function<std::string()>& text) const;

 private:
  void begin(const char* name);
  void end();

  bool is_reported_ = false;
  std::size_t node_ = 0;
  double wall_ = 0, processor_ = 0;
};

/**
 * Makes the process keep freed blocks of memory of up to a gigabyte each (32 MB before version 2.35 of the
 * GNU C library) for later allocations. Iterations free and allocate vectors of the same few megabytes again
 * and again. By default, the GNU C library returns each of them to the system and maps and zeroes new pages
 * at the next allocation, which takes 5 to 15 % of the time of a search for modes.
 *
 * This function is meant for main() of a program: the setting holds for the whole process, so that no other
 * part of the library calls it. It has its full effect in the main thread only; the heaps of other threads
 * end at 64 MB. Peaks of memory grow by up to a tenth, and freed memory does not become available to other
 * processes. With another C library the function does nothing.
 */
void keep_freed_memory();

}  // namespace halfdof
