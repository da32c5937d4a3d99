// SPDX-License-Identifier: LGPL-2.1-or-later
// halfdof simulate: closed forms through the real program.
#include <boost/test/unit_test.hpp>

#include "cases.h"
#include <algorithm>
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// The numbers in the column "largest violation" of what --verify prints.
std::vector<double> violations(const std::string& printed) {
  std::istringstream lines(printed.substr(printed.find("checked  ")));
  std::string line;
  std::getline(lines, line);
  const std::size_t column = line.find("largest violation");
  std::getline(lines, line);  // dashes
  std::vector<double> all;
  while (std::getline(lines, line) && !contains(line, "keeps up to rounding"))
    all.push_back(std::stod(line.substr(column)));
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simulate)

BOOST_AUTO_TEST_CASE(a_mass_on_dry_friction_comes_to_rest_where_the_closed_form_says) {
  for (const std::string method : {"moreau-jean", "implicit-euler", "generalized-alpha", "set-valued-euler",
                                   "set-valued-runge-kutta", "paoli-schatzman"}) {
    BOOST_TEST_CONTEXT(method) {
      const OneMass terminal(2, 0);
      const std::string step = method == "paoli-schatzman" ? "lambda = 1e-6\nstep" : "step";
      const Run run =
          terminal.simulate(changed(sliding, {{"moreau-jean", method}, {"step", step}}), {"--verify"});
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
}

BOOST_AUTO_TEST_CASE(events_are_located_and_rows_come_at_intervals) {
  const OneMass terminal(2, 0);
  const std::string exact = changed(sliding, {{"moreau-jean", "event-driven"},
                                              {"step = 1e-3", ""},
                                              {"every = 500", "interval = 0.4\nevents = \"events.csv\""}});
  const Run run = terminal.simulate(exact, {"--verify"});
  BOOST_TEST(run.exit_code == 0, run.err);
  auto columns = table(terminal.path() / "out/slide.csv");
  const std::vector<double> t = numbers(columns["t"]), q = numbers(columns["q[0]"]);
  BOOST_REQUIRE(t.size() == 6u);
  for (std::size_t k = 0; k < t.size(); ++k) {
    BOOST_TEST(t[k] == static_cast<double>(k) * 0.4);
    const double s = std::min(t[k], 1.5);
    BOOST_TEST(std::abs(q[k] - (3 * s - s * s)) < 1e-9);
  }
  auto events = table(terminal.path() / "events.csv");
  BOOST_REQUIRE(events["begin"].size() == 1u);
  BOOST_TEST(std::abs(numbers(events["begin"])[0] - 1.5) < 1e-10);
  BOOST_TEST(events["begin"] == events["end"]);
  BOOST_TEST(events["after"][0] == "stick");

  // Without an interval every step is a row, and so is every event.
  const Run steps = terminal.simulate(changed(exact, {{"interval = 0.4", "every = 1"}}));
  BOOST_TEST(steps.exit_code == 0, steps.err);
}

namespace {

/// Falls 5 m in 1 s, rebounds with half the speed.
const char* const ball = R"(
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
method = "METHOD"
end = 1.5
[output]
file = "ball.csv"
displacement = [0]
events = "events.csv"
)";

}  // namespace

BOOST_AUTO_TEST_CASE(a_ball_bounces_as_its_restitution_says) {
  struct Tried {
    std::string method, options;
    double
        tolerance;  ///< of times; positions are off by as much times 5 m/s, impulses by the weight in between
  };
  for (const Tried& tried :
       {Tried{"moreau-jean", "step = 1e-3", 1e-3}, Tried{"generalized-alpha", "step = 1e-3", 1e-3},
        Tried{"paoli-schatzman", "step = 1e-4\nlambda = 1e-6", 1e-2},
        Tried{"event-driven", "relative_tolerance = 1e-11", 1e-9}}) {
    BOOST_TEST_CONTEXT(tried.method) {
      const OneMass terminal(1, 0);
      const Run run = terminal.simulate(changed(ball, {{"METHOD\"", tried.method + "\"\n" + tried.options}}),
                                        {"--verify"});
      BOOST_TEST(run.exit_code == 0, run.err);
      BOOST_TEST(contains(run.out, "measure inclusion"));
      auto columns = table(terminal.path() / "ball.csv");
      const double end = 20 * tried.tolerance;
      BOOST_TEST(std::abs(numbers(columns["t"]).back() - 1.5) < 1e-12);
      BOOST_TEST(std::abs(numbers(columns["q[0]"]).back() - 1.25) < end);
      auto events = table(terminal.path() / "events.csv");
      BOOST_REQUIRE(!events["impulse"].empty());
      BOOST_TEST(events["inclusion"].front() == "floor");
      // A penalty reports the contact that closes, too, before it has pushed.
      const std::vector<double> impulses = numbers(events["impulse"]);
      const auto first = static_cast<std::size_t>(
          std::find_if(impulses.begin(), impulses.end(), [](double p) { return p != 0; }) - impulses.begin());
      BOOST_REQUIRE(first < impulses.size());
      BOOST_TEST(std::abs(numbers(events["begin"])[first] - 1) <= 1.01 * tried.tolerance);
      BOOST_TEST(std::abs(numbers(events["w_before"])[first] + 10) < end);
      BOOST_TEST(std::abs(numbers(events["w_after"])[first] - 5) < end);
      BOOST_TEST(std::abs(impulses[first] - 15) < end);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_ball_comes_to_rest_where_its_flights_get_short) {
  // Flights of 1, 1/2, 1/4, ... seconds from t = 1: rest at 3, but for what is left of 1e-4.
  const OneMass terminal(1, 0);
  const Run run = terminal.simulate(
      changed(ball, {{"METHOD\"", "event-driven\"\nshortest_flight = 1e-4"}, {"end = 1.5", "end = 4"}}),
      {"--verify"});
  BOOST_TEST(run.exit_code == 0, run.err);
  auto columns = table(terminal.path() / "ball.csv"), events = table(terminal.path() / "events.csv");
  BOOST_TEST(events["begin"].size() == 15u);  // 2^-14 is the first below
  BOOST_TEST(std::abs(numbers(events["end"]).back() - (3 - std::pow(2., -13))) < 1e-8);
  BOOST_TEST(columns["state[floor]"].back() == "closed");
  BOOST_TEST(std::abs(numbers(columns["r[floor]"]).back() - 10) < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_penalty_that_its_step_does_not_resolve_is_warned_of) {
  const OneMass terminal(1, 0);
  const Run run =
      terminal.simulate(changed(ball, {{"METHOD\"", "paoli-schatzman\"\nstep = 1e-3\nlambda = 1e-6"}}));
  BOOST_TEST(run.exit_code == 0);
  BOOST_TEST(contains(run.err, "0.1 sqrt(lambda) = 0.0001"), run.err);
  const OneMass spring(1, 1);
  const Run unstable = spring.simulate(changed(
      sliding, {{"moreau-jean", "set-valued-runge-kutta"}, {"step = 1e-3", "step = 3"}, {"2.0", "900"}}));
  BOOST_TEST(contains(unstable.err, "above 2.828"), unstable.err);
}

// The threshold lets the load of 2 pull the spring to 1.9 within less than a tenth of a second.
BOOST_AUTO_TEST_CASE(a_short_dip_of_a_threshold_is_found_and_warned_of_where_steps_miss_it) {
  const OneMass terminal(1, 1);
  const std::string exact = R"case([system]
stiffness = "K.mtx"
[[load]]
dof = 0
expression = 2.0
[[inclusion]]
name = "brake"
law = "st-venant"
direction = [{dof = 0}]
threshold = "3-2.9*exp(-((t-5.13)/0.05)^2)"
[integrator]
method = "event-driven"
end = 10.0
[output]
file = "out/pull.csv"
displacement = [0]
)case";
  const Run found = terminal.simulate(exact);
  BOOST_TEST(found.exit_code == 0, found.err);
  BOOST_TEST(found.err.empty(), found.err);
  auto columns = table(terminal.path() / "out/pull.csv");
  BOOST_TEST(std::abs(numbers(columns["q[0]"]).back() - 1.9) < 1e-8);
  const Run missed = terminal.simulate(changed(exact, {{"event-driven\"", "implicit-euler\"\nstep = 0.5"}}));
  BOOST_TEST(contains(missed.err, "A step of 0.5 s does not resolve \"3-2.9*exp(-((t-5.13)/0.05)^2)\""),
             missed.err);
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

  // r[ground.t] is the tangent of "ground".
  terminal.file("case.toml", changed(text_of(terminal.path() / "case.toml"),
                                     {{"[integrator]",
                                       "[[inclusion]]\nname = \"ground.t\"\nlaw = \"dry-friction\"\n"
                                       "direction = [{dof = 1}]\nlower = 0\nupper = 0\n[integrator]"}}));
  const Run twice = terminal.run({"simulate", "case.toml"});
  BOOST_TEST(twice.exit_code == 2);
  BOOST_TEST(contains(twice.err, "would have two columns r[ground.t]"), twice.err);
}

BOOST_AUTO_TEST_CASE(the_case_of_the_documentation_does_what_the_page_says) {
  const std::string page = text_of(HALFDOF_TEST_DATA "/../../docs/simulate.md");
  const auto block = [&](const std::string& begin) {
    const std::size_t from = page.find(begin) + begin.size();
    return page.substr(from, page.find("```", from) - from);
  };
  const Terminal terminal;
  terminal.file("case.toml", block("```toml\n"));
  terminal.file("matrices.sh", block("```sh\nprintf '%%%%Matrix").insert(0, "printf '%%%%Matrix"));
  BOOST_REQUIRE(std::system(("cd '" + terminal.path().string() + "' && sh matrices.sh").c_str()) == 0);
  const Run inspected = terminal.run({"inspect", "case.toml"});
  for (const char* const said :
       {"States: 3, 1 of them reactions of plays.", "rate-independent play           W_K       0.0025"}) {
    BOOST_TEST(contains(page, said), said);
    BOOST_TEST(contains(inspected.out, said), inspected.out);
  }
  const Run run = terminal.run({"simulate", "case.toml", "--verify"});
  BOOST_TEST(run.exit_code == 0, run.err);
  const std::string reached = "Reached 2 s in 20000 steps; the laws dissipated the energy 81.3905.";
  BOOST_TEST(contains(page, reached));
  BOOST_TEST(contains(run.out, reached), run.out);
  BOOST_TEST(std::filesystem::exists(terminal.path() / "mass.png"));
  const std::size_t kept = page.find("moreau-jean keeps up to rounding: ");
  BOOST_REQUIRE(kept != std::string::npos);
  BOOST_TEST(contains(run.out, page.substr(kept, page.find('\n', kept) - kept)), run.out);

  const Run exact = terminal.run({"simulate", "exact.toml", "--verify"});
  BOOST_TEST(exact.exit_code == 2);
  terminal.file("exact.toml", changed(block("```toml\n"), {{"moreau-jean", "event-driven"},
                                                           {"step = 1e-4\n", ""},
                                                           {"every = 100 ", "interval = 0.01 "}}));
  const Run events = terminal.run({"simulate", "exact.toml", "--verify"});
  BOOST_TEST(events.exit_code == 0, events.err);
  BOOST_TEST(contains(page, "energy is 81.1719"));
  BOOST_TEST(contains(events.out, "dissipated the energy 81.1719"), events.out);
  BOOST_TEST(contains(page, "every line of the table, gaps and energy among them, is below 1e-12"));
  BOOST_TEST(!violations(events.out).empty());
  for (const double violation : violations(events.out))
    BOOST_TEST(violation < 1e-12, events.out);
}

BOOST_AUTO_TEST_SUITE_END()
