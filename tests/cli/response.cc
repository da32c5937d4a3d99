// SPDX-License-Identifier: LGPL-2.1-or-later
#include <boost/test/unit_test.hpp>

#include "program.h"
#include <algorithm>
#include <cmath>
#include <sstream>

using namespace halfdof;
using namespace halfdof::test;

namespace {

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<double>> rows;
};

Table read_csv(const std::filesystem::path& file) {
  Table table;
  std::istringstream lines(text_of(file));
  std::string line, cell;
  std::getline(lines, line);
  for (std::istringstream cells(line); std::getline(cells, cell, ',');)
    table.header.push_back(cell);
  while (std::getline(lines, line)) {
    table.rows.emplace_back();
    for (std::istringstream cells(line); std::getline(cells, cell, ',');)
      table.rows.back().push_back(std::stod(cell));
  }
  return table;
}

/// (-omega^2 M + i omega C + K)^{-1}, dense.
ComplexMultiVector dynamic_flexibility(const DenseSystem& system, double frequency) {
  const Complex s(0, 2 * std::acos(-1.) * frequency);
  const ComplexMultiVector P = s * s * system.M + s * system.C + system.K.cast<Complex>();
  return P.fullPivLu().inverse();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(response)

BOOST_AUTO_TEST_CASE(the_response_of_an_unsymmetric_model_is_that_of_the_dense_matrices) {
  const Terminal terminal;
  const DenseSystem dense = random_unsymmetric(4, 3, 3, 21);
  const Run result = terminal.run(command("response", terminal.model(dense),
                                          {"--input", "1", "--output", "0", "--output", "7", "--from", "0.05",
                                           "--to", "2", "--points", "9", "--csv", "response.csv"}));
  BOOST_TEST(result.exit_code == 0, result.err);
  const Table table = read_csv(terminal.path() / "response.csv");
  BOOST_TEST(table.header[0] == "frequency [Hz]");
  BOOST_TEST(table.header[1] == "Re q_0/f_1 [displacement/load]");
  BOOST_TEST(table.header[7] == "error of q_0/f_1 [displacement/load]");
  BOOST_REQUIRE_EQUAL(table.header.size(), 15u);
  BOOST_REQUIRE_EQUAL(table.rows.size(), 9u);
  BOOST_TEST(table.rows.front()[0] == 0.05);
  BOOST_TEST(table.rows.back()[0] == 2);
  for (const std::vector<double>& row : table.rows) {
    const ComplexMultiVector H = dynamic_flexibility(dense, row[0]);
    for (const auto& [dof, column] : {std::pair<Index, std::size_t>{0, 1}, {7, 8}}) {
      const Complex expected = H(dof, 1);
      BOOST_TEST(std::abs(Complex(row[column], row[column + 1]) - expected) <= 1e-9 * std::abs(expected));
      BOOST_TEST(std::abs(Complex(row[column + 4], row[column + 5]) - expected) <= 1e-9 * std::abs(expected));
      BOOST_TEST(row[column + 2] == std::abs(expected), boost::test_tools::tolerance(1e-9));
      BOOST_TEST(row[column + 6] <= 1e-9 * std::abs(expected));
    }
  }
}

BOOST_AUTO_TEST_CASE(equal_ends_are_one_frequency_however_many_points_a_range_has) {
  const Terminal terminal;
  for (const Arguments& points : {Arguments{}, Arguments{"--log"}, Arguments{"--points", "7"}}) {
    Arguments more{"--input", "0", "--output", "2", "--from", "3", "--to", "3", "--csv", "r.csv"};
    more.insert(more.end(), points.begin(), points.end());
    const Run run = terminal.run(command("response", data_model("engine_mount"), more));
    BOOST_TEST(run.exit_code == 0, run.err);
    const Table table = read_csv(terminal.path() / "r.csv");
    BOOST_REQUIRE_EQUAL(table.rows.size(), 1u);
    BOOST_TEST(table.rows[0][0] == 3);
  }
}

BOOST_AUTO_TEST_CASE(rates_are_displacements_times_i_omega_and_reactions_balance_the_statics) {
  const Terminal terminal;
  terminal.file("clamped.txt", "0\n");
  const Run rates = terminal.run(command("response", data_model("engine_mount"),
                                         {"--input", "0", "--output", "2", "--quantity", "rate", "--from",
                                          "3", "--to", "3", "--points", "1", "--csv", "r.csv"}));
  BOOST_TEST(rates.exit_code == 0, rates.err);
  const std::vector<double> row = read_csv(terminal.path() / "r.csv").rows.at(0);
  const Complex expected = Complex(0, 6 * std::acos(-1.)) * dynamic_flexibility(engine_mount(), 3)(2, 0);
  BOOST_TEST(std::abs(Complex(row[1], row[2]) - expected) <= 1e-12 * std::abs(expected));

  // At rest, y_1 hangs on K_rs alone: nothing reaches the clamped DoF. y_2 hangs on K_v and K_s = K_v: half.
  const Run reactions = terminal.run(
      command("response", data_model("engine_mount"),
              {"--constrained", "clamped.txt", "--input", "1", "2", "--output", "0", "--quantity", "reaction",
               "--from", "0", "--to", "0", "--points", "1", "--csv", "reaction.csv"}));
  BOOST_TEST(reactions.exit_code == 0, reactions.err);
  const std::vector<double> statics = read_csv(terminal.path() / "reaction.csv").rows.at(0);
  BOOST_TEST(std::abs(statics[1]) <= 1e-15);
  BOOST_TEST(std::abs(statics[8] + 0.5) <= 1e-14);
}

BOOST_AUTO_TEST_CASE(logarithmic_spacing_and_a_picture) {
  const Terminal terminal;
  const Run result = terminal.run(command("response", data_model("engine_mount"),
                                          {"--input", "0", "--output", "0", "--from", "0.1", "--to", "10",
                                           "--points", "5", "--log", "--csv", "r.csv", "--plot", "r.png"}));
  BOOST_TEST(result.exit_code == 0, result.err);
  const Table table = read_csv(terminal.path() / "r.csv");
  BOOST_REQUIRE_EQUAL(table.rows.size(), 5u);
  BOOST_TEST(table.rows[2][0] == 1, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(table.rows[4][0] == 10);
  BOOST_TEST(text_of(terminal.path() / "r.png").substr(1, 3) == "PNG");
}

BOOST_AUTO_TEST_CASE(load_vectors_and_directions_are_inputs_and_outputs) {
  const Terminal terminal;
  const DenseSystem dense = random_unsymmetric(4, 3, 3, 22);
  RandomNumbers random(22);
  const MultiVector F = random.matrix(10, 2), h = random.matrix(10, 1);
  write_matrix_market(terminal.path() / "loads.mtx", Eigen::SparseMatrix<double>(F.sparseView()));
  write_matrix_market(terminal.path() / "tip.mtx", Eigen::SparseMatrix<double>(h.sparseView()));
  const Run run = terminal.run(
      command("response", terminal.model(dense),
              {"--load", "loads.mtx", "--input", "1", "--output-direction", "tip.mtx", "--output", "3",
               "--from", "0.05", "--to", "2", "--points", "5", "--units", "mm", "kN", "--csv", "r.csv"}));
  BOOST_TEST(run.exit_code == 0, run.err);
  const Table table = read_csv(terminal.path() / "r.csv");
  BOOST_REQUIRE_EQUAL(table.header.size(), 1u + 2 * 3 * 7);
  BOOST_TEST(table.header[1] == "Re q_3/f_1 [mm/kN]");
  BOOST_TEST(table.header[8] == "Re q_3/loads[0] [mm/kN]");
  BOOST_TEST(table.header[22] == "Re tip/f_1 [mm/kN]");
  MultiVector inputs(10, 3), outputs(2, 10);
  inputs << Vector::Unit(10, 1), F;
  outputs << Vector::Unit(10, 3).transpose(), h.transpose();
  for (const std::vector<double>& row : table.rows) {
    const ComplexMultiVector H = outputs * dynamic_flexibility(dense, row[0]) * inputs;
    for (Index o = 0; o < 2; ++o)
      for (Index i = 0; i < 3; ++i) {
        const auto column = static_cast<std::size_t>(1 + 7 * (3 * o + i));
        BOOST_TEST(std::abs(Complex(row[column], row[column + 1]) - H(o, i)) <= 1e-9 * std::abs(H(o, i)));
      }
  }
}

BOOST_AUTO_TEST_CASE(a_base_shakes_the_model_and_random_inputs_have_root_mean_squares) {
  const Terminal terminal;
  terminal.file("held.txt", "0\n");
  terminal.file("psd.csv", "# Hz, density\n0.1, 2\n20, 2\n");
  Arguments more{
      "--constrained", "held.txt",     "--base",    "0",           "--output", "0",    "2",
      "--quantity",    "acceleration", "--from",    "0.1",         "--to",     "20",   "--resolve-peaks",
      "--psd",         "psd.csv",      "--psd-csv", "psd_out.csv", "--csv",    "r.csv"};
  const Run run = terminal.run(command("response", data_model("engine_mount"), more));
  BOOST_TEST(run.exit_code == 0, run.err);
  BOOST_TEST(contains(run.out, "root mean square"), run.out);
  const DenseSystem system = engine_mount();
  const Index n = system.size();
  const Table table = read_csv(terminal.path() / "r.csv"), psd = read_csv(terminal.path() / "psd_out.csv");
  BOOST_REQUIRE(table.rows.size() == psd.rows.size());
  BOOST_TEST(table.rows.size() >= 200u);
  BOOST_TEST(table.header[8] == "Re q_2''/base [acceleration/acceleration]");
  for (std::size_t k = 0; k < table.rows.size(); k += 40) {
    const double f = table.rows[k][0];
    const Complex s(0, 2 * std::acos(-1.) * f);
    const ComplexMultiVector P = s * s * system.M + s * system.C + system.K.cast<Complex>();
    const ComplexMultiVector q = P.bottomRightCorner(n - 1, n - 1).fullPivLu().solve(-P.col(0).tail(n - 1));
    const Complex found(table.rows[k][8], table.rows[k][9]);
    BOOST_TEST(std::abs(found - q(1)) <= 1e-9 * std::abs(q(1)));
    BOOST_TEST(psd.rows[k][1] == 2, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(psd.rows[k][2] == 2 * std::norm(q(1)), boost::test_tools::tolerance(1e-9));
  }
  const Arguments undamped{"--input", "0", "--output", "0", "--from", "0",
                           "--to",    "5", "--psd",    "1", "--csv",  "u.csv"};
  const MultiVector one = MultiVector::Ones(1, 1);
  const Run unbounded =
      terminal.run(command("response", terminal.model({one, 0 * one, 100 * one}), undamped));
  BOOST_TEST(unbounded.exit_code == 1);
  BOOST_TEST(contains(unbounded.err, "does not decay"), unbounded.err);
  const auto refused = [&](const Arguments& arguments, const std::string& reason) {
    const Run wrong = terminal.run(command("response", data_model("engine_mount"), arguments));
    BOOST_TEST(wrong.exit_code == 2);
    BOOST_TEST(contains(wrong.err, reason), wrong.err);
  };
  terminal.file("short.csv", "1, 2\n5, 2\n");
  terminal.file("vector.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n1\n");
  const Arguments range{"--output", "2", "--from", "0.1", "--to", "20", "--csv", "r2.csv"};
  const auto with = [&](Arguments arguments) {
    arguments.insert(arguments.end(), range.begin(), range.end());
    return arguments;
  };
  refused(with({}), "There is no input");
  refused(with({"--base", "1"}), "not constrained");
  refused(with({"--base", "1", "--input", "1"}), "--input");
  refused(with({"--load", "vector.mtx"}), "2 rows");
  refused(with({"--input", "1", "--psd", "short.csv"}), "from 1 to 5 Hz");
  refused(with({"--input", "1", "--psd", "-2"}), "not negative");
  terminal.file("ragged.csv", "0.1, 2\n20, 2, 3\n");
  refused(with({"--input", "1", "--psd", "ragged.csv"}), "more densities than the first one");
  terminal.file("two.csv", "0.1, 2, 3\n20, 2, 3\n");
  refused(with({"--input", "1", "--psd", "two.csv"}), "1 inputs, but 2 power spectral densities");
}

BOOST_AUTO_TEST_CASE(root_mean_squares_see_modes_at_the_ends_and_corners_of_densities) {
  const Terminal terminal;
  const double pi = std::acos(-1.);
  const auto rms = [&](double omega, double zeta, const std::string& psd, const std::string& quantity,
                       const std::string& to) {
    const MultiVector one = MultiVector::Ones(1, 1);
    const Run run =
        terminal.run(command("response", terminal.model({one, 2 * zeta * omega * one, omega * omega * one}),
                             {"--input", "0", "--output", "0", "--quantity", quantity, "--from", "1", "--to",
                              to, "--psd", psd, "--csv", "r.csv"}));
    BOOST_TEST(run.exit_code == 0, run.err);
    std::istringstream lines(run.out.substr(run.out.find("root mean square")));
    std::string line, name;
    std::getline(lines, line);
    std::getline(lines, line);
    double value = 0;
    lines >> name >> value;
    return value;
  };
  // Integrals by an adaptive rule of other code.
  BOOST_TEST(rms(2 * pi * 100.01999, 1e-4, "1", "displacement", "100") == 8.6326e-4,
             boost::test_tools::tolerance(5e-3));
  terminal.file("narrow.csv", "1,1e-4\n100.1,1e-4\n100.2,1\n101,1\n101.1,1e-4\n500,1e-4\n");
  BOOST_TEST(rms(std::sqrt(15791.37), 5.0265 / 2 / std::sqrt(15791.37), "narrow.csv", "acceleration",
                 "500") == 1.009366,
             boost::test_tools::tolerance(5e-3));
}

BOOST_AUTO_TEST_CASE(outputs_that_are_zero_are_named) {
  const Terminal terminal;
  DenseSystem two{MultiVector::Identity(2, 2), MultiVector::Zero(2, 2), 4 * MultiVector::Identity(2, 2)};
  const Run run = terminal.run(command("response", terminal.model(two),
                                       {"--input", "0", "--output", "0", "1", "--from", "1", "--to", "5",
                                        "--csv", "r.csv", "--plot", "r.png"}));
  BOOST_TEST(run.exit_code == 0, run.err);
  BOOST_TEST(contains(run.out, "Zero at all frequencies, up to rounding: q_1/f_0"), run.out);
  two.C = 0.01 * two.M;
  const Run resolved = terminal.run(command("response", terminal.model(two),
                                            {"--input", "0", "--output", "0", "--from", "0", "--to", "5",
                                             "--points", "6", "--resolve-peaks", "--csv", "resolved.csv"}));
  BOOST_TEST(resolved.exit_code == 0, resolved.err);
  double peak = 0;
  for (const std::vector<double>& row : read_csv(terminal.path() / "resolved.csv").rows)
    peak = std::max(peak, row[3]);
  BOOST_TEST(peak == 1 / 0.02, boost::test_tools::tolerance(1e-4));
}

BOOST_AUTO_TEST_CASE(wrong_ranges_and_dofs_are_refused) {
  const Terminal terminal;
  terminal.file("clamped.txt", "2\n");
  const auto refused = [&](const Arguments& more, const std::string& reason) {
    Arguments arguments = {"--csv", "r.csv", "--constrained", "clamped.txt"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Run result = terminal.run(command("response", data_model("engine_mount"), arguments));
    BOOST_TEST(result.exit_code == 2);
    BOOST_TEST(contains(result.err, reason), "\"" << reason << "\" in: " << result.err);
    BOOST_TEST(!std::filesystem::exists(terminal.path() / "r.csv"));
  };
  refused({"--input", "0", "--output", "0", "--from", "2", "--to", "1"}, "from 2 to 1 Hz");
  refused({"--input", "0", "--output", "0", "--from", "nan", "--to", "1"}, "--from is nan Hz");
  refused({"--input", "0", "--output", "0", "--from", "0", "--to", "inf"}, "--to is inf Hz");
  refused({"--input", "0", "--output", "0", "--from", "0", "--to", "1", "--log"}, "--log");
  refused({"--input", "0", "--output", "0", "--from", "0", "--to", "1", "--points", "1"}, "--points");
  refused({"--input", "0", "--output", "0", "--from", "1", "--to", "1", "--points", "0"}, "at least one");
  refused({"--input", "0", "--output", "0", "--from", "0", "--to", "1e200"}, "--to 1e+200 Hz");
  refused({"--input", "3", "--output", "0", "--from", "0", "--to", "1"}, "DoF 3");
  refused({"--input", "0", "--output", "-1", "--from", "0", "--to", "1"}, "DoF -1");
  refused({"--input", "2", "--output", "0", "--from", "0", "--to", "1"}, "DoF 2");
  refused({"--input", "0", "--output", "0", "--from", "0", "--to", "1", "--quantity", "stress"}, "stress");
}

BOOST_AUTO_TEST_CASE(a_frequency_on_an_undamped_eigenvalue_is_named_and_missing) {
  const Terminal terminal;
  const MultiVector one = MultiVector::Ones(1, 1);
  terminal.model({one, 0 * one, 0 * one});
  const Run result =
      terminal.run({"response", "--mass", "M.mtx", "--stiffness", "K.mtx", "--input", "0", "--output", "0",
                    "--from", "0", "--to", "1", "--points", "3", "--csv", "r.csv", "--plot", "r.png"});
  BOOST_TEST(result.exit_code == 1);
  BOOST_TEST(contains(result.err, "no response at 1 of 3 frequencies, which are nan in the table"),
             result.err);
  BOOST_TEST(contains(result.err, "0 Hz is singular: no stiffness holds some motion"), result.err);
  BOOST_TEST(contains(result.err, "What moves most: DoF 0."), result.err);
  BOOST_TEST(
      contains(text_of(terminal.path() / "r.csv"), "\n0,nan,nan,nan,nan,nan,nan,nan\n0.5,-0.1013211836"),
      text_of(terminal.path() / "r.csv"));
  BOOST_TEST(contains(result.out, "0.101321"), result.out);  // the largest of the others
  const Table table = read_csv(terminal.path() / "r.csv");
  BOOST_REQUIRE_EQUAL(table.rows.size(), 3u);
  const double omega = 2 * std::acos(-1.);
  BOOST_TEST(table.rows[2][1] == -1 / (omega * omega), boost::test_tools::tolerance(1e-14));
  BOOST_TEST(table.rows[2][4] == 180.);
  BOOST_TEST(text_of(terminal.path() / "r.png").substr(1, 3) == "PNG");
}

BOOST_AUTO_TEST_CASE(a_response_that_is_zero_by_the_model_is_no_matter_of_rounding) {
  // Two oscillators that are not coupled.
  MultiVector M(2, 2), K(2, 2);
  M << 1, 0, 0, 2;
  K << 3, 0, 0, 5;
  const Terminal terminal;
  terminal.model({M, 0 * M, K});
  const Run result =
      terminal.run({"response", "--mass", "M.mtx", "--stiffness", "K.mtx", "--input", "0", "--output", "1",
                    "0", "--from", "0.1", "--to", "0.4", "--points", "3", "--csv", "r.csv"});
  BOOST_TEST(result.exit_code == 0, result.err);
  BOOST_TEST(result.err == "");
}

BOOST_AUTO_TEST_CASE(values_that_rounding_leaves_no_digits_are_named) {
  // Two equations have the same masses but for a factor; the third one holds displacement 1 alone.
  MultiVector M(3, 3), C(3, 3), K(3, 3);
  M << -2, -2, -2, -4, -4, -4, 0, 0, 0;
  C << 0, 0, 2, 0, 0, -1, 0, 2, 0;
  K << 0, 0, 1, 3, -3, -3, 0, 0, 0;
  const Vector rows = (Vector(3) << 0x1p-5, 0x1p-1, 0x1p-14).finished(),
               columns = (Vector(3) << 0x1p5, 0x1p10, 0x1p-11).finished();
  for (MultiVector* A : {&M, &C, &K})
    *A = (rows.asDiagonal() * *A * columns.asDiagonal()).eval();
  const Terminal terminal;
  terminal.model({M, C, K});
  const Run result =
      terminal.run({"response", "--mass", "M.mtx",    "--damping", "C.mtx", "--stiffness", "K.mtx",
                    "--input",  "0",      "2",        "--output",  "1",     "--from",      "0.1",
                    "--to",     "0.3",    "--points", "2",         "--csv", "r.csv"});
  BOOST_TEST(result.exit_code == 0, result.err);
  BOOST_TEST(contains(result.out, "Zero at all frequencies, up to rounding: q_1/f_0"), result.out);
}

BOOST_AUTO_TEST_CASE(a_response_at_an_undamped_eigenvalue_alone_has_exit_code_three) {
  const Terminal terminal;
  const MultiVector one = MultiVector::Ones(1, 1);
  terminal.model({one, 0 * one, 0 * one});
  const Run result = terminal.run({"response", "--mass", "M.mtx", "--stiffness", "K.mtx", "--input", "0",
                                   "--output", "0", "--from", "0", "--to", "0", "--csv", "r.csv"});
  BOOST_TEST(result.exit_code == 3);
  BOOST_TEST(!std::filesystem::exists(terminal.path() / "r.csv"));
  BOOST_TEST(contains(result.err, "0 Hz is singular: no stiffness holds some motion"), result.err);
  BOOST_TEST(contains(result.err, "What moves most: DoF 0."), result.err);
}

BOOST_AUTO_TEST_CASE(what_moves_at_a_singular_frequency_is_named_by_its_assembled_index) {
  const Terminal terminal;
  terminal.file("clamped.txt", "0\n");
  // A clamped DoF, a damped oscillator, and a mass that only the air holds.
  const MultiVector one = MultiVector::Identity(3, 3);
  DenseSystem system{one, 0 * one, one};
  system.C(1, 1) = system.C(2, 2) = 0.5;
  const auto run = [&](const std::string& from) {
    return terminal.run(command("response", terminal.model(system),
                                {"--constrained", "clamped.txt", "--input", "1", "--output", "1", "--from",
                                 from, "--to", from, "--points", "1", "--csv", "r.csv"}));
  };
  system.K(2, 2) = 0;
  const Run rigid = run("0");
  BOOST_TEST(rigid.exit_code == 3);
  BOOST_TEST(contains(rigid.err, "What moves most: DoF 2."), rigid.err);
}

BOOST_AUTO_TEST_CASE(a_dof_that_is_named_twice_counts_once) {
  const Terminal terminal;
  const Run result = terminal.run(command("response", data_model("engine_mount"),
                                          {"--input", "1", "1", "--output", "2", "0", "2", "--from", "1",
                                           "--to", "2", "--points", "2", "--csv", "r.csv"}));
  BOOST_TEST(result.exit_code == 0);
  const Table table = read_csv(terminal.path() / "r.csv");
  BOOST_REQUIRE_EQUAL(table.header.size(), 15u);
  BOOST_TEST(table.header[8] == "Re q_0/f_1 [displacement/load]");
}

BOOST_AUTO_TEST_CASE(numbers_that_overflow_agree_with_nothing) {
  const Terminal terminal;
  terminal.file("C.mtx",
                "%%MatrixMarket matrix coordinate real symmetric\n6 6 13\n1 1 -1\n2 1 1e200\n2 2 1e154\n"
                "3 1 1e100\n3 3 4.9e-324\n4 2 1e-320\n4 4 2\n5 1 1e100\n5 2 1e-100\n5 5 1\n6 3 -1e308\n"
                "6 4 1e-30\n6 5 1e155\n");
  terminal.file("K.mtx",
                "%%MatrixMarket matrix coordinate real general\n6 6 18\n1 1 1e-160\n1 4 2\n1 5 1e30\n"
                "1 6 1e100\n2 5 1e-154\n3 1 1e100\n3 2 1e16\n3 5 1e-154\n4 1 1e154\n4 2 1e155\n"
                "4 6 2.2e-308\n5 1 1e155\n5 2 1e155\n5 5 -1e308\n5 6 1e16\n6 4 1e200\n6 5 1e30\n"
                "6 6 1e-200\n");
  const Run run =
      terminal.run({"response", "--damping", "C.mtx", "--stiffness", "K.mtx", "--input", "0", "--output", "0",
                    "--from", "0.1", "--to", "10", "--points", "5", "--csv", "r.csv"});
  BOOST_TEST(run.exit_code == 1);
  BOOST_TEST(contains(run.err, "the response overflows at 4 of 5 frequencies, first at 2.575 Hz"), run.err);
  BOOST_TEST(contains(run.err, "write the model in other units"), run.err);
  BOOST_TEST(!contains(run.out + run.err, "nan"), run.out);
}

BOOST_AUTO_TEST_SUITE_END()
