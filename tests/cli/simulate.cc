// halfdof simulate: closed forms through the real program, what it refuses, and runs that are interrupted.
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <unistd.h>

#include "program.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <map>
#include <sstream>
#include <thread>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// The columns of a table by their names.
std::map<std::string, std::vector<std::string>> table(const std::filesystem::path& file) {
  std::istringstream in(text_of(file));
  const auto cells = [](const std::string& line) {
    std::istringstream row(line);
    std::vector<std::string> all;
    for (std::string cell; std::getline(row, cell, ',');)
      all.push_back(cell);
    return all;
  };
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = cells(line);
  std::map<std::string, std::vector<std::string>> columns;
  while (std::getline(in, line)) {
    const std::vector<std::string> row = cells(line);
    BOOST_REQUIRE(row.size() == names.size());
    for (std::size_t c = 0; c < row.size(); ++c)
      columns[names[c]].push_back(row[c]);
  }
  return columns;
}

std::vector<double> numbers(const std::vector<std::string>& texts) {
  std::vector<double> all;
  for (const std::string& text : texts)
    all.push_back(std::stod(text));
  return all;
}

/// A case in which every text of `changes` is replaced by the one behind it.
std::string changed(std::string text, const std::vector<std::pair<std::string, std::string>>& changes) {
  for (const auto& [from, to] : changes) {
    const std::size_t place = text.find(from);
    BOOST_REQUIRE(place != std::string::npos);
    text.replace(place, from.size(), to);
  }
  return text;
}

/// A folder with the mass and the stiffness of one DoF.
class OneMass : public Terminal {
 public:
  OneMass(double mass, double stiffness) {
    const auto one = [](double value) {
      return DenseMatrix<double>(DenseMatrix<double>::Constant(1, 1, value));
    };
    write_matrix_market(path() / "M.mtx", one(mass));
    write_matrix_market(path() / "K.mtx", one(stiffness));
  }

  Run simulate(const std::string& text, const Arguments& more = {}) const {
    file("case.toml", text);
    return run(command("simulate", {"case.toml"}, more));
  }
};

/// 2 q'' = r with |r| <= 4, q'(0) = 3: it comes to rest after 1.5 s and 2.25 m.
const char* const sliding = R"([system]
mass = "M.mtx"
stiffness = "K.mtx"
[initial]
velocity = [3.0]
[[inclusion]]
name = "floor"
law = "dry-friction"
direction = [{dof = 0}]
lower = -4.0
upper = 4.0
[integrator]
method = "moreau-jean"
step = 1e-3
end = 2.0
[output]
file = "out/slide.csv"
every = 500
displacement = [0]
velocity = [0]
dissipated = true
)";

}  // namespace

BOOST_AUTO_TEST_SUITE(simulate)

BOOST_AUTO_TEST_CASE(a_mass_on_dry_friction_comes_to_rest_where_the_closed_form_says) {
  for (const std::string method : {"moreau-jean", "implicit-euler", "generalized-alpha"}) {
    const OneMass terminal(2, 0);
    const Run run = terminal.simulate(changed(sliding, {{"moreau-jean", method}}), {"--verify"});
    BOOST_TEST(run.exit_code == 0, run.err);
    BOOST_TEST(run.err.empty(), run.err);
    BOOST_TEST(contains(run.out, "Filippov inclusion"));
    BOOST_TEST(contains(run.out, "one solution, and only one"));
    BOOST_TEST(contains(run.out, "balance of momentum"));
    const std::string text = text_of(terminal.path() / "out/slide.csv");
    BOOST_TEST(text.substr(0, text.find('\n')) == "t,q[0],v[0],r[floor],state[floor],dissipated");
    auto columns = table(terminal.path() / "out/slide.csv");
    const std::vector<double> t = numbers(columns["t"]), q = numbers(columns["q[0]"]);
    BOOST_REQUIRE(t.size() == 5u);
    for (std::size_t k = 0; k < t.size(); ++k) {
      const double s = std::min(t[k], 1.5);
      BOOST_TEST(std::abs(q[k] - (3 * s - s * s)) < 2e-3);  // first order: h times the speed
    }
    BOOST_TEST(columns["state[floor]"].front() == "slip forward");
    BOOST_TEST(columns["state[floor]"].back() == "stick");
    BOOST_TEST(std::abs(numbers(columns["dissipated"]).back() - 9) < 0.01);
    BOOST_TEST(!std::filesystem::exists(terminal.path() / "out/slide.csv.checkpoint"));
  }
}

