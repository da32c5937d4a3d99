// SPDX-License-Identifier: LGPL-2.1-or-later
// halfdof simulate: columns of gaps, slips, energies and dissipation against closed forms.
#include <boost/test/unit_test.hpp>

#include "cases.h"
#include <algorithm>
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Columns = std::map<std::string, std::vector<std::string>>;

double last(Columns& columns, const std::string& name) {
  BOOST_REQUIRE_MESSAGE(!columns[name].empty(), name);
  return std::stod(columns[name].back());
}

/// A mass of 2 kg on a spring of 8 N/m, pushed by 3 N, rubs on two supports along one line, which are merged,
/// the second seen backwards.
const char* const two_pads = R"toml([system]
mass = "M.mtx"
stiffness = "K.mtx"
damping = "C.mtx"
[initial]
displacement = [1.0]
velocity = [3.0]
[[load]]
dof = 0
expression = "3*cos(5*t)"
[[inclusion]]
name = "floor"
law = "dry-friction"
direction = [{dof = 0}]
lower = -1.0
upper = 1.0
[[inclusion]]
name = "wall"
law = "dry-friction"
direction = [{dof = 0, weight = -2.0}]
lower = -0.25
upper = 0.5
[integrator]
method = "METHOD"
end = 2.0
[output]
file = "out/pads.csv"
displacement = [0]
velocity = [0]
dissipated = true
slips = true
energies = true
dissipated_each = true
)toml";

}  // namespace

BOOST_AUTO_TEST_SUITE(columns)

