// SPDX-License-Identifier: LGPL-2.1-or-later
// What --verify passes and what it does not; what is said of models without one solution.
#include <boost/test/unit_test.hpp>

#include "cases.h"
#include <algorithm>
#include <array>
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Matrix = DenseMatrix<double>;

/// A folder with the matrices of a small model.
class Model : public Terminal {
 public:
  Model(const Matrix& M, const Matrix& C, const Matrix& K) {
    write_matrix_market(path() / "M.mtx", M);
    write_matrix_market(path() / "C.mtx", C);
    write_matrix_market(path() / "K.mtx", K);
  }

  Run simulate(const std::string& text, const Arguments& more = {"--verify"},
               const std::string& rows = "") const {
    file("case.toml", matrices + text +
                          "[output]\nfile = \"o.csv\"\ndissipated = true\nevents = \"e.csv\"\n" +
                          "displacement = [0]\n" + rows);
    return run(command("simulate", {"case.toml"}, more));
  }

  double last(const std::string& column) const { return numbers(table(path() / "o.csv")[column]).back(); }

 private:
  static constexpr const char* matrices =
      "[system]\nmass = \"M.mtx\"\ndamping = \"C.mtx\"\nstiffness = \"K.mtx\"\n";
};

Matrix one(double value) {
  return Matrix::Constant(1, 1, value);
}

Matrix diagonal(const Vector& d) {
  return d.asDiagonal();
}

std::string with(const std::string& method, const std::string& step, const std::string& end) {
  return "[integrator]\nmethod = \"" + method + "\"\nend = " + end + "\n" +
         (step.empty() ? "" : "step = " + step + "\n");
}

/// A box of 2 kg that slides and turns on nine points, its edges 0.6 and 1 long, the centre 0.2 above them.
std::string box(const std::vector<int>& order) {
  std::string text =
      "[initial]\nvelocity = [1.0, 0.3, 0, 0, 0, 3.0]\n[[load]]\ndof = 2\nexpression = -19.62\n";
  for (const int k : order) {
    const std::string x = std::to_string(0.5 * (k % 3 - 1)), y = std::to_string(0.3 * (k / 3 - 1));
    const auto minus = [](const std::string& number) {
      return number[0] == '-' ? number.substr(1) : "-" + number;
    };
    text +=
        "[[inclusion]]\nname = \"c" + std::to_string(k) +
        "\"\nlaw = \"coulomb\"\nfriction = 0.4\nrestitution = 0.0\nnormal = [{dof = 2}, {dof = 3, weight = " +
        y + "}, {dof = 4, weight = " + minus(x) +
        "}]\ntangents = [[{dof = 0}, {dof = 4, weight = -0.2}, {dof = 5, weight = " + minus(y) +
        "}], [{dof = 1}, {dof = 3, weight = 0.2}, {dof = 5, weight = " + x + "}]]\n";
  }
  return text;
}

Model box_model() {
  Vector masses(6);
  masses << 2, 2, 2, 0.26 / 3, 0.58 / 3, 0.68 / 3;
  return {diagonal(masses), Matrix::Zero(6, 6), Matrix::Zero(6, 6)};
}

const char* const st_venant = "[[inclusion]]\nname = \"f\"\nlaw = \"st-venant\"\ndirection = [{dof = 0}]\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(verified_cases)

