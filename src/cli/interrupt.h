#pragma once

namespace halfdof::cli {

/**
 * While it lives, SIGINT, SIGTERM, SIGHUP and SIGXCPU do not end the program, but are remembered; the third
 * of the first three ends it, so that one that comes while the checkpoint is written takes nothing with it.
 * Signals that the
 * shell lets the program ignore stay ignored. One at a time. Once interrupted, a program is about to end:
 * signals then go on to be remembered.
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
