// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/abaqus.h>

#include "support/file_matrices.h"
#include "support/shared_data.h"

using namespace halfdof;
using namespace halfdof::internal;
using test::by_rows;
using test::equal;

namespace {

struct Files {
  ScratchFolder folder;
  FileMatrix coordinate(std::string_view text) const {
    return read_abaqus_coordinate(folder.file("b_STIF1.mtx", text)).at(0);
  }
  FileMatrix labelled(std::string_view text) const {
    return read_abaqus_matrix_input(folder.file("b_STIF1.mtx", text)).at(0);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(abaqus, Files)

BOOST_AUTO_TEST_CASE(a_list_with_both_triangles_is_taken_as_it_is_also_if_it_is_unsymmetric) {
  BOOST_TEST(equal(MultiVector(coordinate("1 1  4.0e+00\n1 2 -1\n2 1 -2\n2 2  3\n").real),
                   by_rows(2, 2, {4, -1, -2, 3})));
  BOOST_TEST(equal(MultiVector(coordinate("1 1  4\n1 2 -1\n2 1 -1\n3 2 5\n3 3 1\n").real),
                   by_rows(3, 3, {4, -1, 0, -1, 0, 0, 0, 5, 1})));
}

BOOST_AUTO_TEST_CASE(a_list_with_one_triangle_stands_for_a_symmetric_matrix) {
  const MultiVector K = by_rows(2, 2, {4, -1, -1, 3});
  BOOST_TEST(equal(MultiVector(coordinate("1 1 4\n1 2 -1\n2 2 3\n").real), K));
  BOOST_TEST(equal(MultiVector(coordinate("** comment\n1 1 4\n2 1 -1\n2 2 3\n").real), K));
}

BOOST_AUTO_TEST_CASE(a_list_that_is_neither_is_refused) {
  BOOST_CHECK_THROW(coordinate("1 1 4\n1 2 -1\n3 2 3\n"), FileError);
}

BOOST_AUTO_TEST_CASE(nodes_and_components_become_rows_in_ascending_order) {
  const FileMatrix matrix = labelled(
      "*MATRIX INPUT, NAME=K\n7,2, 7,1,  -1.5\n7,1, 7,1,  2.0\n-1,1, -1,1,  9.0\n7,2, 7,2, 4.0\n-1,1, 7,2, "
      "8.0\n");
  BOOST_TEST((matrix.rows == std::vector<FileDoF>{{-1, 1}, {7, 1}, {7, 2}}));
  BOOST_TEST(equal(MultiVector(matrix.real), by_rows(3, 3, {9, 0, 8, 0, 2, -1.5, 8, -1.5, 4})));
}

BOOST_AUTO_TEST_CASE(a_labelled_list_with_both_triangles_is_taken_as_it_is) {
  const FileMatrix matrix = labelled("1,1,1,2, 3\n1,2,1,1, 4\n1,3,1,3,0.0\n");
  BOOST_TEST(equal(MultiVector(matrix.real), by_rows(3, 3, {0, 3, 0, 4, 0, 0, 0, 0, 0})));
  BOOST_TEST(matrix.real.nonZeros() == 3);
}

BOOST_AUTO_TEST_CASE(each_keyword_begins_a_matrix_with_its_own_type_and_factor) {
  const std::string text =
      "** two matrices\n*Matrix Input, name=stif, type=unsymmetric\n1,1,1,1,2\n1,2,1,1,-3.,\n1,2,1,2,5\n"
      "*MATRIX INPUT, NAME=MASS, SCALE FACTOR=2.,\nTYPE=SYMMETRIC\n1,1,1,1,7\n1,2,1,1,0.5\n";
  const auto matrices = read_abaqus_matrix_input(folder.file("two.mtx", text));
  BOOST_REQUIRE(matrices.size() == 2u);
  BOOST_TEST(matrices[0].name == "stif");
  BOOST_TEST(equal(MultiVector(matrices[0].real), by_rows(2, 2, {2, 0, -3, 5})));
  BOOST_TEST(matrices[1].name == "MASS");
  BOOST_TEST(equal(MultiVector(matrices[1].real), by_rows(2, 2, {14, 1, 1, 0})));
}

BOOST_AUTO_TEST_CASE(a_symmetric_list_may_have_one_triangle_in_any_order_or_both_if_they_are_equal) {
  const std::string keyword = "*MATRIX INPUT, NAME=K\n";
  const MultiVector K = by_rows(3, 3, {1, -1, 0, -1, 0, 2, 0, 2, 0});
  BOOST_TEST(equal(MultiVector(labelled(keyword + "1,1,1,1,1\n1,1,1,2,-1\n1,3,1,2,2\n").real), K));
  BOOST_TEST(equal(
      MultiVector(labelled(keyword + "1,1,1,1,1\n1,1,1,2,-1\n1,2,1,1,-1\n1,3,1,2,2\n1,2,1,3,2\n").real), K));
  for (const char* const unequal : {"1,1,1,2,-1\n1,2,1,1,-1.5\n", "1,1,1,2,-1\n1,2,1,1,-1\n1,3,1,2,2\n"})
    BOOST_CHECK_EXCEPTION(labelled(keyword + unequal), FileError, [](const FileError& error) {
      return std::string(error.what()).find("TYPE=UNSYMMETRIC") != std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(without_a_keyword_entries_on_both_sides_without_a_pair_and_repeated_ones_are_refused) {
  BOOST_CHECK_THROW(labelled("1,1,1,1,1\n1,1,1,2,-1\n1,3,1,2,2\n"), FileError);
  BOOST_CHECK_THROW(labelled("1,1,1,1,1\n1,2,1,1,-1\n1,1,1,1,1\n"), FileError);
}

BOOST_AUTO_TEST_CASE(keywords_that_are_not_understood_are_refused) {
  for (const char* const text :
       {"*MATRIX ASSEMBLE, STIFFNESS=K\n1,1,1,1,2\n", "*MATRIX INPUT, NAME=K, INPUT=K.mtx\n",
        "*MATRIX INPUT, NAME=K, TYPE=SKEW\n1,1,1,1,2\n", "*MATRIX INPUT, NAME=K, SCALE FACTOR=0\n1,1,1,1,2\n",
        "*MATRIX INPUT, NAME=K, MATRIX=MASS\n1,1,1,1,2\n", "*MATRIX INPUT, NAME=K\n",
        "*MATRIX INPUT, NAME=K\n1,1,1,1,2\n*MATRIX INPUT, NAME=k\n1,1,1,1,2\n"})
    BOOST_CHECK_THROW(labelled(text), FileError);
}

BOOST_AUTO_TEST_CASE(wrong_lines_are_refused_with_their_number) {
  for (const char* const text :
       {"1,1,1,1,2\n1,1,1,2,\n", "1,1,1,1,2\n1,1,1,x,3\n", "1,1,1,1,2\n1,1 1,2,3\n",
        "1,1,1,1,2\n1,-1,1,2,3\n", "1,1,1,1,2\n1,1,1,2,inf\n", "1,1,1,1,2\n1,1,1,2,3,4\n"})
    BOOST_CHECK_EXCEPTION(labelled(text), FileError,
                          [](const FileError& error) { return error.line() == 2; });
  BOOST_CHECK_THROW(labelled("** nothing\n"), FileError);
  BOOST_CHECK_THROW(coordinate("1 1 1\n1 2147483646 2\n"), FileError);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_cut_off_within_a_line_is_refused) {
  const std::string text = "1,1, 1,1, 2.5\n2,1, 2,1, 3.5\n";
  test::read_beginnings("a.mtx", text, read_abaqus_matrix_input,
                        [&text](std::size_t length, const auto& matrices) {
                          BOOST_TEST(length == text.find('\n') + 1);
                          BOOST_TEST(matrices[0].real.rows() == 1);
                        });
}

BOOST_AUTO_TEST_CASE(matrices_of_a_beam_by_abaqus_are_those_of_its_element) {
  const std::filesystem::path stiffness = test::shared_data("juliafem/model_STIF1.mtx");
  if (stiffness.empty()) return;
  const FileMatrix K = read_abaqus_matrix_input(stiffness).at(0);
  // Nodes 1 and 2 have six components each, and the beam B33 two additional ones.
  BOOST_TEST(K.rows.size() == 14);
  BOOST_TEST((K.rows[0] == FileDoF{-1, 1}));
  BOOST_TEST((K.rows[2] == FileDoF{1, 1}));
  // EI = 15000 and L = 3, so 12 EI / L^3 = 6666.7, 6 EI / L^2 = 1e4 and 4 EI / L = 2e4, which the file
  // rounds.
  const MultiVector dense = K.real;
  BOOST_TEST(dense(3, 3) == 12 * 15000. / 27, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(dense(7, 3) == 6 * 15000. / 9, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(dense(3, 7) == dense(7, 3));
  BOOST_TEST(dense(7, 7) == 4 * 15000. / 3, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(the_mass_of_a_block_is_its_density_times_its_volume) {
  for (const char* const name : {"exudyn/abaqus/blockC3D8_MASS1.mtx", "exudyn/abaqus/blockC3D4_MASS1.mtx"}) {
    const std::filesystem::path file = test::shared_data(name);
    if (file.empty()) return;
    const FileMatrix M = read_abaqus_coordinate(file).at(0);
    // 2900 kg/m^3 in 4 m x 1 m x 1 m, in each of three directions; the file has 16 digits.
    BOOST_TEST(M.real.sum() == 3 * 2900. * 4, boost::test_tools::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_SUITE_END()
