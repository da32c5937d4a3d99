// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/model_files.h>

#include <boost/test/unit_test.hpp>

#include <support/scratch_folder.h>

using namespace halfdof;

namespace {

struct Files {
  ScratchFolder folder;
  std::vector<Index> read(std::string_view text, std::optional<GlobalIndex> n_dofs = std::nullopt) const {
    return read_dof_list(folder.file("constrained.txt", text), n_dofs);
  }
  void refuses(std::string_view text, std::optional<GlobalIndex> n_dofs, GlobalIndex line,
               const char* reason) const {
    BOOST_TEST_INFO(text);
    BOOST_CHECK_EXCEPTION(read(text, n_dofs), FileError, [&](const FileError& error) {
      BOOST_TEST_MESSAGE(error.what());
      return error.line() == line && std::string(error.what()).find(reason) != std::string::npos;
    });
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(dof_list, Files)

BOOST_AUTO_TEST_CASE(dofs_are_listed_from_zero_with_comments_and_blank_lines) {
  const std::vector<Index> expected = {7, 0, 12};
  BOOST_TEST(read("# clamped end\n\n7\n  0\t# y\r\n12#z\n\n# end", 13) == expected);
  BOOST_TEST(read("7\n0\n12") == expected);
  BOOST_TEST(read("# nothing\n").empty());
  BOOST_TEST(read("").empty());
}

BOOST_AUTO_TEST_CASE(a_repeated_dof_counts_once) {
  const std::vector<Index> expected = {3, 1};
  BOOST_TEST(read("3\n1\n3\n1\n") == expected);
}

BOOST_AUTO_TEST_CASE(what_is_no_dof_is_refused_with_its_line) {
  refuses("0\n13\n", 13, 2,
          "DoF 13 does not exist: assembled indices run from 0 to 12. Indices of DoFs count from 0");
  refuses("# x\n-1\n", std::nullopt, 2, "DoF -1 does not exist");
  refuses("2147483648\n", std::nullopt, 1, "DoF 2147483648 does not exist");
  refuses("1\n\ntwo\n", 13, 3, "the DoF is 'two', which is not a whole number");
  refuses("1.5\n", 13, 1, "'1.5'");
  refuses("1 2\n", 13, 1, "goes on with '2'");
  refuses("1,\n2\n", 13, 1, "'1,'");
}

BOOST_AUTO_TEST_CASE(what_is_written_reads_back) {
  const std::vector<Index> dofs = {5, 2, 9};
  write_dof_list(folder.path() / "dofs.txt", dofs, "algebraic\nfrom K");
  BOOST_TEST(text_of(folder.path() / "dofs.txt") == "# algebraic\n# from K\n5\n2\n9\n");
  BOOST_TEST(read_dof_list(folder.path() / "dofs.txt", 10) == dofs);
}

BOOST_AUTO_TEST_SUITE_END()
