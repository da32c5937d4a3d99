// SPDX-License-Identifier: LGPL-2.1-or-later
#include <boost/test/unit_test.hpp>

#include "program.h"
#include <algorithm>
#include <cmath>

using namespace halfdof;
using test::Arguments;
using test::command;
using test::contains;
using test::Run;

namespace {

/// Two masses 2 and 3 on springs of stiffness 5 to the ground and 4 between them, and a third DoF without
/// mass.
class Models : public test::Terminal {
 public:
  Models() {
    file("b.mas", "1 1 2\n1 2 0\n2 2 3\n1 3 0\n2 3 0\n3 3 0\n");
    file("b.sti", "1 1 9\n1 2 -4\n2 2 10\n1 3 0\n2 3 -1\n3 3 2\n");
    file("b.dof", "12.1\n12.2\n40.1\n");
    file("b.pch",
         "DMIG    KAAX    0       6       2       0\n"
         "DMIG    KAAX    12      1               12      1       9.\n+       12      2       -4.\n"
         "DMIG    KAAX    12      2               12      2       10.\n+       40      1       -1.\n"
         "DMIG    KAAX    40      1               40      1       2.\n"
         "DMIG    MAAX    0       6       2       0\n"
         "DMIG    MAAX    12      1               12      1       2.\n"
         "DMIG    MAAX    12      2               12      2       3.\n");
  }

  /// Returns the moduli of the eigenvalues that `modes` finds with these options, in ascending order.
  std::vector<double> moduli(const Arguments& model) const {
    std::vector<double> all;
    const auto result = json("modes", model, {"--all"});
    for (const auto& value : result["after"]["finite"])
      all.push_back(std::hypot(value[0].get<double>(), value[1].get<double>()));
    std::sort(all.begin(), all.end());
    return all;
  }

