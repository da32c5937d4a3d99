// SPDX-License-Identifier: LGPL-2.1-or-later
#include <nlohmann/json.hpp>

#include "cases.h"
#include <cmath>
#include <fstream>
#include <sstream>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// Twelve masses in a row, on the ground by a spring; the last but one rubs.
class Chain : public Terminal {
 public:
  Chain() {
    const int n = 12;
    DenseMatrix<double> M = DenseMatrix<double>::Identity(n, n), C = DenseMatrix<double>::Zero(n, n), K = C;
    for (int i = 0; i < n; ++i) {
      K(i, i) += 1;
      if (i == 0) continue;
      K(i - 1, i - 1) += 1;
      K(i, i - 1) = K(i - 1, i) = -1;
    }
    C = 0.05 * K;
    write_matrix_market(path() / "M.mtx", M);
    write_matrix_market(path() / "C.mtx", C);
    write_matrix_market(path() / "K.mtx", K);
  }
};

const char* const rubbing_chain = R"toml([system]
mass = "M.mtx"
damping = "C.mtx"
stiffness = "K.mtx"
[[load]]
dof = 11
expression = "0.5*sin(0.4*t)"
[[inclusion]]
name = "pad"
law = "dry-friction"
direction = [{dof = 10}]
lower = -0.2
upper = 0.2
[integrator]
method = "memory"
step = 1e-2
end = 30.0
[output]
file = "rows.csv"
every = 100
displacement = [0, 10]
velocity = [11]
dissipated = true
)toml";

std::vector<double> column(const Terminal& terminal, const std::string& name) {
  return numbers(table(terminal.path() / "rows.csv")[name]);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memory_of_cases)

BOOST_AUTO_TEST_CASE(a_mass_on_dry_friction_comes_to_rest_where_the_closed_form_says) {
  const OneMass terminal(2, 0);
  const Run run =
      terminal.simulate(changed(sliding, {{"moreau-jean", "memory"}, {"1e-3", "1e-2"}, {"500", "1"}}));
  BOOST_TEST(run.exit_code == 0, run.err);
  auto columns = table(terminal.path() / "out" / "slide.csv");
  BOOST_TEST(std::abs(numbers(columns["q[0]"]).back() - 2.25) < 1e-4);
  BOOST_TEST(columns["state[floor]"].back() == "stick");
  BOOST_TEST(std::abs(numbers(columns["dissipated"]).back() - 9.) < 1e-2);
}

BOOST_AUTO_TEST_CASE(a_chain_moves_as_in_small_steps_of_the_full_model) {
  const Chain by_memory, by_steps;
  by_memory.file("case.toml", rubbing_chain);
  const Run memory = by_memory.run({"simulate", "case.toml"});
  BOOST_REQUIRE_MESSAGE(memory.exit_code == 0, memory.err);
  by_steps.file("case.toml", changed(rubbing_chain,
                                     {{"\"memory\"", "\"moreau-jean\""}, {"1e-2", "1e-3"}, {"100", "1000"}}));
  BOOST_REQUIRE(by_steps.run({"simulate", "case.toml"}).exit_code == 0);
  for (const std::string name : {"q[0]", "q[10]", "v[11]", "dissipated"}) {
    const std::vector<double> found = column(by_memory, name), expected = column(by_steps, name);
    BOOST_REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      BOOST_TEST(std::abs(found[i] - expected[i]) < 2e-3, name << " " << i);
  }
  // All but the fastest mode, whose compliance is kept.
  by_memory.file("case.toml", changed(rubbing_chain, {{"step = 1e-2", "step = 1e-2\neigenvalues = 22"}}));
  BOOST_TEST(by_memory.run({"simulate", "case.toml"}).exit_code == 0);
  const std::vector<double> found = column(by_memory, "q[10]"), expected = column(by_steps, "q[10]");
  for (std::size_t i = 0; i < found.size(); ++i)
    BOOST_TEST(std::abs(found[i] - expected[i]) < 2e-2);
}

