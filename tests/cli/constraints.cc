// SPDX-License-Identifier: LGPL-2.1-or-later
// Constraints beside the matrices, through the real program.
#include <boost/test/unit_test.hpp>

#include "cases.h"
#include <cmath>
#include <cstdlib>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// Masses of 2 and 3 kg on a rigid link, the second of which rubs: together they slide as one of 5 kg.
class LinkedMasses : public Terminal {
 public:
  explicit LinkedMasses(double stiffness = 0) {
    DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
    system.M.diagonal() << 2, 3;
    system.K.diagonal().setConstant(stiffness);
    options = model(system);
    write_rows("A_2.mtx", 1, -1);
    options.insert(options.end(), {"--constraint-position", "A_2.mtx"});
  }
  void write_rows(const std::string& name, double first, double second) const {
    MultiVector row(1, 2);
    row << first, second;
    write_matrix_market(path() / name, matrix_of<EigenEngine>(row).entries());
  }

  Arguments options;
};

const char* const sliding_together = R"([system]
mass = "M.mtx"
stiffness = "K.mtx"
constraint_position = "A_2.mtx"
constraint_value = "b.mtx"
[initial]
displacement = [0.5, 0.0]
velocity = [1.0, 0.0]
[[inclusion]]
name = "floor"
law = "dry-friction"
direction = [{dof = 1}]
lower = -1.0
upper = 1.0
[integrator]
method = "moreau-jean"
step = 1e-2
end = 1.0
[output]
file = "slide.csv"
every = 100
displacement = [0, 1, 2]
velocity = [0, 1]
)";

}  // namespace

BOOST_AUTO_TEST_SUITE(constraints)

BOOST_AUTO_TEST_CASE(constraints_beside_the_matrices_are_eliminated_and_described) {
  const LinkedMasses terminal(40);
  const auto json = terminal.json("inspect", terminal.options);
  BOOST_TEST(json["method"] == "constraints");
  BOOST_TEST(json["n_dofs"] == 3);
  BOOST_TEST(json["n_states"] == 2);
  BOOST_TEST(json["n_infinite"] == 4);
  BOOST_TEST(json["index"] == 3);
  BOOST_TEST(json["constraints"]["n_position"] == 1);
  BOOST_TEST(json["constraints"]["redundant"].empty());
  BOOST_TEST(contains(terminal.run(command("inspect", terminal.options)).out,
                      "Constraints: 1 on displacements, 0 on rates, by 1 multipliers"));
  const Run refused = terminal.run(command("modes", terminal.options, {"--all", "--method", "null-columns"}));
  BOOST_TEST(refused.exit_code == 3);
  const Run modes = terminal.run(command("modes", terminal.options, {"--all", "--method", "constraints"}));
  BOOST_TEST(modes.exit_code == 0, modes.err);

  terminal.write_rows("A_1.mtx", 0, 1);
  const auto on_rates = terminal.json("inspect", terminal.options, {"--constraint-rate", "A_1.mtx"});
  BOOST_TEST(on_rates["constraints"]["n_velocity"] == 1);
  BOOST_TEST(on_rates["n_states"] == 3);
}

BOOST_AUTO_TEST_CASE(loads_on_multipliers_are_named_by_reduce_and_refused_by_response) {
  const LinkedMasses terminal(40);
  for (const char* const form : {"dense", "pencil"}) {
    const Run run = terminal.run(command("reduce", terminal.options, {"--output", form, "--form", form}));
    BOOST_TEST(run.exit_code == 0, run.err);
    const char* const said = "1 combination of the equations of DoF 2 (multiplier, constraint 0).";
    BOOST_TEST(contains(run.err, said), run.err);
    BOOST_TEST(contains(text_of(terminal.path() / form / "README.md"), said));
    BOOST_TEST(contains(text_of(terminal.path() / form / "README.md"), "those of the 0 constrained ones"));
    const MultiVector L = read_matrix_market(terminal.path() / form / "L.mtx");
    BOOST_REQUIRE(L.size() == 3);
    BOOST_TEST((L - MultiVector(Vector::Unit(3, 2))).norm() == 0);
  }
  const Arguments sweep{"--output", "0", "--from", "0.1", "--to", "1", "--points", "5", "--csv", "r.csv"};
  const auto respond = [&](const char* input) {
    return terminal.run(command("response", command("--input", {input}, sweep), terminal.options));
  };
  BOOST_TEST(respond("1").exit_code == 0);
  const Run refused = respond("2");
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(contains(refused.err, "DoF 2 (multiplier, constraint 0), whose equation constrains the motion"),
             refused.err);
}

