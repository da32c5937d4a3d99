// SPDX-License-Identifier: LGPL-2.1-or-later
#include <boost/test/unit_test.hpp>

#include "program.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(inspect)

BOOST_AUTO_TEST_CASE(hypotheses_of_equations_of_second_order_are_told_one_by_one) {
  const Terminal terminal;
  const auto json = terminal.json("inspect", data_model("engine_mount"), {"--second-order"});
  const auto& second_order = json.at("second_order");
  BOOST_TEST(second_order.at("n_3") == 1);
  BOOST_TEST(second_order.at("applies") == false);
  std::string failing;
  for (const auto& one : second_order.at("hypotheses"))
    if (one.at("holds") == false) failing += one.at("name").get<std::string>() + " ";
  BOOST_TEST(failing == "(4.2 iii) (4.3) ");
}

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
  // One motion of the three nodes strains no damper.
  BOOST_TEST(creep["n_viscous"] == 2);
  BOOST_TEST(creep["n_algebraic"] == 1);
  BOOST_TEST(creep["method"] == "kernel");
  const auto refused =
      terminal.json("inspect", {"--damping", "C.mtx", "--stiffness", "K.mtx", "--method", "null-columns"});
  BOOST_TEST(refused["n_viscous"] == 3);
  BOOST_TEST(refused["regular"] == false);
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
  BOOST_TEST(json["pencil"] == "singular");
  BOOST_TEST(json["method"] == "none");
  BOOST_TEST(json["index"].is_null());
  BOOST_TEST(json["problems"][0]["dofs"] == nlohmann::json::parse("[2]"));
  BOOST_TEST(contains(json["problems"][0]["cause"], "nothing connects it"));
  BOOST_TEST(contains(json["problems"][0]["remedy"], "Connect it"));
}

BOOST_AUTO_TEST_CASE(index_and_finite_eigenvalues_are_told_with_and_without_an_elimination) {
  const Terminal terminal;
  const auto regular = terminal.json("inspect", data_model("three_kinds"));
  BOOST_TEST(regular["pencil"] == "regular");
  BOOST_TEST(regular["method"] == "null-columns");
  BOOST_TEST(regular["n_finite"] == regular["n_states"]);
  BOOST_TEST(regular["index"] == 1);
  BOOST_TEST(regular["index_companion"] == 2);
  BOOST_TEST(regular["problems"].empty());
  DenseSystem linked{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Zero(3, 3)};
  linked.M.diagonal() << 1, 2, 0;
  linked.K << 5, 0, 1, 0, 7, -1, 1, -1, 0;
  const auto constrained = terminal.json("inspect", terminal.model(linked));
  BOOST_TEST(constrained["pencil"] == "regular");
  BOOST_TEST(constrained["method"] == "constraints");
  BOOST_TEST(constrained["n_finite"] == 2);
  BOOST_TEST(constrained["n_infinite"] == 4);
  BOOST_TEST(constrained["index"] == 3);
  BOOST_TEST(constrained["index_companion"] == 4);
  BOOST_TEST(constrained["problems"].empty());
  BOOST_TEST(constrained["constraints"]["n_position"] == 1);
}