BOOST_AUTO_TEST_CASE(a_ball_bounces_as_its_restitution_says) {
  const OneMass terminal(1, 0);
  const Run run = terminal.simulate(R"(
[system]
mass = "M.mtx"
stiffness = "K.mtx"
[initial]
displacement = [5.0]
[[load]]
dof = 0
expression = "-10"
[[inclusion]]
name = "floor"
law = "unilateral"
direction = [{dof = 0, weight = 1.0}]
restitution = 0.5
[integrator]
method = "moreau-jean"
step = 1e-4
end = 1.5
[output]
file = "ball.csv"
every = 1000
displacement = [0]
events = "events.csv"
)");
  BOOST_TEST(run.exit_code == 0, run.err);
  BOOST_TEST(contains(run.out, "measure inclusion"));
  auto columns = table(terminal.path() / "ball.csv");
  BOOST_TEST(std::abs(numbers(columns["t"]).back() - 1.5) < 1e-12);
  BOOST_TEST(std::abs(numbers(columns["q[0]"]).back() - 1.25) < 5e-3);  // the impact is late by up to h
  auto events = table(terminal.path() / "events.csv");
  BOOST_REQUIRE(!events["impulse"].empty());
  BOOST_TEST(events["inclusion"].front() == "floor");
  BOOST_TEST(std::abs(numbers(events["begin"]).front() - 1) < 1e-3);
  BOOST_TEST(std::abs(numbers(events["w_before"]).front() + 10) < 1e-2);
  BOOST_TEST(std::abs(numbers(events["w_after"]).front() - 5) < 1e-2);
  BOOST_TEST(std::abs(numbers(events["impulse"]).front() - 15) < 2e-2);
}

BOOST_AUTO_TEST_CASE(a_jenkins_element_draws_its_loop) {
  const OneMass terminal(0, 2);  // no mass at all: a spring, and a support that drags its end
  const Run run = terminal.simulate(R"(
[system]
stiffness = "K.mtx"
[[inclusion]]
name = "slider"
law = "st-venant"
direction = [{dof = 0}]
threshold = 1
support = {times = [0, 1, 3, 5], values = [0, 1, -1, 1]}
[integrator]
method = "implicit-euler"
step = 0.125
end = 5
[output]
file = "loop.csv"
dissipated = true
)",
                                    {"--verify"});
  BOOST_TEST(run.exit_code == 0, run.err);
  BOOST_TEST(contains(run.out, "play"));
  auto columns = table(terminal.path() / "loop.csv");
  const std::vector<double> t = numbers(columns["t"]), r = numbers(columns["r[slider]"]);
  BOOST_REQUIRE(t.size() == 41u);
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double expected = t[k] <= 1   ? std::min(2 * t[k], 1.)
                            : t[k] <= 3 ? std::max(1 - 2 * (t[k] - 1), -1.)
                                        : std::min(-1 + 2 * (t[k] - 3), 1.);
    BOOST_TEST(std::abs(r[k] - expected) < 1e-12);
  }
  BOOST_TEST(std::abs(numbers(columns["dissipated"]).back() - 2.5) < 1e-12);  // slips 0.5, 1 and 1
}

