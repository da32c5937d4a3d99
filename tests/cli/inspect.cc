#include <boost/test/unit_test.hpp>

#include "program.h"

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(inspect)

BOOST_AUTO_TEST_CASE(the_engine_mount_has_one_mass_and_two_viscous_dofs) {
  const Terminal terminal;
  const auto json = terminal.json("inspect", data_model("engine_mount"));
  BOOST_TEST(json["n_dofs"] == 3);
  BOOST_TEST(json["n_inertial"] == 1);
  BOOST_TEST(json["n_viscous"] == 2);
  BOOST_TEST(json["n_algebraic"] == 0);
  BOOST_TEST(json["n_constrained"] == 0);
  BOOST_TEST(json["n_states"] == 4);
  BOOST_TEST(json["regular"] == true);
  BOOST_TEST(json["warnings"].empty());
}

BOOST_AUTO_TEST_CASE(tables_go_to_standard_output_and_nothing_to_standard_error) {
  const Terminal terminal;
  const Run result = terminal.run(command("inspect", data_model("three_kinds")));
  BOOST_TEST(result.exit_code == 0);
  BOOST_TEST(result.err == "");
  BOOST_TEST(contains(result.out, "N_I = 1, N_C = 1, N_K = 1, N_s = 3"));
  BOOST_TEST(contains(result.out, "BLAS: "));
}

BOOST_AUTO_TEST_CASE(permuted_models_have_the_same_counts) {
  const Terminal terminal;
  const auto json = terminal.json("inspect", terminal.model(random_unsymmetric(4, 3, 2, 5)));
  BOOST_TEST(json["n_inertial"] == 4);
  BOOST_TEST(json["n_viscous"] == 3);
  BOOST_TEST(json["n_algebraic"] == 2);
  BOOST_TEST(json["n_states"] == 11);
}

BOOST_AUTO_TEST_CASE(constrained_dofs_belong_to_no_kind) {
  const Terminal terminal;
  terminal.file("clamped.txt", "# the mass\n0\n");
  const auto json = terminal.json("inspect", data_model("engine_mount"), {"--constrained", "clamped.txt"});
  BOOST_TEST(json["n_dofs"] == 3);
  BOOST_TEST(json["n_inertial"] == 0);
  BOOST_TEST(json["n_constrained"] == 1);
  BOOST_TEST(json["n_states"] == 2);
  BOOST_TEST(json["prescribed_motion_needs"] == nlohmann::json::parse(R"(["q_D", "q_D'"])"));
}

BOOST_AUTO_TEST_CASE(mass_and_damping_may_be_left_out) {
  const Terminal terminal;
  terminal.model(engine_mount());
  const auto statics = terminal.json("inspect", {"--stiffness", "K.mtx"});
  BOOST_TEST(statics["n_algebraic"] == 3);
  BOOST_TEST(statics["n_states"] == 0);
  BOOST_TEST(statics["regular"] == true);
  const auto creep = terminal.json("inspect", {"--damping", "C.mtx", "--stiffness", "K.mtx"});
  BOOST_TEST(creep["n_viscous"] == 3);
}

BOOST_AUTO_TEST_CASE(a_singular_system_is_described_and_not_refused) {
  const Terminal terminal;
  DenseSystem floating = engine_mount();
  floating.C.row(2).setZero();
  floating.C.col(2).setZero();
  floating.K.row(2).setZero();
  floating.K.col(2).setZero();
  const Arguments model = terminal.model(floating);
  const auto json = terminal.json("inspect", model);
  BOOST_TEST(json["regular"] == false);
  BOOST_TEST(json["n_algebraic"] == 1);
  BOOST_TEST(json["n_states"] == 3);
  BOOST_TEST(json["singular"]["dofs"] == nlohmann::json::parse("[2]"));
  BOOST_TEST(json["warnings"].size() == 1u);
  BOOST_TEST(contains(terminal.run(command("inspect", model)).out, "DoF 2"));
}

BOOST_AUTO_TEST_CASE(nearly_null_columns_are_warned_of_and_dropped_on_request) {
  const Terminal terminal;
  DenseSystem system = engine_mount();
  system.M(1, 1) = 20e-14;
  const Arguments model = terminal.model(system);
  const auto kept = terminal.json("inspect", model);
  BOOST_TEST(kept["n_inertial"] == 2);
  BOOST_REQUIRE_EQUAL(kept["warnings"].size(), 1u);
  BOOST_TEST(contains(kept["warnings"][0], "--null-tolerance 1.01e-14"));
  const auto dropped = terminal.json("inspect", model, {"--null-tolerance", "1.01e-14"});
  BOOST_TEST(dropped["n_inertial"] == 1);
}

BOOST_AUTO_TEST_CASE(a_solver_can_be_named) {
  const Terminal terminal;
  const auto json = terminal.json("inspect", data_model("three_kinds"), {"--solver", "umfpack"});
  BOOST_TEST(json["elimination"][0]["solver"] == "umfpack");
  const Run unknown = terminal.run(command("inspect", data_model("three_kinds"), {"--solver", "magic"}));
  BOOST_TEST(unknown.exit_code == 2);
  BOOST_TEST(contains(unknown.err, "umfpack"));
}

BOOST_AUTO_TEST_CASE(the_json_file_appears_in_a_new_folder_or_the_message_says_why_not) {
  const Terminal terminal;
  const auto arguments = [&](const char* file) {
    return command("inspect", data_model("engine_mount"), {"--json", file});
  };
  BOOST_TEST(terminal.run(arguments("new/deep/result.json")).exit_code == 0);
  BOOST_TEST(std::filesystem::exists(terminal.path() / "new/deep/result.json"));
  terminal.file("taken", "");
  const Run refused = terminal.run(arguments("taken/result.json"));
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(contains(refused.err, "taken/result.json"));
}

BOOST_AUTO_TEST_SUITE_END()
