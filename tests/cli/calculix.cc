// SPDX-License-Identifier: LGPL-2.1-or-later
#include <boost/test/unit_test.hpp>

#include "program.h"
#include <algorithm>
#include <cmath>
#include <sstream>

using namespace halfdof;

namespace {

/// A clamped beam of six hexahedra with incompatible modes, which are degrees of freedom without mass.
std::string deck(const std::string& solver) {
  constexpr int n = 6;
  const auto node = [](int i, int j, int k) { return 1 + i + (n + 1) * (j + 2 * k); };
  std::ostringstream text;
  text << "*NODE\n";
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i <= n; ++i)
        text << node(i, j, k) << ", " << 0.25 * i << ", " << 0.1 * j << ", " << 0.2 * k << '\n';
  text << "*ELEMENT, TYPE=C3D8I, ELSET=E\n";
  for (int i = 0; i < n; ++i) {
    text << i + 1;
    for (int k = 0; k < 2; ++k)
      text << ", " << node(i, 0, k) << ", " << node(i + 1, 0, k) << ", " << node(i + 1, 1, k) << ", "
           << node(i, 1, k);
    text << '\n';
  }
  text << "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7800\n"
       << "*SOLID SECTION, ELSET=E, MATERIAL=STEEL\n*BOUNDARY\n";
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 2; ++j)
      text << node(0, j, k) << ", 1, 3\n";
  text << "*STEP\n*FREQUENCY" << solver << "\n5\n*END STEP\n";
  return text.str();
}

/// Returns the angular frequencies of a .dat file [1/s].
std::vector<double> frequencies(const std::string& text) {
  std::istringstream lines(text.substr(text.find("(RAD/TIME)")));
  std::string line;
  std::vector<double> all;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    double mode, eigenvalue, frequency;
    if (words >> mode >> eigenvalue >> frequency)
      all.push_back(frequency);
    else if (!all.empty())
      break;
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(calculix)

BOOST_AUTO_TEST_CASE(eigenfrequencies_of_stored_matrices_are_those_that_calculix_prints) {
  const test::Terminal terminal;
  const std::string in_folder = "cd '" + terminal.path().string() + "' && ";
  if (std::system("command -v ccx > /dev/null 2>&1") != 0) {
    BOOST_TEST_MESSAGE("skipped: CalculiX (ccx) is not installed");
    return;
  }
  terminal.file("f.inp", deck(""));
  terminal.file("m.inp", deck(", SOLVER=MATRIXSTORAGE"));
  for (const char* const name : {"f", "m"})
    BOOST_TEST_REQUIRE(std::system((in_folder + "ccx " + name + " > " + name + ".log 2>&1").c_str()) == 0);
  const std::vector<double> expected = frequencies(text_of(terminal.path() / "f.dat"));
  BOOST_TEST_REQUIRE(expected.size() == 5);
  const auto json = terminal.json("modes", {"--model", "m.sti", "m.mas"}, {"--count", "10"});
  std::vector<double> found;
  for (const auto& value : json["after"]["finite"])
    if (value[1].get<double>() > 0) found.push_back(value[1].get<double>());
  std::sort(found.begin(), found.end());
  BOOST_TEST_REQUIRE(found.size() >= 5);
  for (std::size_t k = 0; k < 5; ++k)  // the .dat file has seven digits
    BOOST_TEST(found[k] == expected[k], boost::test_tools::tolerance(5e-7));
}

BOOST_AUTO_TEST_SUITE_END()
