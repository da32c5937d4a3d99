// SPDX-License-Identifier: LGPL-2.1-or-later
// halfdof simulate: runs that are interrupted, and go on.
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <unistd.h>

#include "cases.h"
#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// A rubbing oscillator that never comes to rest, in many steps.
const char* const rubbing = R"toml([system]
mass = "M.mtx"
stiffness = "K.mtx"
[[load]]
dof = 0
expression = "3*sin(1.3*t) + cos(0.7*t)"
[[inclusion]]
name = "pad"
law = "dry-friction"
direction = [{dof = 0}]
lower = "-1 - 0.1*sin(t)"
upper = 1.2
[[inclusion]]
name = "stop"
law = "unilateral"
direction = [{dof = 0}]
obstacle = -1.5
restitution = 0.6
[integrator]
method = "moreau-jean"
step = 1e-3
end = 150.0004
[output]
file = "rub.csv"
every = 7
displacement = [0]
velocity = [0]
dissipated = true
events = "events.csv"
)toml";

/// Starts the program, interrupts it, once or more, when its table has some rows, and returns its exit code.
int interrupt(const OneMass& terminal, const Arguments& more, int signal, int n_times = 1) {
  const auto rows = terminal.path() / "rub.csv";
  const auto before = std::filesystem::exists(rows) ? std::filesystem::file_size(rows) : 0;
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(terminal.path().c_str()) != 0) _exit(99);
    for (const int output : {STDOUT_FILENO, STDERR_FILENO})
      dup2(open("log.txt", O_WRONLY | O_CREAT | O_APPEND, 0666), output);
    std::signal(signal, SIG_DFL);
    std::vector<char*> arguments;
    Arguments all = command(HALFDOF_PROGRAM, {"simulate", "case.toml"}, more);
    for (std::string& argument : all)
      arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    execv(HALFDOF_PROGRAM, arguments.data());
    _exit(99);
  }
  std::error_code missing;
  const auto has_begun = [&] {
    const auto size = std::filesystem::file_size(rows, missing);
    return !missing && (more.empty() ? size > 500 : size > before + 500);
  };
  int status = 0;
  while (!has_begun() && waitpid(child, &status, WNOHANG) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (int i = 0; i < n_times; ++i) {
    kill(child, signal);
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(interrupted_runs)

BOOST_AUTO_TEST_CASE(a_run_that_was_interrupted_twice_and_resumed_writes_the_same_bytes) {
  const OneMass whole(1, 1), parts(1, 1);
  const std::string text = changed(rubbing, {{"150.0004", std::to_string(150.0004 / shortened)}});
  BOOST_REQUIRE(whole.simulate(text).exit_code == 0);
  parts.file("case.toml", text);
  BOOST_TEST(interrupt(parts, {}, SIGINT) == 1);
  const auto checkpoint = parts.path() / "rub.csv.checkpoint";
  BOOST_REQUIRE(std::filesystem::exists(checkpoint));
  const std::string so_far = text_of(parts.path() / "rub.csv"), all = text_of(whole.path() / "rub.csv");
  BOOST_TEST(so_far.size() < all.size());
  BOOST_TEST((so_far == all.substr(0, so_far.size())));
  BOOST_TEST(so_far.back() == '\n');
  BOOST_TEST(contains(text_of(parts.path() / "log.txt"), "--resume"));

  BOOST_TEST(interrupt(parts, {"--resume"}, SIGTERM) == 1);
  std::ofstream(parts.path() / "rub.csv", std::ios::app) << "12,3";  // a row that was not finished
  const Run last = parts.run({"simulate", "case.toml", "--resume"});
  BOOST_TEST(last.exit_code == 0, last.err);
  BOOST_TEST((text_of(parts.path() / "rub.csv") == all));
  BOOST_TEST((text_of(parts.path() / "events.csv") == text_of(whole.path() / "events.csv")));
  BOOST_TEST(!std::filesystem::exists(checkpoint));
}

BOOST_AUTO_TEST_CASE(a_second_interrupt_does_not_lose_the_checkpoint_nor_does_a_terminal_that_is_closed) {
  const OneMass terminal(1, 1);
  terminal.file("case.toml", rubbing);
  BOOST_TEST(interrupt(terminal, {}, SIGINT, 2) == 1);
  BOOST_TEST(interrupt(terminal, {"--resume"}, SIGHUP) == 1);
  BOOST_TEST(std::filesystem::exists(terminal.path() / "rub.csv.checkpoint"));
}

BOOST_AUTO_TEST_CASE(runs_of_every_method_go_on_bit_for_bit) {
  const std::string wall = changed(rubbing, {{"step = 1e-3", "OPTIONS"}, {"150.0004", "END"}}),
                    no_wall = wall.substr(0, wall.find("[[inclusion]]\nname = \"stop\"")) +
                              wall.substr(wall.find("[integrator]"));
  struct Tried {
    std::string method, options;
    double end;
    std::string text;
  };
  const Tried all[] = {{"implicit-euler", "step = 1e-3", 100, changed(wall, {{"restitution = 0.6", ""}})},
                       {"generalized-alpha", "step = 1e-3", 100, wall},
                       {"set-valued-euler", "step = 1e-3", 100, no_wall},
                       {"set-valued-runge-kutta", "step = 1e-3", 40.0021, no_wall},
                       {"paoli-schatzman", "step = 1e-3\nlambda = 1e-4", 40, wall},
                       {"memory", "step = 1e-3", 400, no_wall},
                       {"event-driven", "", 500, changed(wall, {{"every = 7", "interval = 0.05"}})}};
  for (const Tried& tried : all) {
    BOOST_TEST_CONTEXT(tried.method) {
      const std::string text = changed(tried.text, {{"moreau-jean", tried.method},
                                                    {"OPTIONS", tried.options},
                                                    {"END", std::to_string(tried.end / shortened)}});
      const OneMass whole(1, 1), parts(1, 1);
      const Run uninterrupted = whole.simulate(text);
      BOOST_REQUIRE_MESSAGE(uninterrupted.exit_code == 0, uninterrupted.err);
      parts.file("case.toml", text);
      BOOST_TEST(interrupt(parts, {}, SIGINT) == 1);
      const std::string all_rows = text_of(whole.path() / "rub.csv");
      BOOST_TEST(text_of(parts.path() / "rub.csv").size() < all_rows.size());
      BOOST_TEST(parts.run({"simulate", "case.toml", "--resume"}).exit_code == 0);
      BOOST_TEST((text_of(parts.path() / "rub.csv") == all_rows));
      if (contains(text, "events"))
        BOOST_TEST((text_of(parts.path() / "events.csv") == text_of(whole.path() / "events.csv")));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_run_may_go_on_with_another_integrator) {
  const OneMass terminal(1, 1);
  terminal.file("case.toml", rubbing);
  BOOST_TEST(interrupt(terminal, {}, SIGINT) == 1);
  terminal.file("case.toml",
                "# Less accurate, and shorter.\n" + changed(rubbing, {{"moreau-jean", "generalized-alpha"},
                                                                      {"step = 1e-3", "step = 2e-3"},
                                                                      {"150.0004", "100"}}));
  const Run run = terminal.run({"simulate", "case.toml", "--resume"});
  BOOST_TEST(run.exit_code == 0, run.err);
  BOOST_TEST(contains(run.out, "[integrator] has changed"));
  auto columns = table(terminal.path() / "rub.csv");
  const std::vector<double> t = numbers(columns["t"]);
  BOOST_TEST(t.back() == 100.);
  BOOST_TEST(std::is_sorted(t.begin(), t.end()));
}

BOOST_AUTO_TEST_CASE(a_step_that_failed_is_taken_again_with_another_integrator) {
  // Explicit steps that are too long for the spring let it blow up.
  const OneMass terminal(1, 4);
  const std::string text = changed(sliding, {{"moreau-jean", "set-valued-runge-kutta"},
                                             {"step = 1e-3", "step = 4"},
                                             {"end = 2.0", "end = 5e3"},
                                             {"every = 500", "every = 1"}});
  const Run failed = terminal.simulate(text);
  BOOST_TEST(failed.exit_code == 1);
  BOOST_TEST(contains(failed.err, "blew up"), failed.err);
  BOOST_TEST(contains(failed.err, "--resume"), failed.err);
  const std::size_t n_rows = table(terminal.path() / "out/slide.csv")["t"].size();
  BOOST_TEST(n_rows > 10u);
  const Run again = terminal.simulate(
      changed(text, {{"set-valued-runge-kutta", "implicit-euler"}, {"step = 4", "step = 0.5"}}),
      {"--resume", "--verify", "--step-tolerance", "1"});
  BOOST_TEST(again.exit_code == 0, again.err);
  BOOST_TEST(contains(again.out, "Verified from"), again.out);
  auto columns = table(terminal.path() / "out/slide.csv");
  BOOST_TEST(columns["t"].size() > n_rows);
  BOOST_TEST(numbers(columns["t"]).back() == 5e3);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_resumed_is_refused) {
  const OneMass terminal(1, 1);
  terminal.file("case.toml", rubbing);
  const Run without_checkpoint = terminal.run({"simulate", "case.toml", "--resume"});
  BOOST_TEST(contains(without_checkpoint.err, "nothing to resume"));
  BOOST_TEST(without_checkpoint.out == "");
  BOOST_TEST(interrupt(terminal, {}, SIGTERM) == 1);
  const auto refused = [&](const std::string& reason) {
    const Run run = terminal.run({"simulate", "case.toml", "--resume"});
    BOOST_TEST(run.exit_code == 2);
    BOOST_TEST(contains(run.err, reason), run.err);
    BOOST_TEST(run.out == "");
  };
  terminal.file("case.toml", changed(rubbing, {{"150.0004", "1e-5"}}));
  refused("[integrator] end lies before the start");
  for (const char* const other : {"1.3", "1.200000000000001"}) {
    terminal.file("case.toml", changed(rubbing, {{"1.2", other}}));
    refused("the case, or a file that it reads, has changed");
  }
  terminal.file("case.toml", rubbing);
  write_matrix_market(terminal.path() / "K.mtx",
                      DenseMatrix<double>(DenseMatrix<double>::Constant(1, 1, 2.)));
  refused("the case, or a file that it reads, has changed");
  write_matrix_market(terminal.path() / "K.mtx",
                      DenseMatrix<double>(DenseMatrix<double>::Constant(1, 1, 1.)));
  terminal.file("rub.csv", "t\n");
  refused("cannot be continued");
  const Run anew = terminal.run({"simulate", "case.toml"});
  BOOST_TEST(anew.exit_code == 2);
  BOOST_TEST(contains(anew.err, "an earlier run with the same table"), anew.err);
  terminal.file("rub.csv.checkpoint", "{");
  refused("this checkpoint is damaged");
}

BOOST_AUTO_TEST_CASE(a_run_whose_first_step_fails_leaves_nothing_to_go_on_from) {
  const OneMass terminal(2, 0);
  const std::string late = "[[load]]\ndof = 0\nexpression = \"0*log(0.0002 - t)\"\n[integrator]";
  const Run run = terminal.simulate(changed(sliding, {{"[integrator]", late}}));
  BOOST_TEST(run.exit_code == 1);
  BOOST_TEST(contains(run.err, "stopped at 0 s, before the first step was done"), run.err);
  BOOST_TEST(!std::filesystem::exists(terminal.path() / "out/slide.csv.checkpoint"));
  BOOST_TEST(terminal.simulate(sliding).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(a_function_that_ends_within_a_run_is_named_with_its_line) {
  const OneMass terminal(2, 0);
  const auto stopped = [&](const std::string& expression) {
    return terminal
        .simulate(changed(
            sliding, {{"[integrator]", "[[load]]\ndof = 0\nexpression = " + expression + "\n[integrator]"},
                      {"out/slide.csv", expression.substr(0, 2) == "{t" ? "a.csv" : "b.csv"}}))
        .err;
  };
  BOOST_TEST(contains(stopped("\"1/(t > 1 ? 0 : 1)\""),
                      "case.toml:14: [load] expression: The function of time \"1/(t > 1 ? 0 : 1)\" is inf"));
  BOOST_TEST(contains(stopped("{times = [0, 1], values = [1, 2], beyond = \"refuse\"}"),
                      "case.toml:14: [load] expression: The table of 2 values is not defined at t = 1"));
  const Run at_once = terminal.simulate(changed(sliding, {{"upper = 4.0", "upper = \"1/t\""}}));
  BOOST_TEST(contains(at_once.err, "halfdof: case.toml:11: [inclusion] upper: The function of time"),
             at_once.err);
}

BOOST_AUTO_TEST_CASE(a_step_that_fails_leaves_its_rows_and_a_checkpoint) {
  const OneMass terminal(2, 0);
  const Run run = terminal.simulate(
      changed(sliding, {{"lower = -4.0", "lower = \"t < 1 ? -4 : 1\""}, {"every = 500", "every = 100"}}));
  BOOST_TEST(run.exit_code == 1);
  BOOST_TEST(contains(run.err, "lower <= 0 <= upper"), run.err);
  BOOST_TEST(std::filesystem::exists(terminal.path() / "out/slide.csv.checkpoint"));
  auto columns = table(terminal.path() / "out/slide.csv");
  BOOST_TEST(numbers(columns["t"]).back() == 0.9);
}

BOOST_AUTO_TEST_SUITE_END()
