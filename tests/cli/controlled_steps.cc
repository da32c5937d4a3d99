// SPDX-License-Identifier: LGPL-2.1-or-later
// halfdof simulate: steps that a tolerance chooses, against closed forms.
#include <boost/test/unit_test.hpp>

#include "cases.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

namespace {

double last(std::map<std::string, std::vector<std::string>>& columns, const std::string& name) {
  BOOST_REQUIRE_MESSAGE(!columns[name].empty(), name);
  return std::stod(columns[name].back());
}

const char* const methods[] = {"moreau-jean", "generalized-alpha"};

/// q'' + 4 q = 0, q(0) = 1 over five periods, beside a contact that stays open.
const char* const swinging = R"([system]
mass = "M.mtx"
stiffness = "K.mtx"
[initial]
displacement = [1.0]
[[inclusion]]
name = "far"
law = "unilateral"
direction = [{dof = 0}]
obstacle = -5.0
restitution = 0.0
[integrator]
method = "METHOD"
relative_tolerance = TOLERANCE
end = 15.70796326794897
[output]
file = "out/swing.csv"
displacement = [0]
velocity = [0]
)";

/// Falls from 4.9 m under 10 N/kg and rebounds with 0.6 of its speed.
const char* const ball = R"([system]
mass = "M.mtx"
stiffness = "K.mtx"
[initial]
displacement = [4.9]
[[load]]
dof = 0
expression = "-20"
[[inclusion]]
name = "floor"
law = "unilateral"
direction = [{dof = 0}]
restitution = 0.6
[integrator]
method = "METHOD"
relative_tolerance = TOLERANCE
end = 3.0
[output]
file = "out/ball.csv"
displacement = [0]
velocity = [0]
)";

std::string text_of(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

/// A mass of 1 on a spring of 10 that moves with its belt at first.
const char* const mass_on_belt = R"([system]
mass = "M.mtx"
stiffness = "K.mtx"
[initial]
velocity = [0.3]
[[inclusion]]
name = "belt"
law = LAW
direction = [{dof = 0}]
support = "0.3*t"
[integrator]
method = "METHOD"
relative_tolerance = TOLERANCE
end = 4.5
[output]
file = "out.csv"
displacement = [0]
)";

}  // namespace

BOOST_AUTO_TEST_SUITE(controlled_steps)

BOOST_AUTO_TEST_CASE(the_error_of_a_smooth_motion_is_of_the_order_of_the_tolerance) {
  for (const std::string method : methods)
    for (const double tolerance : {1e-2, 1e-3}) {
      BOOST_TEST_CONTEXT(method << ", " << tolerance) {
        const OneMass terminal(1, 4);
        const Run run = terminal.simulate(
            changed(swinging, {{"METHOD", method}, {"TOLERANCE", text_of(tolerance)}}), {"--verify"});
        BOOST_TEST(run.exit_code == 0, run.err);
        auto columns = table(terminal.path() / "out/swing.csv");
        const std::vector<double> t = numbers(columns["t"]), q = numbers(columns["q[0]"]),
                                  v = numbers(columns["v[0]"]);
        double worst = 0;
        for (std::size_t k = 0; k < t.size(); ++k)
          worst =
              std::max({worst, std::abs(q[k] - std::cos(2 * t[k])), std::abs(v[k] / 2 + std::sin(2 * t[k]))});
        BOOST_TEST(worst < 3 * tolerance);
        if (method == "moreau-jean") BOOST_TEST(t.size() < 300 / std::sqrt(tolerance));
      }
    }
}

