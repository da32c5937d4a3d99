// SPDX-License-Identifier: LGPL-2.1-or-later
#include <boost/test/unit_test.hpp>

#include "cli/cases.h"
#include "complex_systems.h"
#include <cmath>
#include <sstream>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// A terminal with the springs in series, whose second one has the loss factor `eta` of a case, and beside
/// them a relaxing DoF without loss, c q' + k q = 0.
struct Cases : Terminal {
  SpringsInSeries springs;
  double c = 4, k = 10;

  Cases() {
    MultiVector M = MultiVector::Zero(3, 3), C = M, K = M, K_1 = M, K_2 = M;
    M(0, 0) = springs.m;
    C(2, 2) = c;
    K_1.topLeftCorner(2, 2) << 300, -300, -300, 300;
    K_2(1, 1) = 200;
    K = K_1 + K_2;
    K(2, 2) = k;
    for (const auto& [name, matrix] :
         {std::pair("M.mtx", M), {"C.mtx", C}, {"K.mtx", K}, {"K1.mtx", K_1}, {"K2.mtx", K_2}})
      write_matrix_market(path() / name, matrix_of<EigenEngine>(matrix).entries());
    file("dofs.txt", "1 x\n2 x\n2 y\n");
    write_case("case.toml", "[{file = \"K1.mtx\", factor = 0.05}, {file = \"K2.mtx\", factor = \"eta\"}]");
  }
  void write_case(const std::string& name, const std::string& losses, const std::string& more = "") const {
    const bool has_eta = losses.find("eta") != std::string::npos;
    file(name,
         "[system]\nmass = \"M.mtx\"\ndamping = \"C.mtx\"\nstiffness = \"K.mtx\"\ndofs = "
         "\"dofs.txt\"\nstructural_damping = " +
             losses + "\n" + more + (has_eta ? "[parameters]\neta = 0.3\n" : ""));
  }
  Complex eigenvalue(double eta_1, double eta_2) const {
    SpringsInSeries other = springs;
    other.eta_1 = eta_1;
    other.eta_2 = eta_2;
    return other.eigenvalue();
  }
  /// The eigenvalue of the oscillating mode in a list of the JSON.
  static Complex oscillating(const nlohmann::json& modes) {
    for (const nlohmann::json& mode : modes)
      if (mode["eigenvalue"][1].get<double>() > 0) return {mode["eigenvalue"][0], mode["eigenvalue"][1]};
    return 0;
  }
  /// Reads a complex matrix by the program itself, as Matrix Market.
  ComplexMultiVector complex_matrix(const std::string& name) const {
    BOOST_TEST(run({"convert", name, "--output", "read.mtx"}).exit_code == 0);
    std::istringstream text(text_of(path() / "read.mtx"));
    std::string line;
    do
      std::getline(text, line);
    while (line[0] == '%');
    std::istringstream sizes(line);
    Eigen::Index n_rows = 0, n_columns = 0, i = 0, j = 0;
    sizes >> n_rows >> n_columns;
    ComplexMultiVector matrix = ComplexMultiVector::Zero(n_rows, n_columns);
    for (double real = 0, imaginary = 0; text >> i >> j >> real >> imaginary;)
      matrix(i - 1, j - 1) = {real, imaginary};
    return matrix;
  }
  void check_refused(const Arguments& arguments, const std::string& part) const {
    const Run result = run(arguments);
    BOOST_TEST(result.exit_code == 2);
    BOOST_TEST(contains(result.err, part), result.err << " does not say: " << part);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(structural_cases, Cases)

BOOST_AUTO_TEST_CASE(a_number_a_file_and_a_sum_give_the_mode_in_closed_form) {
  const auto check = [&](const Arguments& arguments, Complex expected) {
    const nlohmann::json result = json("modes", arguments);
    BOOST_TEST(result["agreed"] == true);
    BOOST_TEST(result["modes"].size() == 2u);
    BOOST_TEST(std::abs(oscillating(result["modes"]) - expected) < 1e-12 * std::abs(expected));
  };
  check({"case.toml"}, eigenvalue(0.05, 0.3));
  check({"case.toml", "--set", "eta=0.1"}, eigenvalue(0.05, 0.1));
  write_case("number.toml", "0.02");
  // The relaxing DoF is lossy, too, so that it has no real eigenvalue.
  const nlohmann::json result = json("modes", {"number.toml"});
  BOOST_TEST(std::abs(oscillating(result["modes"]) - eigenvalue(0.02, 0.02)) < 1e-12 * 10);
  write_case("file.toml", "\"K1.mtx\"");
  check({"file.toml"}, eigenvalue(1, 0));
  check_refused({"modes", "case.toml", "--set", "eta=nan"}, "eta");
  write_case("negative.toml", "[{factor = \"-eta\"}]");
  check_refused({"modes", "negative.toml"}, "must not be negative");
  write_case("wrong.toml", "[{factor = 0.1, name = \"K\"}]");
  check_refused({"modes", "wrong.toml"}, "[loss] name");
  write_case("wrong.toml", "[{}]");
  check_refused({"modes", "wrong.toml"}, "without file and factor");
  for (const char* const zero : {"0", "0.0", "[{factor = 0}]", "[{file = \"K1.mtx\", factor = 0.0}]"}) {
    write_case("wrong.toml", zero);
    check_refused({"modes", "wrong.toml"}, "leave it out for no damping");
  }
}

BOOST_AUTO_TEST_CASE(shapes_satisfy_the_complex_equation) {
  const nlohmann::json result = json("modes", {"case.toml"}, {"--shapes", "shapes.npz"});
  const ComplexMultiVector shapes = complex_matrix("shapes.npz:shapes");
  ComplexMultiVector D = ComplexMultiVector::Zero(3, 3);
  BOOST_TEST_REQUIRE(shapes.cols() == 2);
  for (Eigen::Index j = 0; j < 2; ++j) {
    const nlohmann::json& mode = result["modes"][static_cast<std::size_t>(j)];
    const Complex s(mode["eigenvalue"][0], mode["eigenvalue"][1]);
    D.topLeftCorner(2, 2) = springs.system().D(s);
    D(2, 2) = c * s + k;
    BOOST_TEST((D * shapes.col(j)).norm() < 1e-9 * D.norm());
    BOOST_TEST(std::abs(shapes.col(j).cwiseAbs().maxCoeff() - 1) < 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(responses_and_pictures_are_those_of_the_complex_stiffness) {
  const Run response = run({"response", "case.toml", "--input", "1:x", "--output", "1:x", "--from", "1.2",
                            "--to", "1.2", "--csv", "H.csv"});
  BOOST_TEST(response.exit_code == 0, response.err);
  std::istringstream row(text_of(path() / "H.csv").substr(text_of(path() / "H.csv").find('\n') + 1));
  double f = 0, real = 0, imaginary = 0;
  char comma = 0;
  row >> f >> comma >> real >> comma >> imaginary;
  const double omega = 2 * 3.14159265358979324 * 1.2;
  const Complex expected = 1. / (springs.stiffness() - omega * omega * springs.m);
  BOOST_TEST(std::abs(Complex(real, imaginary) - expected) < 1e-12 * std::abs(expected));
  const Run swept = run({"response", "case.toml", "--sweep", "eta=0.1,0.3", "--input", "1:x", "--output",
                         "1:x", "--from", "1", "--to", "2", "--csv", "H.csv", "--plot", "H.svg"});
  BOOST_TEST(swept.exit_code == 0, swept.err);
  BOOST_TEST(run({"modes", "case.toml", "--plot", "modes.svg"}).exit_code == 0);
  BOOST_TEST(text_of(path() / "modes.svg").size() > 1000u);
}

BOOST_AUTO_TEST_CASE(modes_are_followed_over_a_loss_factor) {
  const nlohmann::json result =
      json("modes", {"case.toml"},
           {"--sweep", "eta=0.1:0.5:0.1", "--count", "2", "--csv", "b.csv", "--plot", "b.png"});
  const nlohmann::json& branches = result["sweeps"][0]["branches"];
  BOOST_TEST_REQUIRE(branches.size() == 2u);  // the oscillation and the relaxation
  auto columns = table(path() / "b.csv");
  const std::vector<double> eta = numbers(columns["eta"]), re = numbers(columns["re"]),
                            im = numbers(columns["im"]), loss = numbers(columns["loss_factor"]);
  std::size_t n_oscillating = 0;
  for (std::size_t k = 0; k < eta.size(); ++k) {
    if (im[k] == 0) continue;
    ++n_oscillating;
    const Complex expected = eigenvalue(0.05, eta[k]), square = expected * expected;
    BOOST_TEST(std::abs(Complex(re[k], im[k]) - expected) < 1e-12 * std::abs(expected));
    BOOST_TEST(std::abs(loss[k] - square.imag() / square.real()) < 1e-12);
  }
  BOOST_TEST(n_oscillating == 5u);
  BOOST_TEST(std::filesystem::file_size(path() / "b.png") > 10000u);
}

BOOST_AUTO_TEST_CASE(terms_of_sums_may_be_complex) {
  file("complex1.mtx",
       "%%MatrixMarket matrix coordinate complex symmetric\n3 3 3\n1 1 300 15\n2 1 -300 -15\n2 2 300 15\n");
  file("complex2.mtx", "%%MatrixMarket matrix coordinate complex symmetric\n3 3 2\n2 2 200 60\n3 3 10 0\n");
  file("complex.mtx",
       "%%MatrixMarket matrix coordinate complex symmetric\n3 3 4\n1 1 300 15\n2 1 -300 -15\n2 2 500 75\n3 3 "
       "10 0\n");
  const auto check = [&](const std::string& lines, Complex expected) {
    file("sum.toml", "[system]\nmass = \"M.mtx\"\ndamping = \"C.mtx\"\n" + lines);
    const Complex found = oscillating(json("modes", {"sum.toml"})["modes"]);
    BOOST_TEST(std::abs(found - expected) < 1e-12 * std::abs(expected));
  };
  const Complex expected = eigenvalue(0.05, 0.3);
  check("stiffness = [{file = \"complex.mtx\"}]\n", expected);
  check("stiffness = [{file = \"complex1.mtx\"}, {file = \"complex2.mtx\"}]\n", expected);
  check("stiffness = [{file = \"complex2.mtx\"}, {file = \"complex1.mtx\"}]\n", expected);
  check("stiffness = [{file = \"complex.mtx\", factor = \"4*a\"}]\n[parameters]\na = 1\n", 2. * expected);
  check("stiffness = \"K.mtx\"\nstructural_damping = [{file = \"complex.mtx\"}]\n", expected);
  check(
      "stiffness = [{file = \"complex1.mtx\"}, {file = \"K2.mtx\"}]\nstructural_damping = [{file = "
      "\"K2.mtx\", factor = 0.3}]\n",
      expected);
  file("wrong.toml", "[system]\nmass = [{file = \"complex.mtx\"}]\nstiffness = \"K.mtx\"\n");
  check_refused({"modes", "wrong.toml"}, "complex");
}

BOOST_AUTO_TEST_CASE(the_error_of_a_root_mean_square_is_a_few_times_the_true_one) {
  // A chain with losses, half of it with more. Eigenvalues of D and of its conjugate differ by rounding.
  const Index n = 12;
  ComplexSystem chain{{MultiVector::Identity(n, n), MultiVector::Zero(n, n), MultiVector::Zero(n, n)},
                      MultiVector::Zero(n, n),
                      MultiVector::Zero(n, n)};
  chain.real.M(5, 5) = 0;
  const auto k = [](Index i) { return 100 + 10. * (i % 7); };
  for (Index i = 0; i < n; ++i) {
    chain.real.K(i, i) = k(i) + k(i + 1);
    if (i > 0) chain.real.K(i, i - 1) = chain.real.K(i - 1, i) = -k(i);
  }
  chain.K_i = 0.02 * chain.real.K;
  chain.K_i.topLeftCorner(5, 5) += 0.1 * chain.real.K.topLeftCorner(5, 5);
  const Arguments model = Terminal::model(chain.real);
  write_matrix_market(path() / "H.mtx", matrix_of<EigenEngine>(chain.K_i).entries());
  const double from = 0.1, to = 8;
  const Run response = run(command("response", model,
                                   {"--structural-damping", "H.mtx", "--input", "2", "--output", "2",
                                    "--from", "0.1", "--to", "8", "--psd", "1", "--csv", "H.csv"}));
  BOOST_TEST(response.exit_code == 0, response.err);
  const int n_steps = 4000;  // of Simpson's rule
  double integral = 0;
  for (int step = 0; step <= n_steps; ++step) {
    const double omega = 2 * 3.14159265358979324 * (from + (to - from) * step / n_steps),
                 weight = step == 0 || step == n_steps ? 1
                          : step % 2 == 1              ? 4
                                                       : 2;
    const ComplexVector load = ComplexVector::Unit(n, 2);
    integral += weight * std::norm(chain.D(Complex(0, omega)).partialPivLu().solve(load)[2]);
  }
  const double exact = std::sqrt(integral * (to - from) / n_steps / 3);
  std::istringstream cells(response.out.substr(response.out.rfind("q_2")));
  std::string name;
  double rms = 0, error = 0;
  cells >> name >> rms >> error;
  BOOST_TEST(std::abs(rms - exact) <= error);
  BOOST_TEST(error < 10 * std::abs(rms - exact), error << " for " << rms - exact);
}

BOOST_AUTO_TEST_CASE(a_report_shows_modes_with_loss_factors_and_no_run) {
  write_case(
      "run.toml", "0.02",
      "[[load]]\ndof = 0\nexpression = 1.0\n[integrator]\nmethod = \"implicit-euler\"\nend = 1.0\nstep "
      "= 0.1\n[output]\nfile = \"t.csv\"\n");
  const Run report = run({"report", "run.toml", "--html", "report.html"});
  BOOST_TEST(report.exit_code == 0, report.err);
  const std::string page = text_of(path() / "report.html");
  for (const char* const part : {"loss factor", "has no causal motion in time", "structural damping"})
    BOOST_TEST(contains(page, part));
  for (const char* const verb : {"simulate"})
    check_refused({verb, "run.toml"}, "`halfdof prony`");
  BOOST_TEST(json("inspect", {"run.toml"})["n_states"] == 3);
  check_refused({"report", "run.toml", "--html", "report.pdf"}, "does not end in .html");
}

BOOST_AUTO_TEST_CASE(losses_are_not_counted_twice) {
  file("series.toml", "long_term = 0.8\n[[branch]]\ng = 0.25\ntau = 0.5\n");
  const Arguments model = {"modes", "--mass", "M.mtx", "--stiffness", "K.mtx", "--damping", "C.mtx"};
  const auto with = [&](const Arguments& more) {
    Arguments all = model;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  for (const Arguments& more : {Arguments{"--prony", "series.toml", "--structural-damping", "K1.mtx"},
                                {"--prony", "series.toml*K2.mtx", "--structural-damping", "0.02"},
                                {"--prony", "series.toml*K2.mtx", "--structural-damping", "0.02*K2.mtx"}})
    check_refused(with(more), "counted twice");
  const Run parts = run(with({"--prony", "series.toml*K2.mtx", "--structural-damping", "0.02*K1.mtx"}));
  BOOST_TEST(parts.exit_code == 0, parts.err);
  BOOST_TEST(contains(parts.err, "act on different ones"));
  write_case("both.toml", "0.1", "prony = [\"series.toml\"]\n");
  check_refused({"modes", "both.toml"}, "counted twice");
}

BOOST_AUTO_TEST_CASE(labelled_files_are_taken_in_the_order_of_the_model) {
  file("K4.pch",
       "DMIG    K4      0       6       2       0\n"
       "DMIG    K4      2       1               2       1       60.\n"
       "DMIG    K4      1       1               1       1       0.\n");
  const nlohmann::json result =
      json("modes", {"--mass", "M.mtx", "--damping", "C.mtx", "--stiffness", "K.mtx", "--dofs", "dofs.txt",
                     "--structural-damping", "K4.pch", "0.05*K1.mtx"});
  const Complex expected = eigenvalue(0.05, 0.3);
  BOOST_TEST(std::abs(oscillating(result["modes"]) - expected) < 1e-12 * std::abs(expected));
  check_refused({"modes", "--mass", "M.mtx", "--stiffness", "K.mtx", "--structural-damping", "K4.pch"},
                "has the degree of freedom node");
  // The stiffness of a part is that of K2.mtx, with its DoFs in another order.
  file("K2.pch",
       "DMIG    K2      0       6       2       0\n"
       "DMIG    K2      2       1               2       1       200.\n"
       "DMIG    K2      2       2               2       2       0.\n");
  file("series.toml", "long_term = 0.8\n[[branch]]\ng = 0.25\ntau = 0.5\n");
  const auto relaxed = [&](const std::string& part) {
    return oscillating(json("modes", {"--mass", "M.mtx", "--damping", "C.mtx", "--stiffness", "K.mtx",
                                      "--dofs", "dofs.txt", "--prony", "series.toml*" + part})["modes"]);
  };
  const Complex of_labelled = relaxed("K2.pch"), of_plain = relaxed("K2.mtx");
  BOOST_TEST(std::abs(of_plain) > 1);
  BOOST_TEST(std::abs(of_labelled - of_plain) < 1e-9 * std::abs(of_plain));
  check_refused({"modes", "--mass", "M.mtx", "--stiffness", "K.mtx", "--prony", "series.toml*K2.pch"},
                "has the degree of freedom node");
}

BOOST_AUTO_TEST_CASE(columns_of_labelled_constraints_are_taken_in_the_order_of_the_model) {
  file("swapped.txt", "2 x\n1 x\n2 y\n");
  file("G.pch",
       "DMIG    G       0       2       2       0\n"
       "DMIG    G       1       1               90      1       1.\n"
       "DMIG    G       2       1               90      1       -1.\n"
       "DMIG    G       2       2               90      1       3.\n");
  file("G.mtx", "%%MatrixMarket matrix coordinate real general\n1 3 3\n1 1 -1\n1 2 1\n1 3 3\n");
  const auto modes = [&](const std::string& constraints) {
    return json("modes", {"--mass", "M.mtx", "--damping", "C.mtx", "--stiffness", "K.mtx", "--dofs",
                          "swapped.txt", "--constraint-position", constraints});
  };
  const Complex of_labelled = oscillating(modes("G.pch")["modes"]),
                of_plain = oscillating(modes("G.mtx")["modes"]);
  BOOST_TEST(std::abs(of_plain) > 1);
  BOOST_TEST(std::abs(of_labelled - of_plain) < 1e-9 * std::abs(of_plain));
}

BOOST_AUTO_TEST_CASE(losses_that_may_add_up_are_warned_of_once) {
  file("series.toml", "long_term = 0.8\n[[branch]]\ng = 0.25\ntau = 0.5\n");
  file("complex.mtx",
       "%%MatrixMarket matrix coordinate complex symmetric\n3 3 4\n1 1 300 15\n2 1 -300 -15\n2 2 500 15\n3 3 "
       "10 "
       "0\n");
  file("both.toml",
       "[system]\nmass = \"M.mtx\"\ndamping = \"C.mtx\"\nstiffness = \"complex.mtx\"\nstructural_damping = "
       "[{file = \"K1.mtx\", factor = 0.01}]\nprony = [\"series.toml*K2.mtx\"]\n");
  const Run both = run({"modes", "both.toml"});
  const std::string warning = "act on different ones";
  BOOST_TEST(both.exit_code == 0, both.err);
  BOOST_TEST_REQUIRE(contains(both.err, warning));
  BOOST_TEST(both.err.find(warning) == both.err.rfind(warning));
}

BOOST_AUTO_TEST_CASE(displacements_of_any_spelling_are_drawn_as_one_vector) {
  file("mesh.inp", "*NODE\n1,0\n2,1\n*ELEMENT, TYPE=T3D2\n1,1,2\n");
  const Arguments on_mesh = {"modes", "case.toml", "--shapes", "shapes.vtu", "--mesh", "mesh.inp"};
  file("dofs.txt", "1 UX\n2 u\n2 V\n");
  const Run result = run(on_mesh);
  BOOST_TEST(result.exit_code == 0, result.err);
  const std::string drawn = text_of(path() / "shapes.vtu");
  BOOST_TEST(contains(drawn, "mode 1"));
  for (const char* const name : {", UX", ", u\"", ", V"})
    BOOST_TEST(!contains(drawn, name));
  file("dofs.txt", "1 x\n2 UX\n2 u\n");
  check_refused(on_mesh, "two degrees of freedom");
}

BOOST_AUTO_TEST_SUITE_END()
