// SPDX-License-Identifier: LGPL-2.1-or-later
#include "interrupt.h"

#include <csignal>

namespace halfdof::cli {

namespace {

/// SIGXCPU reports that the limit of processor time (ulimit -t) is reached.
constexpr int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};

constexpr int last_remembered = 2;

// A signal handler can use only such variables.
volatile std::sig_atomic_t n_interrupts = 0, is_out_of_time = 0;

/// Signal handler. Signals are blocked while it runs; one that is raised here ends the program when it
/// returns.
void remember(int signal) {
  // The system repeats SIGXCPU every second.
  if (signal == SIGXCPU) {
    is_out_of_time = 1;
    return;
  }
  if (n_interrupts < last_remembered) {
    n_interrupts = n_interrupts + 1;
    return;
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

InterruptWatch::InterruptWatch() {
  n_interrupts = is_out_of_time = 0;
  for (const int signal : watched) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = remember;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (const int other : watched)
      sigaddset(&action.sa_mask, other);
    sigaction(signal, &action, nullptr);
  }
}

InterruptWatch::~InterruptWatch() {
  if (is_interrupted()) return;
  for (const int signal : watched) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler != SIG_IGN) std::signal(signal, SIG_DFL);
  }
}

bool InterruptWatch::is_interrupted() const {
  return was_interrupted();
}

bool was_interrupted() {
  return n_interrupts > 0 || is_out_of_time != 0;
}

}  // namespace halfdof::cli