BOOST_AUTO_TEST_CASE(nearly_null_columns_are_warned_of_and_dropped_on_request) {
  const Terminal terminal;
  DenseSystem system = engine_mount();
  system.M(1, 1) = 20e-14;
  const Arguments model = terminal.model(system);
  const auto kept = terminal.json("inspect", model);
  BOOST_TEST(kept["n_inertial"] == 2);
  BOOST_REQUIRE_EQUAL(kept["warnings"].size(), 1u);
  BOOST_TEST(contains(kept["warnings"][0], "A null tolerance of 1.01e-14 would drop it"));
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

BOOST_AUTO_TEST_CASE(the_json_file_appears_in_its_folder_or_the_message_says_why_not) {
  const Terminal terminal;
  const auto arguments = [&](const char* file) {
    return command("inspect", data_model("engine_mount"), {"--json", file});
  };
  std::filesystem::create_directory(terminal.path() / "results");
  BOOST_TEST(terminal.run(arguments("results/result.json")).exit_code == 0);
  BOOST_TEST(std::filesystem::exists(terminal.path() / "results/result.json"));
  terminal.file("taken", "");
  const Run refused = terminal.run(arguments("taken/result.json"));
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(contains(refused.err, "taken/result.json"));
}

namespace {

/// A DoF of each kind: a mass before a wall, a viscous node on friction, a massless one on a St-Venant
/// element.
const char* const three_inclusions = R"([system]
mass = "M.mtx"
damping = "C.mtx"
stiffness = "K.mtx"
[initial]
displacement = [0.1, 0.0, 0.05]
[[inclusion]]
name = "wall"
law = "unilateral"
direction = [{dof = 0}]
obstacle = -0.3
restitution = 0.5
[[inclusion]]
name = "pad"
law = "dry-friction"
direction = [{dof = 1}]
lower = -0.1
upper = 0.1
[[inclusion]]
name = "joint"
law = "st-venant"
direction = [{dof = 2}]
threshold = 0.2
)";

/// With its model in the folder.
nlohmann::json inspected(const Terminal& terminal, const std::string& text) {
  DenseSystem system = engine_mount();
  system.M.setZero();
  system.C.setZero();
  system.M(0, 0) = 1;
  system.C(1, 1) = 0.5;
  system.K << 3, -1, 0, -1, 2, -1, 0, -1, 2;
  terminal.model(system);
  terminal.file("case.toml", text);
  return terminal.json("inspect", {"case.toml"});
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_inclusions_of_a_case_are_told_with_what_they_have_become) {
  const Terminal terminal;
  const auto json = inspected(terminal, three_inclusions);
  BOOST_TEST(json["n_states"] == 4);  // displacement, velocity, viscous displacement, reaction of the play
  const auto& inclusions = json["inclusions"];
  BOOST_TEST(inclusions["n_play_states"] == 1);
  const auto& directions = inclusions["directions"];
  BOOST_REQUIRE(directions.size() == 3u);
  BOOST_TEST(directions[0]["reduced_laws"][0] == "measure inclusion with impacts");
  BOOST_TEST(directions[1]["reduced_laws"][0] == "Lipschitz function of the state");
  BOOST_TEST(directions[2]["reduced_laws"][0] == "rate-independent play");
  BOOST_TEST(directions[2]["decided_by"][0] == "algebraic");
  BOOST_TEST(directions[2]["W"] == 0.5);  // 1/K
  BOOST_TEST(inclusions["W_I"][0][0] == 1.0);
  BOOST_TEST(inclusions["W_C"][1][1] == 2.0);
  BOOST_TEST(inclusions["W_K"][2][2] == 0.5);
  BOOST_TEST(inclusions["solutions"] == "open");
  BOOST_TEST(contains(inclusions["statement"], "No theorem"));
  BOOST_REQUIRE(json["start"].size() == 3u);
  BOOST_TEST(json["start"][0]["state"] == "open");
  BOOST_TEST(json["start"][0]["reaction"][0] == 0.0);
  // 2 q_2 - q_1 = r
  BOOST_TEST(std::abs(json["start"][2]["reaction"][0].get<double>() - 0.1) < 1e-15);
  BOOST_TEST(json["start"][2]["state"] == "stick");

  const Run run = terminal.run({"inspect", "case.toml"});
  BOOST_TEST(run.err == "");
  for (const char* const said : {"rate-independent play", "Delassus matrix W_K [displacement / force]",
                                 "States: 4, 1 of them reactions of plays", "At 0 s:", "stick", "BLAS: "})
    BOOST_TEST(contains(run.out, said), said);
}

BOOST_AUTO_TEST_CASE(a_case_without_inclusions_or_with_a_start_that_is_refused_is_described) {
  const Terminal terminal;
  const std::string text = three_inclusions;
  BOOST_TEST(inspected(terminal, text.substr(0, text.find("[[inclusion]]")))["n_states"] == 3);
  std::string outside = text;
  outside.replace(outside.find("0.05"), 4, "9.00");
  const auto json = inspected(terminal, outside);
  BOOST_TEST(json["start"].is_null());
  BOOST_TEST(json["inclusions"]["n_play_states"] == 1);
  BOOST_REQUIRE(json["warnings"].size() == 1u);
  BOOST_TEST(contains(json["warnings"][0], "case.toml:6: [initial] displacement"));
  std::string behind = text;
  behind.replace(behind.find("-0.3"), 4, "+0.3");
  BOOST_TEST(contains(inspected(terminal, behind)["warnings"][0], "inside its obstacle"));
}

BOOST_AUTO_TEST_CASE(a_case_and_its_options_are_not_mixed_and_its_mistakes_are_told) {
  const Terminal terminal;
  inspected(terminal, three_inclusions);
  const auto refused = [&](const Arguments& arguments, const std::string& reason) {
    const Run run = terminal.run(arguments);
    BOOST_TEST(run.exit_code == 2);
    BOOST_TEST(contains(run.err, reason), run.err);
  };
  refused({"inspect", "case.toml", "--stiffness", "K.mtx"}, "--stiffness is given in addition to a case");
  refused({"inspect", "case.toml", "--json", "K.mtx"}, "would replace K.mtx");
  refused({"inspect", "case.toml", "--json", "case.toml"}, "would replace case.toml");
  refused({"inspect", "nothing.toml"}, "there is no such file");
  terminal.file("wrong.toml", std::string(three_inclusions) + "[integrator]\nmethod = \"moreau\"\n");
  refused({"inspect", "wrong.toml"}, "wrong.toml:25: [integrator] method is \"moreau\"");
  std::string rebounding = three_inclusions;
  rebounding.replace(rebounding.find("[{dof = 0}]"), 11, "[{dof = 2}]");
  terminal.file("wrong.toml", rebounding);
  refused({"inspect", "wrong.toml"},
          "wrong.toml:9: [inclusion] law: The contact \"wall\" has a coefficient of restitution");
}

BOOST_AUTO_TEST_SUITE_END()
