// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/matrix_market.h>
#include <halfdof/assembled/files/model_files.h>

#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "program.h"
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(reduce_verb)

BOOST_AUTO_TEST_CASE(the_engine_mount_is_written_as_in_the_paper) {
  const Terminal terminal;
  const Run result = terminal.run(command("reduce", data_model("engine_mount"), {"--output", "out"}));
  BOOST_TEST(result.exit_code == 0);
  BOOST_TEST(result.err == "");
  MultiVector A(4, 4), B(4, 3);
  A << 0, 0, 0, 1, 0, -10, 0, 1, 5. / 3, 0, -10. / 3, 0, -275, -50, 25, 0;
  B << 0, 0, 0, 0, 1. / 100, 0, 0, 0, 1. / 300, 1. / 20, 1. / 20, 0;
  const auto read = [&](const char* name) {
    return read_matrix_market_array(terminal.path() / "out" / name);
  };
  BOOST_TEST((read("A.mtx") - A).cwiseAbs().maxCoeff() <= 1e-11);
  BOOST_TEST((read("B.mtx") - B).cwiseAbs().maxCoeff() <= 1e-14);
  BOOST_TEST(contains(text_of(terminal.path() / "out/README.md"), "The order of the states"));
}

BOOST_AUTO_TEST_CASE(a_permuted_unsymmetric_model_is_written_with_its_selections_and_feed_through) {
  const Terminal terminal;
  const DenseSystem dense = random_unsymmetric(3, 2, 2, 3);
  const Run result = terminal.run(command("reduce", terminal.model(dense), {"--output", "out"}));
  BOOST_TEST(result.exit_code == 0);
  const MultiVector A = read_matrix_market_array(terminal.path() / "out/A.mtx");
  BOOST_TEST((A - dense_state_matrix_of(dense)).norm() <= 1e-10 * A.norm());
  const DenseElimination e = dense_elimination(dense);
  BOOST_TEST(read_dof_list(terminal.path() / "out/inertial.txt") == e.I, boost::test_tools::per_element());
  BOOST_TEST(read_dof_list(terminal.path() / "out/algebraic.txt") == e.K, boost::test_tools::per_element());
  BOOST_TEST(read_matrix_market_array(terminal.path() / "out/D_o.mtx").rows() == 7);
}

BOOST_AUTO_TEST_CASE(the_pencil_and_chosen_outputs_are_written_on_request) {
  const Terminal terminal;
  const Run result = terminal.run(
      command("reduce", data_model("engine_mount"),
              {"--output", "out", "--form", "pencil", "--observe", "2", "0", "--observe-rate", "1"}));
  BOOST_TEST(result.exit_code == 0);
  BOOST_TEST(read_matrix_market(terminal.path() / "out/E.mtx").coeff(3, 1) == -100);
  BOOST_TEST(contains(result.out, "of the largest one of the same output."), result.out);
  std::istringstream outputs(text_of(terminal.path() / "out/outputs.csv"));
  std::string line;
  for (const char* const start :
       {"output,quantity,DoF,largest,error", "0,displacement,2,", "1,displacement,0,", "2,rate,1,"}) {
    std::getline(outputs, line);
    BOOST_TEST(line.rfind(start, 0) == 0u, line);
  }
}

BOOST_AUTO_TEST_CASE(an_output_that_the_elimination_loses_is_told_by_the_exit_code) {
  // A spring beside a pair of springs that is singular but for 2^-30, and a part of index three.
  const Terminal terminal;
  DenseSystem system{MultiVector::Zero(6, 6), MultiVector::Zero(6, 6), MultiVector::Zero(6, 6)};
  system.M(0, 0) = 1;
  system.C(0, 1) = system.C(1, 0) = 1;
  system.K.diagonal() << 1, 1, 1, 1 + std::ldexp(1, -30), 2, 3;
  system.K(2, 3) = system.K(3, 2) = 1;
  system.K(0, 5) = system.K(5, 0) = -1;
  const Run result =
      terminal.run(command("reduce", terminal.model(system), {"--output", "out", "--observe", "4"}));
  if (result.exit_code == 0) {
    const MultiVector D = read_matrix_market_array(terminal.path() / "out/D_o.mtx");
    BOOST_TEST(std::abs(D(0, 4) - 0.5) < 1e-9);
  } else {
    BOOST_TEST(result.exit_code == 1, result.err);
    BOOST_TEST(contains(result.err, "output 0, displacement of DoF 4, has an error of 0.5"), result.err);
    BOOST_TEST(contains(result.err, "the files were written"), result.err);
  }
}

