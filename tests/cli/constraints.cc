// Constraints beside the matrices, through the real program.
#include <boost/test/unit_test.hpp>

#include "cases.h"
#include <cmath>

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

BOOST_AUTO_TEST_CASE(constraints_that_do_not_fit_are_refused) {
  const LinkedMasses terminal;
  terminal.file("case.toml", sliding_together);
  write_matrix_market(terminal.path() / "b.mtx",
                      DenseMatrix<double>(DenseMatrix<double>::Constant(2, 1, 0.5)));
  const Run wrong_value = terminal.run({"simulate", "case.toml"});
  BOOST_TEST(wrong_value.exit_code == 2);
  BOOST_TEST(contains(wrong_value.err, "The constant part of b has 2 entries"));
  terminal.write_rows("A_2.mtx", 0, 0);
  const Run zero = terminal.run(command("inspect", terminal.options));
  BOOST_TEST(zero.exit_code == 2);
  BOOST_TEST(contains(zero.err, "Constraint 0 is zero"), zero.err);
}

BOOST_AUTO_TEST_SUITE_END()