BOOST_AUTO_TEST_CASE(a_constraint_that_stands_twice_has_the_spectrum_of_one) {
  const LinkedMasses terminal(40);
  MultiVector rows(2, 2);
  rows << 1, -1, -3, 3;
  write_matrix_market(terminal.path() / "A_2.mtx", matrix_of<EigenEngine>(rows).entries());
  for (const Arguments& range : {Arguments{"--all"}, Arguments{"--count", "2"}}) {
    const auto json = terminal.json("modes", terminal.options, range);
    BOOST_REQUIRE(json["modes"].size() == 1u);
    BOOST_TEST(json["modes"][0]["eigenvalue"][1].get<double>() == 4., boost::test_tools::tolerance(1e-10));
  }
}

BOOST_AUTO_TEST_CASE(files_that_gzip_compressed_are_read_and_damaged_ones_refused) {
  const LinkedMasses terminal(40);
  terminal.file("held.txt", "1\n");
  const auto compress = [&](const std::string& name) {
    return std::system(("cd '" + terminal.path().string() + "' && gzip -kf " + name).c_str());
  };
  for (const char* const name : {"M.mtx", "C.mtx", "K.mtx", "held.txt"})
    BOOST_REQUIRE(compress(name) == 0);
  const auto inspect = [&](const char* mass) {
    return terminal.run({"inspect", "--mass", mass, "--damping", "C.mtx.gz", "--stiffness", "K.mtx.gz",
                         "--constrained", "held.txt.gz", "--json", "gz.json"});
  };
  BOOST_TEST(inspect("M.mtx.gz").exit_code == 0);
  BOOST_TEST(nlohmann::json::parse(text_of(terminal.path() / "gz.json"))["n_states"] == 2);
  // Two members, one behind the other, are one file.
  const std::string whole = text_of(terminal.path() / "M.mtx.gz");
  terminal.file("end.txt", "% the end\n");
  BOOST_REQUIRE(compress("end.txt") == 0);
  terminal.file("two.gz", whole + text_of(terminal.path() / "end.txt.gz") + std::string(512, '\0'));
  BOOST_TEST(inspect("two.gz").exit_code == 0);

  const auto refused = [&](const std::string& bytes, const std::string& reason) {
    terminal.file("M.gz", bytes);
    const Run run = inspect("M.gz");
    BOOST_TEST(run.exit_code == 2);
    BOOST_TEST(contains(run.err, "M.gz:"), run.err);
    BOOST_TEST(contains(run.err, reason), run.err);
  };
  for (const std::size_t n : {std::size_t(2), std::size_t(15), whole.size() / 2, whole.size() - 1})
    refused(whole.substr(0, n), "cut off");
  std::string wrong = whole;
  wrong[whole.size() - 7] = static_cast<char>(wrong[whole.size() - 7] ^ 1);  // of the check sum
  refused(wrong, "corrupt (incorrect data check)");
  refused(whole + "rest", "corrupt");
}

