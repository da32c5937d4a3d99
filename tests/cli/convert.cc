// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/assembled/files/model_files.h>

#include <boost/test/unit_test.hpp>

#include "program.h"

using namespace halfdof;
using test::Arguments;
using test::contains;
using test::Run;

namespace {

/// A stiffness and a mass in one file, of two DoFs of node 12 and one of node 40.
class Files : public test::Terminal {
 public:
  Files() {
    file("b.pch",
         "DMIG    KAAX    0       6       2       0\n"
         "DMIG    KAAX    12      1               12      1       9.\n+       12      2       -4.\n"
         "DMIG    KAAX    12      2               12      2       10.\n+       40      1       -1.\n"
         "DMIG    KAAX    40      1               40      1       2.\n"
         "DMIG    MAAX    0       6       2       0\n"
         "DMIG    MAAX    12      1               12      1       2.\n"
         "DMIG    MAAX    40      1               40      1       3.\n");
  }
  Run converted(const Arguments& arguments) const {
    const Run result = run(test::command("convert", arguments));
    BOOST_TEST(result.exit_code == 0, result.err);
    return result;
  }
  void check_refused(const Arguments& arguments, const std::string& part) const {
    const Run result = run(test::command("convert", arguments));
    BOOST_TEST(result.exit_code == 2);
    BOOST_TEST(contains(result.err, part), result.err << " does not say: " << part);
  }
  MultiVector matrix(const std::string& name) const { return read_matrix(path() / name); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(convert_verb, Files)

BOOST_AUTO_TEST_CASE(matrices_go_from_one_format_to_another_and_back) {
  const MultiVector K = matrix("b.pch:KAAX"), M = matrix("b.pch:MAAX");
  const Run labelled = converted({"b.pch", "--output", "b.mat", "--names", "K", "M"});
  BOOST_TEST(contains(labelled.err, "The nodes and components of the rows were not written to b.mat"));
  BOOST_TEST(contains(labelled.out, "Wrote K, 3 x 3 with 7 entries, to b.mat."));
  BOOST_TEST((matrix("b.mat:K") - K).norm() == 0);
  BOOST_TEST((matrix("b.mat:M") - M).norm() == 0);
  converted({"b.pch:KAAX", "--output", "b.sti", "--dofs-output", "dofs.txt"});
  BOOST_TEST(text_of(path() / "b.dof") == "12.1\n12.2\n40.1\n");
  BOOST_TEST(text_of(path() / "dofs.txt") == "12 1\n12 2\n40 1\n");
  BOOST_TEST((matrix("b.sti") - K).norm() == 0);
  converted({"b.mat:K", "--output", "k.txt", "--format", "abaqus-coordinate"});
  BOOST_TEST((matrix("k.txt") - K).norm() == 0);
  BOOST_TEST(converted({"k.txt", "--output", "k.inp", "--dofs", "dofs.txt"}).err == "");
  BOOST_TEST(read_model({path() / "k.inp:k"}).labels.node == (std::vector<GlobalIndex>{12, 12, 40}),
             boost::test_tools::per_element());
  converted({"b.mat", "--output", "b.op4"});
  BOOST_TEST((matrix("b.op4:M") - M).norm() == 0);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_written_is_refused) {
  check_refused({"b.pch", "--output", "b.dat"}, "does not say the format");
  check_refused({"b.pch", "--output", "b.mtx"}, "can contain one matrix");
  check_refused({"b.pch", "--output", "c.mat", "--names", "K"}, "--names gives 1 names, but there are 2");
  check_refused({"b.pch", "b.pch:KAAX", "--output", "c.mat"}, "Two matrices have the name \"KAAX\"");
  check_refused({"b.pch", "--output", "b.pch"}, "FILES reads");
  check_refused({"b.pch:KAAX", "--output", "c.mtx", "--dofs", "dofs.txt"}, "labels of their own");
  check_refused({"b.pch", "--output", "c.mat", "--dofs-output", "d.txt"}, "has others than the first one");
  check_refused({"--output", "c.mat"}, "files");
}

BOOST_AUTO_TEST_SUITE_END()
