// SPDX-License-Identifier: LGPL-2.1-or-later
#include <boost/test/unit_test.hpp>

#include "cli/program.h"
#include "complex_systems.h"
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using namespace halfdof;
using namespace halfdof::test;

namespace {

constexpr double two_pi = 6.283185307179586476925286766559;

/// A terminal with the springs in series as M.mtx, K.mtx, one stiffness for each spring, and a complex one.
struct Springs : Terminal {
  SpringsInSeries springs;
  Arguments parts = {"--mass",      "M.mtx",     "--stiffness", "K.mtx", "--structural-damping",
                     "0.05*K1.mtx", "0.3*K2.mtx"};

  Springs() {
    const ComplexSystem system = springs.system();
    write("M.mtx", system.real.M);
    write("K.mtx", system.real.K);
    MultiVector K_1(2, 2), K_2 = MultiVector::Zero(2, 2);
    K_1 << 300, -300, -300, 300;
    K_2(1, 1) = 200;
    write("K1.mtx", K_1);
    write("K2.mtx", K_2);
    write("H.mtx", system.K_i);
    file("complex.mtx",
         "%%MatrixMarket matrix coordinate complex symmetric\n2 2 3\n1 1 300 15\n2 1 -300 -15\n2 2 500 75\n");
  }
  void write(const std::string& name, const MultiVector& matrix) const {
    write_matrix_market(path() / name, matrix_of<EigenEngine>(matrix).entries());
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(programs_with_structural_damping)

BOOST_AUTO_TEST_CASE(all_ways_to_give_it_have_the_mode_in_closed_form) {
  const Springs terminal;
  const Complex expected = terminal.springs.eigenvalue();
  for (const Arguments& model :
       {terminal.parts, Arguments{"--mass", "M.mtx", "--stiffness", "complex.mtx"},
        Arguments{"--mass", "M.mtx", "--stiffness", "K.mtx", "--structural-damping", "H.mtx"},
        Arguments{"--mass", "M.mtx", "--stiffness", "K.mtx", "--structural-damping", "0.05",
                  "0.25*K2.mtx"}}) {
    const nlohmann::json json = terminal.json("modes", model);
    BOOST_TEST(json["agreed"] == true);
    BOOST_TEST_REQUIRE(json["modes"].size() == 1u);
    const nlohmann::json& mode = json["modes"][0];
    BOOST_TEST(std::abs(Complex(mode["eigenvalue"][0], mode["eigenvalue"][1]) - expected) <
               1e-12 * std::abs(expected));
    BOOST_TEST(std::abs(mode["loss_factor"].get<double>() -
                        terminal.springs.stiffness().imag() / terminal.springs.stiffness().real()) < 1e-12);
    BOOST_TEST(json["unphysical"].size() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(as_many_modes_are_listed_as_are_asked_for) {
  const Springs terminal;
  const Run run = terminal.run(command("modes", terminal.parts, {"--count", "1"}));
  BOOST_TEST(run.exit_code == 0);
  BOOST_TEST(contains(run.out, "1 mode of D"));
  BOOST_TEST(!contains(run.out, "no more"));
  BOOST_TEST(contains(terminal.run(command("modes", terminal.parts, {"--count", "2"})).out, "no more modes"));
  const nlohmann::json band = terminal.json("modes", terminal.parts, {"--band", "1:2"});
  BOOST_TEST(band["modes"].size() == 1u);
  BOOST_TEST(terminal.run(command("modes", terminal.parts, {"--components", "x"})).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(
    the_nearest_modes_are_listed_where_growing_partners_are_farther_from_the_shift_or_nearer) {
  const Springs terminal;
  const Index n = 12;
  MultiVector K = MultiVector::Zero(n, n);
  for (Index k = 0; k < n; ++k)
    K(k, k) = static_cast<double>((k + 1) * (k + 1));
  terminal.write("I.mtx", MultiVector::Identity(n, n));
  terminal.write("squares.mtx", K);
  const std::vector<std::pair<const char*, Complex>> shifts = {
      {"0", 0}, {"3", 3}, {"-1+3i", {-1, 3}}, {"-5+3i", {-5, 3}}, {"5+3i", {5, 3}}};
  for (const auto& [shift, center] : shifts) {
    const nlohmann::json modes = terminal.json(
        "modes", {"--mass", "I.mtx", "--stiffness", "squares.mtx", "--structural-damping", "0.1"},
        {"--count", "4", "--shift", shift})["modes"];
    BOOST_TEST_REQUIRE(modes.size() == 4u, shift);
    std::vector<Complex> expected;
    for (int k = 1; k <= n; ++k)
      expected.push_back(Complex(0, k) * std::sqrt(Complex(1, 0.1)));
    std::sort(expected.begin(), expected.end(), [center = center](Complex a, Complex b) {
      return std::abs(a - center) < std::abs(b - center);
    });
    expected.resize(4);
    for (const Complex value : expected)
      BOOST_TEST(std::any_of(modes.begin(), modes.end(), [&](const nlohmann::json& mode) {
        return std::abs(Complex(mode["eigenvalue"][0], mode["eigenvalue"][1]) - value) <
               1e-12 * std::abs(value);
      }));
  }
}

BOOST_AUTO_TEST_CASE(as_many_relaxations_are_listed_as_are_asked_for) {
  // More than two hundred free DoFs of the real form, whose eigenvalues are searched: 100 oscillators and
  // three dampers on springs without losses, each with two copies of its eigenvalue, -1, -2 and -3.
  const Springs terminal;
  const Index n = 103;
  MultiVector M = MultiVector::Zero(n, n), C = M, K = M, K_i = M;
  for (Index k = 0; k < n - 3; ++k) {
    M(k, k) = 1;
    K(k, k) = static_cast<double>((k + 1) * (k + 1));
    K_i(k, k) = 0.1 * K(k, k);
  }
  for (Index k = n - 3; k < n; ++k) {
    C(k, k) = 1;
    K(k, k) = static_cast<double>(k - n + 4);
  }
  terminal.write("M.mtx", M);
  terminal.write("C.mtx", C);
  terminal.write("K.mtx", K);
  terminal.write("K_i.mtx", K_i);
  const Arguments model = {
      "--mass", "M.mtx", "--damping", "C.mtx", "--stiffness", "K.mtx", "--structural-damping", "K_i.mtx"};
  const nlohmann::json modes = terminal.json("modes", model, {"--kind", "relaxing", "--count", "2"})["modes"];
  BOOST_TEST_REQUIRE(modes.size() == 2u);
  for (std::size_t j = 0; j < 2; ++j) {
    BOOST_TEST(std::abs(modes[j]["eigenvalue"][0].get<double>() + static_cast<double>(j + 1)) < 1e-12);
    BOOST_TEST(modes[j]["eigenvalue"][1] == 0);
  }
  const Run more = terminal.run(command("modes", model, {"--kind", "relaxing", "--count", "4"}));
  BOOST_TEST(more.exit_code == 1);
  BOOST_TEST(contains(more.out, "The search ended before it found more of them; --count asks for 4."));
  BOOST_TEST(contains(more.err, "fewer eigenvalues of this --kind were found"));
}

BOOST_AUTO_TEST_CASE(the_response_is_that_of_the_complex_stiffness) {
  const Springs terminal;
  const Run run = terminal.run(
      command("response", terminal.parts,
              {"--input", "0", "--output", "0", "1", "--from", "1.2", "--to", "1.2", "--csv", "H.csv"}));
  BOOST_TEST(run.exit_code == 0);
  const std::string table = text_of(terminal.path() / "H.csv");
  double real = 0, imaginary = 0;
  char comma = 0;
  std::istringstream row(table.substr(table.find('\n') + 1));
  double frequency = 0;
  row >> frequency >> comma >> real >> comma >> imaginary;
  const double omega = two_pi * 1.2;
  const Complex expected = 1. / (terminal.springs.stiffness() - omega * omega * terminal.springs.m);
  BOOST_TEST(std::abs(Complex(real, imaginary) - expected) < 1e-12 * std::abs(expected));
  BOOST_TEST(
      terminal
          .run(command("response", terminal.parts,
                       {"--input", "2", "--output", "0", "--from", "1", "--to", "2", "--csv", "H.csv"}))
          .exit_code == 2);
}

BOOST_AUTO_TEST_CASE(inspect_tells_kinds_of_the_dofs_of_the_files) {
  const Springs terminal;
  const nlohmann::json json = terminal.json("inspect", terminal.parts);
  BOOST_TEST(json["n_dofs"] == 2);
  BOOST_TEST(json["n_inertial"] == 1);
  BOOST_TEST(json["n_algebraic"] == 1);
  BOOST_TEST(json["n_states"] == 2);
  BOOST_TEST(json["n_finite"] == 2);
  BOOST_TEST(json["regular"] == true);
  BOOST_TEST(terminal.run(command("inspect", terminal.parts, {"--second-order"})).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(reduce_writes_the_real_form_and_says_what_it_is) {
  const Springs terminal;
  const Run run = terminal.run(command("reduce", terminal.parts, {"--output", "reduced", "--observe", "1"}));
  BOOST_TEST(run.exit_code == 0);
  BOOST_TEST(contains(run.out, "harmonic motion only"));
  BOOST_TEST(contains(text_of(terminal.path() / "reduced" / "README.md"), "Structural damping"));
  const MultiVector A = read_matrix_market_array(terminal.path() / "reduced" / "A.mtx"),
                    B = read_matrix_market_array(terminal.path() / "reduced" / "B.mtx"),
                    C_o = read_matrix_market_array(terminal.path() / "reduced" / "C_o.mtx"),
                    D_o = read_matrix_market_array(terminal.path() / "reduced" / "D_o.mtx");
  BOOST_TEST_REQUIRE(A.rows() == 4);
  BOOST_TEST_REQUIRE(C_o.rows() == 2);
  const Complex s(0, 5);
  const ComplexMultiVector sI = s * ComplexMultiVector::Identity(4, 4);
  const ComplexMultiVector H = C_o * (sI - A).partialPivLu().solve(B.cast<Complex>()) + D_o.cast<Complex>();
  const Complex found = H(0, 0) + Complex(0, 1) * H(1, 0),
                expected = terminal.springs.system().D(s).inverse()(1, 0);
  BOOST_TEST(std::abs(found - expected) < 1e-12 * std::abs(expected));
}

BOOST_AUTO_TEST_CASE(motions_in_time_are_refused_with_the_cause_and_a_way_out) {
  const Springs terminal;
  terminal.file("case.toml",
                "[system]\nmass = \"M.mtx\"\nstiffness = \"complex.mtx\"\n[integrator]\nmethod = "
                "\"implicit-euler\"\nend = 1.0\nstep = 0.1\n[output]\nfile = \"t.csv\"\n");
  for (const char* const verb : {"simulate", "kernel"}) {
    const Run run = terminal.run({verb, "case.toml"});
    BOOST_TEST(run.exit_code == 2);
    if (std::string(verb) != "kernel") BOOST_TEST(contains(run.err, "no causal motion"));
  }
  BOOST_TEST(terminal.json("inspect", {"case.toml"})["structural_damping"] == true);
}

BOOST_AUTO_TEST_CASE(wrong_structural_damping_is_refused) {
  const Springs terminal;
  for (const char* const text : {"nan", "inf", "-nan*K1.mtx", "1e999"})
    BOOST_TEST(contains(
        terminal.run({"modes", "--mass", "M.mtx", "--stiffness", "K.mtx", "--structural-damping", text}).err,
        "A loss factor is finite"));
  BOOST_TEST(
      contains(terminal.run({"modes", "--mass", "M.mtx", "--stiffness", "K.mtx", "--prony", "0.02"}).err,
               "begins with a number"));
  for (const char* const text : {"", "0", "x*K1.mtx", "0.1*", "missing.mtx"}) {
    const Run run =
        terminal.run({"modes", "--mass", "M.mtx", "--stiffness", "K.mtx", "--structural-damping", text});
    BOOST_TEST(run.exit_code == 2);
  }
  terminal.file("three.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 1 1\n");
  BOOST_TEST(contains(
      terminal.run({"modes", "--mass", "M.mtx", "--stiffness", "K.mtx", "--structural-damping", "three.mtx"})
          .err,
      "3 x 3"));
}

BOOST_AUTO_TEST_CASE(a_prony_series_is_fitted_and_written) {
  const Terminal terminal;
  const Arguments arguments = {"prony", "--loss-factor", "0.02",       "--band", "10:1000", "--branches",
                               "6",     "--output",      "series.toml"};
  const Run run = terminal.run(arguments);
  BOOST_TEST(run.exit_code == 0);
  BOOST_TEST(contains(run.out, "tau [s]"));
  BOOST_TEST(contains(text_of(terminal.path() / "series.toml"), "[[branch]]"));
  Arguments narrow = arguments;
  narrow.insert(narrow.end(), {"--tolerance", "1e-6"});
  BOOST_TEST(terminal.run(narrow).exit_code == 1);
  narrow[2] = "-1";
  BOOST_TEST(terminal.run(narrow).exit_code == 2);
  for (const char* const band : {"0:100", "10-1000", "1000:10", "10"}) {
    Arguments wrong = arguments;
    wrong[4] = band;
    BOOST_TEST(contains(terminal.run(wrong).err, "Write FROM:TO in Hz"));
  }
}

BOOST_AUTO_TEST_CASE(the_tolerance_of_a_table_is_that_of_the_complex_moduli) {
  const Terminal terminal;
  // One branch does not meet a power of the frequency.
  terminal.file("moduli.csv", "1, 1, 0.3\n10, 2, 0.6\n100, 4, 1.2\n");
  const Arguments arguments = {"prony",       "--moduli", "moduli.csv", "--output", "series.toml",
                               "--tolerance", "1e-6",     "--branches", "1"};
  const Run power = terminal.run(arguments);
  BOOST_TEST(power.exit_code == 1);
  BOOST_TEST(contains(power.err, "complex moduli"));
  BOOST_TEST(contains(text_of(terminal.path() / "series.toml"), "in the unit of the table"));
  terminal.file("moduli.csv", "1, 4, 0\n10, 4, 0\n100, 4, 0\n");
  const Run elastic = terminal.run(arguments);
  BOOST_TEST(elastic.exit_code == 2);
  BOOST_TEST(contains(elastic.err, "has no loss"));
}

BOOST_AUTO_TEST_CASE(a_prony_series_makes_a_loss_factor_causal) {
  const Springs terminal;
  // The second spring relaxes: one viscous half DoF for each branch, at the node without mass.
  terminal.file("series.toml",
                "long_term = 0.8\n[[branch]]\ng = 0.25\ntau = 0.5\n[[branch]]\ng = 0.5\ntau = 0.02\n");
  const Arguments model = {"--mass", "M.mtx", "--stiffness", "K.mtx", "--prony", "series.toml*K2.mtx"};
  const nlohmann::json json = terminal.json("inspect", model);
  BOOST_TEST(json["n_dofs"] == 4);
  BOOST_TEST(json["n_viscous"] == 2);
  const nlohmann::json relaxed = terminal.json("modes", model);
  for (const nlohmann::json& mode : relaxed["modes"]) {
    const Complex s(mode["eigenvalue"][0], mode["eigenvalue"][1]);
    const Complex k_2 = 200 * 0.8 * (1. + 0.25 * s / (s + 2.) + 0.5 * s / (s + 50.));
    const Complex residual = s * s * terminal.springs.m + 1. / (1. / 300. + 1. / k_2);
    BOOST_TEST(std::abs(residual) < 1e-9 * std::norm(s) * terminal.springs.m);
  }
  const std::string run =
      "[integrator]\nmethod = \"implicit-euler\"\nend = 30.0\nstep = 0.05\n[output]\nfile = "
      "\"t.csv\"\ndisplacement = [0]\n";
  const std::string system =
      "[system]\nmass = \"M.mtx\"\nstiffness = \"K.mtx\"\nprony = [\"series.toml*K2.mtx\"]\n";
  terminal.file("case.toml", system + "[[load]]\ndof = 0\nexpression = 1.0\n" + run);
  const Run moved = terminal.run({"inspect", "case.toml"});
  BOOST_TEST(moved.exit_code == 0);
  BOOST_TEST(contains(moved.out, "N_C = 2"));
  BOOST_TEST(terminal.run({"simulate", "case.toml"}).exit_code == 0);
  const std::string table = text_of(terminal.path() / "t.csv");
  const std::string last = table.substr(table.rfind('\n', table.size() - 2) + 1);
  const double at_rest = 1. / 300 + 1. / 160;
  BOOST_TEST(std::abs(std::stod(last.substr(last.find(',') + 1)) - at_rest) < 1e-3 * at_rest);
  terminal.file("case.toml", system + "[initial]\ndisplacement = [1.0, 0.0]\n" + run);
  BOOST_TEST(contains(terminal.run({"inspect", "case.toml"}).err, "internal DoFs"));
  terminal.file("series.toml", "long_term = 1.0\n[[branch]]\ng = 0.25\n");
  BOOST_TEST(contains(terminal.run(command("inspect", model)).err, "tau"));
}

BOOST_AUTO_TEST_SUITE_END()
