// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/plots/progress.h>

#include <boost/test/unit_test.hpp>

#include <pty.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <limits>
#include <sstream>

using namespace halfdof;

namespace {

/// Time that passes only when the test says so.
struct Clock {
  double seconds = 100;
  ProgressOptions options(ProgressDisplay display) {
    ProgressOptions options;
    options.display = display;
    options.clock = [this] { return seconds; };
    return options;
  }
};

/// Whether the machine lends terminals: a folder entered with chroot has none.
boost::test_tools::assertion_result terminals(boost::unit_test::test_unit_id) {
  int master = -1, slave = -1;
  if (openpty(&master, &slave, nullptr, nullptr, nullptr) != 0) {
    boost::test_tools::assertion_result none(false);
    none.message() << "the machine has no pseudoterminals";
    return none;
  }
  close(master);
  close(slave);
  return true;
}

/// Turns standard error into a terminal for a while.
class Terminal {
 public:
  Terminal() : error_(dup(STDERR_FILENO)) {
    BOOST_REQUIRE(openpty(&master_, &slave_, nullptr, nullptr, nullptr) == 0);
    setenv("TERM", "xterm", 1);
    dup2(slave_, STDERR_FILENO);
  }
  ~Terminal() {
    dup2(error_, STDERR_FILENO);
    for (const int descriptor : {error_, master_, slave_})
      close(descriptor);
  }
  /// What was written to the terminal so far.
  std::string shown() const {
    const char mark = '\x01';
    BOOST_REQUIRE(write(slave_, &mark, 1) == 1);
    std::string text;
    char c;
    while (read(master_, &c, 1) == 1 && c != mark)
      text += c;
    return text;
  }

 private:
  int error_, master_ = -1, slave_ = -1;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(progress, Clock)

BOOST_AUTO_TEST_CASE(in_a_pipe_nothing_is_shown_unless_asked) {
  std::ostringstream out;
  Progress progress("run", 10, out, options(ProgressDisplay::terminal));
  for (int i = 0; i <= 10; ++i)
    progress.update(i);
  progress.finish();
  BOOST_TEST(out.str().empty());
}

BOOST_AUTO_TEST_CASE(in_a_pipe_a_line_is_printed_at_every_tenth_if_asked) {
  std::ostringstream out;
  Progress progress("time integration", 200, out, options(ProgressDisplay::always));
  for (int step = 1; step <= 200; ++step) {
    seconds += 0.5;
    progress.update(step);
  }
  progress.finish();
  progress.finish();
  const std::string text = out.str();
  BOOST_TEST(text.substr(0, text.find('\n')) == "time integration: 10 % after 10 s, 1 min 30 s left");
  BOOST_TEST(text.find("\ntime integration: 90 % after 1 min 30 s, 10 s left\n") != std::string::npos);
  BOOST_TEST(text.find("\ntime integration: done in 1 min 40 s\n") != std::string::npos);
  BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 10);
}

BOOST_AUTO_TEST_CASE(a_jump_over_several_tenths_prints_one_line) {
  std::ostringstream out;
  Progress progress("run", 1, out, options(ProgressDisplay::always));
  seconds += 3;
  progress.update(0.75);
  progress.update(0.76);
  BOOST_TEST(out.str() == "run: 75 % after 3.0 s, 1.0 s left\n");
}

BOOST_AUTO_TEST_CASE(values_outside_the_range_do_no_harm) {
  std::ostringstream out;
  Progress progress("run", 1, out, options(ProgressDisplay::always));
  progress.update(-1);
  progress.update(std::numeric_limits<double>::quiet_NaN());
  progress.update(7);
  progress.finish();
  BOOST_TEST(out.str() == "run: done in 0.0 s\n");
}

BOOST_AUTO_TEST_CASE(on_a_terminal_one_line_is_redrawn_a_few_times_a_second,
                     *boost::unit_test::precondition(terminals)) {
  Terminal terminal;
  Progress progress("run", 1000, std::cerr, options(ProgressDisplay::terminal));
  for (int step = 1; step <= 1000; ++step) {
    seconds += 0.001;
    progress.update(step);
  }
  progress.finish();
  const std::string text = terminal.shown();
  BOOST_TEST(std::count(text.begin(), text.end(), '\r') <= 7);  // the terminal adds one to the line end
  BOOST_TEST(text.find("\rrun  [###############               ]   50 %  0.5 s left") != std::string::npos);
  BOOST_TEST(text.find("[##############################]  100 %  done in 1.0 s\033[K\r\n") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_abandoned_run_leaves_the_terminal_on_a_new_line,
                     *boost::unit_test::precondition(terminals)) {
  Terminal terminal;
  {
    Progress progress("run", 2, std::cerr, options(ProgressDisplay::terminal));
    progress.update(1);
  }
  const std::string text = terminal.shown();
  BOOST_REQUIRE(!text.empty());
  BOOST_TEST(text.back() == '\n');
}

BOOST_AUTO_TEST_CASE(never_means_never, *boost::unit_test::precondition(terminals)) {
  Terminal terminal;
  Progress progress("run", 2, std::cerr, options(ProgressDisplay::never));
  progress.update(1);
  progress.finish();
  BOOST_TEST(terminal.shown().empty());
}

BOOST_AUTO_TEST_CASE(durations_are_rounded_for_people) {
  BOOST_TEST(duration_text(0) == "0.0 s");
  BOOST_TEST(duration_text(9.96) == "10 s");
  BOOST_TEST(duration_text(59.6) == "1 min 0 s");
  BOOST_TEST(duration_text(125) == "2 min 5 s");
  BOOST_TEST(duration_text(3600 * 3 + 60 * 20 + 59) == "3 h 20 min");
}

BOOST_AUTO_TEST_SUITE_END()