BOOST_AUTO_TEST_CASE(a_run_is_verified_by_the_assembled_matrices) {
  const Chain terminal;
  const auto verified = [&](const std::string& text) {
    terminal.file("case.toml", text);
    const Run run = terminal.run({"simulate", "case.toml", "--verify"});
    BOOST_TEST(run.exit_code == 0, run.err);
    return run.out;
  };
  const std::string whole = verified(rubbing_chain);
  BOOST_TEST(contains(whole, "memory keeps up to rounding"));
  BOOST_TEST(contains(whole, ", balance of momentum"));
  BOOST_TEST(!contains(whole, "omitted eigenvalues"));
  // Modes that are left out leave forces out of balance, and a bound of what that moves.
  const std::string some = verified(changed(rubbing_chain, {{"1e-2", "1e-2\neigenvalues = 22"}}));
  BOOST_TEST(!contains(some, ", balance of momentum"));
  BOOST_TEST(contains(some, "The omitted eigenvalues would change the displacement of pad by at most"));
}

BOOST_AUTO_TEST_CASE(kinks_of_a_load_within_steps_are_errors_of_these_steps_alone) {
  // A mass beside a viscous node with friction; the load bends at 4/3 and 8/3, between two steps of 4 ms.
  const Terminal terminal;
  DenseMatrix<double> M(2, 2), C(2, 2), K(2, 2);
  M << 1, 0, 0, 0;
  C << 0.5, 0, 0, 0.5;
  K << 1.5, -1, -1, 5;
  write_matrix_market(terminal.path() / "M.mtx", M);
  write_matrix_market(terminal.path() / "C.mtx", C);
  write_matrix_market(terminal.path() / "K.mtx", K);
  terminal.file("case.toml", R"toml([system]
mass = "M.mtx"
damping = "C.mtx"
stiffness = "K.mtx"
[[load]]
vector = [1.0, 0.5]
expression = {times = [0.0, 1.3333333333333333, 2.6666666666666665, 4.0], values = [0.0, -3.0, 2.5, 1.0]}
[[inclusion]]
name = "f"
law = "st-venant"
direction = [{dof = 1}]
threshold = 0.5
[integrator]
method = "memory"
end = 4.0
step = 0.004
[output]
file = "rows.csv"
)toml");
  const Run run = terminal.run({"simulate", "case.toml", "--verify"});
  BOOST_TEST(run.exit_code == 0, run.err);
  BOOST_TEST(contains(run.out, ", balance of momentum"));
}

BOOST_AUTO_TEST_CASE(impacts_are_events_and_dissipate_what_restitution_says) {
  // A mass of 2 flies with speed 1 from 0.505 to a wall at zero: it loses 1 - 0.25 of its energy.
  const OneMass terminal(2, 0);
  const std::string flight = R"toml([system]
mass = "M.mtx"
stiffness = "K.mtx"
[initial]
displacement = [0.505]
velocity = [-1.0]
[[inclusion]]
name = "wall"
law = "unilateral"
direction = [{dof = 0}]
restitution = 0.5
[integrator]
method = "memory"
step = 0.01
end = 1.0
[output]
file = "rows.csv"
every = 100
events = "events.csv"
dissipated = true
)toml";
  terminal.file("case.toml", flight);
  const Run run = terminal.run({"simulate", "case.toml", "--verify=step"});
  BOOST_TEST(run.exit_code == 0, run.out << run.err);
  BOOST_TEST(contains(run.out, "dissipated by the laws                   0"), run.out);
  BOOST_TEST(contains(run.out, "With half the step"), run.out);
  auto events = table(terminal.path() / "events.csv");
  BOOST_REQUIRE(events["before"].size() == 2u);
  BOOST_TEST(events["before"][0] == "open");
  BOOST_TEST(std::abs(numbers(events["w_after"])[0] - 0.5) < 1e-12);
  BOOST_TEST(std::abs(numbers(events["impulse"])[0] - 3.) < 1e-12);
  BOOST_TEST(std::abs(numbers(events["impulse"])[1]) < 1e-12);
  BOOST_TEST(std::abs(column(terminal, "dissipated").back() - 0.75) < 1e-12);
  terminal.file("case.toml", changed(flight, {{"step = 0.01", "step = 0.3"}}));
  const Run coarse = terminal.run({"simulate", "case.toml", "--verify=step"});
  BOOST_TEST(coarse.exit_code == 1, coarse.out);
  BOOST_TEST(contains(coarse.out, "--step-tolerance"), coarse.out);
}

