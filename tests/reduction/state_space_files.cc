// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/matrix_market.h>
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/base/errors.h>
#include <halfdof/reduction/state_space.h>

#include <boost/test/unit_test.hpp>

#include <matio.h>

#include "eigen_systems.h"
#include "support/scratch_folder.h"
#include <cmath>
#include <string>
#include <vector>

using namespace halfdof;
using namespace halfdof::test;

namespace {

ReducedSystem<EigenEngine> three_kinds_reduced() {
  return reduce(assemble<EigenEngine>(three_kinds()));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// "A 3 x 3" of each variable.
std::vector<std::string> variables_of(const std::filesystem::path& file) {
  std::vector<std::string> variables;
  mat_t* const mat = Mat_Open(file.c_str(), MAT_ACC_RDONLY);
  BOOST_REQUIRE(mat);
  while (matvar_t* const variable = Mat_VarReadNextInfo(mat)) {
    variables.push_back(std::string(variable->name) + " " + std::to_string(variable->dims[0]) + " x " +
                        std::to_string(variable->dims[1]));
    Mat_VarFree(variable);
  }
  Mat_Close(mat);
  return variables;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(state_space_files)

BOOST_AUTO_TEST_CASE(the_dense_form_is_written_with_all_displacements_as_outputs) {
  const ScratchFolder scratch;
  const auto folder = scratch.path() / "new" / "folder";
  const auto reduced = three_kinds_reduced();
  BOOST_TEST((write_state_space(folder, reduced).form == StateSpaceForm::dense));

  BOOST_TEST((read_matrix_market_array(folder / "A.mtx") == dense_state_matrix(reduced)));
  BOOST_TEST((read_matrix_market_array(folder / "B.mtx") == dense_input_matrix(reduced)));
  MultiVector C_o(3, 3), D_o = MultiVector::Zero(3, 3);
  C_o << 1, 0, 0, 0, 1, 0, -11. / 6, 1, -4. / 3;
  D_o.row(2) << 1. / 6, -1. / 6, 1. / 6;
  BOOST_TEST((read_matrix_market_array(folder / "C_o.mtx") - C_o).norm() <= 1e-14);
  BOOST_TEST((read_matrix_market_array(folder / "D_o.mtx") - D_o).norm() <= 1e-15);

  BOOST_TEST(read_dof_list(folder / "inertial.txt") == std::vector<Index>{0},
             boost::test_tools::per_element());
  BOOST_TEST(read_dof_list(folder / "viscous.txt") == std::vector<Index>{1},
             boost::test_tools::per_element());
  BOOST_TEST(read_dof_list(folder / "algebraic.txt") == std::vector<Index>{2},
             boost::test_tools::per_element());
  BOOST_TEST(read_dof_list(folder / "constrained.txt").empty());
  BOOST_TEST(
      text_of(folder / "states.csv") ==
      "state,quantity,DoF,kind\n0,displacement,0,inertial\n1,displacement,1,viscous\n2,rate,0,inertial\n");
  BOOST_TEST(contains(text_of(folder / "README.md"),
                      "| 1 ... 1 | q_C, displacements of viscous DoFs | viscous.txt |"));

  const std::vector<std::string> expected{"A 3 x 3",   "B 3 x 3",   "C_o 3 x 3", "D_o 3 x 3",
                                          "J_I 3 x 1", "J_C 3 x 1", "J_K 3 x 1", "state_order 1 x 32"};
  BOOST_TEST(variables_of(folder / "state_space.mat") == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_pencil_is_written_on_request_and_replaces_the_files_of_another_form) {
  const ScratchFolder scratch;
  scratch.file("notes.txt", "mine");
  const auto mount = reduce(assemble<EigenEngine>(engine_mount()));
  write_state_space(scratch.path(), mount);
  StateSpaceFileOptions options;
  options.form = StateSpaceForm::pencil;
  BOOST_TEST((write_state_space(scratch.path(), mount, options).form == StateSpaceForm::pencil));
  const SparsePencil pencil = sparse_pencil(mount);
  BOOST_TEST(read_matrix_market(scratch.path() / "E.mtx").isApprox(pencil.E.entries(), 0.));
  BOOST_TEST(read_matrix_market(scratch.path() / "A.mtx").isApprox(pencil.A.entries(), 0.));
  BOOST_TEST(!std::filesystem::exists(scratch.path() / "C_o.mtx"));
  BOOST_TEST(text_of(scratch.path() / "notes.txt") == "mine");

  write_state_space(scratch.path(), mount);
  BOOST_TEST(!std::filesystem::exists(scratch.path() / "E.mtx"));
}

BOOST_AUTO_TEST_CASE(chosen_outputs_are_written_and_listed_with_the_feed_through_of_the_load_rate) {
  const ScratchFolder scratch;
  StateSpaceFileOptions options;
  options.outputs = {{OutputQuantity::rate, 2}, {OutputQuantity::displacement, 1}};
  const auto reduced = three_kinds_reduced();
  write_state_space(scratch.path(), reduced, options);
  const OutputMap<EigenEngine> map(reduced, options.outputs);
  BOOST_TEST((read_matrix_market_array(scratch.path() / "C_o.mtx") == map.state_matrix()));
  BOOST_TEST((read_matrix_market_array(scratch.path() / "D_o_rate.mtx") == map.rate_feed_through()));
  const std::string outputs = text_of(scratch.path() / "outputs.csv");
  BOOST_TEST(outputs.rfind("output,quantity,DoF,largest,error,s\n0,rate,2,", 0) == 0u, outputs);
  BOOST_TEST(contains(outputs, "\n1,displacement,1,"), outputs);
  const std::string places = text_of(scratch.path() / "transfer_errors.csv");
  BOOST_TEST(places.rfind("output,s,largest,error\n0,", 0) == 0u, places);
  BOOST_TEST(contains(places, ",0.316"), places);
  BOOST_TEST(contains(places, ",0.110"), places);
  BOOST_TEST(contains(text_of(scratch.path() / "README.md"), "z = C_o y + D_o f + D_o_rate f'"));
}

BOOST_AUTO_TEST_CASE(coordinates_that_are_no_single_dofs_are_written_beside_their_states) {
  // DoF 2 has units a million times those of the others.
  Vector units(2);
  units << 1, std::exp2(20);
  DenseSystem held{MultiVector::Zero(3, 3), MultiVector::Zero(3, 3), MultiVector::Identity(3, 3)};
  const std::vector<Index> places{0, 2};
  held.M(places, places) = units * units.transpose();
  held.C(places, places) = units.cwiseAbs2().asDiagonal().toDenseMatrix();
  held.K(2, 2) = units[1] * units[1];
  SystemDescription<EigenEngine> description;
  description.mass = matrix_of<EigenEngine>(held.M);
  description.damping = matrix_of<EigenEngine>(held.C);
  description.stiffness = matrix_of<EigenEngine>(held.K);
  description.constrained = {1};
  ReductionOptions options;
  options.method = ReductionMethod::kernel;
  const ScratchFolder scratch;
  write_state_space(scratch.path(), reduce(AssembledSystem<EigenEngine>(description), options));

  const MultiVector S = read_matrix_market(scratch.path() / "S.mtx"),
                    X = read_matrix_market(scratch.path() / "X.mtx");
  const Index j = read_dof_list(scratch.path() / "inertial.txt").at(0);
  BOOST_TEST(std::abs(S(0, j) * X(0, j) - 0.5) < 1e-15);
  BOOST_TEST(S.row(1).norm() == 0);
  BOOST_TEST(
      (X.transpose() * S - Vector(Vector::Ones(3) - Vector::Unit(3, 1)).asDiagonal().toDenseMatrix()).norm() <
      1e-9);
  BOOST_TEST(contains(text_of(scratch.path() / "README.md"), "q = S p"));
}

BOOST_AUTO_TEST_CASE(above_the_dense_limit_the_pencil_is_written) {
  const ScratchFolder scratch;
  StateSpaceFileOptions options;
  options.dense.max_bytes = 100;
  BOOST_TEST(
      (write_state_space(scratch.path(), reduce(assemble<EigenEngine>(engine_mount())), options).form ==
       StateSpaceForm::pencil));
  BOOST_TEST(!std::filesystem::exists(scratch.path() / "C_o.mtx"));
}

BOOST_AUTO_TEST_CASE(large_systems_are_written_as_the_pencil_where_that_is_smaller) {
  const ScratchFolder scratch;
  const auto chain = [&](Index n_masses) {
    DenseSystem system{MultiVector::Identity(n_masses, n_masses), MultiVector::Zero(n_masses, n_masses),
                       MultiVector::Identity(n_masses, n_masses)};
    return reduce(assemble<EigenEngine>(system));
  };
  BOOST_TEST((write_state_space(scratch.path() / "small", chain(100)).form == StateSpaceForm::dense));
  BOOST_TEST((write_state_space(scratch.path() / "large", chain(500)).form == StateSpaceForm::pencil));
}

BOOST_AUTO_TEST_CASE(the_limit_counts_all_dense_matrices_together) {
  const ScratchFolder scratch;
  StateSpaceFileOptions options;
  options.form = StateSpaceForm::dense;
  options.dense.max_bytes = 8 * 3 * (3 + 3);  // A and B of 3 states and 3 DoFs
  write_state_space(scratch.path(), three_kinds_reduced(), options);
  BOOST_TEST(!std::filesystem::exists(scratch.path() / "C_o.mtx"));
  options.outputs = {{OutputQuantity::displacement, 2}};
  BOOST_CHECK_EXCEPTION(write_state_space(scratch.path(), three_kinds_reduced(), options), NotAvailable,
                        [](const NotAvailable& e) { return contains(e.what(), "together"); });
}

BOOST_AUTO_TEST_CASE(files_of_somebody_else_are_neither_replaced_nor_removed) {
  const auto refuses = [](const ScratchFolder& scratch, const std::string& name) {
    BOOST_CHECK_EXCEPTION(write_state_space(scratch.path(), three_kinds_reduced()), FileError,
                          [&](const FileError& e) { return contains(e.what(), name); });
  };
  for (const std::string& name : state_space_file_names()) {
    const ScratchFolder scratch;
    const auto file = scratch.file(name, "mine");
    refuses(scratch, name);
    BOOST_TEST(text_of(file) == "mine");
    BOOST_TEST(scratch.n_files() == 1);
  }
  // Next to the files of an earlier run, too.
  const ScratchFolder scratch;
  write_state_space(scratch.path(), three_kinds_reduced());
  write_state_space(scratch.path(), three_kinds_reduced());
  scratch.file("E.mtx", "mine");
  refuses(scratch, "E.mtx");
}

BOOST_AUTO_TEST_CASE(where_neither_form_is_available_both_reasons_are_given_and_nothing_is_written) {
  const ScratchFolder scratch;
  StateSpaceFileOptions options;
  options.dense.max_bytes = 10;
  options.pencil.max_fill = 1;
  BOOST_CHECK_EXCEPTION(write_state_space(scratch.path() / "out", three_kinds_reduced(), options),
                        NotAvailable, [](const NotAvailable& e) {
                          return contains(e.what(), "3 x 3") && contains(e.what(), "fills the sparse pencil");
                        });
  BOOST_TEST(scratch.n_files() == 0);
}

BOOST_AUTO_TEST_CASE(systems_without_states_are_written_too) {
  const ScratchFolder scratch;
  const auto statics = reduce(assemble<EigenEngine>(random_symmetric(0, 0, 3, 1)));
  write_state_space(scratch.path(), statics);
  BOOST_TEST(read_matrix_market_array(scratch.path() / "A.mtx").size() == 0);
  BOOST_TEST(read_matrix_market_array(scratch.path() / "D_o.mtx").rows() == 3);
  BOOST_TEST(contains(text_of(scratch.path() / "README.md"), "| none | q_I"));
}

BOOST_AUTO_TEST_CASE(a_file_in_the_place_of_the_folder_is_refused) {
  const ScratchFolder scratch;
  const auto file = scratch.file("taken", "something");
  BOOST_CHECK_THROW(write_state_space(file, three_kinds_reduced()), FileError);
  BOOST_CHECK_THROW(write_state_space(file / "below", three_kinds_reduced()), FileError);
  BOOST_TEST(text_of(file) == "something");
}

BOOST_AUTO_TEST_SUITE_END()
