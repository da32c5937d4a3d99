// SPDX-License-Identifier: LGPL-2.1-or-later
#include <boost/test/unit_test.hpp>

#include "fixed_chain.h"
#include "program.h"
#include <algorithm>
#include <cmath>
#include <complex>

using namespace halfdof;
using namespace halfdof::test;

namespace {

std::vector<Complex> eigenvalues(const nlohmann::json& pairs) {
  std::vector<Complex> all;
  for (const auto& pair : pairs)
    all.emplace_back(pair.at(0).get<double>(), pair.at(1).get<double>());
  return all;
}

/// Distance of the value nearest to `expected`.
double distance(const std::vector<Complex>& values, Complex expected) {
  double nearest = 1e300;
  for (const Complex value : values)
    nearest = std::min(nearest, std::abs(value - expected));
  return nearest;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(modes)

BOOST_AUTO_TEST_CASE(the_engine_mount_keeps_its_finite_eigenvalues_and_loses_two_infinite_ones) {
  const Terminal terminal;
  const auto json = terminal.json("modes", data_model("engine_mount"));
  const std::vector<Complex> before = eigenvalues(json["before"]["finite"]);
  const std::vector<Complex> after = eigenvalues(json["after"]["finite"]);
  BOOST_TEST(before.size() == 4u);
  BOOST_TEST(after.size() == 4u);
  BOOST_TEST(json["before"]["n_infinite"] == 2);
  // From the exact characteristic polynomial.
  for (const Complex expected :
       {Complex(-0.689722809651981, 17.705915112406586), Complex(-0.689722809651981, -17.705915112406586),
        Complex(-8.779694309560127), Complex(-3.174193404469245)}) {
    BOOST_TEST(distance(before, expected) <= 1e-11);
    BOOST_TEST(distance(after, expected) <= 1e-11);
  }
  BOOST_TEST(json["max_relative_difference"].get<double>() <= 1e-12);
  BOOST_REQUIRE_EQUAL(json["residuals"].size(), 4u);
  for (const auto& residual : json["residuals"])
    BOOST_TEST(residual.get<double>() <= 1e-12);
}

BOOST_AUTO_TEST_CASE(frequencies_and_damping_are_listed_once_for_a_conjugate_pair) {
  const Terminal terminal;
  const auto json = terminal.json("modes", data_model("engine_mount"));
  BOOST_REQUIRE_EQUAL(json["modes"].size(), 3u);
  const auto oscillating = std::find_if(json["modes"].begin(), json["modes"].end(),
                                        [](const auto& mode) { return mode["kind"] == "oscillating"; });
  BOOST_REQUIRE(oscillating != json["modes"].end());
  BOOST_TEST((*oscillating)["frequency_hz"].get<double>() == 17.705915112406586 / (2 * std::acos(-1.)),
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST((*oscillating)["damping_ratio"].get<double>() ==
                 0.689722809651981 / std::hypot(0.689722809651981, 17.705915112406586),
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(an_unsymmetric_model_of_all_kinds_agrees_before_and_after) {
  const Terminal terminal;
  const auto three = terminal.json("modes", data_model("three_kinds"), {"--all"});
  const std::vector<Complex> after = eigenvalues(three["after"]["finite"]);
  BOOST_TEST(distance(after, -1.4) <= 1e-12);
  BOOST_TEST(distance(after, {-1. / 3, 1.43372087784044}) <= 1e-12);
  BOOST_TEST(three["before"]["n_infinite"] == 3);

  const auto permuted = terminal.json("modes", terminal.model(random_unsymmetric(6, 5, 4, 12)), {"--all"});
  BOOST_TEST(permuted["after"]["finite"].size() == 17u);
  BOOST_TEST(permuted["before"]["n_infinite"] == 13);
  BOOST_TEST(permuted["max_relative_difference"].get<double>() <= 1e-8);
}

BOOST_AUTO_TEST_CASE(some_eigenvalues_nearest_to_a_complex_shift_are_found) {
  const Terminal terminal;
  const Arguments model = terminal.model(chain(60));
  const auto json = terminal.json("modes", model, {"--count", "6", "--shift", "-0.01+1.0i"});
  const auto all = eigenvalues(terminal.json("modes", model, {"--all"})["after"]["finite"]);
  const std::vector<Complex> nearest = eigenvalues(json["after"]["finite"]);
  BOOST_TEST(nearest.size() >= 6u);
  for (const Complex value : nearest)
    BOOST_TEST(distance(all, value) <= 1e-9);
  const auto best = *std::min_element(all.begin(), all.end(), [](Complex a, Complex b) {
    return std::abs(a - Complex(-0.01, 1)) < std::abs(b - Complex(-0.01, 1));
  });
  BOOST_TEST(distance(nearest, best) <= 1e-9);
}

BOOST_AUTO_TEST_CASE(a_table_is_printed_and_what_does_not_agree_falls_short) {
  const Terminal terminal;
  const Run good = terminal.run(command("modes", data_model("engine_mount")));
  BOOST_TEST(good.exit_code == 0);
  BOOST_TEST(contains(good.out, "17.7059"));
  BOOST_TEST(good.err == "");
  // A mass that a null tolerance drops takes its eigenvalue with it.
  DenseSystem light = chain(5);
  light.M(1, 1) = 1e-30;
  const Run strict = terminal.run(command("modes", terminal.model(light), {"--null-tolerance", "1e-20"}));
  BOOST_TEST(strict.exit_code == 1);
  BOOST_TEST(contains(strict.err, "do not agree"), strict.err);
  BOOST_TEST(contains(strict.err, "1 missing, 0 extra"), strict.err);
  BOOST_TEST(contains(strict.out, "only before: "), strict.out);
}

BOOST_AUTO_TEST_CASE(both_spectra_are_listed_in_the_same_order) {
  const Terminal terminal;
  for (const Arguments& more :
       {Arguments{"--all"}, Arguments{"--count", "5", "--shift", "0.3i"},
        Arguments{"--count", "5", "--shift", "1e-1+3e-1i"}, Arguments{"--count", "5", "--shift", "3E-1i"}}) {
    const auto json = terminal.json("modes", terminal.model(random_unsymmetric(6, 5, 4, 12)), more);
    const std::vector<Complex> before = eigenvalues(json["before"]["finite"]);
    const std::vector<Complex> after = eigenvalues(json["after"]["finite"]);
    BOOST_TEST(json["residuals"].size() == after.size());
    BOOST_REQUIRE(before.size() >= 5u);
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
      BOOST_TEST(std::abs(before[i] - after[i]) <= 1e-7 * std::abs(after[i]));
  }
}

BOOST_AUTO_TEST_CASE(statics_have_no_eigenvalue_and_agree) {
  const Terminal terminal;
  terminal.model(engine_mount());
  const auto json = terminal.json("modes", {"--stiffness", "K.mtx"});
  BOOST_TEST(json["after"]["finite"].empty());
  BOOST_TEST(json["before"]["n_infinite"] == 6);
}

BOOST_AUTO_TEST_CASE(rigid_bodies_have_zero_eigenvalues) {
  const Terminal terminal;
  DenseSystem free = chain(3);
  free.K(0, 0) = free.K(2, 2) = 1;
  free.C = 0.01 * free.K;
  const auto json = terminal.json("modes", terminal.model(free));
  const std::vector<Complex> after = eigenvalues(json["after"]["finite"]);
  BOOST_TEST(std::count_if(after.begin(), after.end(), [](Complex v) { return std::abs(v) < 1e-6; }) == 2);
}

BOOST_AUTO_TEST_CASE(effective_masses_are_listed_for_named_components) {
  // x and y in turn: y on a spring of its own carries all mass of y in one mode.
  const Terminal terminal;
  DenseSystem nodes{MultiVector::Identity(4, 4), MultiVector::Zero(4, 4), MultiVector::Zero(4, 4)};
  nodes.M(1, 1) = 3;
  nodes.K.diagonal() << 2, 9, 2, 0;
  nodes.K(0, 2) = nodes.K(2, 0) = -1;
  nodes.M(3, 3) = 0;
  nodes.K(3, 3) = 5;
  const Arguments model = terminal.model(nodes), more{"--components", "x", "y"};
  const auto masses = terminal.json("modes", model, more)["effective_masses"];
  BOOST_TEST(masses["total_mass"]["x"] == 2.);
  BOOST_TEST(masses["total_mass"]["y"] == 3.);
  // Chain of two: +-i in phase with all mass of x, +-sqrt(3) i (of y too) against phase with none.
  double x = 0, y = 0;
  for (const auto& mode : masses["modes"]) {
    const double omega = mode["eigenvalue"][1].get<double>();
    x += std::abs(omega - 1) < 1e-6 ? mode["effective_mass"]["x"].get<double>() : 0;
    y += std::abs(omega - std::sqrt(3.)) < 1e-6 ? mode["effective_mass"]["y"].get<double>() : 0;
  }
  BOOST_TEST(x == 2., boost::test_tools::tolerance(1e-9));
  BOOST_TEST(y == 3., boost::test_tools::tolerance(1e-9));
  BOOST_TEST(contains(terminal.run(command("modes", model, more)).out, "mass x [%]"));
}

BOOST_AUTO_TEST_CASE(a_component_without_mass_has_dashes_and_numbers_that_do_not_fit_are_refused_first) {
  const Terminal terminal;
  DenseSystem nodes{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Identity(2, 2)};
  nodes.M(0, 0) = 2;
  const Arguments model = terminal.model(nodes);
  const Arguments components{"--components", "x", "phi"};
  const Run table = terminal.run(command("modes", model, components));
  BOOST_TEST(table.exit_code == 0);
  BOOST_TEST(contains(table.out, "mass phi [%]"));
  BOOST_TEST(contains(table.out, "100.00  -"), table.out);
  BOOST_TEST(!contains(table.out, "nan"), table.out);
  BOOST_TEST(terminal.json("modes", model, components)["effective_masses"]["total_mass"]["phi"] == 0.);
  const Run many = terminal.run(command("modes", model, {"--components", "x", "y", "z"}));
  BOOST_TEST(many.exit_code == 2);
  BOOST_TEST(contains(many.err, "3 components were named"));
  BOOST_TEST(many.out == "");
  const Run none = terminal.run({"modes", "--stiffness", "missing.mtx", "--count", "0"});
  BOOST_TEST(none.exit_code == 2);
  BOOST_TEST(contains(none.err, "--count is 0"), none.err);
}

BOOST_AUTO_TEST_CASE(slow_relaxation_is_named_alike_in_table_and_json) {
  // -1e-6 beside +-1e4 i.
  const Terminal terminal;
  DenseSystem system{MultiVector::Zero(2, 2), MultiVector::Zero(2, 2), MultiVector::Zero(2, 2)};
  system.M(0, 0) = 1;
  system.C(1, 1) = 1e3;
  system.K.diagonal() << 1e8, 1e-3;
  const Arguments model = terminal.model(system);
  const auto json = terminal.json("modes", model);
  BOOST_TEST(std::count_if(json["modes"].begin(), json["modes"].end(),
                           [](const auto& mode) { return mode["kind"] == "relaxing"; }) == 1);
  const std::string table = terminal.run(command("modes", model)).out;
  BOOST_TEST(contains(table, "relaxing"));
  BOOST_TEST(!contains(table, "zero"));
}

BOOST_AUTO_TEST_CASE(lists_say_how_they_are_known_to_be_complete_and_which_shift_was_used) {
  const Terminal terminal;
  const Arguments small = terminal.model(chain(5));
  const auto counted = terminal.json("modes", small, {"--count", "3", "--shift", "0.1+0.5i"});
  BOOST_TEST(counted["complete"] == "counted");
  BOOST_TEST(counted["before"]["exact"] == true);
  BOOST_TEST((counted["shift"] == nlohmann::json{0.1, 0.5}));
  BOOST_TEST((counted["shift_used"] == nlohmann::json{0.1, 0.5}));
  BOOST_TEST(contains(terminal.run(command("modes", small, {"--count", "3"})).out, "complete, counted"));

  const Arguments large = terminal.model(chain(220));
  BOOST_TEST(terminal.json("modes", large, {"--count", "3"})["complete"] == "searched twice");
  BOOST_TEST(contains(terminal.run(command("modes", large, {"--count", "3"})).out,
                      "eigenvalues nearest to the shift 0 1/s: complete, as far as a second search sees"));
}

BOOST_AUTO_TEST_CASE(undamped_modes_have_a_damping_ratio_of_zero_without_a_sign) {
  const Terminal terminal;
  DenseSystem system = chain(30);
  system.C.setZero();
  const Arguments model = terminal.model(system);
  const auto json = terminal.json("modes", model);
  BOOST_TEST(json["modes"].size() == 30u);
  for (const auto& mode : json["modes"])
    BOOST_TEST(mode["damping_ratio"] == 0.);
  const std::string table = terminal.run(command("modes", model)).out;
  BOOST_TEST(!contains(table, "  -0  "), table);
}

BOOST_AUTO_TEST_CASE(a_list_that_is_cut_from_the_whole_does_not_depend_on_the_distance_of_its_shift) {
  const Terminal terminal;
  const Arguments model = terminal.model(chain(120));
  const auto all = terminal.json("modes", model, {"--all"})["after"]["finite"];
  for (const std::string shift : {"1e12", "-1e12", "1e12i", "1e4"}) {
    const auto some = terminal.json("modes", model, {"--count", "2", "--shift", shift});
    BOOST_TEST(some["complete"] == "counted");
    for (const auto& value : some["after"]["finite"])
      BOOST_TEST((std::find(all.begin(), all.end(), value) != all.end()), value.dump());
  }
}

BOOST_AUTO_TEST_CASE(the_limit_of_all_eigenvalues_is_in_the_help) {
  const Terminal terminal;
  BOOST_TEST(contains(terminal.run({"modes", "--help"}).out, "up to 2100 free DoFs"));
}

BOOST_AUTO_TEST_CASE(json_holds_numbers_only) {
  const Terminal terminal;
  terminal.json("modes", data_model("engine_mount"));
  const std::string text = text_of(terminal.path() / "result.json");
  BOOST_TEST(!contains(text, "null"));
  BOOST_TEST(!contains(text, "NaN"));
}

BOOST_AUTO_TEST_CASE(all_eigenvalues_of_hundreds_of_dofs_are_listed) {
  // A chain of which every second node has no mass, and every fourth link a damper; the first node is held.
  // LAPACK 3.10's dggev3, which writes behind its arrays, crashes here.
  constexpr Index n = 299;
  DenseSystem system{MultiVector::Zero(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)};
  for (Index i = 0; i < n; ++i) {
    system.M(i, i) = i % 2;
    system.K(i, i) = i + 1 < n ? 2000 : 1000;
    if (i > 0) system.K(i, i - 1) = system.K(i - 1, i) = -1000;
  }
  system.C(0, 0) = 0.1;
  for (Index i = 3; i + 1 < n; i += 4) {
    system.C(i, i) = system.C(i + 1, i + 1) = 0.1;
    system.C(i, i + 1) = system.C(i + 1, i) = -0.1;
  }
  const Terminal terminal;
  const Run result = terminal.run(command("modes", terminal.model(system)));
  BOOST_TEST(result.exit_code == 0, result.err);
  BOOST_TEST(contains(result.out, "before: 373 finite and 225 infinite eigenvalues; after: 373 finite"));
}

BOOST_AUTO_TEST_CASE(all_modes_of_a_band_and_of_a_rectangle_are_listed_and_counted) {
  const Terminal terminal;
  const Index n = 220;
  const Arguments model = terminal.model(chain(n));
  const auto omega = [&](Index k) { return 2 * std::sin(3.14159265358979 * k / (2 * (n + 1))); };
  const auto hertz = [&](Index k) {  // between the k-th and the next frequency
    return std::to_string((omega(k) + omega(k + 1)) / (4 * 3.14159265358979));
  };
  const auto band = terminal.json("modes", model, {"--band", hertz(40) + ":" + hertz(75)});
  BOOST_TEST(band["counted"]["expected"] == 35);
  BOOST_TEST(band["counted"]["found"] == 35);
  BOOST_TEST(band["after"]["finite"].size() == 70u);
  BOOST_TEST(contains(terminal.run(command("modes", model, {"--band", "0:" + hertz(3)})).out,
                      "complete, counted, 3 from 0 to"));
  const auto region = terminal.json("modes", model,
                                    {"--region", "-1+" + std::to_string((omega(5) + omega(6)) / 2) + "i:0+" +
                                                     std::to_string((omega(9) + omega(10)) / 2) + "i"});
  BOOST_TEST(region["after"]["finite"].size() == 8u);
  BOOST_TEST(region["counted"]["expected"] == 4);
  BOOST_TEST(region["counted"]["found"] == 4);
  const Run edge = terminal.run(command("modes", model, {"--region", "-1-1i:0+1i"}));
  BOOST_TEST(edge.exit_code == 0, edge.err);
  BOOST_TEST(contains(edge.out, "complete, counted, "));
  for (const char* wrong : {"5", "5:4", "a:b", "-1:4", "1:nan", "1:2:3"}) {
    const Run run = terminal.run(command("modes", model, {"--band", wrong}));
    BOOST_TEST(run.exit_code != 0);
    BOOST_TEST(contains(run.err, "--band"));
  }
  for (const char* wrong : {"1", "0:0", "0+1i:2+0i", "0:x"})
    BOOST_TEST(terminal.run(command("modes", model, {"--region", wrong})).exit_code != 0);
}

BOOST_AUTO_TEST_CASE(relaxations_are_left_out_on_request) {
  const Terminal terminal;
  const auto json =
      terminal.json("modes", data_model("engine_mount"), {"--kind", "oscillating", "--count", "1"});
  BOOST_TEST(json["after"]["finite"].size() == 2u);
  const auto relaxing =
      terminal.json("modes", data_model("engine_mount"), {"--kind", "relaxing", "--count", "100"});
  BOOST_TEST(!relaxing["after"]["finite"].empty());
  for (const auto& pair : relaxing["after"]["finite"]) {
    BOOST_TEST(pair.at(0).get<double>() < 0);
    BOOST_TEST(pair.at(1) == 0);
  }
  const auto unstable =
      terminal.json("modes", data_model("engine_mount"), {"--kind", "unstable", "--count", "3"});
  BOOST_TEST(unstable["after"]["finite"].empty());
  const auto ordered = terminal.json("modes", data_model("engine_mount"), {"--order", "frequency"});
  double before = 0;
  for (const auto& pair : ordered["after"]["finite"]) {
    BOOST_TEST(std::abs(pair.at(1).get<double>()) >= before);
    before = std::abs(pair.at(1).get<double>());
  }
}

BOOST_AUTO_TEST_SUITE_END()
