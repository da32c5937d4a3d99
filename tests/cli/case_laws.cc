// SPDX-License-Identifier: LGPL-2.1-or-later
// halfdof simulate: every law, on closed forms, with its parameters in every form that a case may give them.
#include <boost/test/unit_test.hpp>

#include "cases.h"
#include <algorithm>
#include <cmath>
#include <functional>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// A block on DoF 0 under one law: with the load and the start, all that differs from test to test.
struct Block {
  std::string law, load = "0", start = "[0.0]", method = "event-driven", output = "interval = 0.25";
  double mass = 2, stiffness = 0, end = 2;
};

std::string case_of(const Block& block) {
  return "[system]\nmass = \"M.mtx\"\nstiffness = \"K.mtx\"\n[initial]\nvelocity = " + block.start +
         "\n[[load]]\ndof = 0\nexpression = " + block.load +
         "\n[[inclusion]]\nname = \"it\"\ndirection = [{dof = 0}]\n" + block.law +
         "\n[integrator]\nmethod = \"" + block.method + "\"\nend = " + std::to_string(block.end) +
         "\n[output]\nfile = \"block.csv\"\n" + block.output +
         "\ndisplacement = [0]\nvelocity = [0]\ndissipated = true\n";
}

using Columns = std::map<std::string, std::vector<std::string>>;

Columns run(const Block& block) {
  const OneMass terminal(block.mass, block.stiffness);
  const Run run = terminal.simulate(case_of(block), {"--verify"});
  BOOST_TEST(run.exit_code == 0, run.err);
  return table(terminal.path() / "block.csv");
}

