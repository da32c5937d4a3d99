// SPDX-License-Identifier: LGPL-2.1-or-later
// halfdof simulate: runs that are killed, find the disk full, or are tampered with.
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include "cases.h"
#include <chrono>
#include <csignal>
#include <thread>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// A rubbing oscillator in 20 000 steps, every one a row, with a checkpoint after each hundred.
const std::string rubbing = R"toml([system]
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
[integrator]
method = "moreau-jean"
step = 1e-3
end = )toml" + std::to_string(20 / shortened) +
                            R"toml(.0
[output]
file = "rub.csv"
displacement = [0]
slips = true
energies = true
events = "events.csv"
checkpoint_every = 100
)toml";

/// The program in the folder of the case, with a limit of the size of files [bytes].
pid_t start(const OneMass& terminal, const Arguments& more, rlim_t largest_file = RLIM_INFINITY) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (chdir(terminal.path().c_str()) != 0) _exit(99);
  for (const int output : {STDOUT_FILENO, STDERR_FILENO})
    dup2(open("log.txt", O_WRONLY | O_CREAT | O_APPEND, 0666), output);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = largest_file;
  setrlimit(RLIMIT_FSIZE, &limit);
  std::vector<char*> arguments;
  Arguments all = command(HALFDOF_PROGRAM, {"simulate", "case.toml"}, more);
  for (std::string& argument : all)
    arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  execv(HALFDOF_PROGRAM, arguments.data());
  _exit(99);
}

/// Exit code, or minus the signal that ended it.
int end_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// A case, and the run of it that nothing ends.
struct Rubbing {
  OneMass terminal{1, 1};
  std::filesystem::path table = terminal.path() / "rub.csv", events = terminal.path() / "events.csv",
                        checkpoint = terminal.path() / "rub.csv.checkpoint";

  Rubbing() { terminal.file("case.toml", rubbing); }

  static const OneMass& whole() {
    static const OneMass one(1, 1);
    static const Run run = one.simulate(rubbing);
    BOOST_REQUIRE_MESSAGE(run.exit_code == 0, run.err);
    return one;
  }

  Run resume() const { return terminal.run({"simulate", "case.toml", "--resume"}); }

