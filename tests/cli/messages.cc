// SPDX-License-Identifier: LGPL-2.1-or-later
// What the program says, and what it does not let others say through it.
#include <boost/test/unit_test.hpp>

#include "cases.h"
#include <chrono>
#include <sstream>

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(messages)

BOOST_AUTO_TEST_CASE(control_characters_of_inputs_do_not_reach_the_terminal) {
  const Terminal terminal;
  terminal.file("K.mtx", "%%MatrixMarket matrix coordinate real \x1b]0;owned\x07\x1b[31mX\n1 1 1\n1 1 1\n");
  const Run matrix = terminal.run({"inspect", "--stiffness", "K.mtx"});
  BOOST_TEST(matrix.exit_code == 2);
  BOOST_TEST(contains(matrix.err, "K.mtx:1: "), matrix.err);
  const Run option = terminal.run({"inspect", "--stiffness", "K.mtx", "--solver", "\x1b[31m"});
  BOOST_TEST(option.exit_code == 2);
  BOOST_TEST(contains(option.err, "\\x1b[31m"), option.err);
  const Run verb = terminal.run({"\x1b[31m"});
  BOOST_TEST(verb.exit_code == 2);
  for (const Run& run : {matrix, option, verb})
    BOOST_TEST(!contains(run.out + run.err, "\x1b"), run.err);
}

BOOST_AUTO_TEST_CASE(names_in_a_case_have_no_control_characters) {
  const OneMass terminal(1, 1);
  const Run run = terminal.simulate(changed(sliding, {{"\"floor\"", "\"fl\\u001b[31moor\\n\""}}));
  BOOST_TEST(run.exit_code == 2);
  BOOST_TEST(contains(run.err, "case.toml:7: [inclusion] name is \"fl\\x1b[31moor"), run.err);
  BOOST_TEST(contains(run.err, "control characters"), run.err);
}

BOOST_AUTO_TEST_CASE(json_of_inspect_is_the_same_in_every_run_unless_times_are_asked_for) {
  const Terminal terminal;
  const Arguments model = data_model("three_kinds");
  terminal.json("inspect", model);
  const std::string first = text_of(terminal.path() / "result.json");
  terminal.json("inspect", model);
  BOOST_TEST((text_of(terminal.path() / "result.json") == first));
  BOOST_TEST(!contains(first, "seconds"));
  const auto timed = terminal.json("inspect", model, {"--profile"});
  BOOST_TEST(timed["elimination"][0]["seconds"] > 0.);
}

BOOST_AUTO_TEST_CASE(reading_a_case_of_many_inclusions_takes_a_time_that_is_proportional_to_them) {
  const OneMass terminal(1, 1);
  const auto seconds_of = [&](int n) {
    std::ostringstream text;
    text << "[system]\nmass = \"M.mtx\"\nstiffness = \"K.mtx\"\n";
    for (int i = 0; i < n; ++i)
      text << "[[inclusion]]\nname = \"c" << i << "\"\nlaw = \"unilateral\"\ndirection = [{dof = 0}]\n";
    text << "[integrator]\nmethod = \"moreau-jean\"\nstep = 1e-3\nend = 1\n[output]\nfil = \"a.csv\"\n";
    const auto begin = std::chrono::steady_clock::now();
    const Run run = terminal.simulate(text.str());
    BOOST_TEST(contains(run.err, "case.toml:" + std::to_string(4 * n + 9) + ": [output] fil is unknown"),
               run.err);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  // Counting the lines from the top of the file for each inclusion made it 256 times as long.
  const double few = seconds_of(500);
  BOOST_TEST(seconds_of(8000) < 64 * few);
}

BOOST_AUTO_TEST_SUITE_END()