BOOST_AUTO_TEST_CASE(a_threshold_that_dips_between_two_steps_does_not_pass) {
  // The play is released to 0.1 and held there: q = 1.9.
  const Model terminal(one(0), one(0), one(1));
  const Run run =
      terminal.simulate(std::string("[[load]]\ndof = 0\nexpression = 2.0\n") + st_venant +
                        "threshold = \"3-2.9*exp(-((t-5.13)/0.05)^2)\"\n" + with("event-driven", "", "10.0"));
  const bool is_right = std::abs(terminal.last("q[0]") - 1.9) < 1e-3;
  BOOST_TEST((run.exit_code == 0) == is_right, run.out);
  const Run fixed = terminal.simulate(std::string("[[load]]\ndof = 0\nexpression = 2.0\n") + st_venant +
                                      "threshold = \"3-2.9*exp(-((t-5.13)/0.05)^2)\"\n" +
                                      with("implicit-euler", "1.0", "10.0"));
  BOOST_TEST(fixed.exit_code == 1, fixed.out);
  BOOST_TEST(contains(fixed.err, "--step-tolerance"), fixed.err);
}

BOOST_AUTO_TEST_CASE(steps_as_long_as_a_period_do_not_pass) {
  const Model terminal(one(1), one(0), one(100));
  const auto run = [&](const std::string& step, const std::string& verify) {
    return terminal.simulate("[initial]\ndisplacement = [0.2]\n" + std::string(st_venant) +
                                 "threshold = 1.5\n" + with("moreau-jean", step, "3.0"),
                             {verify});
  };
  BOOST_TEST(run("0.5", "--verify").exit_code == 1);
  BOOST_TEST(run("1e-3", "--verify").exit_code == 0);
  BOOST_TEST(run("1e-3", "--verify=step").exit_code == 0);
  const Run coarse = run("0.03", "--verify=step");
  BOOST_TEST(coarse.exit_code == 1);
  BOOST_TEST(contains(coarse.out, "With half the step"), coarse.out);
  BOOST_TEST(!contains(coarse.out, "at an impact"), coarse.out);
}

BOOST_AUTO_TEST_CASE(a_pulse_of_a_load_between_two_steps_does_not_pass) {
  const Model terminal(one(1), one(0), one(1));
  const auto run = [&](const std::string& center) {
    return terminal.simulate(
        "[initial]\ndisplacement = [0.1]\n[[load]]\ndof = 0\nexpression = \"100*exp(-((t-" + center +
        ")/0.01)^2)\"\n" + with("moreau-jean", "0.1", "3.0"));
  };
  BOOST_TEST(run("1.55").exit_code == 1);
  BOOST_TEST(run("100.").exit_code == 0);
}

BOOST_AUTO_TEST_CASE(a_ball_that_comes_to_rest_on_a_moving_plate_is_repeated_with_short_rows) {
  const OneMass terminal(1, 1);
  terminal.file("case.toml", R"toml([system]
mass = "M.mtx"
stiffness = "K.mtx"
[initial]
displacement = [0.05]
[[load]]
dof = 0
expression = -9.81
[[inclusion]]
name = "plate"
law = "unilateral"
direction = [{dof = 0}]
obstacle = "-0.3*t"
restitution = 0.5
[integrator]
method = "event-driven"
end = 0.36
[output]
file = "rows.csv"
interval = 0.01
)toml");
  const Run run = terminal.run({"simulate", "case.toml", "--verify=step"});
  BOOST_TEST(run.exit_code == 0, run.out << run.err);
  BOOST_TEST(contains(run.out, "With a tolerance of 3.90625e-13 instead of 1e-10, displacements"), run.out);
  BOOST_TEST(contains(run.out, "at an impact they differ by the whole jump"), run.out);
}

BOOST_AUTO_TEST_CASE(free_flight_passes_in_all_units) {
  for (const std::string unit : {"1e-12", "1.0", "1e12"}) {
    const Model terminal(one(0.1), one(0), one(0));
    const Run run =
        terminal.simulate("[initial]\nvelocity = [" + unit + "]\n" + with("moreau-jean", "1e-3", "0.1"));
    BOOST_TEST(run.exit_code == 0, run.err);
  }
}

