// SPDX-License-Identifier: LGPL-2.1-or-later
// Cases with parameters: matrices that are sums, formulas, --set, and the case as the model of every verb.
#include <boost/test/unit_test.hpp>

#include "cases.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// Two masses with a skew matrix: [[2, mu], [-mu, 3]] + omega G, and a load that knows both parameters.
const char* const rotor = R"case([parameters]
omega = 5
mu = 0.5
[system]
mass = "M.mtx"
damping = [{file = "D.mtx", factor = 0.5}, {file = "G.mtx", factor = "2*omega"}]
stiffness = [{file = "K.mtx"}, {file = "G.mtx", factor = "mu"}]
[[load]]
dof = 0
expression = "omega^2*cos(omega*t)"
[integrator]
method = "moreau-jean"
step = 1e-3
end = 0.01
[output]
file = "motion.csv"
displacement = [0]
)case";

class Rotor : public Terminal {
 public:
  Rotor() {
    const auto write = [this](const char* name, const MultiVector& A) {
      write_matrix_market(path() / name, matrix_of<EigenEngine>(A).entries());
    };
    M << 1, 0, 0, 2;
    D << 0.3, 0.1, 0.1, 0.2;
    G << 0, 1, -1, 0;
    K << 2, 0, 0, 3;
    write("M.mtx", M);
    write("D.mtx", D);
    write("G.mtx", G);
    write("K.mtx", K);
    file("case.toml", rotor);
  }

  /// Writes the sums of a speed as single matrices.
  Arguments summed(double omega) const { return model({M, 0.5 * D + 2 * omega * G, K + 0.5 * G}); }