  /// Kills a run when its checkpoint has been written again.
  void kill_after_checkpoint(const Arguments& more = {}) const {
    const std::string before = text_of(checkpoint);
    const pid_t child = start(terminal, more);
    int status = 0;
    while (text_of(checkpoint) == before && waitpid(child, &status, WNOHANG) == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(child, SIGKILL);
    BOOST_TEST(end_of(child) == -SIGKILL);
    BOOST_REQUIRE(std::filesystem::exists(checkpoint));
  }

  nlohmann::json state() const { return nlohmann::json::parse(text_of(checkpoint)).at("run"); }

  void check_same_as_whole() const {
    BOOST_TEST((text_of(table) == text_of(whole().path() / "rub.csv")));
    BOOST_TEST((text_of(events) == text_of(whole().path() / "events.csv")));
    BOOST_TEST(!std::filesystem::exists(checkpoint));
  }

  /// No run goes on, the file at fault is named, and nothing is written.
  void check_refused(const Arguments& more, const std::string& reason) const {
    const std::string rows = text_of(table), happened = text_of(events), left = text_of(checkpoint);
    const Run run = terminal.run(command("simulate", {"case.toml"}, more));
    BOOST_TEST(run.exit_code == 2);
    BOOST_TEST(contains(run.err, reason), run.err);
    BOOST_TEST((text_of(table) == rows));
    BOOST_TEST((text_of(events) == happened));
    BOOST_TEST((text_of(checkpoint) == left));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(checkpoints, Rubbing)

BOOST_AUTO_TEST_CASE(a_run_that_is_killed_goes_on_from_its_last_checkpoint_to_the_same_bytes) {
  kill_after_checkpoint();
  // Of a process that died while it wrote one.
  for (const char* const part : {"rub.csv.checkpoint.part-1-0", "rub.csv.part-1-0"})
    terminal.file(part, "{");
  const std::string rows = text_of(table);
  const std::size_t n_known = state().at("table").at("bytes");
  BOOST_TEST(rows.size() >= n_known);
  BOOST_TEST(std::count(rows.begin() + static_cast<std::ptrdiff_t>(n_known), rows.end(), '\n') <= 100);
  kill_after_checkpoint({"--resume"});
  const Run run = resume();
  BOOST_TEST(run.exit_code == 0, run.err);
  check_same_as_whole();
  for (const char* const part : {"rub.csv.checkpoint.part-1-0", "rub.csv.part-1-0"})
    BOOST_TEST(!std::filesystem::exists(terminal.path() / part));
}

BOOST_AUTO_TEST_CASE(checkpoints_are_written_by_the_clock_whose_interval_may_change) {
  terminal.file("case.toml", changed(rubbing, {{"checkpoint_every = 100", "checkpoint_interval = 0.01"}}));
  kill_after_checkpoint();
  terminal.file("case.toml", changed(rubbing, {{"checkpoint_every = 100", "checkpoint_interval = 3600"},
                                               {"upper = 1.2", "upper = 12e-1  # the same"}}));
  const Run run = resume();
  BOOST_TEST(run.exit_code == 0, run.err);
  check_same_as_whole();
}

BOOST_AUTO_TEST_CASE(whole_numbers_are_the_same_as_real_ones) {
  kill_after_checkpoint();
  terminal.file("case.toml", changed(rubbing, {{".0\n[output]", "\n[output]"}}));
  const Run run = resume();
  BOOST_TEST(run.exit_code == 0, run.err);
  BOOST_TEST(!contains(run.out, "[integrator] has changed"));
  check_same_as_whole();
}

BOOST_AUTO_TEST_CASE(a_full_disk_costs_no_more_than_an_interval) {
  const std::size_t size = text_of(whole().path() / "rub.csv").size();
  BOOST_TEST(end_of(start(terminal, {}, size / 2)) == 1);
  const std::string log = text_of(terminal.path() / "log.txt");
  BOOST_TEST(contains(log, "rub.csv: writing failed: File too large"), log);
  BOOST_TEST(contains(log, "continues from the last one, rub.csv.checkpoint"), log);
  BOOST_TEST(text_of(table).size() > size / 2 - 20000);
  BOOST_TEST(resume().exit_code == 0);
  check_same_as_whole();
}

BOOST_AUTO_TEST_CASE(a_full_disk_without_a_checkpoint_is_told) {
  terminal.file("case.toml", changed(rubbing, {{"checkpoint_every = 100", ""}}));
  BOOST_TEST(end_of(start(terminal, {}, 20000)) == 1);
  const std::string log = text_of(terminal.path() / "log.txt");
  BOOST_TEST(contains(log, "nor was one before: run the case anew"), log);
  BOOST_TEST(!std::filesystem::exists(checkpoint));
}

BOOST_AUTO_TEST_CASE(what_was_altered_is_not_gone_on_with) {
  kill_after_checkpoint();
  const std::string good_checkpoint = text_of(checkpoint), good_table = text_of(table),
                    good_events = text_of(events);

  const std::size_t dissipated = good_checkpoint.find("\"dissipated\": ") + 16;
  std::string other = good_checkpoint;
  other[dissipated] = other[dissipated] == '5' ? '6' : '5';
  terminal.file("rub.csv.checkpoint", other);
  check_refused({"--resume"}, "rub.csv.checkpoint: this checkpoint is damaged: it was changed");
  terminal.file("rub.csv.checkpoint", good_checkpoint.substr(0, good_checkpoint.size() / 2));
  check_refused({"--resume"}, "rub.csv.checkpoint: this checkpoint is damaged");
  terminal.file("rub.csv.checkpoint", good_checkpoint);

  const std::pair<const char*, const std::string*> tables[] = {{"rub.csv", &good_table},
                                                               {"events.csv", &good_events}};
  for (const auto& [name, good] : tables) {
    other = *good;
    const std::size_t digit = other.find_first_of("123456789", other.find('\n'));
    other[digit] = other[digit] == '5' ? '6' : '5';
    terminal.file(name, other);
    check_refused({"--resume"}, std::string(name) + ": the first ");
    terminal.file(name, good->substr(0, 20));
    check_refused({"--resume"}, std::string(name) + ": the table has 20 bytes");
    terminal.file(name, *good);
  }
  BOOST_TEST(resume().exit_code == 0);
  check_same_as_whole();
}

BOOST_AUTO_TEST_CASE(a_state_of_another_model_is_refused_before_the_table_is_touched) {
  kill_after_checkpoint();
  const auto refuse = [&](const char* key, const nlohmann::ordered_json& value, const std::string& reason) {
    nlohmann::ordered_json whole = nlohmann::ordered_json::parse(text_of(checkpoint));
    const nlohmann::ordered_json before = whole;
    (whole["run"]["state"].contains(key) ? whole["run"]["state"] : whole["run"]["totals"])[key] = value;
    const std::string text = whole["run"].dump();
    whole["crc32"] = crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
    terminal.file("rub.csv.checkpoint", whole.dump());
    check_refused({"--resume"}, reason);
    terminal.file("rub.csv.checkpoint", before.dump());
  };
  refuse("y", {1., 2., 3.}, "its state does not have the size of the model");
  refuse("w", nlohmann::ordered_json::array(), "its state does not have the size of the model");
  refuse("contacts", {99}, "there is no contact state 99");
  refuse("slipped", {1., 2.}, "The checkpoint has 2 slips");
  BOOST_TEST(resume().exit_code == 0);
  check_same_as_whole();
}

BOOST_AUTO_TEST_CASE(two_runs_do_not_write_one_table) {
  kill_after_checkpoint();
  for (const auto& file : {table, events}) {
    const int other_run = open(file.c_str(), O_WRONLY | O_CLOEXEC);
    BOOST_REQUIRE(flock(other_run, LOCK_EX | LOCK_NB) == 0);
    check_refused({"--resume"}, file.filename().string() + ": another run is writing this");
    check_refused({}, file.filename().string() + ": another run is writing this");
    close(other_run);
  }
  BOOST_TEST(resume().exit_code == 0);
  check_same_as_whole();
}

BOOST_AUTO_TEST_CASE(a_case_that_is_refused_leaves_no_table) {
  const Run run = terminal.simulate(changed(rubbing, {{"end = ", "end = -"}}));
  BOOST_TEST(run.exit_code == 2);
  BOOST_TEST(!std::filesystem::exists(table));
  BOOST_TEST(!std::filesystem::exists(events));
}

BOOST_AUTO_TEST_CASE(a_reader_that_is_gone_takes_no_checkpoint_with_it) {
  const std::string fails =
      changed(rubbing, {{"3*sin(1.3*t)", "1/(t > 1 ? 0 : 1)"}, {"checkpoint_every = 100", ""}});
  terminal.file("case.toml", fails);
  const std::string call = "cd '" + terminal.path().string() +
                           "' && (sleep 0.2; '" HALFDOF_PROGRAM
                           "' simulate case.toml 2> err.txt; echo $? > code.txt) | true";
  BOOST_TEST(std::system(("bash -c \"" + call + "\"").c_str()) == 0);
  BOOST_TEST(contains(text_of(terminal.path() / "err.txt"), "--resume` continues from rub.csv.checkpoint"));
  BOOST_TEST(std::filesystem::exists(checkpoint));
}

BOOST_AUTO_TEST_CASE(a_standard_output_that_is_closed_gets_no_table_in_its_place) {
  const std::string call =
      "cd '" + terminal.path().string() + "' && '" HALFDOF_PROGRAM "' simulate case.toml <&- >&- 2>&-";
  const int status = std::system(call.c_str());
  BOOST_TEST(WEXITSTATUS(status) == 2);
  check_same_as_whole();
}

BOOST_AUTO_TEST_SUITE_END()
