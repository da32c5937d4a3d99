// SPDX-License-Identifier: LGPL-2.1-or-later
#include <boost/test/unit_test.hpp>

#include "fixed_chain.h"
#include "program.h"

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(modes_messages)

BOOST_AUTO_TEST_CASE(too_many_for_all_are_refused_with_the_option_that_helps) {
  const Terminal terminal;
  terminal.file(
      "K.mtx", "%%MatrixMarket matrix coordinate real general\n2101 2101 2101\n" + [] {
        std::string lines;
        for (int i = 1; i <= 2101; ++i)
          lines += std::to_string(i) + " " + std::to_string(i) + " 1\n";
        return lines;
      }());
  const Run result = terminal.run({"modes", "--stiffness", "K.mtx", "--mass", "K.mtx", "--all"});
  BOOST_TEST(result.exit_code == 2);
  BOOST_TEST(contains(result.err, "--count"), result.err);
  BOOST_TEST(contains(terminal.run({"modes", "--help"}).out, "up to 2100"));
}

BOOST_AUTO_TEST_CASE(residuals_that_leave_the_range_of_numbers_check_nothing) {
  // Terms of P x are as large as 1e-150, and QZ knows no finite eigenvalue: all was called agreed.
  const Terminal terminal;
  DenseSystem system = chain(4);
  const double tiny = 1e-150;
  system.M /= tiny;
  system.K *= tiny;
  system.C.setZero();
  const Arguments model = terminal.model(system);
  const Run run = terminal.run(command("modes", model));
  BOOST_TEST(run.exit_code == 1);
  BOOST_TEST(contains(run.out, "are not meaningful"), run.out);
  BOOST_TEST(!contains(run.out, "the spectra agree"), run.out);
  BOOST_TEST(contains(run.err, "other units"), run.err);
  const auto json = terminal.json("modes", model, {}, 1);
  BOOST_TEST(json["agreed"] == false);
  BOOST_TEST(json["n_unchecked"] == 8);
}

BOOST_AUTO_TEST_CASE(a_spectrum_before_that_is_not_reliable_is_not_said_to_agree) {
  // QZ takes a mass of rounding size for none, but its column is not null: one eigenvalue more than it finds.
  const Terminal terminal;
  DenseSystem system = chain(240);
  system.M(1, 1) = 1e-30;
  const Arguments model = terminal.model(system);
  const Run run = terminal.run(command("modes", model, {"--all"}));
  BOOST_TEST(run.exit_code == 1);
  BOOST_TEST(contains(run.out, "before is not reliable"), run.out);
  BOOST_TEST(!contains(run.out, "the spectra agree"), run.out);
  BOOST_TEST(contains(run.err, "not"), run.err);
  BOOST_TEST(terminal.json("modes", model, {"--all"}, 1)["agreed"] == false);
}

BOOST_AUTO_TEST_CASE(a_shift_far_from_all_eigenvalues_is_refused_with_the_rates_of_the_model) {
  const Terminal terminal;
  const Arguments model = terminal.model(chain(610));
  for (const std::string shift : {"1e12", "-1e12", "1e12i"}) {
    const Run run = terminal.run(command("modes", model, {"--count", "2", "--shift", shift}));
    BOOST_TEST(run.exit_code == 2, shift);
    BOOST_TEST(contains(run.err, "is so far from all eigenvalues"), run.err);
    BOOST_TEST(run.out == "");
  }
  BOOST_TEST(terminal.run(command("modes", model, {"--count", "2", "--shift", "1"})).exit_code == 0);
  // Of smaller models all are computed then.
  const auto of_all = terminal.json("modes", terminal.model(chain(220)), {"--count", "2", "--shift", "1e12"});
  BOOST_TEST(of_all["complete"] == "counted");
  BOOST_TEST(of_all["agreed"] == true);
}

BOOST_AUTO_TEST_CASE(contradicting_and_impossible_requests_are_refused) {
  const Terminal terminal;
  const auto exit_code = [&](const Arguments& more) {
    return terminal.run(command("modes", data_model("engine_mount"), more)).exit_code;
  };
  BOOST_TEST(exit_code({"--all", "--count", "3"}) == 2);
  BOOST_TEST(exit_code({"--count", "0"}) == 2);
  BOOST_TEST(exit_code({"--count", "two"}) == 2);
  BOOST_TEST(exit_code({"--shift", "left"}) == 2);
  BOOST_TEST(exit_code({"--shift", "nan"}) == 2);
}

