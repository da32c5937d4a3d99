// SPDX-License-Identifier: LGPL-2.1-or-later
// halfdof simulate: laws of impacts, and positions that are corrected, against closed forms.
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

/// Free balls of 1 kg each in a row, and the contacts between neighbours.
class Balls : public Terminal {
 public:
  explicit Balls(Eigen::Index n) : n_(n) {
    write_matrix_market(path() / "M.mtx", DenseMatrix<double>(DenseMatrix<double>::Identity(n, n)));
    write_matrix_market(path() / "K.mtx", DenseMatrix<double>(DenseMatrix<double>::Zero(n, n)));
  }

  static std::string contact(const std::string& name, const std::string& direction, double e) {
    return "[[inclusion]]\nname = \"" + name +
           "\"\nlaw = \"unilateral\"\nrestitution = " + std::to_string(e) + "\ndirection = [" + direction +
           "]\n";
  }
  /// @param e of the contacts, the first between balls 0 and 1
  static std::string neighbours(const std::vector<double>& e) {
    std::string text;
    for (std::size_t i = 0; i < e.size(); ++i)
      text += contact("c" + std::to_string(i),
                      "{dof = " + std::to_string(i + 1) + "}, {dof = " + std::to_string(i) + ", weight = -1}",
                      e[i]);
    return text;
  }
  std::string list(double first, double others) const {
    std::string text = "[" + std::to_string(first);
    for (Eigen::Index i = 1; i < n_; ++i)
      text += ", " + std::to_string(others);
    return text + "]";
  }
  std::string all_dofs() const {
    std::string text = "[0";
    for (Eigen::Index i = 1; i < n_; ++i)
      text += ", " + std::to_string(i);
    return text + "]";
  }
  std::map<std::string, std::vector<std::string>> simulate(const std::string& initial,
                                                           const std::string& inclusions,
                                                           const std::string& integrator,
                                                           const Arguments& more = {"--verify"}) const {
    file("case.toml", "[system]\nmass = \"M.mtx\"\nstiffness = \"K.mtx\"\n[initial]\n" + initial +
                          inclusions + "[integrator]\n" + integrator +
                          "[output]\nfile = \"out.csv\"\nenergies = true\ngaps = true\ndissipated = true\n"
                          "dissipated_each = true\n"
                          "displacement = " +
                          all_dofs() + "\nvelocity = " + all_dofs() + "\n");
    const Run run = this->run(command("simulate", {"case.toml"}, more));
    BOOST_TEST(run.exit_code == 0, run.err + run.out);
    return table(path() / "out.csv");
  }

 private:
  Eigen::Index n_;
};

const std::string jean = "method = \"moreau-jean\"\nstep = 1e-3\n", events = "method = \"event-driven\"\n";

/// A ball that falls from 4.9 m under 10 N/kg and does not rebound.
const char* const drop = R"([system]
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
restitution = 0.0
[integrator]
method = "moreau-jean"
step = 1e-3
end = 2
[output]
file = "out/drop.csv"
displacement = [0]
velocity = [0]
gaps = true
)";

}  // namespace

BOOST_AUTO_TEST_SUITE(impact_laws)

BOOST_AUTO_TEST_CASE(a_ball_that_has_landed_lies_on_the_floor_where_positions_are_corrected) {
  const OneMass terminal(2, 0);
  const Run inside = terminal.simulate(drop, {"--verify"});
  BOOST_TEST(inside.exit_code == 0, inside.err);
  auto without = table(terminal.path() / "out/drop.csv");
  // It strikes at 9.9 m/s somewhere within a step.
  BOOST_TEST(std::abs(last(without, "q[0]")) > 1e-4);
  const Run on = terminal.simulate(
      changed(drop, {{"step = 1e-3", "step = 1e-3\nposition_correction = true"}}), {"--verify"});
  BOOST_TEST(on.exit_code == 0, on.err);
  auto with = table(terminal.path() / "out/drop.csv");
  BOOST_TEST(std::abs(last(with, "g[floor]")) < 1e-12 * 4.9);
  BOOST_TEST(std::abs(last(with, "v[0]")) < 1e-12 * 9.9);
  BOOST_TEST(std::abs(last(with, "r[floor]") - 20) < 1e-10 * 20);
  const std::vector<double> g = numbers(with["g[floor]"]);
  for (std::size_t k = 0; k < g.size(); ++k)
    BOOST_TEST((with["state[floor]"][k] != "closed" || std::abs(g[k]) < 1e-12 * 4.9));
}