BOOST_AUTO_TEST_CASE(outputs_whose_transfer_functions_rounding_spoils_are_named) {
  // A chain whose first mass is held by a multiplier, and a servo of high index that does not act on it: the
  // displacement of mass 2 is exactly zero under each force on the servo.
  MultiVector M = MultiVector::Zero(7, 7), C = M, K = M;
  M.diagonal() << 3, 2, 3, 3, 0, 1, 0;
  M.row(5) << 0, -4, 0, 0, 2, 1, 0;
  C.block(2, 2, 2, 2) << 1, -1, -1, 1;
  C.bottomRightCorner(2, 3) << 2, 1, -1, -2, -1, 1;
  K.topLeftCorner(4, 4) << 3, -1, 0, 0, -1, 3, -2, 0, 0, -2, 5, -3, 0, 0, -3, 3;
  K(3, 4) = K(4, 0) = 1;
  K.row(5) << 2, -6, 4, 0, 32, 16, -7;
  K.row(6) << 0, 0, 0, 0, -14, -7, 16;
  const Terminal terminal;
  const Run result =
      terminal.run(command("reduce", terminal.model({M, C, K}), {"--output", "out", "--observe", "2"}));
  BOOST_TEST(result.exit_code == 0, result.err);
  // Rounding may leave a zero by chance.
  const bool is_exact = contains(text_of(terminal.path() / "out/outputs.csv"), "\n0,displacement,2,0,0,");
  BOOST_TEST(contains(result.err, "output 0, displacement of DoF 2, is ") == !is_exact, result.err);
  BOOST_TEST(contains(result.err, "where the largest is 0, at s = ") == !is_exact, result.err);
}

BOOST_AUTO_TEST_CASE(two_runs_do_not_write_one_folder) {
  const Terminal terminal;
  const auto reduced = [&] {
    return terminal.run(command("reduce", data_model("engine_mount"), {"--output", "out"}));
  };
  const std::filesystem::path folder = terminal.path() / "out";
  std::filesystem::create_directory(folder);
  const int other_run = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  BOOST_REQUIRE(flock(other_run, LOCK_EX | LOCK_NB) == 0);
  const Run refused = reduced();
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(contains(refused.err, "out: another run is writing this"), refused.err);
  BOOST_TEST(std::filesystem::is_empty(folder));
  close(other_run);
  BOOST_TEST(reduced().exit_code == 0);
}

BOOST_AUTO_TEST_CASE(a_model_that_is_refused_leaves_no_folder) {
  const Terminal terminal;
  DenseSystem dense = random_unsymmetric(3, 2, 2, 3);
  dense.M.setZero();
  dense.C.setZero();
  dense.K.setZero();
  const Run run = terminal.run(command("reduce", terminal.model(dense), {"--output", "out"}));
  BOOST_TEST(run.exit_code == 3);
  BOOST_TEST(!std::filesystem::exists(terminal.path() / "out"));
}

BOOST_AUTO_TEST_CASE(an_output_out_of_range_and_a_form_that_is_not_available_are_refused) {
  const Terminal terminal;
  const auto run = [&](const Arguments& more) {
    return terminal.run(command("reduce", data_model("three_kinds"), more));
  };
  const Run far = run({"--output", "out", "--observe", "3"});
  BOOST_TEST(far.exit_code == 2);
  BOOST_TEST(contains(far.err, "displacement of DoF 3"));
  BOOST_TEST(run({"--output", "out", "--observe-reaction", "0"}).exit_code == 2);
  BOOST_TEST(run({"--output", "out", "--observe", "one"}).exit_code == 2);
  const Run large = run({"--output", "out", "--form", "dense", "--max-dense", "1e-6"});
  BOOST_TEST(large.exit_code == 2);
  BOOST_TEST(contains(large.err, "dense"));
  BOOST_TEST(!std::filesystem::exists(terminal.path() / "out"));
}

BOOST_AUTO_TEST_CASE(a_singular_system_is_refused_by_name) {
  const Terminal terminal;
  DenseSystem floating = engine_mount();
  floating.C(2, 2) = 0;
  floating.K.row(2).setZero();
  floating.K.col(2).setZero();
  const Run result = terminal.run(command("reduce", terminal.model(floating), {"--output", "out"}));
  BOOST_TEST(result.exit_code == 3);
  BOOST_TEST(contains(result.err, "DoF 2"));
  BOOST_TEST(!std::filesystem::exists(terminal.path() / "out"));
}

BOOST_AUTO_TEST_SUITE_END()
