#include "interrupt.h"

#include <csignal>

namespace halfdof::cli {

namespace {

// A signal handler can reach nothing else.
volatile std::sig_atomic_t interrupted = 0;

constexpr int watched[] = {SIGINT, SIGTERM};

}  // namespace

InterruptWatch::InterruptWatch() {
  interrupted = 0;
  for (const int signal : watched) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

InterruptWatch::~InterruptWatch() {
  for (const int signal : watched) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if (now.sa_handler != SIG_IGN) std::signal(signal, SIG_DFL);
  }
}

bool InterruptWatch::is_interrupted() const {
  return interrupted != 0;
}

}  // namespace halfdof::cli