/// Displacements of a body of two DoFs that lands on three contacts, in units of length, force and time.
std::vector<double> landed_body(double length, double force, double time) {
  const Terminal terminal;
  DenseMatrix<double> M = DenseMatrix<double>::Identity(2, 2), C = M / 2, K = 2 * M;
  M(1, 1) = 0.5;
  K(1, 1) = 1;
  write_matrix_market(terminal.path() / "M.mtx", DenseMatrix<double>(M * (force * time * time / length)));
  write_matrix_market(terminal.path() / "C.mtx", DenseMatrix<double>(C * (force * time / length)));
  write_matrix_market(terminal.path() / "K.mtx", DenseMatrix<double>(K * (force / length)));
  const auto list = [](std::vector<double> values, double unit) {
    std::ostringstream text;
    text.precision(17);
    for (std::size_t k = 0; k < values.size(); ++k)
      text << (k == 0 ? "[" : ", ") << std::scientific << values[k] * unit;
    return text.str() + "]";
  };
  std::ostringstream text;
  text.precision(17);
  text << "[system]\nmass = \"M.mtx\"\ndamping = \"C.mtx\"\nstiffness = \"K.mtx\"\n"
       << "[[load]]\ndof = 0\nexpression = {times = " << list({0, 0.5, 4}, time)
       << ", values = " << list({0, -2, -2}, force)
       << "}\n[[load]]\ndof = 1\nexpression = {times = " << list({0, 1, 2, 3, 4}, time)
       << ", values = " << list({0, 3.76, 3.98, -2.58, 0.54}, force) << "}\n";
  for (const char* const weight : {"-1.0", "0.5", "1.0"})
    text << "[[inclusion]]\nname = \"at " << weight << "\"\nlaw = \"unilateral\"\ndirection = [{dof = 0}, "
         << "{dof = 1, weight = " << weight << "}]\n";
  text << std::scientific << "[integrator]\nmethod = \"memory\"\nstep = " << 0.002 * time
       << "\nend = " << 4 * time << "\n[output]\nfile = \"rows.csv\"\nevery = 100\ndisplacement = [0, 1]\n";
  terminal.file("case.toml", text.str());
  const Run run = terminal.run({"simulate", "case.toml"});
  BOOST_TEST_REQUIRE(run.exit_code == 0, run.err);
  std::vector<double> all = column(terminal, "q[0]"), second = column(terminal, "q[1]");
  all.insert(all.end(), second.begin(), second.end());
  for (double& q : all)
    q /= length;
  return all;
}

BOOST_AUTO_TEST_CASE(a_body_that_has_come_to_rest_does_not_strike_by_the_last_digit) {
  const std::vector<double> one = landed_body(1, 1, 1),
                            other = landed_body(std::ldexp(1., -40), std::ldexp(1., 20), std::ldexp(1., 20));
  BOOST_REQUIRE(one.size() == other.size());
  for (std::size_t k = 0; k < one.size(); ++k)
    BOOST_TEST(std::abs(one[k] - other[k]) < 1e-10);
}

BOOST_AUTO_TEST_CASE(friction_and_contact_share_massless_nodes) {
  const Terminal terminal;
  DenseMatrix<double> C(2, 2), K(2, 2);
  C << 1.2, 0, 0, 1.5;
  K << 10, -2, -2, 8;
  write_matrix_market(terminal.path() / "C.mtx", C);
  write_matrix_market(terminal.path() / "K.mtx", K);
  terminal.file("case.toml", R"toml([system]
damping = "C.mtx"
stiffness = "K.mtx"
[[load]]
vector = [8.0, 3.0]
expression = "sin(2.0*t)"
[[inclusion]]
name = "f"
law = "st-venant"
direction = [{dof = 0, weight = 1.0}]
threshold = 2.0
[[inclusion]]
name = "c"
law = "unilateral"
direction = [{dof = 0, weight = -1.0}, {dof = 1, weight = 0.5}]
obstacle = -0.05
[integrator]
method = "memory"
end = 4.0
step = 0.001
[output]
file = "rows.csv"
displacement = [0, 1]
velocity = []
dissipated = true
)toml");
  const Run run = terminal.run({"simulate", "case.toml", "--verify"});
  BOOST_TEST(run.exit_code == 0, run.err);
  // Of an enumeration of the states of both laws, with steps of 2e-5 and 4e-5 extrapolated.
  BOOST_TEST(std::abs(column(terminal, "q[0]").back() - 0.34977224) < 1e-6);
  BOOST_TEST(std::abs(column(terminal, "q[1]").back() - 0.59954449) < 1e-6);
  BOOST_TEST(std::abs(column(terminal, "dissipated").back() - 4.8126) < 1e-3);
}