  MultiVector M{2, 2}, D{2, 2}, G{2, 2}, K{2, 2};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(case_parameters)

BOOST_AUTO_TEST_CASE(the_modes_of_a_case_are_those_of_its_summed_matrices) {
  const Rotor terminal;
  for (const double omega : {5., 7.}) {
    const Arguments more = omega == 5. ? Arguments{} : Arguments{"--set", "omega=7"};
    const nlohmann::json of_case = terminal.json("modes", {"case.toml"}, more);
    Rotor other;
    const nlohmann::json of_files = other.json("modes", other.summed(omega));
    BOOST_TEST(of_case["after"] == of_files["after"]);
    BOOST_TEST(of_case["after"]["finite"].size() == 4u);
  }
}

BOOST_AUTO_TEST_CASE(every_verb_for_models_takes_a_case) {
  const Rotor terminal;
  const Rotor other;
  const Arguments files = other.summed(7), of_case = {"case.toml", "--set", "omega=7"};
  const Arguments response = {"--input", "0",    "--output", "1",     "--from",
                              "0.1",     "--to", "1",        "--csv", "H.csv"};
  BOOST_TEST(terminal.run(command("response", of_case, response)).exit_code == 0);
  BOOST_TEST(other.run(command("response", files, response)).exit_code == 0);
  BOOST_TEST(text_of(terminal.path() / "H.csv") == text_of(other.path() / "H.csv"));
  BOOST_TEST(terminal.run(command("reduce", of_case, {"--output", "reduced"})).exit_code == 0);
  BOOST_TEST(other.run(command("reduce", files, {"--output", "reduced"})).exit_code == 0);
  BOOST_TEST(text_of(terminal.path() / "reduced/A.mtx") == text_of(other.path() / "reduced/A.mtx"));
  BOOST_TEST(terminal.json("inspect", of_case)["n_states"] == 4);
}

BOOST_AUTO_TEST_CASE(loads_and_laws_know_the_parameters) {
  // m q'' = a + b t from rest: q = a t^2 / 2 + b t^3 / 6.
  const OneMass terminal(2, 0);
  terminal.file("case.toml", R"([parameters]
a = 3
mu = 0.25
[system]
mass = "M.mtx"
stiffness = "K.mtx"
[[load]]
dof = 0
expression = "a + mu"
[[inclusion]]
name = "floor"
law = "dry-friction"
direction = [{dof = 0}]
lower = "-mu"
upper = "mu"
[integrator]
method = "moreau-jean"
step = 1e-2
end = 2.0
[output]
file = "out/q.csv"
velocity = [0]
)");
  for (const double a : {3., 5.}) {
    const Run run = terminal.run({"simulate", "case.toml", "--set", "a=" + std::to_string(a)});
    BOOST_TEST(run.exit_code == 0, run.err);
    BOOST_TEST(numbers(table(terminal.path() / "out/q.csv")["v[0]"]).back() == a,
               boost::test_tools::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_CASE(wrong_parameters_are_refused_with_key_and_reason) {
  const Rotor terminal;
  struct Mistake {
    std::string from, to, message;
  };
  const std::vector<Mistake> mistakes = {
      {"mu = 0.5\n", "mu = 0.5\nnu = 1\n", "[parameters] nu is used by no factor of a matrix"},
      {"omega = 5\n", "omga = 5\n", "uses \"omega\", which is no parameter"},
      {"mu = 0.5\n", "mu = 0.5\nt = 1\n", "[parameters] t: The parameter \"t\" has the name of the time"},
      {"mu = 0.5\n", "mu = 0.5\nsin = 1\n", "\"sin\" has the name of a function"},
      {"mu = 0.5\n", "mu = nan\n", "[parameters] mu: The parameter mu is nan"},
      {"mu = 0.5\n", "mu = \"a\"\n", "[parameters] mu is \"a\", but must be a number"},
      {"\"mu\"}", "\"1/(mu - 0.5)\"}", "[system] stiffness: The factor \"1/(mu - 0.5)\" is inf at mu = 0.5"},
      {"\"mu\"}", "\"mu*t\"}", "[system] stiffness: The formula \"mu*t\" depends on the time t"},
      {"\"mu\"}", "true}", "[term] factor is true"},
      {"file = \"K.mtx\"", "fil = \"K.mtx\"", "[term] fil is unknown. Is file meant?"},
      {"file = \"K.mtx\"", "file = \"L.mtx\"", "[system] stiffness names the file L.mtx"},
      {"omega^2*cos", "omga^2*cos", "[load] expression: The formula"},
  };
  for (const Mistake& mistake : mistakes) {
    terminal.file("wrong.toml", changed(rotor, {{mistake.from, mistake.to}}));
    const Run run = terminal.run({"simulate", "wrong.toml"});
    BOOST_TEST(run.exit_code == 2, mistake.to);
    BOOST_TEST(contains(run.err, mistake.message), run.err);
    BOOST_TEST(contains(run.err, "wrong.toml"), run.err);
  }
}

BOOST_AUTO_TEST_CASE(wrong_settings_are_refused) {
  const Rotor terminal;
  const std::vector<std::pair<Arguments, std::string>> mistakes = {
      {{"case.toml", "--set", "omga=7"}, "no parameter \"omga\" in [parameters]: omega, mu. Is omega meant?"},
      {{"case.toml", "--set", "omega"}, "--set omega is no setting"},
      {{"case.toml", "--set", "omega=fast"}, "\"fast\" is no number"},
      {{"case.toml", "--set", "omega=inf"}, "The parameter omega is inf"},
      {{"case.toml", "--set", "omega=1", "--set", "omega=2"}, "omega twice"},
      {{"--stiffness", "K.mtx", "--set", "omega=1"}, "no case is given"},
      {{"case.toml", "--mass", "M.mtx"}, "--mass is given in addition to a case"},
  };
  for (const auto& [arguments, message] : mistakes) {
    const Run run = terminal.run(command("modes", arguments));
    BOOST_TEST(run.exit_code == 2);
    BOOST_TEST(contains(run.err, message), run.err);
  }
}

BOOST_AUTO_TEST_CASE(the_modes_of_a_case_leave_out_its_inclusions_and_say_so) {
  const OneMass terminal(2, 8);
  terminal.file("case.toml", sliding);
  const Run run = terminal.run({"modes", "case.toml"});
  BOOST_TEST(run.exit_code == 0, run.err);
  BOOST_TEST(contains(run.out, "The inclusions of the case are left out"), run.out);
}

BOOST_AUTO_TEST_SUITE_END()
