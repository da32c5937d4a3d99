// SPDX-License-Identifier: LGPL-2.1-or-later
// halfdof simulate: springs and dampers that are not linear, on closed forms.
#include <boost/test/unit_test.hpp>

#include "cases.h"
#include <algorithm>
#include <cmath>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// 2 q'' + p = 0 above a floor that it does not reach, from q = 1, q' = 3.
std::string case_of(const std::string& element) {
  return "[system]\nmass = \"M.mtx\"\nstiffness = \"K.mtx\"\n[initial]\ndisplacement = [1.0]\nvelocity = "
         "[3.0]\n" +
         element +
         "[[inclusion]]\nname = \"floor\"\nlaw = \"unilateral\"\ndirection = [{dof = 0}]\nobstacle = -100\n"
         "[integrator]\nmethod = \"event-driven\"\nend = 2.0\n"
         "[output]\nfile = \"out/q.csv\"\ninterval = 0.25\ndisplacement = [0]\nvelocity = [0]\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(elements)

BOOST_AUTO_TEST_CASE(cubic_springs_keep_their_energy_and_quadratic_dampers_brake) {
  const OneMass terminal(2, 0);
  const auto columns_of = [&](const std::string& element) {
    const Run run = terminal.simulate(case_of(element), {"--verify"});
    BOOST_TEST(run.exit_code == 0, run.err);
    auto columns = table(terminal.path() / "out/q.csv");
    return std::pair(numbers(columns["q[0]"]), numbers(columns["v[0]"]));
  };
  // q'^2 + q^4 = 10; and 2 v' = -v^2 from 3.
  const auto [q, v] = columns_of("[[element]]\ndof = 0\ncubic = 4\n");
  BOOST_TEST_REQUIRE(q.size() == 9u);
  for (std::size_t k = 0; k < q.size(); ++k)
    BOOST_TEST(std::abs(v[k] * v[k] + std::pow(q[k], 4) - 10) < 1e-8);
  BOOST_TEST(*std::min_element(v.begin(), v.end()) < 0);
  const auto braked = columns_of("[[element]]\ndof = 0\nquadratic = 1\n").second;
  for (std::size_t k = 0; k < braked.size(); ++k)
    BOOST_TEST(std::abs(braked[k] - 3 / (1 + 0.375 * static_cast<double>(k))) < 1e-8);
}

BOOST_AUTO_TEST_CASE(elements_that_cannot_be_are_refused_with_their_line) {
  const OneMass terminal(2, 0);
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"dof = 0\nother = 0\n", "case.toml:9: [element] other is DoF 0, as dof. Give another one, or none."},
      {"dof = 1\n", "case.toml:8: [element] dof is 1, but the system has 1 DoF (index 0)"},
      {"dof = 0\nquadratic = -1\n",
       "case.toml:9: [element] quadratic is -1, but must be a number at least 0"}};
  for (const auto& [keys, message] : mistakes) {
    const Run run = terminal.simulate(case_of("[[element]]\n" + keys));
    BOOST_TEST(run.exit_code != 0);
    BOOST_TEST(contains(run.err, message), run.err);
  }
}

BOOST_AUTO_TEST_SUITE_END()