BOOST_AUTO_TEST_CASE(a_singular_system_has_exit_code_three) {
  const Terminal terminal;
  DenseSystem floating = engine_mount();
  floating.C(2, 2) = 0;
  floating.K.row(2).setZero();
  floating.K.col(2).setZero();
  const Run result = terminal.run(command("modes", terminal.model(floating)));
  BOOST_TEST(result.exit_code == 3);
  BOOST_TEST(contains(result.err, "DoF 2"));
}

BOOST_AUTO_TEST_CASE(an_eigenvalue_lost_by_a_null_tolerance_falls_short_however_many_are_asked_for) {
  // Damping of 1e-7 beside 1: det P has one root more, near -1e10, than what is reduced.
  const Terminal terminal;
  DenseSystem system = engine_mount();
  system.C(2, 2) = 1e-7;
  const Arguments model = terminal.model(system);
  for (const Arguments& range : {Arguments{"--all"}, Arguments{"--count", "12"}}) {
    Arguments more{"--null-tolerance", "1e-8"};
    more.insert(more.end(), range.begin(), range.end());
    const auto json = terminal.json("modes", model, more, 1);
    BOOST_TEST(json["missing"].size() == 1u);
    BOOST_TEST(json["agreed"] == false);
  }
}

BOOST_AUTO_TEST_CASE(nearly_null_columns_are_warned_of_on_standard_error_by_every_verb) {
  const Terminal terminal;
  DenseSystem system = engine_mount();
  system.M(1, 1) = 20e-14;
  const Arguments model = terminal.model(system);
  const Arguments verbs[] = {
      {"modes"},
      {"response", "--input", "0", "--output", "0", "--from", "1", "--to", "2", "--csv", "H.csv"},
      {"reduce", "--output", "reduced"}};
  for (const Arguments& verb : verbs) {
    const Run run = terminal.run(command(verb[0], model, Arguments(verb.begin() + 1, verb.end())));
    BOOST_TEST(contains(run.err, "A null tolerance of 1.01e-14 would drop it: --null-tolerance"),
               verb[0] << ": " << run.err);
  }
  const Run quiet = terminal.run(command("modes", data_model("engine_mount")));
  BOOST_TEST(quiet.err == "");
}

BOOST_AUTO_TEST_CASE(what_rounding_leaves_of_eigenvalues_is_said) {
  const Terminal terminal;
  // Two masses, one on a spring of 4, with a link of 1e13 between them.
  DenseSystem pair{MultiVector::Identity(2, 2), MultiVector::Zero(2, 2), MultiVector(2, 2)};
  pair.K << 4 + 1e13, -1e13, -1e13, 1e13;
  const auto linked = terminal.json("modes", terminal.model(pair), {"--count", "2"});
  BOOST_TEST(linked["n_uncertain"] == 1);
  BOOST_REQUIRE_EQUAL(linked["uncertainties"].size(), 2u);
  for (const auto& uncertainty : linked["uncertainties"]) {
    BOOST_TEST(uncertainty.get<double>() > 1e-4);
    BOOST_TEST(uncertainty.get<double>() < 1e-2);
  }
  const auto unsymmetric = terminal.json("modes", terminal.model(random_unsymmetric(6, 5, 4, 12)), {"--all"});
  BOOST_TEST(unsymmetric["n_uncertain"] == 0);
  for (const auto& uncertainty : unsymmetric["uncertainties"])
    BOOST_TEST(uncertainty.get<double>() < 1e-9);
}

BOOST_AUTO_TEST_CASE(fewer_eigenvalues_than_were_asked_for_are_told) {
  const Terminal terminal;
  const Run result = terminal.run(command("modes", terminal.model(chain(3)), {"--count", "9"}));
  BOOST_TEST(contains(result.out, "There are no more finite eigenvalues than these; --count asks for 9"),
             result.out);
}

BOOST_AUTO_TEST_SUITE_END()