BOOST_AUTO_TEST_CASE(a_ball_that_rebounds_less_and_less_comes_to_rest_where_positions_are_corrected) {
  const OneMass terminal(2, 0);
  const Run run = terminal.simulate(changed(drop, {{"step = 1e-3", "step = 1e-3\nposition_correction = true"},
                                                   {"restitution = 0.0", "restitution = 0.8"},
                                                   {"[4.9]", "[0.2]"},
                                                   {"end = 2", "end = 4"}}));
  BOOST_TEST(run.exit_code == 0, run.err);
  auto columns = table(terminal.path() / "out/drop.csv");
  BOOST_TEST(columns["state[floor]"].back() == "closed");
  BOOST_TEST(std::abs(last(columns, "g[floor]")) < 1e-12);
  BOOST_TEST(std::abs(last(columns, "v[0]")) < 1e-10);
  BOOST_TEST(std::abs(last(columns, "r[floor]") - 20) < 1e-8);
}

BOOST_AUTO_TEST_CASE(corrected_positions_do_not_touch_what_rebounds) {
  const OneMass terminal(2, 0);
  const std::string elastic = changed(drop, {{"restitution = 0.0", "restitution = 1.0"}});
  BOOST_TEST(terminal.simulate(elastic).exit_code == 0);
  const auto without = table(terminal.path() / "out/drop.csv");
  BOOST_TEST(terminal.simulate(changed(elastic, {{"step = 1e-3", "step = 1e-3\nposition_correction = true"}}))
                 .exit_code == 0);
  BOOST_TEST((without == table(terminal.path() / "out/drop.csv")));
}

BOOST_AUTO_TEST_CASE(a_cradle_passes_its_motion_on_to_the_last_ball_one_impact_after_the_other) {
  for (const Eigen::Index n : {3, 4, 5})
    for (const std::string& method : {jean, events}) {
      BOOST_TEST_CONTEXT(n << " balls, " << method) {
        const Balls balls(n);
        // The first ball comes from -0.5, to strike after 0.5 s and 0.5 m, inside a step.
        const std::string initial =
            "displacement = " + balls.list(-0.5003, 0) + "\nvelocity = " + balls.list(1, 0) + "\n";
        auto columns = balls.simulate(
            initial, Balls::neighbours(std::vector<double>(static_cast<std::size_t>(n - 1), 1.)),
            method + "end = 1.0\nimpact_law = \"sequential\"\n");
        const double late = method == jean ? 1e-3 : 1e-9;  // within the step, at 1 m/s
        for (Eigen::Index i = 0; i < n; ++i) {
          const std::string dof = std::to_string(i);
          const bool is_last = i == n - 1;
          BOOST_TEST(std::abs(last(columns, "v[" + dof + "]") - (is_last ? 1. : 0.)) < 1e-10);
          BOOST_TEST(std::abs(last(columns, "q[" + dof + "]") - (is_last ? 0.4997 : 0.)) < late);
        }
        for (const double kinetic : numbers(columns["kinetic"]))
          BOOST_TEST(std::abs(kinetic - 0.5) < 1e-10);
      }
    }
}