// 2 q'' = r with |r| <= 4, q'(0) = 3: q = 3 t - t^2 until it stops at 1.5 s. All is a polynomial of degree
// two, so the only error of fixed steps is that of the last one before it stops: h times the speed there, h
// times 2 h.
BOOST_AUTO_TEST_CASE(slips_and_energies_of_a_sliding_mass_are_those_of_the_closed_form) {
  for (const std::string method : {"moreau-jean", "generalized-alpha", "event-driven"}) {
    BOOST_TEST_CONTEXT(method) {
      const OneMass terminal(2, 0);
      const std::string more = "dissipated = true\nslips = true\nenergies = true\ndissipated_each = true";
      const bool is_free = method == "event-driven";
      const Run run =
          terminal.simulate(changed(sliding, {{"moreau-jean", method},
                                              {"step = 1e-3", is_free ? "" : "step = 1e-3"},
                                              {"every = 500", is_free ? "interval = 0.5" : "every = 500"},
                                              {"dissipated = true", more}}));
      BOOST_TEST(run.exit_code == 0, run.err);
      auto columns = table(terminal.path() / "out/slide.csv");
      const std::vector<double> t = numbers(columns["t"]), slip = numbers(columns["slip[floor]"]),
                                path = numbers(columns["slip_total[floor]"]),
                                rate = numbers(columns["slip_rate[floor]"]),
                                kinetic = numbers(columns["kinetic"]),
                                taken = numbers(columns["dissipated[floor]"]),
                                work = numbers(columns["reaction_work"]);
      BOOST_REQUIRE(t.size() == 5u);
      const double tolerance = is_free ? 1e-9 : 3e-3;  // of gen-alpha: the reaction begins h/2 late
      for (std::size_t k = 0; k < t.size(); ++k) {
        const double s = std::min(t[k], 1.5), v = 3 - 2 * s;
        BOOST_TEST(std::abs(slip[k] - (3 * s - s * s)) < tolerance);
        BOOST_TEST(std::abs(path[k] - (3 * s - s * s)) < tolerance);
        BOOST_TEST(std::abs(rate[k] - v) < tolerance);
        BOOST_TEST(std::abs(kinetic[k] - v * v) < 2 * 3 * tolerance);
        BOOST_TEST(std::abs(taken[k] - 4 * (3 * s - s * s)) < 4 * tolerance);
        BOOST_TEST(std::abs(work[k] + taken[k]) < 4 * tolerance);
      }
      BOOST_TEST(columns["dissipated[floor]"] == columns["dissipated"]);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_columns_of_energy_balance_for_laws_along_one_line) {
  for (const std::string method : {"moreau-jean\"\nstep = 1e-3", "event-driven\"", "memory\"\nstep = 1e-3"}) {
    BOOST_TEST_CONTEXT(method) {
      const OneMass terminal(2, 8);
      write_matrix_market(terminal.path() / "C.mtx",
                          DenseMatrix<double>(DenseMatrix<double>::Constant(1, 1, 0.5)));
      const Run run = terminal.simulate(changed(two_pads, {{"METHOD\"", method}}));
      BOOST_TEST(run.exit_code == 0, run.err);
      auto columns = table(terminal.path() / "out/pads.csv");
      const std::vector<double> q = numbers(columns["q[0]"]), v = numbers(columns["v[0]"]),
                                kinetic = numbers(columns["kinetic"]),
                                potential = numbers(columns["potential"]), work = numbers(columns["work"]),
                                damped = numbers(columns["damped"]),
                                reactions = numbers(columns["reaction_work"]),
                                taken = numbers(columns["dissipated"]),
                                each = numbers(columns["dissipated[floor + wall]"]),
                                slip = numbers(columns["slip[floor]"]), back = numbers(columns["slip[wall]"]),
                                path = numbers(columns["slip_total[wall]"]);
      const bool is_exact = method == "event-driven\"";
      double moved = 0;
      for (std::size_t k = 0; k < q.size(); ++k) {
        if (k > 0) moved += std::abs(q[k] - q[k - 1]);
        BOOST_TEST(std::abs(kinetic[k] - v[k] * v[k]) < 1e-12 * 9);
        BOOST_TEST(std::abs(potential[k] - 4 * q[k] * q[k]) < 1e-12 * 9);
        // 13 J at the start; of the second order, (5 h)^2 of the works.
        BOOST_TEST(std::abs(kinetic[k] + potential[k] + damped[k] - work[k] - reactions[k] - 13) <
                   (is_exact ? 1e-9 : 1e-4) * 13);
        BOOST_TEST(std::abs(reactions[k] + taken[k]) < (is_exact ? 1e-9 : 1e-3) * 13);
        BOOST_TEST(std::abs(each[k] - taken[k]) < 1e-13 * 13);
        BOOST_TEST(std::abs(slip[k] - (q[k] - 1)) < 1e-9);
        BOOST_TEST(std::abs(back[k] + 2 * (q[k] - 1)) < 1e-9);
        BOOST_TEST(std::abs(path[k] - 2 * moved) < 1e-9);
      }
      BOOST_TEST(taken.back() > 3);
      BOOST_TEST(moved > std::abs(q.back() - 1) + 0.5);  // it turned
    }
  }
}

// A fall of 5 m in 1 s under 10 N/kg, and half the speed back: at 1.5 s it is 1.25 m high and at rest.
BOOST_AUTO_TEST_CASE(gaps_and_the_work_of_an_impact_are_those_of_a_falling_ball) {
  const OneMass terminal(1, 0);
  const Run run = terminal.simulate(R"([system]
mass = "M.mtx"
stiffness = "K.mtx"
[initial]
displacement = [4.0]
[[load]]
dof = 0
expression = "-10"
[[inclusion]]
name = "floor"
law = "unilateral"
direction = [{dof = 0}]
obstacle = -1.0
restitution = 0.5
[integrator]
method = "event-driven"
end = 1.5
[output]
file = "ball.csv"
gaps = true
energies = true
dissipated_each = true
)");
  BOOST_TEST(run.exit_code == 0, run.err);
  auto columns = table(terminal.path() / "ball.csv");
  BOOST_TEST(numbers(columns["g[floor]"]).front() == 5);
  BOOST_TEST(std::abs(last(columns, "g[floor]") - 1.25) < 1e-9);
  BOOST_TEST(std::abs(last(columns, "kinetic")) < 1e-9 * 50);
  BOOST_TEST(std::abs(last(columns, "work") - 37.5) < 1e-9 * 50);
  BOOST_TEST(std::abs(last(columns, "reaction_work") + 37.5) < 1e-9 * 50);
  BOOST_TEST(std::abs(last(columns, "dissipated[floor]") - 37.5) < 1e-9 * 50);
}

BOOST_AUTO_TEST_CASE(a_path_of_slip_ends_where_the_contact_lifts_off) {
  // It lifts off at 1 s; until then q' = 1 - 0.2 (t - t^2 / 2).
  const std::string lifted = R"([system]
mass = "M.mtx"
stiffness = "K.mtx"
[initial]
velocity = [0, 1.0]
[[load]]
dof = 0
expression = "-1+t"
[[inclusion]]
name = "foot"
law = "coulomb"
normal = [{dof = 0}]
tangents = [[{dof = 1}]]
friction = 0.2
restitution = 0.0
[integrator]
METHOD
end = 2.0
[output]
file = "foot.csv"
slips = true
)";
  const Terminal terminal;
  write_matrix_market(terminal.path() / "M.mtx", MultiVector(MultiVector::Identity(2, 2)));
  write_matrix_market(terminal.path() / "K.mtx", MultiVector(MultiVector::Zero(2, 2)));
  for (const std::string method : {"method = \"event-driven\"", "method = \"moreau-jean\"\nstep = 1e-3"}) {
    terminal.file("case.toml", changed(lifted, {{"METHOD", method}}));
    const Run run = terminal.run(command("simulate", {"case.toml"}));
    BOOST_TEST(run.exit_code == 0, run.err);
    auto columns = table(terminal.path() / "foot.csv");
    BOOST_TEST(last(columns, "slip_total[foot]") == 1 - 0.2 / 3, boost::test_tools::tolerance(2e-3));
  }
}

BOOST_AUTO_TEST_CASE(energies_of_an_unsymmetric_model_are_refused_with_their_line) {
  const Terminal terminal;
  DenseMatrix<double> K(2, 2);
  K << 2, 1, 0, 2;
  write_matrix_market(terminal.path() / "M.mtx", DenseMatrix<double>(DenseMatrix<double>::Identity(2, 2)));
  write_matrix_market(terminal.path() / "K.mtx", K);
  terminal.file("case.toml", R"([system]
mass = "M.mtx"
stiffness = "K.mtx"
[integrator]
method = "moreau-jean"
step = 0.1
end = 1
[output]
file = "out.csv"
energies = true
)");
  const Run run = terminal.run(command("simulate", {"case.toml"}));
  BOOST_TEST(run.exit_code != 0);
  BOOST_TEST(contains(run.err, "case.toml:10"), run.err);
  BOOST_TEST(contains(run.err, "not symmetric"), run.err);
}

BOOST_AUTO_TEST_SUITE_END()