BOOST_AUTO_TEST_CASE(friction_of_a_mass_under_a_massless_normal_passes) {
  Matrix K(2, 2);
  K << 50, 10, 10, 80;
  const Model terminal(diagonal(Eigen::Vector2d(1, 0)), Matrix::Zero(2, 2), K);
  const Run run = terminal.simulate(
      "[[load]]\ndof = 1\nexpression = \"-10-6*sin(5*t)\"\n[[load]]\ndof = 0\nexpression = \"8*sin(4*t)\"\n"
      "[[inclusion]]\nname = \"c\"\nlaw = \"coulomb\"\nnormal = [{dof = 1}]\ntangents = [[{dof = 0}]]\n"
      "friction = 0.4\n" +
      with("moreau-jean", "1e-3", "2.0"));
  BOOST_TEST(run.exit_code == 0, run.err);
}

BOOST_AUTO_TEST_CASE(a_plastic_cradle_passes_and_does_not_flood_the_events) {
  const Model terminal(Matrix::Identity(3, 3), Matrix::Zero(3, 3), Matrix::Zero(3, 3));
  const std::string contacts =
      "[initial]\nvelocity = [1.0, 0.0, 0.0]\n"
      "[[inclusion]]\nname = \"c0\"\nlaw = \"unilateral\"\nrestitution = 0.0\nobstacle = -0.1\n"
      "direction = [{dof = 1}, {dof = 0, weight = -1.0}]\n"
      "[[inclusion]]\nname = \"c1\"\nlaw = \"unilateral\"\nrestitution = 0.0\n"
      "direction = [{dof = 2}, {dof = 1, weight = -1.0}]\n";
  for (const std::string method : {"generalized-alpha", "moreau-jean", "implicit-euler"}) {
    const Run run = terminal.simulate(contacts + with(method, "1e-3", "0.5"));
    BOOST_TEST(run.exit_code == 0, method << run.err);
    BOOST_TEST(table(terminal.path() / "e.csv")["begin"].size() < 10u, method);
    // One third of 1/2 is left.
    BOOST_TEST(std::abs(terminal.last("dissipated") - 1. / 3) < 1e-6, method << terminal.last("dissipated"));
  }
}

BOOST_AUTO_TEST_CASE(obstacles_with_kinks_pass) {
  const std::string laws = std::string(st_venant) +
                           "threshold = 1.0\n[[inclusion]]\nname = \"stop\"\nlaw = \"unilateral\"\n"
                           "direction = [{dof = 0}]\n"
                           "obstacle = {times = [0, 1, 2, 3], values = [-0.05, 0.2, -0.3, 0.3]}\n" +
                           with("event-driven", "", "2.0");
  const Run inertial = Model(one(0.01), one(0), one(10)).simulate(laws),
            viscous = Model(one(0), one(0.5), one(10)).simulate(laws);
  BOOST_TEST(inertial.exit_code == 0, inertial.err);
  BOOST_TEST(viscous.exit_code == 0, viscous.err);
}

BOOST_AUTO_TEST_CASE(friction_that_turns_while_a_contact_holds_passes) {
  // The wall takes over what friction gives back: only reactions jump, q = 0.1 sin(pi t).
  const Model terminal(one(0), one(1), one(1));
  const std::string laws = std::string("[[load]]\ndof = 0\nexpression = -3.0\n") + st_venant +
                           "threshold = 0.5\n[[inclusion]]\nname = \"wall\"\nlaw = \"unilateral\"\n" +
                           "direction = [{dof = 0}]\nobstacle = \"0.1*sin(pi*t)\"\n";
  for (const std::string method : {"implicit-euler", "moreau-jean", "generalized-alpha"}) {
    const Run run = terminal.simulate(laws + with(method, "2e-3", "2.0"));
    BOOST_TEST(run.exit_code == 0, method << ": " << run.err);
  }
}