BOOST_AUTO_TEST_CASE(coulomb_friction_has_a_column_for_each_direction) {
  const Terminal terminal;
  write_matrix_market(terminal.path() / "M.mtx", DenseMatrix<double>(DenseMatrix<double>::Identity(2, 2)));
  write_matrix_market(terminal.path() / "K.mtx", DenseMatrix<double>(DenseMatrix<double>::Zero(2, 2)));
  terminal.file("case.toml", R"(
[system]
mass = "M.mtx"
stiffness = "K.mtx"
[initial]
velocity = [0, 3]
[[load]]
vector = [-10, 0]
expression = 1
[[inclusion]]
name = "ground"
law = "coulomb"
normal = [{dof = 0}]
tangents = [[{dof = 1}]]
friction = 0.3
[integrator]
method = "moreau-jean"
step = 1e-3
end = 0.5
[output]
file = "block.csv"
velocity = [1]
)");
  const Run run = terminal.run({"simulate", "case.toml", "--verify"});
  BOOST_TEST(run.exit_code == 0, run.err);
  auto columns = table(terminal.path() / "block.csv");
  BOOST_TEST(std::abs(numbers(columns["r[ground.n]"]).back() - 10) < 1e-9);
  BOOST_TEST(std::abs(numbers(columns["r[ground.t]"]).back() + 3) < 1e-9);
  BOOST_TEST(std::abs(numbers(columns["v[1]"]).back() - 1.5) < 1e-9);
  BOOST_TEST(columns["state[ground]"].back() == "slip forward");
}

