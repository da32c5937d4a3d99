// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/calculix.h>

#include "support/file_matrices.h"
#include <algorithm>

using namespace halfdof;
using namespace halfdof::internal;
using test::by_rows;
using test::equal;

namespace {

/// Two springs of stiffness 2 and 3 in a row, and an entry that is zero.
const std::string stiffness =
    "1 1  5.0000000000000e+00\n1 2 -3.0000000000000e+00\n2 2  3.0000000000000e+00\n1 3  0.0000000000000e+00\n"
    "3 3  1.0000000000000e+00\n";
const MultiVector K = by_rows(3, 3, {5, -3, 0, -3, 3, 0, 0, 0, 1});

struct Files {
  ScratchFolder folder;
  FileMatrix read(std::string_view text, const std::string& name = "b.sti") const {
    return read_calculix(folder.file(name, text)).at(0);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(calculix, Files)

BOOST_AUTO_TEST_CASE(the_upper_triangle_gives_the_symmetric_matrix_with_listed_zeros) {
  const FileMatrix matrix = read(stiffness);
  BOOST_TEST(equal(MultiVector(matrix.real), K));
  BOOST_TEST(matrix.real.nonZeros() == 7);
  BOOST_TEST(matrix.real.isCompressed());
  BOOST_TEST(matrix.imaginary.size() == 0);
  BOOST_TEST(matrix.rows.empty());
  BOOST_TEST(matrix.name == "");
}

BOOST_AUTO_TEST_CASE(the_list_beside_it_names_its_rows_where_5_10_is_component_10_of_node_5) {
  folder.file("b.dof", "5.1\n5.10\n12.3\n");
  const FileMatrix matrix = read(stiffness);
  BOOST_TEST((matrix.rows == std::vector<FileDoF>{{5, 1}, {5, 10}, {12, 3}}));
}

BOOST_AUTO_TEST_CASE(with_cyclic_symmetry_both_halves_have_the_same_labels) {
  folder.file("b.dof", "5.1\n");
  const FileMatrix matrix = read("1 1 4\n1 2 0\n2 2 4\n");
  BOOST_TEST((matrix.rows == std::vector<FileDoF>{{5, 1}, {5, 1}}));
}

BOOST_AUTO_TEST_CASE(a_list_of_another_run_is_refused) {
  folder.file("b.dof", "5.1\n5.2\n");
  BOOST_CHECK_EXCEPTION(read(stiffness), FileError, [](const FileError& error) {
    return std::string(error.what()).find("2 degrees of freedom, but b.sti has 3 rows") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(wrong_lines_of_the_list_are_refused) {
  for (const char* const text :
       {"5\n5.2\n5.3\n", "5.1\n5.2\n0.3\n", "5.1\n5.2\nx.3\n", "5.1\n5.2\n5.3.1\n"}) {
    folder.file("b.dof", text);
    BOOST_CHECK_THROW(read(stiffness), FileError);
  }
}

BOOST_AUTO_TEST_CASE(entries_below_the_diagonal_and_other_wrong_lines_are_refused_with_their_line) {
  for (const char* const text :
       {"1 1 5\n2 1 -3\n2 2 3\n", "1 1 5\n1 2\n2 2 3\n", "1 1 5\n1 2 nan\n2 2 3\n", "1 1 5\n0 2 1\n2 2 3\n",
        "1 1 5\n1 2 3 4\n2 2 3\n", "1 1 5\n1 9999999999 3\n"})
    BOOST_CHECK_EXCEPTION(read(text), FileError, [](const FileError& error) { return error.line() == 2; });
  BOOST_CHECK_THROW(read(""), FileError);
  BOOST_CHECK_THROW(read("1 1 5\n1 2000000000 1\n2000000000 2000000000 1\n"), FileError);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_cut_off_is_refused_unless_it_ends_with_the_line_of_a_diagonal_entry) {
  test::read_beginnings("b.sti", stiffness, read_calculix, [](std::size_t length, const auto& matrices) {
    const std::string read = stiffness.substr(0, length);
    BOOST_TEST(read.back() == '\n');
    const std::size_t last = read.find_last_of('\n', read.size() - 2) + 1;
    BOOST_TEST(read[last] == read[last + 2]);
    BOOST_TEST(matrices[0].real.rows() == read[last] - '0');
  });
}

BOOST_AUTO_TEST_CASE(extensions_are_known_also_of_compressed_files) {
  for (const char* const name :
       {"b.sti", "b.mas", "a.b/c.con", "b.sph", "b.str", "b.sti.gz", "MODEL.STI", "MODEL.MAS.GZ"})
    BOOST_TEST(has_calculix_extension(name));
  for (const char* const name : {"b.mtx", "sti", "b.dof", "b.sti/c"})
    BOOST_TEST(!has_calculix_extension(name));
  BOOST_TEST(list_of_dofs_of("a/b.sti.gz") == "a/b.dof");
  const auto capitals = folder.file("MODEL.DOF", "1.1\n1.2\n1.3\n");
  BOOST_TEST(list_of_dofs_of(folder.path() / "MODEL.STI") == capitals);
  BOOST_TEST(read(stiffness, "MODEL.STI").rows.size() == 3);
}

BOOST_AUTO_TEST_SUITE_END()