/// A column against a function of time.
void check_column(Columns& columns, const std::string& name, const std::function<double(double)>& exact,
                  double tolerance) {
  const std::vector<double> t = numbers(columns["t"]), values = numbers(columns[name]);
  BOOST_REQUIRE(t.size() >= 5u);
  BOOST_REQUIRE(values.size() == t.size());
  for (std::size_t k = 0; k < t.size(); ++k)
    BOOST_TEST(std::abs(values[k] - exact(t[k])) < tolerance, name << " at " << t[k] << ": " << values[k]);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(case_laws)

BOOST_AUTO_TEST_CASE(thresholds_are_numbers_formulas_or_tables) {
  // 2 q'' = -(1 + t) from 3: v = 3 - t/2 - t^2/4.
  for (const std::string threshold :
       {"\"-1 - t\"", "{times = [0, 2, 9], values = [-1, -3, -10]}", "{file = \"threshold.txt\"}"}) {
    BOOST_TEST_CONTEXT(threshold) {
      const OneMass terminal(2, 0);
      terminal.file("threshold.txt", "# time value\n0 -1\n2.0 -3.0\n9 -10\n");
      Block block{"law = \"dry-friction\"\nupper = 4\nlower = " + threshold};
      block.start = "[3.0]";
      const Run run = terminal.simulate(case_of(block), {"--verify"});
      BOOST_TEST(run.exit_code == 0, run.err);
      Columns columns = table(terminal.path() / "block.csv");
      check_column(
          columns, "v[0]", [](double t) { return 3 - t / 2 - t * t / 4; }, 1e-9);
      check_column(
          columns, "r[it]", [](double t) { return -1 - t; }, 1e-9);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_support_that_moves_drags_what_rubs_on_it) {
  // Faster than the block until both move with 1: then the block keeps up with its support.
  for (const std::string law :
       {"law = \"dry-friction\"\nlower = -3\nupper = 3", "law = \"st-venant\"\nthreshold = 3",
        "law = \"static-kinetic\"\nstatic = 3\nslipping = 3"}) {
    BOOST_TEST_CONTEXT(law) {
      for (const std::string support : {"\"t\"", "{times = [0, 4], values = [0, 4]}"}) {
        Columns columns = run({law + "\nsupport = " + support});
        check_column(
            columns, "v[0]", [](double t) { return std::min(1.5 * t, 1.); }, 1e-9);
        BOOST_TEST(columns["state[it]"].back() == "stick");
        // 3 times the slip of 1/3.
        BOOST_TEST(std::abs(numbers(columns["dissipated"]).back() - 1) < 1e-8);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(static_friction_holds_until_its_threshold_and_kinetic_friction_goes_on) {
  // A load 2 t: holds until t = 1.5; then 2 q'' = 2 t - 1.
  for (const std::string slipping : {"1", "\"1 + 0*t\"", "{times = [0], values = [1]}"}) {
    Block block{"law = \"static-kinetic\"\nstatic = 3\nslipping = " + slipping, "\"2*t\""};
    block.end = 3;
    Columns columns = run(block);
    const auto exact = [](double t) { return t < 1.5 ? 0. : (t * t - 1.5 * 1.5) / 2 - (t - 1.5) / 2; };
    check_column(columns, "v[0]", exact, 1e-8);
    const std::vector<double> t = numbers(columns["t"]), r = numbers(columns["r[it]"]);
    for (std::size_t k = 0; k < t.size(); ++k)
      if (k != 6)  // t = 1.5, where it falls from 3 to 1
        BOOST_TEST(std::abs(r[k] - (t[k] < 1.5 ? -2 * t[k] : -1.)) < 1e-8, "at " << t[k] << ": " << r[k]);
    BOOST_TEST(t[6] == 1.5);
    BOOST_TEST(columns["state[it]"][4] == "stick");
    BOOST_TEST(columns["state[it]"].back() == "slip forward");
  }
}

BOOST_AUTO_TEST_CASE(friction_weakens_with_the_speed) {
  // 2 v' = 3 - 1 - 2 exp(-v): u = exp(v) obeys 2 u' = 2 u - 2, so u = 1 + (u_0 - 1) exp(t). And
  // 2 v' = 1 - (1 + 2/(1 + v)): (1 + v)^2 = (1 + v_0)^2 - 2 t.
  // Gaussian: the load is the friction and the inertia of v = 1 + t.
  struct Curve {
    std::string name, load;
    double start;
    double (*exact)(double);
  };
  const Curve curves[] = {
      {"exponential", "3", std::log(2.), [](double t) { return std::log(1 + std::exp(t)); }},
      {"hyperbolic", "1", 2., [](double t) { return std::sqrt(9 - 2 * t) - 1; }},
      {"gaussian", "\"3 + 2*exp(-(1 + t)^2)\"", 1., [](double t) { return 1 + t; }}};
  for (const Curve& curve : curves) {
    for (const std::string method : {"moreau-jean", "implicit-euler", "generalized-alpha"}) {
      BOOST_TEST_CONTEXT(curve.name << " " << method) {
        Block block{
            "law = \"weakening\"\nat_rest = 3\nkinetic = 1\nspeed = 1\ncurve = \"" + curve.name + "\"",
            curve.load, "[" + std::to_string(curve.start) + "]", method + "\"\nstep = 1e-3 #", "every = 100"};
        Columns columns = run(block);
        check_column(columns, "v[0]", curve.exact, 2e-3);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(weakening_friction_is_dragged_by_its_support) {
  // At rest on a belt that moves with 1, without a load: it starts to slide by 3 - 1 and catches up.
  Block block{"law = \"weakening\"\nat_rest = 3\nkinetic = 3\nspeed = 1\nsupport = \"t\""};
  block.method = "moreau-jean\"\nstep = 1e-3 #";
  block.output = "every = 100";
  Columns columns = run(block);
  check_column(
      columns, "v[0]", [](double t) { return std::min(1.5 * t, 1.); }, 2e-3);
}

BOOST_AUTO_TEST_CASE(an_obstacle_moves_as_a_formula_or_a_table_says) {
  // A floor that sinks with 1 m/s under a block that lies on it, from t = 1 not at all: e = 0.5 throws it up.
  for (const std::string obstacle :
       {"\"max(-t, -1)\"\nrestitution = 0.5", "{times = [0, 1], values = [0, -1]}\nrestitution = 0.5"}) {
    BOOST_TEST_CONTEXT(obstacle) {
      Block block{"law = \"unilateral\"\nobstacle = " + obstacle, "-20", "[-1.0]"};
      block.method = "event-driven\"\nbreakpoints = [1.0] #";
      block.end = 1.1;
      block.output = "interval = 0.05";
      Columns columns = run(block);
      check_column(
          columns, "q[0]",
          [](double t) {
            // Up with half of 1 m/s for 0.1 s.
            return t < 1 ? -t : -1 + 0.5 * (t - 1) - 5 * (t - 1) * (t - 1);
          },
          1e-8);
    }
  }
}

namespace {

/// A block of mass 1 with the normal first, on ground that carries its weight of 10.
std::string coulomb_case(int n_dofs, const std::string& velocity, const std::string& law,
                         const std::string& method) {
  const std::string zeros = n_dofs == 3 ? ", 0, 0" : ", 0";
  return "[system]\nmass = \"M.mtx\"\nstiffness = \"K.mtx\"\n[initial]\nvelocity = " + velocity +
         "\n[[load]]\nvector = [-10" + zeros + "]\nexpression = 1\n[[inclusion]]\nname = \"ground\"\n" +
         "law = \"coulomb\"\nnormal = [{dof = 0}]\n" + law + "\n[integrator]\nmethod = \"" + method +
         "\"\nstep = 1e-3\nend = 2\n[output]\nfile = \"block.csv\"\nevery = 250\nvelocity = [1" +
         (n_dofs == 3 ? ", 2" : "") + "]\ndissipated = true\n";
}

Columns run_coulomb(int n_dofs, const std::string& velocity, const std::string& law,
                    const std::string& method) {
  const Terminal terminal;
  const DenseMatrix<double> M = DenseMatrix<double>::Identity(n_dofs, n_dofs);
  write_matrix_market(terminal.path() / "M.mtx", M);
  write_matrix_market(terminal.path() / "K.mtx", DenseMatrix<double>(0 * M));
  terminal.file("case.toml", coulomb_case(n_dofs, velocity, law, method));
  const Run run = terminal.run({"simulate", "case.toml", "--verify"});
  BOOST_TEST(run.exit_code == 0, run.err);
  return table(terminal.path() / "block.csv");
}

}  // namespace

BOOST_AUTO_TEST_CASE(coulomb_friction_in_space_acts_against_the_motion) {
  // From (3, 4): the speed falls from 5 with 0.3 times 10 until it rests after 5/3 s.
  for (const std::string method : {"moreau-jean", "implicit-euler", "generalized-alpha"}) {
    for (const std::string friction : {"0.3", "\"0.3 + 0*t\"", "{times = [0, 9], values = [0.3, 0.3]}"}) {
      BOOST_TEST_CONTEXT(method << " " << friction) {
        Columns columns = run_coulomb(
            3, "[0, 3, 4]", "tangents = [[{dof = 1}], [{dof = 2}]]\nfriction = " + friction, method);
        const auto speed = [](double t) { return std::max(5 - 3 * t, 0.); };
        check_column(
            columns, "v[1]", [&](double t) { return 0.6 * speed(t); }, 1e-8);
        check_column(
            columns, "v[2]", [&](double t) { return 0.8 * speed(t); }, 1e-8);
        BOOST_TEST(std::abs(numbers(columns["r[ground.n]"])[4] - 10) < 1e-8);
        BOOST_TEST(std::abs(numbers(columns["r[ground.t1]"])[4] + 1.8) < 1e-8);
        BOOST_TEST(std::abs(numbers(columns["r[ground.t2]"])[4] + 2.4) < 1e-8);
        BOOST_TEST(columns["state[ground]"][4] == "slip");
        BOOST_TEST(columns["state[ground]"].back() == "stick");
        BOOST_TEST(std::abs(numbers(columns["dissipated"]).back() - 12.5) < 0.02);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_massless_node_under_coulomb_friction_moves_when_its_load_exceeds_the_threshold) {
  // Pressed on the ground with 10, pulled along it with 5 t against a spring: it gives way from 5 t = 3.
  for (const std::string method : {"moreau-jean", "implicit-euler", "generalized-alpha"}) {
    BOOST_TEST_CONTEXT(method) {
      const Terminal terminal;
      DenseMatrix<double> K(2, 2);
      K << 100, 0, 0, 50;
      write_matrix_market(terminal.path() / "K.mtx", K);
      std::string text = coulomb_case(2, "[0, 0]", "tangents = [[{dof = 1}]]\nfriction = 0.3", method);
      text = changed(text, {{"mass = \"M.mtx\"\n", ""},
                            {"velocity = [1]", "displacement = [1]"},
                            {"[[inclusion]]", "[[load]]\ndof = 1\nexpression = \"5*t\"\n[[inclusion]]"}});
      terminal.file("case.toml", text);
      const Run run = terminal.run({"simulate", "case.toml", "--verify"});
      BOOST_TEST(run.exit_code == 0, run.err);
      BOOST_TEST(contains(run.out, "no impacts"));
      BOOST_TEST(contains(run.out, "play"));
      Columns columns = table(terminal.path() / "block.csv");
      check_column(
          columns, "r[ground.n]", [](double) { return 10.; }, 1e-9);
      check_column(
          columns, "r[ground.t]", [](double t) { return -std::min(5 * t, 3.); }, 1e-9);
      check_column(
          columns, "q[1]", [](double t) { return std::max(5 * t - 3, 0.) / 50; }, 1e-9);
    }
  }
}

BOOST_AUTO_TEST_CASE(ground_that_moves_along_itself_drags_by_coulomb_friction) {
  for (const std::string support : {"\"2*t\"", "{times = [0, 9], values = [0, 18]}"}) {
    Columns columns = run_coulomb(
        2, "[0, 0]", "tangents = [[{dof = 1}]]\nfriction = 0.3\nsupports = [" + support + "]", "moreau-jean");
    check_column(
        columns, "v[1]", [](double t) { return std::min(3 * t, 2.); }, 1e-8);
    BOOST_TEST(columns["state[ground]"].back() == "stick");
    Columns space =
        run_coulomb(3, "[0, 0, 0]",
                    "tangents = [[{dof = 1}], [{dof = 2}]]\nfriction = 0.3\nsupports = [" + support + ", 0]",
                    "moreau-jean");
    check_column(
        space, "v[1]", [](double t) { return std::min(3 * t, 2.); }, 1e-8);
    check_column(
        space, "v[2]", [](double) { return 0.; }, 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(a_vector_load_may_stand_in_a_file) {
  const OneMass terminal(2, 0);
  write_matrix_market(terminal.path() / "f.mtx",
                      DenseMatrix<double>(DenseMatrix<double>::Constant(1, 1, 6.)));
  Block block{"law = \"dry-friction\"\nlower = -1\nupper = 1"};
  const Run run = terminal.simulate(
      changed(case_of(block), {{"dof = 0\nexpression = 0", "vector = \"f.mtx\"\nexpression = \"0.5\""}}));
  BOOST_TEST(run.exit_code == 0, run.err);
  Columns columns = table(terminal.path() / "block.csv");
  check_column(
      columns, "v[0]", [](double t) { return t; }, 1e-9);
}

BOOST_AUTO_TEST_CASE(a_case_reads_and_writes_beside_itself) {
  const OneMass terminal(2, 0);
  terminal.file("case.toml", sliding);
  std::filesystem::create_directories(terminal.path() / "elsewhere/out");
  std::filesystem::rename(terminal.path() / "case.toml", terminal.path() / "elsewhere/case.toml");
  for (const char* const name : {"M.mtx", "K.mtx"})
    std::filesystem::rename(terminal.path() / name, terminal.path() / "elsewhere" / name);
  BOOST_TEST(terminal.run({"simulate", "elsewhere/case.toml"}).exit_code == 0);
  BOOST_TEST(std::filesystem::exists(terminal.path() / "elsewhere/out/slide.csv"));
}

BOOST_AUTO_TEST_CASE(a_case_without_inclusions_is_a_linear_run) {
  const OneMass terminal(2, 8);
  std::string text = sliding;
  text = text.substr(0, text.find("[[inclusion]]")) + text.substr(text.find("[integrator]"));
  const Run run = terminal.simulate(text, {"--verify"});
  BOOST_TEST(run.exit_code == 0, run.err);
  Columns columns = table(terminal.path() / "out/slide.csv");
  check_column(
      columns, "q[0]", [](double t) { return 1.5 * std::sin(2 * t); }, 1e-5);
}

BOOST_AUTO_TEST_SUITE_END()