BOOST_AUTO_TEST_CASE(the_kernel_of_a_case_is_written) {
  const Chain terminal;
  terminal.file("case.toml", rubbing_chain);
  const Run run = terminal.run({"kernel", "case.toml", "--csv", "kernel.csv", "--exponentials", "terms.csv",
                                "--json", "kernel.json", "--length", "20", "--points", "41", "--plot",
                                "kernel.png", "--constants", "constants.csv"});
  BOOST_REQUIRE_MESSAGE(run.exit_code == 0, run.err);
  BOOST_TEST(contains(run.out, "pad"));
  const auto json = nlohmann::json::parse(text_of(terminal.path() / "kernel.json"));
  BOOST_TEST(json["n_contacts"] == 1);
  BOOST_TEST(json["n_eigenvalues"] == 24);
  BOOST_TEST(json["contact_regularity"][0]["case"] == "inertia");
  // At rest A y + L^inf r = 0, and a unit force at mass 10 moves it by 11.
  const double L_inf = json["L_inf"][1][0], K_r = -json["A"][1][0].get<double>();
  BOOST_TEST(std::abs(L_inf / K_r - 11) < 1e-9);
  auto constants = table(terminal.path() / "constants.csv");
  BOOST_TEST(
      (constants["matrix"] == std::vector<std::string>{"A", "A", "A", "A", "Linf", "Linf", "WC", "WK"}));
  BOOST_TEST(numbers(constants["value"])[5] == L_inf);
  // L^1 is the sum of its exponentials.
  auto samples = table(terminal.path() / "kernel.csv"), terms = table(terminal.path() / "terms.csv");
  const std::vector<double> tau = numbers(samples["tau"]), L_1 = numbers(samples["L1[0][0]"]),
                            re = numbers(terms["re"]), im = numbers(terms["im"]),
                            re_R = numbers(terms["re R[0][0]"]), im_R = numbers(terms["im R[0][0]"]);
  BOOST_REQUIRE(tau.size() == 41U);
  BOOST_TEST(tau.back() == 20.);
  for (const std::size_t i : {std::size_t(0), std::size_t(7), std::size_t(40)}) {
    Complex sum = 0;
    for (std::size_t k = 0; k < re.size(); ++k) {
      const Complex lambda(re[k], im[k]);
      sum += Complex(re_R[k], im_R[k]) * (std::exp(lambda * tau[i]) - 1.) / lambda;
    }
    BOOST_TEST(std::abs(sum - L_1[i]) < 1e-9);
  }
  BOOST_TEST(std::filesystem::file_size(terminal.path() / "kernel.png") > 1000U);
}

BOOST_AUTO_TEST_CASE(the_kernel_keeps_the_eigenvalues_of_the_case_where_nothing_else_is_asked_for) {
  const Chain terminal;
  terminal.file("case.toml", changed(rubbing_chain, {{"step = 1e-2", "step = 1e-2\neigenvalues = 10"}}));
  const auto said = [&](const Arguments& more) {
    return terminal.run(command("kernel", {"case.toml"}, more)).out;
  };
  BOOST_TEST(contains(said({}), "10 eigenvalues"));
  BOOST_TEST(contains(said({}), "displacement/force"));
  BOOST_TEST(contains(said({"--eigenvalues", "16"}), "16 eigenvalues"));
  BOOST_TEST(contains(said({"--eigenvalues", "0"}), "24 eigenvalues"));
}

BOOST_AUTO_TEST_CASE(the_compliance_of_what_is_left_out_is_kept_but_for_laws_that_do_not_stand_it) {
  const Chain terminal;
  const std::string few =
      changed(rubbing_chain, {{"step = 1e-2", "step = 1e-2\neigenvalues = 10"}, {"30.0", "0.1"}});
  const std::string rebounding =
      changed(few, {{"\"dry-friction\"", "\"unilateral\"\nobstacle = -1\nrestitution = 0.5"},
                    {"lower = -0.2\n", ""},
                    {"upper = 0.2\n", ""}});
  const auto said = [&](const std::string& verb, const std::string& text) {
    terminal.file("case.toml", text);
    return terminal.run({verb, "case.toml"}).out;
  };
  BOOST_TEST(contains(said("simulate", few), "displacement/force, is kept"));
  BOOST_TEST(contains(said("simulate", rebounding), "displacement/force, is neglected"));
  BOOST_TEST(contains(said("kernel", few), "displacement/force, is kept as W_K"));
  BOOST_TEST(contains(said("kernel", rebounding), "displacement/force, is neglected"));
}

