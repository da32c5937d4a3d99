// SPDX-License-Identifier: LGPL-2.1-or-later
// halfdof simulate: what a case may not say, and that all it may say is explained.
#include <boost/test/unit_test.hpp>

#include "cases.h"
#include <algorithm>

using namespace halfdof;
using namespace halfdof::test;

BOOST_AUTO_TEST_SUITE(case_refusals)

BOOST_AUTO_TEST_CASE(mistakes_are_refused_with_line_key_and_what_is_allowed) {
  const OneMass terminal(2, 0);
  const std::vector<std::vector<std::string>> mistakes = {
      {"every = 500", "evry = 500", "case.toml:18: [output] evry is unknown. Is every meant?"},
      {"step = 1e-3", "step = -1e-3",
       "case.toml:14: [integrator] step is -0.001, but must be a number above 0 [s]"},
      {"step = 1e-3", "step = \"1e-3\"", "case.toml:14: [integrator] step is \"1e-3\", but must be a number"},
      {"end = 2.0", "end = nan", "case.toml:15: [integrator] end is nan"},
      {"end = 2.0", "end = -1", "case.toml:15: [integrator] end lies before the start"},
      {"end = 2.0", "", "end is missing"},
      {"end = 2.0", "end = 2.0\ntheta = 0.3",
       "case.toml:16: [integrator] theta is 0.3, but must be a number from 0.5"},
      {"end = 2.0", "end = 2.0\nspectral_radius = 0.3",
       "no key of the method moreau-jean, but of generalized-alpha"},
      {"moreau-jean", "moreau", "must be one of implicit-euler, moreau-jean"},
      {"\"dry-friction\"", "\"dry-frction\"",
       "case.toml:8: [inclusion] law is \"dry-frction\" (is dry-friction meant?)"},
      {"lower = -4.0", "lower = 4.0",
       "case.toml:10: [inclusion] lower is 4, but must be a function of time (a number, a formula"},
      {"lower = -4.0", "lower = 4.0", "at most 0 [force]"},
      {"lower = -4.0", "lower = \"4.0\"",
       "case.toml:10: [inclusion] lower is 4 at 0 s, but must be at most 0."},
      {"upper = 4.0", "upper = {times = [0, 1], values = [-0.5, 2]}",
       "case.toml:11: [inclusion] upper is -0.5 at 0 s, but must be at least 0."},
      {"upper = 4.0", "upper = \"1/t\"",
       "case.toml:11: [inclusion] upper: The function of time \"1/t\" is inf at t = 0 s"},
      {"lower = -4.0", "lower = \"sin(\"", "case.toml:10: [inclusion] lower: The formula"},
      {"lower = -4.0", "lower = {times = [0, 1], values = [0]}", "case.toml:10: [inclusion] lower: A table"},
      {"lower = -4.0", "lower = {times = [0, 1]}", "case.toml:10: [inclusion] lower: values is missing"},
      {"upper = 4.0", "upper = 4.0\nrestitution = 0.5", "restitution is no key of the law dry-friction"},
      {"upper = 4.0", "", "upper is missing (dry-friction needs it)"},
      {"dof = 0", "dof = 1",
       "case.toml:9: [inclusion] direction: names DoF 1, but the system has 1 DoF (index 0)"},
      {"dof = 0", "dof = -1", "[direction] dof is -1"},
      {"\"floor\"", "\"a,b\"", "case.toml:7: [inclusion] name must not contain"},
      {"displacement = [0]", "displacement = [7]", "case.toml:19: [output] displacement names DoF 7"},
      {"displacement = [0]", "displacement = [0, 0]", "twice"},
      {"every = 500", "every = 2.5", "[output] every is 2.5, but must be a whole number"},
      {"moreau-jean\"\nstep = 1e-3", "memory\"\nstep = 1e-3\neigenvalues = 4294967298",
       "[integrator] eigenvalues is 4.29497e+09, but must be a whole number from 0 to 1000000000"},
      {"velocity = [3.0]", "velocity = [3, 4]", "case.toml:5: [initial] velocity has 2 entries"},
      {"floor", "fl\xf2\xffor", "case.toml:7: this line is not UTF-8 text"},
      {"M.mtx", "/dev/zero",
       "[system] mass names the file /dev/zero, but it is a pipe, a device or a socket"},
      {"M.mtx", ".", "[system] mass names the file ., but it is a directory"},
      {"M.mtx", std::string(300, 'x'), "but its status cannot be read: File name too long."},
      {"velocity = [3.0]", "velocity = " + std::string(7000, '[') + std::string(7000, ']'),
       "case.toml:5: lists and tables are nested more than 64 deep here"},
      {"velocity = [3.0]", "velocity = \"v.mtx\"",
       "case.toml:5: [initial] velocity names the file v.mtx, but there is no such file."},
      {"M.mtx", "missing.mtx",
       "case.toml:2: [system] mass names the file missing.mtx, but there is no such file."},
      {"\"floor\"", "\"\"", "[inclusion] name is empty. Give a text."},
      {"step = 1e-3", "step = 1e-3\ninterval = 0.1",
       "case.toml:15: [integrator] interval is no key of this section. It belongs to [output]."},
      {"direction = [{dof = 0}]", "direction = [{dof = 0, weight = 1e200}]",
       "contains NaN or infinity. Give the direction smaller weights"},
      {"[output]", "[outputs]", "outputs is no section of a case. Is output meant?"},
      {"[[inclusion]]", "[inclusion]", "write this section as [[inclusion]]"},
      {"end = 2.0", "end 2.0", "case.toml:15: this is not TOML"},
      {"out/slide.csv", "M.mtx", "[output] file would replace M.mtx, which [system] mass reads"},
      {"out/slide.csv", "case.toml", "which the command line reads"},
      {"out/slide.csv", "M.mtx/x.csv", "M.mtx"},
      {"[integrator]", "[[load]]\nexpression = 1\n[integrator]", "[load] dof is missing, and vector too"},
      {"[integrator]", "[[load]]\ndof = 0\nvector = [1]\nexpression = 1\n[integrator]",
       "case.toml:14: [load] vector is given in addition to dof"},
      {"[integrator]", "[[load]]\ndof = 0\nexpression = \"log(t - 1)\"\n[integrator]",
       "case.toml:14: [load] expression: The function of time \"log(t - 1)\" is "},
      {"[integrator]", "[[load]]\nvector = [1, 2]\nexpression = 1\n[integrator]", "vector has 2 entries"},
      {"velocity = [3.0]", "velocity = [nan]", "case.toml:5: [initial] velocity is nan, but must be finite"},
      {"[{dof = 0}]", "[]", "case.toml:9: [inclusion] direction is an empty list, but must be a direction"},
      {"[{dof = 0}]", "[{dof = 0}, {dof = 0, weight = -1}]",
       "case.toml:9: [inclusion] direction: The weights"},
      {"lower = -4.0", "lower = \"t = 3\"", "assigns a value to a name"},
      {"lower = -4.0", "lower = {file = \"t.txt\"}",
       "case.toml:10: [inclusion] lower names the file t.txt, but there is no such file."},
      {"lower = -4.0", "lower = {file = \"M.mtx\", times = [0]}", "by the key file and by the key times"},
      {"step = 1e-3", "step = 0", "case.toml:14: [integrator] step is 0, but must be a number above 0 [s]"},
      {"step = 1e-3", "step = 1e-300",
       "case.toml:14: [integrator] step is 1e-300 s: the run of 2 s would be divided into"},
      {"every = 500", "every = 0",
       "case.toml:18: [output] every is 0, but must be a whole number from 1 to 1000000000"},
      {"every = 500", "interval = 0.1", "case.toml:18: [output] interval needs the event-driven method"},
      {"out/slide.csv", "new/", "needs the name of a file, not of a folder"},
      {"out/slide.csv", "new/slide.csv", "new: there is no such folder, where [output] file would write"},
      {"moreau-jean", "event-driven", "[integrator] step is no key of the method event-driven"},
      {"moreau-jean", "paoli-schatzman",
       "[integrator] lambda is missing (paoli-schatzman needs it). Give a number"},
      {"moreau-jean\"\nstep = 1e-3", "event-driven\"\nrelative_tolerance = 1e-20",
       "case.toml:14: [integrator] relative_tolerance is 1e-20, but must be a number from 1e-13, below 1"},
      {"moreau-jean\"\nstep = 1e-3", "event-driven\"\nmax_states = 1", "raise max_states"},
      {"[output]", "[output]\nfile = \"x.csv\"\n[output]", "this is not TOML"},
      {"end = 2.0", "end = 2.0\nend = 3.0", "case.toml:16: this is not TOML"}};
  for (const std::vector<std::string>& mistake : mistakes) {
    const Run run = terminal.simulate(changed(sliding, {{mistake[0], mistake[1]}}));
    BOOST_TEST(run.exit_code == 2, mistake[1]);
    BOOST_TEST(contains(run.err, mistake[2]), "\"" << mistake[2] << "\" in: " << run.err);
  }
  BOOST_TEST(std::filesystem::is_empty(terminal.path() / "out"));
  BOOST_TEST(contains(terminal.run({"simulate"}).err, "--explain"));
  BOOST_TEST(
      contains(terminal.run({"simulate", "nothing.toml"}).err, "nothing.toml: the case cannot be read"));
  BOOST_TEST(terminal.run({"simulate", "nothing.toml"}).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(laws_and_methods_that_do_not_fit_the_model_are_refused_with_their_line) {
  const auto refused = [](const OneMass& terminal, const std::string& text, const std::string& reason) {
    const Run run = terminal.simulate(text);
    BOOST_TEST(run.exit_code == 2);
    BOOST_TEST(contains(run.err, reason), "\"" << reason << "\" in: " << run.err);
  };
  const OneMass mass(2, 1), spring(0, 1);
  const std::string contact = changed(sliding, {{"\"dry-friction\"", "\"unilateral\"\nrestitution = 0.5"},
                                                {"lower = -4.0\nupper = 4.0\n", ""}});
  const std::string massless = "mass = \"M.mtx\"\n", rate = "velocity = [0]\n";
  refused(mass, changed(contact, {{"moreau-jean", "implicit-euler"}}),
          "case.toml:12: [integrator] method: The contact \"floor\" has the coefficient of restitution");
  refused(
      mass, changed(contact, {{"moreau-jean", "set-valued-euler"}}),
      "case.toml:12: [integrator] method: The set-valued Euler method needs reactions that are functions");
  refused(mass, changed(contact, {{"restitution", "obstacle = 0.5\nrestitution"}}),
          "case.toml:4: [initial] displacement: The contact \"floor\" starts inside its obstacle");
  refused(spring, changed(contact, {{massless, ""}, {rate, ""}}),
          "case.toml:7: [inclusion] law: The contact \"floor\" has a coefficient of restitution, e = 0.5, "
          "but acts on no mass");
  refused(spring, changed(sliding, {{massless, ""}, {rate, ""}, {"moreau-jean", "set-valued-runge-kutta"}}),
          "into a rate-independent play");
  refused(spring,
          changed(sliding, {{massless, ""}, {rate, ""}, {"velocity = [3.0]", "displacement = [9.0]"}}),
          "case.toml:4: [initial] displacement: The initial displacements of the algebraic degrees of "
          "freedom need");
}

BOOST_AUTO_TEST_CASE(parameters_out_of_range_are_refused_with_their_own_line) {
  const OneMass terminal(2, 0);
  const auto refused = [&](const std::string& law, const std::string& reason) {
    const Run run = terminal.simulate(
        changed(sliding, {{"law = \"dry-friction\"", "law = " + law}, {"lower = -4.0\nupper = 4.0\n", ""}}));
    BOOST_TEST(run.exit_code == 2);
    BOOST_TEST(contains(run.err, reason), "\"" << reason << "\" in: " << run.err);
  };
  refused("\"st-venant\"\nthreshold = -1", "case.toml:9: [inclusion] threshold is -1, but must be");
  refused("\"st-venant\"\nthreshold = \"t - 1\"",
          "case.toml:9: [inclusion] threshold is -1 at 0 s, but must be at least 0.");
  refused("\"static-kinetic\"\nstatic = \"-3\"\nslipping = 1",
          "case.toml:9: [inclusion] static is -3 at 0 s");
  refused("\"static-kinetic\"\nstatic = 3\nslipping = \"-0.5\"",
          "case.toml:10: [inclusion] slipping is -0.5 at 0 s");
  // Of two keys together, the law is to blame: of numbers as of formulas.
  refused("\"static-kinetic\"\nstatic = 3\nslipping = 4",
          "case.toml:8: [inclusion] law: The thresholds of the static-kinetic friction are static = 3 and "
          "slipping = 4 at t = 0 s");
  refused("\"static-kinetic\"\nstatic = 3\nslipping = \"4\"",
          "case.toml:8: [inclusion] law: Inclusion \"floor\": The thresholds of the static-kinetic friction");
  refused("\"weakening\"\nat_rest = 1\nkinetic = 2\nspeed = 1",
          "case.toml:8: [inclusion] law: The parameters of a curve of weakening friction");
  const std::string contact = changed(sliding, {{"\"dry-friction\"\ndirection", "\"coulomb\"\nnormal"},
                                                {"lower = -4.0\n", "tangents = [[{dof = 0}]]\n"},
                                                {"upper = 4.0", "friction = \"-0.3\""}});
  BOOST_TEST(contains(terminal.simulate(contact).err,
                      "case.toml:11: [inclusion] friction is -0.3 at 0 s, but must be at least 0."));
}

BOOST_AUTO_TEST_CASE(parameters_are_looked_at_when_the_case_starts) {
  const OneMass terminal(2, 0);
  const std::string later = changed(sliding, {{"velocity = [3.0]", "velocity = [3.0]\ntime = 5.0"},
                                              {"end = 2.0", "end = 7.0"},
                                              {"upper = 4.0", "upper = \"t - 1\""}});
  BOOST_TEST(terminal.simulate(later).exit_code == 0);
}

BOOST_AUTO_TEST_CASE(velocities_of_algebraic_dofs_are_refused) {
  const OneMass terminal(0, 2);
  const Run run = terminal.simulate(changed(sliding, {{"mass = \"M.mtx\"", ""}, {"velocity = [3.0]", ""}}));
  BOOST_TEST(run.exit_code == 2);
  BOOST_TEST(contains(run.err, "[output] velocity names DoF 0, which is algebraic"), run.err);
}

BOOST_AUTO_TEST_CASE(everything_that_can_be_written_in_a_case_is_explained) {
  const Terminal terminal;
  const Run run = terminal.run({"simulate", "--explain"});
  BOOST_TEST(run.exit_code == 0);
  std::istringstream in(run.out);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  const OneMass cases(2, 0);
  std::size_t n_keys = 0;
  // What refuses a wrong key names all keys that the reader knows there.
  const auto check = [&](const std::string& text) {
    const std::string err = cases.simulate(text).err, list = "Its keys are: ";
    BOOST_REQUIRE_MESSAGE(contains(err, list), err);
    std::istringstream keys(
        err.substr(err.find(list) + list.size(), err.find(". `halfdof") - err.find(list) - list.size()));
    for (std::string key; std::getline(keys >> std::ws, key, ','); ++n_keys)
      BOOST_TEST(
          (std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.rfind("  " + key + ": ", 0) == 0; })),
          key);
  };
  for (const std::string section : {"[system]", "[initial]", "[output]"})
    check(changed(sliding, {{section, section + "\nqqqqqqqq = 1"}}));
  check(std::string(sliding) + "[[load]]\nqqqqqqqq = 1\n");
  check(changed(sliding, {{"dof = 0", "qqqqqqqq = 0"}}));
  check(changed(sliding, {{"-4.0", "{qqqqqqqq = 0}"}}));
  for (const std::string law :
       {"dry-friction", "st-venant", "unilateral", "coulomb", "weakening", "static-kinetic"})
    check(std::string(sliding) + "[[inclusion]]\nlaw = \"" + law + "\"\nqqqqqqqq = 1\n");
  for (const std::string method : {"implicit-euler", "moreau-jean", "generalized-alpha", "event-driven",
                                   "set-valued-euler", "set-valued-runge-kutta", "paoli-schatzman"})
    check(changed(sliding, {{"moreau-jean", method}, {"step = 1e-3", "qqqqqqqq = 1"}}));
  BOOST_TEST(n_keys > 70u);
  BOOST_TEST(contains(run.out, "from 0.5 to 1, default 0.5"));
  BOOST_TEST(contains(run.out, "  st-venant: dry friction with "));
  BOOST_TEST(contains(run.out, "  gaussian: c = exp("));
  BOOST_TEST(contains(run.out, "at most 0, required"));
}

BOOST_AUTO_TEST_CASE(a_verification_that_fails_is_exit_code_1) {
  const OneMass terminal(2, 0);
  const Run run = terminal.simulate(sliding, {"--verify", "--tolerance", "0"});
  BOOST_TEST(run.exit_code == 1);
  BOOST_TEST(contains(run.err, "more than --tolerance 0: "), run.err);
}

BOOST_AUTO_TEST_SUITE_END()