BOOST_AUTO_TEST_CASE(gaps_at_the_end_of_steps_as_short_as_rounding_pass) {
  // A row at 24 intervals of 0.1 lies the last digit behind the kink at 2.4.
  const Model terminal(one(0), one(1), one(4));
  const Run run = terminal.simulate(
      std::string(
          "[[load]]\ndof = 0\nexpression = {times = [0, 1.3333333333333333, 2.6666666666666665, 4], ") +
          "values = [0, 2.37, -2.12, -2.75]}\n" + st_venant +
          "threshold = 0.5\nsupport = {times = [0, 0.8, " +
          "1.6, 2.4, 3.2, 4], values = [0, -0.12, 0.38, 0.07, 0.33, 0.26]}\n[[inclusion]]\nname = "
          "\"wall\"\n" +
          "law = \"unilateral\"\ndirection = [{dof = 0}]\nobstacle = " +
          "\"0.12071753200867236*sin(3.094146824213458*t)\"\n" + with("event-driven", "", "4.0"),
      {"--verify"}, "interval = 0.1\n");
  BOOST_TEST(run.exit_code == 0, run.err);
}

BOOST_AUTO_TEST_CASE(a_jump_of_a_load_dissipates_the_threshold_times_the_slip) {
  Matrix K(2, 2);
  K << 30, -10, -10, 10;
  const Model terminal(diagonal(Eigen::Vector2d(1, 0)), Matrix::Zero(2, 2), K);
  for (const std::string jump : {"t>0.505?5:0", "t>=0.505?5:0"}) {
    const Run run = terminal.simulate("[[load]]\ndof = 1\nexpression = \"" + jump +
                                          "\"\n[[inclusion]]\nname = \"f\"\nlaw = \"st-venant\"\ndirection = "
                                          "[{dof = 1}]\nthreshold = 1.0\n" +
                                          with("event-driven", "", "1.0") + "breakpoints = [0.505]\n",
                                      {});
    BOOST_TEST(run.exit_code == 0, run.err);
    // Behind the jump q_1 = q_0 + 0.4 and q_0'' = -20 q_0 + 4: the slip is 0.4 + (1 - cos) / 5.
    const double slip = 0.4 + 0.2 * (1 - std::cos(std::sqrt(20.) * 0.495));
    BOOST_TEST(std::abs(terminal.last("dissipated") - slip) < 1e-8, terminal.last("dissipated"));
  }
}

BOOST_AUTO_TEST_CASE(implicit_euler_dissipates_what_impacts_take) {
  // It falls from 1 m with g = 19.6 m/s^2, up to errors of first order.
  const Model terminal(one(1), one(0), one(0));
  const Run run = terminal.simulate(
      "[initial]\ndisplacement = [1.0]\n[[load]]\ndof = 0\nexpression = -19.6\n"
      "[[inclusion]]\nname = \"floor\"\nlaw = \"unilateral\"\ndirection = [{dof = 0}]\n" +
      with("implicit-euler", "1e-4", "1.0"));
  BOOST_TEST(run.exit_code == 0, run.err);
  BOOST_TEST(std::abs(terminal.last("dissipated") - 19.6) < 0.01, terminal.last("dissipated"));
}

BOOST_AUTO_TEST_CASE(redundant_contacts_with_friction_move_the_same_way_in_every_order) {
  const Model terminal = box_model();
  const std::vector<int> one_way = {0, 1, 2, 3, 4, 5, 6, 7, 8}, another = {8, 3, 1, 0, 7, 2, 6, 5, 4};
  const auto turned = [&](const std::vector<int>& order, const std::string& method, const std::string& step) {
    terminal.file("case.toml", "[system]\nmass = \"M.mtx\"\nstiffness = \"K.mtx\"\n" + box(order) +
                                   with(method, step, "0.5") +
                                   "[output]\nfile = \"o.csv\"\ndisplacement = [5]\n");
    const Run run = terminal.run({"simulate", "case.toml"});
    BOOST_TEST(run.exit_code == 0, run.err);
    BOOST_TEST(contains(run.out, "the motion is indeterminate"), run.out);
    BOOST_TEST(!contains(run.out, "motion is not affected"));
    return numbers(table(terminal.path() / "o.csv")["q[5]"]).back();
  };
  const double expected = turned(one_way, "moreau-jean", "1e-3");
  for (const std::string method : {"moreau-jean", "implicit-euler", "memory"})
    for (const std::string step : {"1e-3", "5e-4"}) {
      const double here = turned(one_way, method, step);
      // The order counts no more than rounding; methods differ by their steps.
      BOOST_TEST(std::abs(turned(another, method, step) - here) < 1e-9 * expected, method);
      BOOST_TEST(std::abs(here - expected) < 0.01 * expected, method);
    }
}