BOOST_AUTO_TEST_CASE(eigenvalues_that_are_left_out_are_no_massless_contact) {
  const Chain terminal;
  terminal.file("case.toml", rubbing_chain);
  const Run run = terminal.run({"kernel", "case.toml", "--eigenvalues", "10"});
  BOOST_TEST(run.exit_code == 0, run.err);
  BOOST_TEST(contains(run.out, "inertia"));
  BOOST_TEST(!contains(run.out, "massless"));
}

BOOST_AUTO_TEST_CASE(a_run_that_cannot_go_on_leaves_its_rows_and_a_checkpoint) {
  const Chain parts, whole;
  whole.file("case.toml", rubbing_chain);
  BOOST_TEST(whole.run({"simulate", "case.toml"}).exit_code == 0);
  const std::string failing =
      changed(rubbing_chain, {{"lower = -0.2", "lower = \"-0.2 - 0*sqrt(12.005 - t)\""}});
  parts.file("case.toml", failing);
  BOOST_TEST(parts.run({"simulate", "case.toml"}).exit_code == 1);
  BOOST_TEST(std::filesystem::exists(parts.path() / "rows.csv.checkpoint"));
  const std::vector<double> found = column(parts, "q[10]"), expected = column(whole, "q[10]");
  BOOST_TEST(found.size() > 10U);
  for (std::size_t i = 0; i < found.size(); ++i)
    BOOST_TEST(found[i] == expected[i]);
}

BOOST_AUTO_TEST_CASE(a_run_goes_on_with_other_eigenvalues_or_another_method) {
  // The integrator alone may change: it stops at 12, as no other does.
  const char* const failing = "step = 1e-2\neigenvalues = 24";
  for (const char* const other : {"method = \"memory\"\neigenvalues = 22", "method = \"moreau-jean\""}) {
    const Chain parts;
    const std::string text =
        changed(rubbing_chain, {{"lower = -0.2", "lower = \"-0.2 - 0*sqrt(12.005 - t)\""}});
    parts.file("case.toml", changed(text, {{"step = 1e-2", failing}}));
    BOOST_TEST(parts.run({"simulate", "case.toml"}).exit_code == 1);
    parts.file("case.toml", changed(text, {{"method = \"memory\"", other}, {"end = 30.0", "end = 12.0"}}));
    const Run run = parts.run({"simulate", "case.toml", "--resume"});
    BOOST_TEST(run.exit_code == 0, run.err);
    BOOST_TEST(contains(run.out, "[integrator] has changed"));
  }
}

BOOST_AUTO_TEST_CASE(a_profile_tells_where_the_time_went) {
  const Chain terminal;
  terminal.file("case.toml", changed(rubbing_chain, {{"\"memory\"", "\"moreau-jean\""}}));
  const Run run = terminal.run({"simulate", "case.toml", "--profile"});
  BOOST_TEST(run.exit_code == 0, run.err);
  for (const char* const stage : {"read a file", "reduce", "classify", "step", "  laws", "factorize: "})
    BOOST_TEST(contains(run.err, stage), stage);
  const Run other = terminal.run({"inspect", "--mass", "M.mtx", "--stiffness", "K.mtx", "--profile"});
  BOOST_TEST(contains(other.err, "classify"));
  BOOST_TEST(!contains(terminal.run({"inspect", "--mass", "M.mtx", "--stiffness", "K.mtx"}).err, "classify"));
}

BOOST_AUTO_TEST_CASE(what_has_no_memory_is_refused) {
  const Chain terminal;
  const auto refused = [&](const std::string& text, const Arguments& arguments, const std::string& why) {
    terminal.file("case.toml", text);
    const Run run = terminal.run(arguments);
    BOOST_TEST(run.exit_code == 2);
    BOOST_TEST(contains(run.err, why), run.err);
  };
  refused(rubbing_chain, {"simulate", "case.toml", "--resume"}, "nothing to resume");
  refused(changed(rubbing_chain, {{"every = 100", "interval = 1.0"}}), {"simulate", "case.toml"}, "interval");
  refused(changed(rubbing_chain, {{"end = 30.0", "end = -1.0"}}), {"simulate", "case.toml"}, "end");
  const std::string text = rubbing_chain;
  const auto from = text.find("[[inclusion]]"), to = text.find("[integrator]");
  refused(text.substr(0, from) + text.substr(to), {"kernel", "case.toml"}, "no inclusion");
  refused(rubbing_chain, {"kernel", "case.toml", "--csv", "M.mtx"}, "M.mtx");
}

BOOST_AUTO_TEST_SUITE_END()