BOOST_AUTO_TEST_CASE(the_error_of_a_bouncing_ball_is_of_the_order_of_the_tolerance) {
  for (const std::string method : methods)
    for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
      BOOST_TEST_CONTEXT(method << ", " << tolerance) {
        const OneMass terminal(2, 0);
        const Run run = terminal.simulate(
            changed(ball, {{"METHOD", method}, {"TOLERANCE", text_of(tolerance)}}), {"--verify"});
        BOOST_TEST(run.exit_code == 0, run.err);
        auto columns = table(terminal.path() / "out/ball.csv");
        // Flights of 1.2, then 0.72 s after the fall of sqrt(0.98) s.
        const double speed = 10 * std::sqrt(0.98);
        double time = 3 - std::sqrt(0.98), v = 0.6 * speed;
        while (time > 0.2 * v) {
          time -= 0.2 * v;
          v *= 0.6;
        }
        BOOST_TEST(std::abs(last(columns, "q[0]") - (v * time - 5 * time * time)) < 10 * tolerance * 4.9);
        BOOST_TEST(std::abs(last(columns, "v[0]") - (v - 10 * time)) < 10 * tolerance * speed);
        if (method == "moreau-jean") BOOST_TEST(columns["t"].size() < 500u);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_ball_that_rests_takes_long_steps) {
  for (const std::string method : methods)
    for (const std::string end : {"0.57", "0.73", "1"}) {
      BOOST_TEST_CONTEXT(method << ", " << end) {
        const OneMass terminal(2, 0);
        const Run run = terminal.simulate(changed(ball, {{"METHOD", method},
                                                         {"TOLERANCE", "1e-3"},
                                                         {"displacement = [4.9]", "displacement = [0]"},
                                                         {"end = 3.0", "end = " + end}}),
                                          {"--verify"});
        BOOST_TEST(run.exit_code == 0, run.err);
        auto columns = table(terminal.path() / "out/ball.csv");
        BOOST_TEST(columns["t"].size() < 50u);
        BOOST_TEST(std::abs(last(columns, "q[0]")) < 1e-12);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_mass_on_dry_friction_stops_where_the_closed_form_says) {
  for (const std::string method : methods)
    for (const double tolerance : {1e-3, 1e-5}) {
      BOOST_TEST_CONTEXT(method << ", " << tolerance) {
        const OneMass terminal(2, 0);
        const Run run =
            terminal.simulate(changed(sliding, {{"moreau-jean", method},
                                                {"step = 1e-3", "relative_tolerance = " + text_of(tolerance)},
                                                {"every = 500", "every = 1"}}),
                              {"--verify"});
        BOOST_TEST(run.exit_code == 0, run.err);
        auto columns = table(terminal.path() / "out/slide.csv");
        BOOST_TEST(std::abs(last(columns, "q[0]") - 2.25) < 3 * tolerance * 2.25);
        BOOST_TEST(std::abs(last(columns, "v[0]")) < 1e-10 * 3);
      }
    }
}

BOOST_AUTO_TEST_CASE(friction_that_falls_where_it_breaks_loose_lets_go_at_its_time) {
  // The static threshold 3.02 - 2 t meets the load of 2 at t = 0.51, and friction of 1 is left.
  const std::string loosening = R"([system]
mass = "M.mtx"
stiffness = "K.mtx"
[initial]
displacement = [0, 0.3]
[[inclusion]]
name = "slot"
law = "static-kinetic"
direction = [{dof = 0}]
static = "3.02 - 2*t"
slipping = 1.0
[[load]]
dof = 0
expression = "2"
[integrator]
method = "METHOD"
relative_tolerance = TOLERANCE
end = 1.0
[output]
file = "out.csv"
displacement = [0]
velocity = [0]
)";
  const Terminal terminal;
  write_matrix_market(terminal.path() / "M.mtx", MultiVector(MultiVector::Identity(2, 2)));
  write_matrix_market(terminal.path() / "K.mtx", (MultiVector(2, 2) << 0, 0, 0, 1).finished());
  for (const std::string method : methods)
    for (const double tolerance : {1e-3, 1e-4, 1e-5}) {
      BOOST_TEST_CONTEXT(method << ", " << tolerance) {
        terminal.file("case.toml",
                      changed(loosening, {{"METHOD", method}, {"TOLERANCE", text_of(tolerance)}}));
        const Run run = terminal.run(command("simulate", {"case.toml"}, {"--verify"}));
        BOOST_TEST(run.exit_code == 0, run.err);
        auto columns = table(terminal.path() / "out.csv");
        BOOST_TEST(std::abs(last(columns, "v[0]") - 0.49) < tolerance * 0.49);
        BOOST_TEST(std::abs(last(columns, "q[0]") - 0.49 * 0.49 / 2) < tolerance * 0.3);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_mass_on_a_belt_breaks_loose_at_its_times) {
  // It sticks from q = 0 to 0.2, and slips back in tau: q = 0.1 + A cos(omega t + phi).
  const double omega = std::sqrt(10.), tau = (std::acos(-1.) + 2 * std::atan2(0.3 / omega, 0.1)) / omega,
               exact = 0.3 * (4.5 - 2 * (0.2 / 0.3 + tau));
  const OneMass terminal(1, 10);
  for (const std::string method : methods)
    for (const double tolerance : {1e-3, 1e-4, 1e-5}) {
      BOOST_TEST_CONTEXT(method << ", " << tolerance) {
        const Run run = terminal.simulate(
            changed(mass_on_belt, {{"LAW", "\"static-kinetic\"\nstatic = 2.0\nslipping = 1.0"},
                                   {"METHOD", method},
                                   {"TOLERANCE", text_of(tolerance)}}));
        BOOST_TEST(run.exit_code == 0, run.err);
        auto columns = table(terminal.path() / "out.csv");
        // Errors of the four instants may add up.
        BOOST_TEST(std::abs(last(columns, "q[0]") - exact) < 10 * tolerance * 0.24);
      }
    }
}

BOOST_AUTO_TEST_CASE(steps_of_friction_that_weakens_begin_as_short_as_it_needs) {
  const OneMass terminal(1, 10);
  const std::string law = "\"weakening\"\nat_rest = 2.0\nkinetic = 1.0\nspeed = 0.01";
  const Run run = terminal.simulate(
      changed(mass_on_belt, {{"LAW", law}, {"METHOD", "moreau-jean"}, {"TOLERANCE", "1e-3"}}));
  BOOST_TEST(run.exit_code == 0, run.err);
}

BOOST_AUTO_TEST_CASE(a_motion_that_grows_is_resolved_from_its_beginning_on) {
  const std::string saddle = R"([system]
mass = "M.mtx"
stiffness = "K.mtx"
[initial]
displacement = [1e-3]
[[inclusion]]
name = "far"
law = "unilateral"
direction = [{dof = 0}]
obstacle = -5.0
restitution = 0.0
[integrator]
method = "METHOD"
relative_tolerance = 1e-4
end = 12.0
[output]
file = "out.csv"
displacement = [0]
)";
  const OneMass terminal(1, -1);
  for (const std::string method : methods) {
    const Run run = terminal.simulate(changed(saddle, {{"METHOD", method}}));
    BOOST_TEST(run.exit_code == 0, run.err);
    auto columns = table(terminal.path() / "out.csv");
    BOOST_TEST(last(columns, "q[0]") == 1e-3 * std::cosh(12.), boost::test_tools::tolerance(3e-3));
  }
}

BOOST_AUTO_TEST_CASE(corrected_positions_would_hide_the_error) {
  const OneMass terminal(1, 0);
  const Run run = terminal.simulate(
      changed(ball, {{"METHOD", "moreau-jean"}, {"TOLERANCE", "1e-3\nposition_correction = true"}}));
  BOOST_TEST(run.exit_code == 2);
  BOOST_TEST(contains(run.err, "the correction of positions would hide"), run.err);
}

// The pulse of 1 N s lasts 1e-3 of the run.
BOOST_AUTO_TEST_CASE(a_short_pulse_is_not_stepped_over_and_rows_come_at_intervals) {
  for (const std::string method : methods) {
    const OneMass terminal(2, 0);
    const Run run = terminal.simulate(R"toml([system]
mass = "M.mtx"
stiffness = "K.mtx"
[[load]]
dof = 0
expression = {times = [0, 5.12, 5.125, 5.13, 10], values = [0, 0, 200, 0, 0]}
[integrator]
method = ")toml" + method + R"("
relative_tolerance = 1e-4
end = 10.0
[output]
file = "out/pulse.csv"
velocity = [0]
interval = 2.5
)",
                                      {"--verify"});
    BOOST_TEST(run.exit_code == 0, run.err);
    auto columns = table(terminal.path() / "out/pulse.csv");
    BOOST_TEST(columns["t"].size() == 5u);
    BOOST_TEST(std::abs(last(columns, "v[0]") - 0.5) < 3e-4 * 0.5);
  }
}

BOOST_AUTO_TEST_CASE(a_step_and_a_tolerance_exclude_each_other) {
  const OneMass terminal(2, 0);
  const Run both =
      terminal.simulate(changed(sliding, {{"step = 1e-3", "step = 1e-3\nrelative_tolerance = 1e-3"}}));
  BOOST_TEST(both.exit_code != 0);
  BOOST_TEST(contains(both.err, "is given in addition to step"), both.err);
  const Run none = terminal.simulate(changed(sliding, {{"step = 1e-3", ""}}));
  BOOST_TEST(none.exit_code != 0);
  BOOST_TEST(contains(none.err, "relative_tolerance instead"), none.err);
  const Run euler =
      terminal.simulate(changed(sliding, {{"moreau-jean", "implicit-euler"}, {"step = 1e-3", ""}}));
  BOOST_TEST(euler.exit_code != 0);
  BOOST_TEST(contains(euler.err, "step is missing"), euler.err);
}

BOOST_AUTO_TEST_SUITE_END()
