// SPDX-License-Identifier: LGPL-2.1-or-later
#include <boost/test/unit_test.hpp>

#include "program.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

using Json = nlohmann::json;

MultiVector matrix(const Json& rows) {
  MultiVector A(rows.size(), rows[0].size());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < A.cols(); ++j)
      A(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return A;
}

/// A mass of two on a spring, and a massless node beside it.
DenseSystem oscillator() {
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
  system.M(0, 0) = 2;
  system.K(0, 0) = 8;
  return system;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(diagnosis)

// Degrees of exact determinants, indices from exact ranks; remark_3_2 is that of Dumont et al.: P(1) = 0, and
// regular.
BOOST_AUTO_TEST_CASE(examples_have_the_index_and_the_degree_that_exact_arithmetic_gives) {
  const Terminal terminal;
  const Json examples = Json::parse(std::ifstream(HALFDOF_TEST_DATA "/index_and_regularity.json"));
  BOOST_TEST(examples.size() == 9u);
  for (const auto& [name, example] : examples.items()) {
    BOOST_TEST_CONTEXT(name) {
      const Json found = terminal.json(
          "inspect", terminal.model({matrix(example["M"]), matrix(example["C"]), matrix(example["K"])}));
      BOOST_TEST(found["pencil"] == (example["n_finite"].is_null() ? "singular" : "regular"));
      BOOST_TEST(found["n_finite"] == example["n_finite"]);
      BOOST_TEST(found["index_companion"] == example["index_companion"]);
      BOOST_TEST(found["method"] == example["method"]);
      if (example["index_companion"].is_null()) {
        BOOST_TEST(found["index"].is_null());
        continue;
      }
      const Index difference = found["index_companion"].get<Index>() - found["index"].get<Index>();
      BOOST_TEST((difference == 0 || difference == 1));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_problem_has_dofs_block_cause_and_remedy_in_the_file_and_in_the_text) {
  const Terminal terminal;
  const Arguments model = terminal.model(oscillator());
  const Json found = terminal.json("inspect", model);
  BOOST_TEST(found["pencil"] == "singular");
  BOOST_REQUIRE_EQUAL(found["problems"].size(), 1u);
  const Json& problem = found["problems"][0];
  BOOST_TEST(problem["dofs"] == Json::parse("[1]"));
  BOOST_TEST(problem["names"] == Json::parse(R"(["DoF 1"])"));
  BOOST_TEST(problem["block"] == "P");
  const std::string text = terminal.run(command("inspect", model)).out;
  BOOST_TEST(contains(text, "Pencil lambda^2 M + lambda C + K: singular."), text);
  BOOST_TEST(contains(text, "Problem, P, DoF 1: " + problem["cause"].get<std::string>() + ". " +
                                problem["remedy"].get<std::string>()),
             text);
}

BOOST_AUTO_TEST_CASE(a_regular_model_says_what_is_known_and_by_what) {
  const Terminal terminal;
  DenseSystem system = oscillator();
  system.K(1, 1) = 1;
  const Run run = terminal.run(command("inspect", terminal.model(system)));
  for (const char* const said :
       {"regular, 2 finite and 2 infinite eigenvalues; index 1, with all rates as states 2.",
        "Index known by counting the columns of D", "Reduction that applies: null-columns."})
    BOOST_TEST(contains(run.out, said), run.out);
  BOOST_TEST(!contains(run.out, "Problem"));
}

BOOST_AUTO_TEST_CASE(redundant_constraints_beside_the_matrices_are_remarks) {
  const Terminal terminal;
  DenseSystem system = oscillator();
  system.M(1, 1) = 1;
  Arguments model = terminal.model(system);
  terminal.file("rods.mtx",
                "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 1\n1 2 -1\n2 1 3\n2 2 -3\n");
  const Json found = terminal.json("inspect", model, {"--constraint-position", "rods.mtx"});
  BOOST_TEST(found["method"] == "constraints");
  BOOST_TEST(found["regular"] == true);
  BOOST_TEST(found["n_finite"] == 2);
  BOOST_REQUIRE_EQUAL(found["problems"].size(), 1u);
  BOOST_TEST(found["problems"][0]["block"] == "constraints");
  BOOST_TEST(found["problems"][0]["dofs"] == Json::parse("[2, 3]"));
  BOOST_TEST(
      contains(found["problems"][0]["remedy"], "The motion does not depend on the individual multipliers"));
}

BOOST_AUTO_TEST_CASE(models_without_meaning_are_refused_and_named) {
  const Terminal terminal;
  const Arguments model = terminal.model(oscillator());
  terminal.file("K.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 8\n2 1 nan\n");
  const Run invalid = terminal.run(command("inspect", model));
  BOOST_TEST(invalid.exit_code == 2);
  BOOST_TEST(contains(invalid.err, "K.mtx"), invalid.err);
  terminal.file("K.mtx", "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
  const Run empty = terminal.run({"inspect", "--stiffness", "K.mtx"});
  BOOST_TEST(empty.exit_code == 2);
  BOOST_TEST(contains(empty.err, "at least one degree of freedom"), empty.err);
}

BOOST_AUTO_TEST_CASE(one_triangle_in_a_file_of_a_general_matrix_is_warned_of) {
  const Terminal terminal;
  const auto err_with = [&](const std::string& kind, const std::string& entries) {
    terminal.file("K.mtx", "%%MatrixMarket matrix coordinate real " + kind + "\n" + entries);
    const Run run = terminal.run({"inspect", "--stiffness", "K.mtx"});
    BOOST_TEST(run.exit_code == 0, run.err);
    return run.err;
  };
  const std::string lower = "2 2 3\n1 1 8\n2 1 -3\n2 2 8\n", both = "2 2 4\n1 1 8\n1 2 -1\n2 1 -3\n2 2 8\n";
  BOOST_TEST(contains(err_with("general", lower), "K.mtx has entries below its diagonal and none above it"));
  BOOST_TEST(!contains(err_with("symmetric", lower), "diagonal"));
  BOOST_TEST(!contains(err_with("general", both), "diagonal"));
}

BOOST_AUTO_TEST_SUITE_END()
