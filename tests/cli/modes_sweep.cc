// SPDX-License-Identifier: LGPL-2.1-or-later
// halfdof modes --sweep and response --sweep, on closed forms.
#include <boost/test/unit_test.hpp>

#include "cases.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// Hoffmann's mode coupling, K = [[2, 1 - 4 mu / 3], [1, 2]], M = I: flutter from mu = 3/4 on with sqrt(2).
class Brake : public Terminal {
 public:
  Brake() {
    MultiVector M = MultiVector::Identity(2, 2), K(2, 2), N = MultiVector::Zero(2, 2);
    K << 2, 1, 1, 2;
    N(0, 1) = 1;
    write_matrix_market(path() / "M.mtx", matrix_of<EigenEngine>(M).entries());
    write_matrix_market(path() / "K.mtx", matrix_of<EigenEngine>(K).entries());
    write_matrix_market(path() / "N.mtx", matrix_of<EigenEngine>(N).entries());
    file("brake.toml", R"case([parameters]
mu = 0.3
load = 1
[system]
mass = "M.mtx"
stiffness = [{file = "K.mtx"}, {file = "N.mtx", factor = "-4*mu/3"}]
[[load]]
dof = 0
expression = "load*cos(t)"
)case");
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(modes_sweep)

BOOST_AUTO_TEST_CASE(flutter_is_located_and_all_values_are_rows) {
  const Brake terminal;
  const nlohmann::json json =
      terminal.json("modes", {"brake.toml"}, {"--sweep", "mu=0:1.5:0.25", "--count", "4", "--csv", "b.csv"});
  const auto& found = json["sweeps"][0];
  BOOST_TEST_REQUIRE(found["stability"].size() == 1u);
  BOOST_TEST(std::abs(found["stability"][0]["parameter"].get<double>() - 0.75) < 1e-8);
  BOOST_TEST(found["stability"][0]["eigenvalue"][1].get<double>() == std::sqrt(2.),
             boost::test_tools::tolerance(1e-6));
  BOOST_TEST(found["undecided"].size() >= 1u);
  auto columns = table(terminal.path() / "b.csv");
  const std::vector<double> mu = numbers(columns["mu"]), re = numbers(columns["re"]),
                            im = numbers(columns["im"]);
  BOOST_TEST_REQUIRE(mu.size() == 14u);
  for (std::size_t k = 0; k < mu.size(); ++k) {
    // lambda^2 = -2 +- sqrt(1 - 4 mu / 3), and half the digits where both are one.
    const std::complex<double> lambda(re[k], im[k]), square = lambda * lambda + 2.;
    BOOST_TEST(std::abs(square * square - (1 - 4 * mu[k] / 3)) < 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(two_sweeps_make_a_grid) {
  const Brake terminal;
  terminal.file("grid.toml", changed(text_of(terminal.path() / "brake.toml"),
                                     {{"{file = \"K.mtx\"}", "{file = \"K.mtx\", factor = \"load\"}"}}));
  const Run run = terminal.run({"modes", "grid.toml", "--sweep", "load=log:1:4:3", "--sweep", "mu=0,0.3",
                                "--count", "4", "--csv", "g.csv"});
  BOOST_TEST(run.exit_code == 0, run.err);
  auto columns = table(terminal.path() / "g.csv");
  const std::vector<double> load = numbers(columns["load"]), mu = numbers(columns["mu"]),
                            im = numbers(columns["im"]);
  BOOST_TEST_REQUIRE(mu.size() == 12u);
  for (std::size_t k = 0; k < mu.size(); ++k) {
    const double square = im[k] * im[k] - 2 * load[k];
    BOOST_TEST(square * square == load[k] * (load[k] - 4 * mu[k] / 3), boost::test_tools::tolerance(1e-12));
  }
  BOOST_TEST(contains(run.out, "At load = 2:"));
}

BOOST_AUTO_TEST_CASE(the_response_is_that_of_each_value) {
  const Brake terminal;
  const Run run = terminal.run({"response", "brake.toml", "--sweep", "mu=0,0.6", "--input", "1", "--output",
                                "0", "--from", "0", "--to", "0", "--csv", "H.csv"});
  BOOST_TEST(run.exit_code == 0, run.err);
  auto columns = table(terminal.path() / "H.csv");
  const std::vector<double> mu = numbers(columns["mu"]),
                            H = numbers(columns["Re q_0/f_1 [displacement/load]"]);
  BOOST_TEST_REQUIRE(H.size() == 2u);
  for (std::size_t k = 0; k < H.size(); ++k) {
    const double k01 = 1 - 4 * mu[k] / 3;
    BOOST_TEST(H[k] == -k01 / (4 - k01), boost::test_tools::tolerance(1e-13));
  }
}

BOOST_AUTO_TEST_CASE(a_motion_is_run_at_each_value_with_files_of_its_own) {
  // 2 q'' = a from rest: v(2) = a.
  const OneMass terminal(2, 0);
  terminal.file("case.toml", R"case([parameters]
a = 1
[system]
mass = "M.mtx"
stiffness = "K.mtx"
[[load]]
dof = 0
expression = "a"
[integrator]
method = "moreau-jean"
step = 1e-2
end = 2.0
[output]
file = "out/q.csv"
velocity = [0]
)case");
  const Run run = terminal.run({"simulate", "case.toml", "--sweep", "a=3,5.5", "--verify"});
  BOOST_TEST(run.exit_code == 0, run.err);
  for (const auto& [name, a] : {std::pair("out/q-a=3.csv", 3.), {"out/q-a=5.5.csv", 5.5}})
    BOOST_TEST(numbers(table(terminal.path() / name)["v[0]"]).back() == a,
               boost::test_tools::tolerance(1e-9));
  BOOST_TEST(!std::filesystem::exists(terminal.path() / "out/q.csv"));
}

BOOST_AUTO_TEST_CASE(the_picture_is_drawn) {
  const Brake terminal;
  const Run run = terminal.run(
      {"modes", "brake.toml", "--sweep", "mu=0:0.6:0.2", "--plot", "b.png", "--orders", "1", "2"});
  BOOST_TEST(run.exit_code == 0, run.err);
  BOOST_TEST(std::filesystem::file_size(terminal.path() / "b.png") > 10000u);
}

BOOST_AUTO_TEST_CASE(wrong_sweeps_are_refused) {
  const Brake terminal;
  const std::vector<std::pair<Arguments, std::string>> mistakes = {
      {{"brake.toml", "--sweep", "nu=1,2"}, "no such parameter. It has: load, mu"},
      {{"brake.toml", "--sweep", "load=1,2"}, "which no factor of a matrix or of structural damping uses"},
      {{"brake.toml", "--sweep", "mu"}, "names no parameter"},
      {{"brake.toml", "--sweep", "mu=1:2"}, "has no values in a form that is known"},
      {{"brake.toml", "--sweep", "mu=1:2:x"}, "has \"x\" where a finite number belongs"},
      {{"brake.toml", "--sweep", "mu=1:2:-1"}, "does not reach its end"},
      {{"brake.toml", "--sweep", "mu=1,3,2"}, "neither ascends nor descends"},
      {{"brake.toml", "--sweep", "mu=log:0:2:3"}, "is logarithmic"},
      {{"brake.toml", "--sweep", "mu=0:1:1", "--set", "mu=1"}, "--set gives mu a value"},
      {{"--stiffness", "K.mtx", "--sweep", "mu=1,2"}, "--sweep needs parameters"},
      {{"brake.toml", "--sweep", "mu=1,2", "--sweep", "mu=1,2"}, "Both --sweep are over mu"}};
  for (const auto& [arguments, message] : mistakes) {
    const Run run = terminal.run(command("modes", arguments));
    BOOST_TEST(run.exit_code == 2);
    BOOST_TEST(contains(run.err, message), run.err);
  }
}

BOOST_AUTO_TEST_SUITE_END()
