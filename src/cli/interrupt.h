#pragma once

namespace halfdof::cli {

/**
 * While it lives, the first SIGINT or SIGTERM does not end the program, but is remembered; a second one ends
 * it. Signals that the shell lets the program ignore stay ignored. One at a time.
 */
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  /// Whether one has come.
  bool is_interrupted() const;
};

}  // namespace halfdof::cli