// Compression ends with 1/3 of the speed everywhere, by the impulses 2/3 and 1/3; the expansion gives back
// 1/3 of both with e = 1/2 at the first contact and 1 at the second. One after the other, the first ball
// strikes twice.
BOOST_AUTO_TEST_CASE(impulses_of_three_balls_are_those_of_each_law) {
  const Balls balls(3);
  const std::string initial = "displacement = [-0.1, 0, 0]\nvelocity = [1, 0, 0]\n";
  struct Tried {
    std::string law;
    double v[3];
  };
  for (const Tried& tried : {Tried{"newton", {0, 0.5, 0.5}}, Tried{"poisson", {0, 1. / 3, 2. / 3}},
                             Tried{"sequential", {0.0625, 0.1875, 0.75}}})
    for (const std::string& method : {jean, events}) {
      BOOST_TEST_CONTEXT(tried.law << ", " << method) {
        auto columns = balls.simulate(initial, Balls::neighbours({0.5, 1.}),
                                      method + "end = 0.2\nimpact_law = \"" + tried.law + "\"\n");
        for (int i = 0; i < 3; ++i)
          BOOST_TEST(std::abs(last(columns, "v[" + std::to_string(i) + "]") - tried.v[i]) < 1e-10);
      }
    }
}

// A bar of 1 kg and half-length 1 m at 45 degrees, J = 1/3: W = [2.5 1.5; 1.5 2.5]. At 1 m/s down and 0.5
// m/s along it sticks in compression, p = (0.8125, -0.6875), and in expansion, p = e (0.8125, -0.4875).
BOOST_AUTO_TEST_CASE(an_inclined_bar_with_friction_rebounds_as_poisson_says) {
  const Terminal terminal;
  DenseMatrix<double> M = DenseMatrix<double>::Identity(3, 3);
  M(2, 2) = 1. / 3;
  write_matrix_market(terminal.path() / "M.mtx", M);
  write_matrix_market(terminal.path() / "K.mtx", DenseMatrix<double>(DenseMatrix<double>::Zero(3, 3)));
  const double a = std::sqrt(0.5), e = 0.5;
  std::ostringstream text;
  text.precision(17);
  text << R"([system]
mass = "M.mtx"
stiffness = "K.mtx"
[initial]
displacement = [0, 0.1, 0]
velocity = [0.5, -1, 0]
[[inclusion]]
name = "end"
law = "coulomb"
friction = 0.9
restitution = 0.5
normal = [{dof = 1}, {dof = 2, weight = )"
       << a << "}]\ntangents = [[{dof = 0}, {dof = 2, weight = " << a << R"(}]]
[integrator]
method = "moreau-jean"
step = 1e-3
end = 0.2
impact_law = "poisson"
[output]
file = "bar.csv"
velocity = [0, 1, 2]
energies = true
events = "events.csv"
)";
  terminal.file("case.toml", text.str());
  const Run run = terminal.run(command("simulate", {"case.toml"}, {"--verify"}));
  BOOST_TEST(run.exit_code == 0, run.err + run.out);
  auto columns = table(terminal.path() / "bar.csv"), impacts = table(terminal.path() / "events.csv");
  const double p_n = 0.8125 * (1 + e), p_t = -0.6875 - 0.4875 * e;
  BOOST_REQUIRE(impacts["impulse[0]"].size() == 1u);
  BOOST_TEST(std::abs(numbers(impacts["impulse[0]"])[0] - p_n) < 1e-10);
  BOOST_TEST(std::abs(numbers(impacts["impulse[1]"])[0] - p_t) < 1e-10);
  BOOST_TEST(std::abs(numbers(impacts["w_after[0]"])[0] - 0.65) < 1e-10);
  BOOST_TEST(std::abs(numbers(impacts["w_after[1]"])[0]) < 1e-10);
  BOOST_TEST(std::abs(last(columns, "v[0]") - (0.5 + p_t)) < 1e-10);
  BOOST_TEST(std::abs(last(columns, "v[1]") - (-1 + p_n)) < 1e-10);
  BOOST_TEST(std::abs(last(columns, "v[2]") - 3 * a * (p_n + p_t)) < 1e-10);
  BOOST_TEST(last(columns, "kinetic") < numbers(columns["kinetic"]).front());
}

