// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace halfdof::cli {

/**
 * While an object exists, SIGINT, SIGTERM, SIGHUP and SIGXCPU do not end the program, but are recorded. The
 * third signal other than SIGXCPU ends the program, so that a second one that arrives while the checkpoint
 * is written does no harm. Signals that the shell lets the program ignore stay ignored. Only one object may
 * exist at a time. After an interruption the program is about to end, and signals continue to be recorded
 * after the destruction of the object.
 */
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  /// Returns whether a signal has arrived.
  bool is_interrupted() const;
};

/// Returns whether a signal has arrived since the last InterruptWatch began to exist.
bool was_interrupted();

}  // namespace halfdof::cli