BOOST_AUTO_TEST_CASE(mistakes_are_refused_with_line_key_and_what_is_allowed) {
  const OneMass terminal(2, 0);
  const std::vector<std::vector<std::string>> mistakes = {
      {"every = 500", "evry = 500", "case.toml:18: [output] evry is unknown. Is every meant?"},
      {"step = 1e-3", "step = -1e-3",
       "case.toml:14: [integrator] step is -0.001, but must be a number above 0 [s]"},
      {"step = 1e-3", "step = \"1e-3\"", "case.toml:14: [integrator] step is \"1e-3\", but must be a number"},
      {"end = 2.0", "end = nan", "case.toml:15: [integrator] end is nan"},
      {"end = 2.0", "end = -1", "case.toml:15: [integrator] end lies before the start"},
      {"end = 2.0", "", "end is missing"},
      {"end = 2.0", "end = 2.0\ntheta = 0.3",
       "case.toml:16: [integrator] theta is 0.3, but must be a number from 0.5"},
      {"end = 2.0", "end = 2.0\nspectral_radius = 0.3",
       "no key of the method moreau-jean, but of generalized-alpha"},
      {"moreau-jean", "moreau", "must be one of implicit-euler, moreau-jean"},
      {"\"dry-friction\"", "\"dry-frction\"",
       "case.toml:8: [inclusion] law is \"dry-frction\" (is dry-friction meant?)"},
      {"lower = -4.0", "lower = 4.0", "lower <= 0 <= upper"},
      {"lower = -4.0", "lower = \"sin(\"", "case.toml:10: [inclusion] lower: The formula"},
      {"lower = -4.0", "lower = {times = [0, 1], values = [0]}", "case.toml:10: [inclusion] lower: A table"},
      {"lower = -4.0", "lower = {times = [0, 1]}", "case.toml:10: [inclusion] lower: values is missing"},
      {"upper = 4.0", "upper = 4.0\nrestitution = 0.5", "restitution is no key of the law dry-friction"},
      {"upper = 4.0", "", "upper is missing (dry-friction needs it)"},
      {"dof = 0", "dof = 1",
       "case.toml:9: [inclusion] direction: names DoF 1, but the DoFs of the system go from 0 to 0"},
      {"dof = 0", "dof = -1", "[direction] dof is -1"},
      {"\"floor\"", "\"a,b\"", "case.toml:7: [inclusion] name must not hold"},
      {"displacement = [0]", "displacement = [7]", "case.toml:19: [output] displacement names DoF 7"},
      {"displacement = [0]", "displacement = [0, 0]", "twice"},
      {"every = 500", "every = 2.5", "[output] every is 2.5, but must be a whole number"},
      {"velocity = [3.0]", "velocity = [3, 4]", "case.toml:5: [initial] velocity has 2 entries"},
      {"velocity = [3.0]", "velocity = \"v.mtx\"", "v.mtx: the file cannot be read"},
      {"M.mtx", "missing.mtx", "missing.mtx: the file cannot be read"},
      {"[output]", "[outputs]", "outputs is no section of a case. Is output meant?"},
      {"[[inclusion]]", "[inclusion]", "write this section as [[inclusion]]"},
      {"end = 2.0", "end 2.0", "case.toml:15: this is not TOML"},
      {"out/slide.csv", "M.mtx", "[output] file would replace M.mtx, which [system] mass reads"},
      {"out/slide.csv", "case.toml", "which the command line reads"},
      {"out/slide.csv", "M.mtx/x.csv", "M.mtx"},
      {"[integrator]", "[[load]]\nexpression = 1\n[integrator]", "[load] dof is missing, and vector too"}};
  for (const std::vector<std::string>& mistake : mistakes) {
    const Run run = terminal.simulate(changed(sliding, {{mistake[0], mistake[1]}}));
    BOOST_TEST(run.exit_code == 2, mistake[1]);
    BOOST_TEST(contains(run.err, mistake[2]), "\"" << mistake[2] << "\" in: " << run.err);
  }
  BOOST_TEST(!std::filesystem::exists(terminal.path() / "out"));
  BOOST_TEST(contains(terminal.run({"simulate"}).err, "--explain"));
  BOOST_TEST(
      contains(terminal.run({"simulate", "nothing.toml"}).err, "nothing.toml: the case cannot be read"));
  BOOST_TEST(terminal.run({"simulate", "nothing.toml"}).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(velocities_of_algebraic_dofs_are_refused) {
  const OneMass terminal(0, 2);
  const Run run = terminal.simulate(changed(sliding, {{"mass = \"M.mtx\"", ""}, {"velocity = [3.0]", ""}}));
  BOOST_TEST(run.exit_code == 2);
  BOOST_TEST(contains(run.err, "[output] velocity names DoF 0, which is algebraic"), run.err);
}

BOOST_AUTO_TEST_CASE(everything_that_can_be_written_in_a_case_is_explained) {
  const Terminal terminal;
  const Run run = terminal.run({"simulate", "--explain"});
  BOOST_TEST(run.exit_code == 0);
  std::istringstream in(run.out);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  const OneMass cases(2, 0);
  std::size_t n_keys = 0;
  // What refuses a wrong key names all keys that the reader knows there.
  const auto check = [&](const std::string& text) {
    const std::string err = cases.simulate(text).err, list = "Its keys are: ";
    BOOST_REQUIRE_MESSAGE(contains(err, list), err);
    std::istringstream keys(
        err.substr(err.find(list) + list.size(), err.find(". `halfdof") - err.find(list) - list.size()));
    for (std::string key; std::getline(keys >> std::ws, key, ','); ++n_keys)
      BOOST_TEST(
          (std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.rfind("  " + key + ": ", 0) == 0; })),
          key);
  };
  for (const std::string section : {"[system]", "[initial]", "[output]"})
    check(changed(sliding, {{section, section + "\nqqqqqqqq = 1"}}));
  check(std::string(sliding) + "[[load]]\nqqqqqqqq = 1\n");
  check(changed(sliding, {{"dof = 0", "qqqqqqqq = 0"}}));
  check(changed(sliding, {{"-4.0", "{qqqqqqqq = 0}"}}));
  for (const std::string law :
       {"dry-friction", "st-venant", "unilateral", "coulomb", "weakening", "static-kinetic"})
    check(std::string(sliding) + "[[inclusion]]\nlaw = \"" + law + "\"\nqqqqqqqq = 1\n");
  for (const std::string method : {"implicit-euler", "moreau-jean", "generalized-alpha"})
    check(changed(sliding, {{"moreau-jean", method}, {"end = 2.0", "qqqqqqqq = 1"}}));
  BOOST_TEST(n_keys > 70u);
  BOOST_TEST(contains(run.out, "from 0.5 to 1, default 0.5"));
  BOOST_TEST(
      contains(run.out, "one of: dry-friction, st-venant, unilateral, coulomb, weakening, static-kinetic"));
}

