#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace halfdof {

/// What a stage has cost since its profile began.
struct ProfiledStage {
  std::string name;
  int depth = 0;  ///< 0: in no other stage
  std::int64_t n_calls = 0;
  double wall = 0;                 ///< [s], inner stages included
  double processor = 0;            ///< of all threads of this process [s]
  double peak_memory = 0;          ///< of this process until the stage last ended [bytes]
  std::vector<std::string> notes;  ///< what solvers said of themselves, each once
};

/**
 * Where the time of this process goes: stages of the library report to it, from reading a file to the steps
 * of a run. It is off until start(), and then costs nothing but a look at a flag. Stages within stages are
 * told apart by where they were called from. Of one thread.
 *
 * @code
 * Profile::of_process().start();
 * const auto reduced = reduce(assembled);
 * std::cout << Profile::of_process();
 * @endcode
 */
class Profile {
 public:
  /// Called with the name of a stage and whether it begins or ends; may not throw where it ends.
  using Listener = std::function<void(const std::string& name, bool begins)>;

  static Profile& of_process();

  /// Forgets what was, and begins. No stage may be running.
  void start(Listener listener = {});
  /// Keeps what was.
  void stop() { is_on_ = false; }
  bool is_on() const { return is_on_; }

  /// A stage before those within it, in the order in which they first ran.
  std::vector<ProfiledStage> stages() const;

 private:
  friend class Stage;
  struct Node {
    ProfiledStage stage;
    std::vector<std::size_t> inner;
  };

  std::size_t enter(const char* name);
  void leave(std::size_t node, double wall, double processor);
  void list(std::size_t node, int depth, std::vector<ProfiledStage>& all) const;

  bool is_on_ = false;
  Listener listener_;
  std::vector<Node> nodes_;  ///< the first one holds all
  std::vector<std::size_t> running_;
};

/// A table: stage, calls, wall and processor time, peak memory; and the notes below it.
std::ostream& operator<<(std::ostream& out, const Profile& profile);

/// Reports the time between its construction and destruction to Profile::of_process().
class Stage {
 public:
  explicit Stage(const char* name) {
    if (Profile::of_process().is_on()) begin(name);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage() {
    if (is_reported_) end();
  }

  /// What a solver says of itself. Nothing where the profile is off.
  void note(const std::function<std::string()>& text) const;

 private:
  void begin(const char* name);
  void end();

  bool is_reported_ = false;
  std::size_t node_ = 0;
  double wall_ = 0, processor_ = 0;
};

}  // namespace halfdof
