// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/model_files.h>

#include "support/file_matrices.h"

using namespace halfdof;

namespace {

struct Files {
  ScratchFolder folder;
  DoFLabels read(std::string_view text, GlobalIndex n_dofs) const {
    return read_dof_labels(folder.file("dofs.txt", text), n_dofs);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(dof_labels, Files)

BOOST_AUTO_TEST_CASE(a_node_and_a_component_stand_in_each_line) {
  const DoFLabels labels = read("# node component\n12 x\n\n12\t2  # y\n 7 rx\r\n7 phi\n9 0\n-4 3\n9.6\n", 7);
  const std::vector<std::string> expected = {"node 12, x",  "node 12, y",     "node 7, rx",
                                             "node 7, phi", "node 9, scalar", "internal node -4, z",
                                             "node 9, rz"};
  for (Index i = 0; i < 7; ++i)
    BOOST_TEST(labels.describe(i, i) ==
               "DoF " + std::to_string(i) + " (" + expected[static_cast<std::size_t>(i)] + ")");
}

BOOST_AUTO_TEST_CASE(a_vector_of_nodes_has_the_components_of_each) {
  const std::string nodes = "%%MatrixMarket matrix array integer general \n%==\n2 1\n3\n31\n";
  BOOST_TEST(read(nodes, 4).describe(3, 3) == "DoF 3 (node 31, y)");
  BOOST_TEST(read(nodes, 12).describe(5, 5) == "DoF 5 (node 3, rz)");
  BOOST_CHECK_THROW(read(nodes, 5), FileError);
  BOOST_CHECK_THROW(read(nodes, 8), FileError);
  BOOST_CHECK_THROW(read("%%MatrixMarket matrix array real general\n1 1\n1.5\n", 1), FileError);
}

BOOST_AUTO_TEST_CASE(wrong_lines_and_numbers_of_lines_are_refused) {
  for (const char* const text :
       {"1 x\n2\n", "1 x\nx 1\n", "1 x\n2 x y\n", "1 x\n2 \x01\n", "1 x\n2 banana\n", "1 x\n2 x\n3 x\n"})
    BOOST_CHECK_EXCEPTION(read(text, 2), FileError, [](const FileError& error) { return error.line() >= 2; });
  BOOST_CHECK_THROW(read("1 x\n", 2), FileError);
  BOOST_CHECK_THROW(read("", 2), FileError);
}

BOOST_AUTO_TEST_SUITE_END()