  void check_refused(const Arguments& arguments, const std::string& part) const {
    const Run result = run(arguments);
    BOOST_TEST(result.exit_code == 2);
    BOOST_TEST(contains(result.err, part), result.err << " does not say: " << part);
  }
};

const Arguments calculix = {"--model", "b.mas", "b.sti"};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(model_files, Models)

BOOST_AUTO_TEST_CASE(a_model_in_any_format_has_the_same_eigenvalues) {
  // M q'' + K q = 0 without the third DoF: K_22 = 10 - 1/2.
  const double a = 9. / 2, b = 9.5 / 3, c = 16. / 6, mean = (a + b) / 2,
               root = std::sqrt((a - b) * (a - b) / 4 + c);
  for (const Arguments& model :
       {calculix, Arguments{"--mass", "b.mas", "--stiffness", "b.sti"}, Arguments{"--model", "b.pch"},
        Arguments{"--mass", "b.pch:MAAX", "--stiffness", "b.pch:KAAX"}}) {
    const std::vector<double> all = moduli(model);
    BOOST_TEST(all.size() == 4);
    BOOST_TEST(all.front() == std::sqrt(mean - root), boost::test_tools::tolerance(1e-12));
    BOOST_TEST(all.back() == std::sqrt(mean + root), boost::test_tools::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_CASE(inspect_names_formats_and_labels) {
  const auto result = json("inspect", calculix);
  BOOST_TEST(result["format"] == nlohmann::json({"CalculiX matrix storage", "CalculiX matrix storage"}));
  BOOST_TEST(result["labels"] == nlohmann::json::parse(R"([[12, "x"], [12, "y"], [40, "x"]])"));
  BOOST_TEST(contains(run(command("inspect", calculix)).out, "DoF 2 (node 40, x)"));
  const auto punched = json("inspect", {"--model", "b.pch"});
  BOOST_TEST(punched["format"] == nlohmann::json({"Nastran DMIG"}));
  BOOST_TEST(punched["labels"] == result["labels"]);
}

BOOST_AUTO_TEST_CASE(remarks_are_warnings) {
  BOOST_TEST(contains(run({"inspect", "--model", "b.pch"}).err,
                      "halfdof: warning: Matrix MAAX of b.pch has no rows for 1 of the 3 DoFs"));
}

BOOST_AUTO_TEST_CASE(options_name_dofs_by_node_and_component) {
  const auto table = [this](const Arguments& dofs) {
    const Run result = run(command(
        "response", calculix,
        {"--input", dofs[0], "--output", dofs[1], dofs[2], "--from", "1", "--to", "1", "--csv", "H.csv"}));
    BOOST_TEST(result.exit_code == 0, result.err);
    return text_of(path() / "H.csv");
  };
  BOOST_TEST(table({"12:x", "12:2", "40:x"}) == table({"0", "1", "2"}));
  const auto outputs = [this](const std::string& first, const std::string& second) {
    const Run result =
        run(command("reduce", calculix, {"--output", "out", "--observe", first, "--observe-rate", second}));
    BOOST_TEST(result.exit_code == 0, result.err);
    return text_of(path() / "out" / "C_o.mtx");
  };
  BOOST_TEST(outputs("40:x", "12:y") == outputs("2", "1"));
}

BOOST_AUTO_TEST_CASE(dofs_that_do_not_exist_or_have_no_labels_are_refused) {
  const auto response = [](const Arguments& model, const std::string& dof) {
    return command("response", model,
                   {"--input", dof, "--output", "0", "--from", "1", "--to", "1", "--csv", "H.csv"});
  };
  check_refused(response(calculix, "12:z"), "node 12 has the components x, y");
  check_refused(response(calculix, "13:x"), "node 13 has no DoFs");
  check_refused(response(calculix, "first"), "--input: first is no DoF");
  check_refused(response(calculix, "3"), "3");
  std::filesystem::remove(path() / "b.dof");
  check_refused(response(calculix, "12:x"), "labels by --dofs FILE");
  file("b.dof", "12.1\n12.1\n40.1\n");
  check_refused(response(calculix, "12:x"), "is the label of 2 DoFs");
}

BOOST_AUTO_TEST_CASE(constrained_dofs_may_be_listed_by_labels) {
  file("clamped.txt", "# end\n12:x\n40:1  # the other\n");
  const auto result = json("inspect", calculix, {"--constrained", "clamped.txt"});
  BOOST_TEST(result["n_constrained"] == 2);
  file("clamped.txt", "12:x\n12:q\n");
  check_refused(command("inspect", calculix, {"--constrained", "clamped.txt"}),
                "clamped.txt:2: 12:q is no DoF");
  file("clamped.txt", "12:x\n7\n");
  check_refused(command("inspect", calculix, {"--constrained", "clamped.txt"}), "clamped.txt:2: DoF 7");
}

BOOST_AUTO_TEST_CASE(labels_of_a_file_replace_those_of_the_matrices) {
  file("dofs.txt", "1 phi\n1 w\n2 phi\n");
  const auto result = json("inspect", calculix, {"--dofs", "dofs.txt"});
  BOOST_TEST(result["labels"] == nlohmann::json::parse(R"([[1, "phi"], [1, "w"], [2, "phi"]])"));
  file("dofs.txt", "1 phi\n");
  check_refused(command("inspect", calculix, {"--dofs", "dofs.txt"}), "1 labels, but the model has 3 DoFs");
}

BOOST_AUTO_TEST_CASE(files_of_a_model_are_given_in_one_way) {
  for (const char* const verb : {"inspect", "modes"}) {
    check_refused(command(verb, calculix, {"--mass", "b.mas"}), "--mass is given in addition to --model");
    check_refused({verb, "--model", "b.mas"}, "stiffness K");
    check_refused({verb, "--mass", "b.mas"}, "--stiffness is required");
    check_refused({verb, "--mass", "b.pch", "--stiffness", "b.sti"}, "FILE:NAME: KAAX, MAAX");
  }
  file("x.mtx", "1 1 2\n");
  check_refused({"inspect", "--model", "x.mtx", "b.sti"}, "Known names are");
  check_refused(command("inspect", calculix, {"--json", "b.sti"}), "--model reads");
  check_refused({"inspect", "--stiffness", "b.pch:KAAX", "--json", "b.pch"}, "--stiffness reads");
  file("case.toml", "[system]\nstiffness = \"b.sti\"\n");
  check_refused({"inspect", "case.toml", "--model", "b.sti"}, "--model is given in addition to a case");
}

BOOST_AUTO_TEST_CASE(constraints_of_a_model_tie_its_dofs) {
  file("G.mtx", "%%MatrixMarket matrix array real general\n1 3\n1\n-1\n0\n");
  const Arguments tied = {"--model", "b.mas", "b.sti", "G.mtx"};
  // Both masses together: 5 on 9 + 10 - 8 - 1/2.
  const std::vector<double> all = moduli(tied);
  BOOST_TEST(all.size() == 2);
  BOOST_TEST(all.back() == std::sqrt(10.5 / 5), boost::test_tools::tolerance(1e-12));
  check_refused(command("inspect", tied, {"--constraint-position", "G.mtx"}), "Leave out one of them");
}

BOOST_AUTO_TEST_CASE(a_matrix_with_a_row_for_each_dof_is_no_matrix_of_constraints) {
  file("G.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1\n2 1 -1\n");
  check_refused({"inspect", "--model", "b.mas", "b.sti", "G.mtx"}, "with 3 rows for 3 degrees of freedom");
}

BOOST_AUTO_TEST_CASE(dofs_by_node_and_component_need_labels) {
  file("K.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n");
  file("clamped.txt", "2:y\n");
  check_refused({"inspect", "--stiffness", "K.mtx", "--constrained", "clamped.txt"},
                "clamped.txt:1: 2:y names a DoF by node and component, but the model has no labels");
}

BOOST_AUTO_TEST_CASE(cases_name_dofs_by_node_and_component_and_read_vectors_of_any_format) {
  file("q.pch",
       "DMIG    Q       0       9       2       0                       1\n"
       "DMIG    Q       1       0               1       1       0.01\n+       2       1       0.02\n"
       "+       3       1       0.\n");
  const auto table = [this](const std::string& a, const std::string& b, const std::string& c,
                            const std::string& initial) {
    file("case.toml",
         "[system]\nmodel = [\"b.mas\", \"b.sti\"]\nconstrained = [" + c + "]\n[initial]\n" +
             "displacement = " + initial + "\n[[load]]\ndof = " + a +
             "\nexpression = \"1\"\n[[inclusion]]\nname = \"stop\"\nlaw = \"unilateral\"\n" +
             "direction = [{dof = " + b + ", weight = -1}]\nobstacle = -0.1\nrestitution = 0.5\n" +
             "[integrator]\nmethod = \"moreau-jean\"\nstep = 0.01\nend = 0.1\n[output]\n" +
             "file = \"out.csv\"\ndisplacement = [" + a + ", " + b + "]\nvelocity = [" + b + "]\n");
    std::filesystem::remove(path() / "out.csv");
    const Run result = run({"simulate", "case.toml"});
    BOOST_TEST(result.exit_code == 0, result.err);
    return text_of(path() / "out.csv");
  };
  const std::string expected = table("0", "1", "2", "[0.01, 0.02, 0]");
  BOOST_TEST(!expected.empty());
  BOOST_TEST(table("\"12:x\"", "\"12:2\"", "\"40:x\"", "\"q.pch\"") == expected);
  file("case.toml", "[system]\nmodel = [\"b.mas\", \"b.sti\"]\nconstrained = [\"12:z\"]\n");
  check_refused({"inspect", "case.toml"}, "case.toml:3: [system] constrained: 12:z is no DoF of the model");
  file("case.toml", "[system]\nmodel = [\"b.mas\", \"b.sti\"]\nconstrained = [\"first\"]\n");
  check_refused({"inspect", "case.toml"}, "must be");
}

BOOST_AUTO_TEST_CASE(cases_read_the_same_files) {
  file("dofs.txt", "1 phi\n1 w\n2 phi\n");
  file("case.toml", "[system]\nmass = \"b.pch:MAAX\"\nstiffness = \"b.sti\"\ndofs = \"dofs.txt\"\n");
  const auto result = json("inspect", {"case.toml"});
  BOOST_TEST(result["n_inertial"] == 2);
  BOOST_TEST(result["format"] == nlohmann::json({"Nastran DMIG", "CalculiX matrix storage"}));
  BOOST_TEST(result["labels"][1] == nlohmann::json({1, "w"}));
  std::filesystem::remove(path() / "b.dof");
  check_refused({"inspect", "case.toml"},
                "b.pch:MAAX has a row for node 12, x, which dofs.txt does not list exactly once");
  file("case.toml", "[system]\nstiffness = \"missing.pch:KAAX\"\n");
  check_refused({"inspect", "case.toml"}, "case.toml:2: [system] stiffness");
}

BOOST_AUTO_TEST_CASE(a_case_may_list_the_files_of_its_model) {
  file("case.toml", "[system]\nmodel = [\"b.mas\", \"b.sti\"]\n");
  const auto result = json("inspect", {"case.toml"});
  BOOST_TEST(result["n_inertial"] == 2);
  BOOST_TEST(result["labels"][0] == nlohmann::json({12, "x"}));
  check_refused({"inspect", "case.toml", "--json", "b.sti"}, "[system] model reads");
  file("case.toml", "[system]\nmodel = [\"b.mas\", \"b.sti\"]\nmass = \"b.mas\"\n");
  check_refused({"inspect", "case.toml"}, "case.toml:3: [system] mass is given in addition to model");
  file("case.toml", "[system]\nmodel = [\"b.mas\", \"none.sti\"]\n");
  check_refused({"inspect", "case.toml"}, "case.toml:2: [system] model names the file");
  file("case.toml", "[system]\nmass = \"b.mas\"\n");
  check_refused({"inspect", "case.toml"}, "stiffness is missing, and model too");
  file("case.toml", "[system]\nstiffness = \"b.pch:KAAX\"\n");
  check_refused({"inspect", "case.toml", "--json", "b.pch"}, "[system] stiffness reads");
}

BOOST_AUTO_TEST_CASE(structural_damping_of_nastran_is_not_neglected) {
  const Terminal terminal;
  terminal.file("model.pch",
                "DMIG    KAAX    0       6       1       0                       1\n"
                "DMIG    KAAX    1       0               1       0       2.0\n"
                "DMIG    K4AAX   0       6       1       0                       1\n"
                "DMIG    K4AAX   1       0               1       0       0.1\n");
  const nlohmann::json json = terminal.json("inspect", {"--model", "model.pch"});
  BOOST_TEST(json["structural_damping"] == true);
  BOOST_TEST(json["n_algebraic"] == 1);
  BOOST_TEST(json["labels"].size() == 1u);
  BOOST_TEST(terminal.run({"modes", "--stiffness", "model.pch:KAAX"}).exit_code == 0);
}

BOOST_AUTO_TEST_SUITE_END()