BOOST_AUTO_TEST_CASE(a_verification_that_fails_is_exit_code_1) {
  const OneMass terminal(2, 0);
  const Run run = terminal.simulate(sliding, {"--verify", "--tolerance", "0"});
  BOOST_TEST(run.exit_code == 1);
  BOOST_TEST(contains(run.err, "more than --tolerance 0: balance of momentum"), run.err);
}

BOOST_AUTO_TEST_SUITE_END()

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

/// Starts the program, interrupts it once its table has some rows, and returns its exit code.
int interrupt(const OneMass& terminal, const Arguments& more, int signal) {
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
  kill(child, signal);
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(interrupted_runs)

BOOST_AUTO_TEST_CASE(a_run_that_was_interrupted_twice_and_resumed_writes_the_same_bytes) {
  const OneMass whole(1, 1), parts(1, 1);
  BOOST_REQUIRE(whole.simulate(rubbing).exit_code == 0);
  parts.file("case.toml", rubbing);
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

BOOST_AUTO_TEST_CASE(what_cannot_be_resumed_is_refused) {
  const OneMass terminal(1, 1);
  terminal.file("case.toml", rubbing);
  BOOST_TEST(contains(terminal.run({"simulate", "case.toml", "--resume"}).err, "nothing to resume"));
  BOOST_TEST(interrupt(terminal, {}, SIGTERM) == 1);
  const auto refused = [&](const std::string& reason) {
    const Run run = terminal.run({"simulate", "case.toml", "--resume"});
    BOOST_TEST(run.exit_code == 2);
    BOOST_TEST(contains(run.err, reason), run.err);
  };
  terminal.file("case.toml", changed(rubbing, {{"1.2", "1.3"}}));
  refused("the case, or a file that it reads, is another one");
  terminal.file("case.toml", rubbing);
  write_matrix_market(terminal.path() / "K.mtx",
                      DenseMatrix<double>(DenseMatrix<double>::Constant(1, 1, 2.)));
  refused("the case, or a file that it reads, is another one");
  write_matrix_market(terminal.path() / "K.mtx",
                      DenseMatrix<double>(DenseMatrix<double>::Constant(1, 1, 1.)));
  terminal.file("rub.csv", "t\n");
  refused("cannot be gone on with");
  terminal.file("rub.csv.checkpoint", "{");
  refused("no whole checkpoint");
}

BOOST_AUTO_TEST_CASE(a_step_that_fails_leaves_its_rows_and_a_checkpoint) {
  const OneMass terminal(2, 0);
  const Run run = terminal.simulate(
      changed(sliding, {{"lower = -4.0", "lower = \"t < 1 ? -4 : 1\""}, {"every = 500", "every = 100"}}));
  BOOST_TEST(run.exit_code == 2);  // the law, as given, has no meaning any more
  BOOST_TEST(contains(run.err, "lower <= 0 <= upper"), run.err);
  BOOST_TEST(std::filesystem::exists(terminal.path() / "out/slide.csv.checkpoint"));
  auto columns = table(terminal.path() / "out/slide.csv");
  BOOST_TEST(numbers(columns["t"]).back() == 0.9);
}

BOOST_AUTO_TEST_SUITE_END()