BOOST_AUTO_TEST_CASE(laws_hold_as_closely_as_asked_or_it_is_said) {
  const Model terminal = box_model();
  const Run run = terminal.simulate(
      box({0, 1, 2, 3, 4, 5, 6, 7, 8}) + with("implicit-euler", "1e-3", "0.5") + "law_tolerance = 1e-20\n",
      {});
  BOOST_TEST(contains(run.err, "law_tolerance is raised"), run.err);
  // Displacements of 0.6 m, known to their last digits, are divided by steps of 1 ms.
  BOOST_TEST(run.exit_code == 0, run.err);
  BOOST_TEST(contains(run.err, "rounding of gaps and rates, the laws are satisfied only to"), run.err);
  const Run loose = terminal.simulate(
      box({0, 1, 2, 3, 4, 5, 6, 7, 8}) + with("implicit-euler", "1e-3", "0.5") + "law_tolerance = 1e-10\n",
      {});
  BOOST_TEST(loose.exit_code == 0, loose.err);
  BOOST_TEST(loose.err.empty(), loose.err);
}

BOOST_AUTO_TEST_CASE(walls_that_pass_through_each_other_are_named) {
  const std::string walls =
      "[[inclusion]]\nname = \"a\"\nlaw = \"unilateral\"\ndirection = [{dof = 0}]\nobstacle = "
      "\"-0.1+0.2*t\"\n"
      "[[inclusion]]\nname = \"b\"\nlaw = \"unilateral\"\ndirection = [{dof = 0, weight = -1.0}]\n"
      "obstacle = \"-0.1+0.2*t\"\n";
  for (const double damping : {0., 1.}) {
    const Run run =
        Model(one(0), one(damping), one(5)).simulate(walls + with("implicit-euler", "1e-3", "1.0"));
    BOOST_TEST(run.exit_code == 1);
    BOOST_TEST(!contains(run.out, "only one"), run.out);
    BOOST_TEST(contains(run.out, "\"a\", \"b\" hold one another"), run.out);
    BOOST_TEST(contains(run.err, "\"a\", \"b\" contradict each other"), run.err);
  }
  // A mass on one of them is struck by the other.
  for (const std::string method : {"event-driven", "moreau-jean"}) {
    const Run run = Model(one(1), one(0), one(5))
                        .simulate(walls + with(method, method == "moreau-jean" ? "1e-3" : "", "1.0"));
    BOOST_TEST(run.exit_code == 1);
    BOOST_TEST(contains(run.err, "\"a\", \"b\" contradict each other"), method << run.err);
  }
}

BOOST_AUTO_TEST_CASE(bounces_that_end_at_rest_pass_on_a_floor_that_begins_to_move) {
  const std::string ball =
      "[initial]\ndisplacement = [1.0]\n[[load]]\ndof = 0\nexpression = \"-2\"\n"
      "[[inclusion]]\nname = \"floor\"\nlaw = \"unilateral\"\ndirection = [{dof = 0}]\nrestitution = 0.5\n"
      "obstacle = {times = [0, 4, 6], values = [0, 0, 2]}\n";
  const Run run = Model(one(1), one(0), one(0)).simulate(ball + with("event-driven", "", "6.0"));
  BOOST_TEST(run.exit_code == 0, run.err << run.out);
}

