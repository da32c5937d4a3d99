// SPDX-License-Identifier: LGPL-2.1-or-later
// The examples of the help, as a user runs them.
#include <boost/test/unit_test.hpp>

#include "program.h"
#include <sstream>

using namespace halfdof;
using namespace halfdof::test;

namespace {

/// A chain of 18 masses with dampers, DoF 0 clamped, and a case in which the last one rubs.
class ModelOfTheHelp : public Terminal {
 public:
  ModelOfTheHelp() {
    constexpr Index n = 18;
    DenseSystem chain{MultiVector::Identity(n, n), MultiVector::Zero(n, n), 2 * MultiVector::Identity(n, n)};
    for (Index i = 0; i + 1 < n; ++i)
      chain.K(i, i + 1) = chain.K(i + 1, i) = -1;
    chain.C = 0.01 * chain.K;
    model(chain);
    file("clamped.txt", "0\n");
    file("CASE.toml", R"([parameters]
omega = 1
[system]
mass = "M.mtx"
damping = [{file = "C.mtx", factor = "omega"}]
stiffness = "K.mtx"
[[inclusion]]
name = "rub"
law = "dry-friction"
direction = [{dof = 17}]
lower = -1.0
upper = 1.0
[integrator]
method = "moreau-jean"
step = 1e-2
end = 0.1
[output]
file = "motion.csv"
)");
  }

  /// Lines of the help that begin with the name of the program, as arguments.
  std::vector<Arguments> examples(const std::string& verb) const {
    std::istringstream help(run({verb, "--help"}).out);
    std::vector<Arguments> all;
    for (std::string line; std::getline(help, line);) {
      if (line.rfind("  halfdof " + verb + " ", 0) != 0) continue;
      std::istringstream words(line);
      Arguments arguments;
      std::string word;
      words >> word;
      while (words >> word)
        arguments.push_back(word);
      all.push_back(arguments);
    }
    return all;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(help)

BOOST_AUTO_TEST_CASE(every_example_of_every_verb_runs_line_by_line) {
  for (const char* const verb : {"inspect", "reduce", "modes", "response", "simulate", "kernel", "report"}) {
    const ModelOfTheHelp terminal;
    const std::vector<Arguments> examples = terminal.examples(verb);
    BOOST_TEST(!examples.empty(), verb);
    for (const Arguments& example : examples) {
      const Run run = terminal.run(example);
      BOOST_TEST(run.exit_code == 0, verb << ": " << run.err);
      BOOST_TEST(run.out != "");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