BOOST_AUTO_TEST_CASE(no_law_adds_energy_to_a_falling_tower) {
  const Balls balls(4);
  std::string inclusions = Balls::contact("floor", "{dof = 0}", 0.8) + Balls::neighbours({0.8, 0.8, 0.8});
  for (int i = 0; i < 4; ++i)
    inclusions += "[[load]]\ndof = " + std::to_string(i) + "\nexpression = -10.0\n";
  const std::string initial = "displacement = [1.0, 1.0, 1.1, 1.1]\n";
  for (const std::string law : {"newton", "poisson", "sequential"})
    for (const std::string& method : {jean, events + "shortest_flight = 1e-4\n"}) {
      BOOST_TEST_CONTEXT(law << ", " << method) {
        auto columns =
            balls.simulate(initial, inclusions, method + "end = 2.0\nimpact_law = \"" + law + "\"\n");
        const std::vector<double> kinetic = numbers(columns["kinetic"]), work = numbers(columns["work"]),
                                  taken = numbers(columns["dissipated"]);
        // With Newton's law contacts that separate inside their obstacle may be thrown back within a step.
        const double added = law == "newton" ? 1e-5 : 1e-9;
        for (std::size_t k = 1; k < kinetic.size(); ++k)
          BOOST_TEST(kinetic[k] - work[k] <= kinetic[k - 1] - work[k - 1] + added * 42);
        BOOST_TEST(taken.back() > 1);
        BOOST_TEST(std::abs(kinetic.back() - work.back() + taken.back()) < 1e-8 * 42);
      }
    }
}

BOOST_AUTO_TEST_CASE(each_contact_of_a_sequence_has_the_energy_of_its_own_impacts) {
  const Balls balls(3);
  for (const double e : {0.5, 0.9, 1.}) {
    // One pair after the other, until none approaches.
    std::vector<double> v{1, 0, 0}, expected{0, 0};
    for (std::size_t i = 0; v[0] > v[1] || v[1] > v[2]; i = 1 - i) {
      const double approach = v[i] - v[i + 1];
      if (approach <= 0) continue;
      expected[i] += (1 - e * e) / 4 * approach * approach;
      v[i] -= (1 + e) / 2 * approach;
      v[i + 1] += (1 + e) / 2 * approach;
    }
    for (const std::string& method : {jean, events}) {
      auto columns = balls.simulate("velocity = " + balls.list(1, 0) + "\n", Balls::neighbours({e, e}),
                                    method + "impact_law = \"sequential\"\nend = 1\n");
      for (std::size_t i = 0; i < 2; ++i)
        BOOST_TEST(std::abs(last(columns, "dissipated[c" + std::to_string(i) + "]") - expected[i]) < 1e-12);
    }
  }
}

BOOST_AUTO_TEST_CASE(impacts_that_add_energy_are_told) {
  // Kane's paradox: Newton's law with friction, where the mass couples the normal to the tangent.
  const Terminal terminal;
  write_matrix_market(terminal.path() / "M.mtx", (MultiVector(2, 2) << 1, 0.8, 0.8, 1).finished());
  write_matrix_market(terminal.path() / "K.mtx", MultiVector(MultiVector::Zero(2, 2)));
  terminal.file("case.toml",
                "[system]\nmass = \"M.mtx\"\nstiffness = \"K.mtx\"\n[initial]\ndisplacement = [0.1, 0]\n"
                "velocity = [-1, 0.5]\n[[inclusion]]\nname = \"c\"\nlaw = \"coulomb\"\nnormal = [{dof = 0}]\n"
                "tangents = [[{dof = 1}]]\nfriction = 0.7\nrestitution = 1\n[integrator]\n"
                "method = \"event-driven\"\nend = 0.3\n[output]\nfile = \"out.csv\"\n");
  const Run run = terminal.run(command("simulate", {"case.toml"}));
  BOOST_TEST(run.exit_code == 0, run.err);
  BOOST_TEST(contains(run.err, "warning: 1 impact has added energy to the structure"), run.err);
  BOOST_TEST(contains(run.err, "by \"c\": 0.275."), run.err);
}

BOOST_AUTO_TEST_SUITE_END()