BOOST_AUTO_TEST_CASE(linked_masses_slide_together_and_their_start_is_corrected) {
  const LinkedMasses terminal;
  terminal.file("case.toml", sliding_together);
  write_matrix_market(terminal.path() / "b.mtx",
                      DenseMatrix<double>(DenseMatrix<double>::Constant(1, 1, 0.5)));
  const Run run = terminal.run({"simulate", "case.toml", "--verify"});
  BOOST_TEST(run.exit_code == 0, run.err);
  // Momentum: 2 kg with 1 m/s become 5 kg with 0.4 m/s.
  BOOST_TEST(contains(run.out, "rate of DoF 1 (unnamed): given 0, consistent 0.4"), run.out);
  auto columns = table(terminal.path() / "slide.csv");
  const auto last = [&](const char* name) { return std::stod(columns[name].back()); };
  BOOST_TEST(last("v[0]") == 0.2, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(last("v[1]") == 0.2, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(last("q[0]") - last("q[1]") == 0.5, boost::test_tools::tolerance(1e-13));
  BOOST_TEST(last("q[1]") == 0.3, boost::test_tools::tolerance(1e-2));
  // The link brakes the first mass: 2 a + mu = 0 with a = -0.2.
  BOOST_TEST(last("q[2]") == 0.4, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(constraints_with_a_right_side_hold_the_energies_of_the_displacements) {
  // q_1 = q_0 + 0.1: q_0'' (m_0 + m_1) = -12 q_0 - 0.2 + r.
  const std::string held = R"([system]
mass = "M.mtx"
stiffness = "K.mtx"
constraint_position = "G.mtx"
constraint_value = "b.mtx"
[initial]
displacement = [0.4, 0.5]
[[inclusion]]
name = "pad"
law = "dry-friction"
direction = [{dof = 1}]
lower = -0.5
upper = 0.25
[integrator]
method = "METHOD"
step = 1e-3
end = 3.0
[output]
file = "held.csv"
displacement = [0, 1]
dissipated = true
energies = true
)";
  const Terminal terminal;
  write_matrix_market(terminal.path() / "K.mtx", (MultiVector(2, 2) << 10, 0, 0, 2).finished());
  write_matrix_market(terminal.path() / "G.mtx", (MultiVector(1, 2) << -1, 1).finished());
  write_matrix_market(terminal.path() / "b.mtx",
                      DenseMatrix<double>(DenseMatrix<double>::Constant(1, 1, 0.1)));
  for (const double mass : {0., 1.}) {
    write_matrix_market(terminal.path() / "M.mtx", (MultiVector(2, 2) << 1, 0, 0, mass).finished());
    terminal.file("case.toml", changed(held, {{"METHOD", "moreau-jean"}}));
    const Run run = terminal.run({"simulate", "case.toml", "--verify"});
    BOOST_TEST(run.exit_code == 0, run.err << run.out);
    auto columns = table(terminal.path() / "held.csv");
    for (std::size_t i = 0; i < columns["q[0]"].size(); i += 100) {
      const auto at = [&](const char* name) { return std::stod(columns[name][i]); };
      const double potential = 5 * at("q[0]") * at("q[0]") + at("q[1]") * at("q[1]");
      BOOST_TEST(std::abs(at("potential") - potential) < 1e-12);
      BOOST_TEST(std::abs(at("work")) < 1e-5);
    }
    terminal.file("case.toml", changed(held, {{"METHOD", "memory"}}));
    const Run refused = terminal.run({"simulate", "case.toml"});
    BOOST_TEST(refused.exit_code == 2);
    BOOST_TEST(contains(refused.err, "The right sides of the constraints load the system"), refused.err);
  }
}

BOOST_AUTO_TEST_CASE(constraints_that_do_not_fit_are_refused) {
  const LinkedMasses terminal;
  terminal.file("case.toml", sliding_together);
  write_matrix_market(terminal.path() / "b.mtx",
                      DenseMatrix<double>(DenseMatrix<double>::Constant(2, 1, 0.5)));
  const Run wrong_value = terminal.run({"simulate", "case.toml"});
  BOOST_TEST(wrong_value.exit_code == 2);
  BOOST_TEST(contains(wrong_value.err, "The constant part of the right side b of constraints has 2 entries"));
  terminal.write_rows("A_2.mtx", 0, 0);
  const Run zero = terminal.run(command("inspect", terminal.options));
  BOOST_TEST(zero.exit_code == 2);
  BOOST_TEST(contains(zero.err, "Constraint 0 is zero"), zero.err);
}

BOOST_AUTO_TEST_SUITE_END()
