// SPDX-License-Identifier: LGPL-2.1-or-later
// Signals that a run of halfdof simulate is interrupted by.
#include "cli/interrupt.h"

#include <boost/test/unit_test.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <vector>

namespace {

/// What becomes of a process that signals reach while it watches: its exit code, 0 if it saw the interrupt,
/// or minus the signal that ended it.
int end_of(const std::vector<int>& signals, int ignored = 0) {
  const pid_t child = fork();
  if (child == 0) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU})
      std::signal(signal, signal == ignored ? SIG_IGN : SIG_DFL);
    const halfdof::cli::InterruptWatch watch;
    for (const int signal : signals)
      std::raise(signal);
    _exit(watch.is_interrupted() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(interrupts)

BOOST_AUTO_TEST_CASE(two_interrupts_are_remembered_and_the_third_ends_the_program) {
  BOOST_TEST(end_of({}) == 1);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    BOOST_TEST(end_of({signal}) == 0);
    BOOST_TEST(end_of({signal, signal}) == 0);
    BOOST_TEST(end_of({signal, signal, signal}) == -signal);
  }
  BOOST_TEST(end_of({SIGHUP, SIGTERM}) == 0);
  BOOST_TEST(end_of({SIGHUP, SIGTERM, SIGINT}) == -SIGINT);
}

BOOST_AUTO_TEST_CASE(the_end_of_the_processor_time_is_remembered_however_often_it_is_told) {
  BOOST_TEST(end_of({SIGXCPU}) == 0);
  BOOST_TEST(end_of({SIGXCPU, SIGXCPU, SIGXCPU, SIGXCPU}) == 0);
  BOOST_TEST(end_of({SIGXCPU, SIGINT, SIGINT}) == 0);
  BOOST_TEST(end_of({SIGXCPU, SIGINT, SIGINT, SIGINT}) == -SIGINT);
}

BOOST_AUTO_TEST_CASE(an_interrupt_that_comes_on_the_way_out_does_not_change_the_exit_code) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);
    {
      const halfdof::cli::InterruptWatch watch;
      std::raise(SIGINT);
    }
    std::raise(SIGINT);
    _exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  BOOST_TEST(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) == 7);
}

BOOST_AUTO_TEST_CASE(what_the_shell_ignores_stays_ignored) {
  BOOST_TEST(end_of({SIGHUP, SIGHUP, SIGHUP}, SIGHUP) == 1);
  BOOST_TEST(end_of({SIGHUP, SIGTERM}, SIGHUP) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