BOOST_AUTO_TEST_CASE(friction_whose_coefficient_changes_passes_with_rows_at_intervals_and_after_impacts) {
  const std::string foot =
      "[initial]\ndisplacement = [0.1, 0]\nvelocity = [0, 3.0]\n[[load]]\ndof = 0\nexpression = \"-2\"\n"
      "[[inclusion]]\nname = \"foot\"\nlaw = \"coulomb\"\nnormal = [{dof = 0}]\n"
      "tangents = [[{dof = 1}]]\nfriction = \"max(0,0.5*min(1,(1.5-t)*10))\"\nrestitution = 0.0\n";
  const Matrix zero = Matrix::Zero(2, 2);
  for (const std::string length : {"relative_tolerance = 1e-3\n", "step = 1e-3\n"}) {
    const std::string rows = length[0] == 'r' ? "interval = 0.13\n" : "every = 130\n";
    const Run run = Model(Matrix::Identity(2, 2), zero, zero)
                        .simulate(foot + with("moreau-jean", "", "1.6") + length, {"--verify"}, rows);
    BOOST_TEST(run.exit_code == 0, run.err << run.out);
  }
}

BOOST_AUTO_TEST_CASE(painleve_states_are_named) {
  Matrix M(2, 2);
  M << 2, 1, 1, 1;
  const Run run =
      Model(M, Matrix::Zero(2, 2), Matrix::Zero(2, 2))
          .simulate(
              "[initial]\nvelocity = [0.0, -1.0]\n[[load]]\nvector = [-2.0, -1.0]\nexpression = 1.0\n"
              "[[inclusion]]\nname = \"c\"\nlaw = \"coulomb\"\nnormal = [{dof = 0}]\n"
              "tangents = [[{dof = 1}]]\nfriction = 2.0\nrestitution = 0.0\n" +
              with("moreau-jean", "0.01", "0.3"));
  BOOST_TEST(run.exit_code == 2);
  BOOST_TEST(contains(run.err, "slides at the start in a Painleve state"), run.err);
  BOOST_TEST(contains(run.out, "may come into a Painleve state"), run.out);
}

BOOST_AUTO_TEST_CASE(equal_thresholds_are_dry_friction) {
  const Run run =
      Model(one(1), one(0), one(0))
          .simulate(
              "[initial]\nvelocity = [1.0]\n[[inclusion]]\nname = \"f\"\nlaw = \"static-kinetic\"\n"
              "direction = [{dof = 0}]\nstatic = 2.0\nslipping = 2.0\n" +
              with("moreau-jean", "1e-3", "1.0"));
  BOOST_TEST(run.exit_code == 0, run.err);
  BOOST_TEST(contains(run.out, "one solution, and only one"), run.out);
}

BOOST_AUTO_TEST_CASE(tangents_that_are_not_orthonormal_are_refused) {
  const Model terminal(Matrix::Identity(3, 3), Matrix::Zero(3, 3), Matrix::Zero(3, 3));
  const auto run = [&](const std::string& second) {
    return terminal.simulate(
        "[[inclusion]]\nname = \"c\"\nlaw = \"coulomb\"\nnormal = [{dof = 2}]\nfriction = 0.3\n"
        "tangents = [[{dof = 0}], " +
        second + "]\n" + with("moreau-jean", "1e-3", "0.01"));
  };
  BOOST_TEST(run("[{dof = 1}]").exit_code == 0);
  for (const std::string second :
       {"[{dof = 1, weight = 2.0}]", "[{dof = 0, weight = 0.6}, {dof = 1, weight = 0.8}]"}) {
    const Run refused = run(second);
    BOOST_TEST(refused.exit_code == 2);
    BOOST_TEST(contains(refused.err, "not orthonormal"), refused.err);
  }
}

BOOST_AUTO_TEST_SUITE_END()
