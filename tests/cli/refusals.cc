// SPDX-License-Identifier: LGPL-2.1-or-later
// What every verb refuses: exit code 2 and a message on standard error that names what is wrong.
#include <boost/test/unit_test.hpp>

#include "program.h"

using namespace halfdof;
using namespace halfdof::test;

namespace {

void check_refused(const Terminal& terminal, const Arguments& arguments, const std::string& reason) {
  const Run result = terminal.run(arguments);
  BOOST_TEST(result.exit_code == 2);
  BOOST_TEST(contains(result.err, reason), "\"" << reason << "\" in: " << result.err);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(refusals)

BOOST_AUTO_TEST_CASE(no_verb_an_unknown_verb_and_a_wrong_key) {
  const Terminal terminal;
  check_refused(terminal, {}, "The verbs are: inspect, reduce, modes, response, simulate");
  check_refused(terminal, {"condense"}, "There is no verb \"condense\"");
  check_refused(terminal, command("inspect", data_model("engine_mount"), {"--jsn", "file"}),
                "`halfdof inspect` has no option --jsn. Is --json meant?");
  check_refused(terminal, {"modes", "--cuont", "3"}, "`halfdof modes` has no option --cuont");
  check_refused(terminal, {"--mass", "modes"}, "`halfdof` has no option --mass");
  check_refused(terminal, {"--profile"}, "`halfdof` has no option --profile");
  check_refused(terminal, {"simulate", "a.toml", "b.toml"}, "b.toml");
  check_refused(terminal, {"inspect", "--mass", "M.mtx"}, "--stiffness is required");
  check_refused(terminal, command("inspect", data_model("engine_mount"), {"--null-tolerance", "much"}),
                "much");
  check_refused(terminal, command("reduce", data_model("engine_mount")), "--output");
  check_refused(terminal, {"inspect", "--mass", "--stiffness", "K.mtx"}, "missing before --stiffness");
  check_refused(terminal, command("inspect", data_model("engine_mount"), {"--solver", "mumps"}),
                "umfpack,klu");
}

BOOST_AUTO_TEST_CASE(tolerances_and_limits_that_are_no_sizes) {
  const Terminal terminal;
  for (const std::string value : {"nan", "-1", "inf", "1e-3x", ""}) {
    check_refused(terminal, command("modes", data_model("engine_mount"), {"--tolerance", value}),
                  "from zero");
    check_refused(terminal, command("inspect", data_model("engine_mount"), {"--null-tolerance", value}),
                  "from zero");
    check_refused(terminal,
                  command("reduce", data_model("engine_mount"), {"--output", "out", "--max-dense", value}),
                  "above zero");
  }
  for (const std::string value : {"abc", "nan", "2x"})
    check_refused(terminal, command("modes", data_model("engine_mount"), {"--shift", value}), "-1+20i");
  check_refused(terminal, command("modes", data_model("engine_mount"), {"--shift", "1e200i"}),
                "--shift 1e200i");
}

BOOST_AUTO_TEST_CASE(outputs_that_would_replace_what_is_read) {
  const Terminal terminal;
  const Arguments model = terminal.model(engine_mount());
  const std::string K = text_of(terminal.path() / "K.mtx");
  const Arguments response = {"--input", "0", "--output", "0", "--from", "1", "--to", "2"};
  const auto with = [](Arguments first, const Arguments& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
  };
  std::filesystem::create_symlink("K.mtx", terminal.path() / "link.mtx");
  for (const std::string name : {"K.mtx", "./K.mtx", "new/../K.mtx", "link.mtx"}) {
    check_refused(terminal, command("inspect", model, {"--json", name}), "--stiffness reads");
    check_refused(terminal, command("modes", model, {"--json", name}), "--stiffness reads");
    check_refused(terminal, command("response", model, with(response, {"--csv", name})), "--stiffness reads");
    check_refused(terminal, command("response", model, with(response, {"--csv", "r.csv", "--plot", name})),
                  name + " does not end in .png");
  }
  BOOST_TEST(text_of(terminal.path() / "K.mtx") == K);
  check_refused(terminal, command("response", model, with(response, {"--csv", "r.png", "--plot", "./r.png"})),
                "the same file");
  const auto list = terminal.file("constrained.txt", "0\n");
  check_refused(terminal, command("reduce", model, {"--constrained", "constrained.txt", "--output", "."}),
                "--constrained reads");
  terminal.file("A.mtx", "mine");
  check_refused(terminal, command("reduce", model, {"--output", "."}), "A.mtx");
  BOOST_TEST(text_of(list) == "0\n");
  BOOST_TEST(text_of(terminal.path() / "A.mtx") == "mine");
}

BOOST_AUTO_TEST_CASE(outputs_that_cannot_be_written_are_found_before_anything_is_read) {
  const Terminal terminal;
  terminal.file("taken", "mine");
  const Arguments missing = {"--stiffness", "missing.mtx"};
  for (const std::string name : {"/proc/x", ".", "taken/x", "new/"}) {
    check_refused(terminal, command("inspect", missing, {"--json", name}), name == "." ? "directory" : name);
    check_refused(terminal,
                  command("response", missing,
                          {"--input", "0", "--output", "0", "--from", "1", "--to", "2", "--csv", name}),
                  name == "." ? "directory" : name);
  }
  check_refused(terminal, command("reduce", missing, {"--output", "taken"}), "taken/");
  BOOST_TEST(!std::filesystem::exists(terminal.path() / "new"));
}

BOOST_AUTO_TEST_CASE(folders_that_do_not_exist_are_named_and_not_made) {
  const Terminal terminal;
  std::filesystem::create_directory(terminal.path() / "results");
  const Arguments model = terminal.model(engine_mount());
  const Arguments response = command("response", model,
                                     {"--input", "0", "--output", "0", "--from", "1", "--to", "2", "--csv",
                                      "H.csv", "--plot", "reslts/H.png"});
  check_refused(terminal, response, "reslts: there is no such folder, where --plot would write H.png");
  for (const char* const verb : {"inspect", "modes"})
    check_refused(terminal, command(verb, model, {"--json", "reslts/deep/x.json"}),
                  "reslts/deep: there is no such folder, where --json would write x.json");
  check_refused(terminal, command("reduce", model, {"--output", "reslts/reduced/"}),
                "reslts: there is no such folder, where --output would write reduced");
  BOOST_TEST(!std::filesystem::exists(terminal.path() / "reslts"));
  BOOST_TEST(!std::filesystem::exists(terminal.path() / "H.csv"));
  BOOST_TEST(terminal.run(command("reduce", model, {"--output", "results/reduced/"})).exit_code == 0);
  BOOST_TEST(std::filesystem::exists(terminal.path() / "results/reduced/A.mtx"));
}

BOOST_AUTO_TEST_CASE(tables_that_cannot_be_printed) {
  const Terminal terminal;
  const std::string command = std::string("'") + HALFDOF_PROGRAM + "' --help >/dev/full 2>'" +
                              (terminal.path() / "stderr.txt").string() + "'";
  const int status = std::system(command.c_str());
  BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 2));
  BOOST_TEST(contains(text_of(terminal.path() / "stderr.txt"), "standard output"));
}

BOOST_AUTO_TEST_CASE(missing_truncated_and_malformed_files_are_named_with_their_line) {
  const Terminal terminal;
  check_refused(terminal, {"inspect", "--stiffness", "nothing.mtx"}, "nothing.mtx");
  terminal.file("short.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 1\n2 2 1\n");
  check_refused(terminal, {"inspect", "--stiffness", "short.mtx"}, "short.mtx:");
  terminal.file("word.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 one\n");
  check_refused(terminal, {"inspect", "--stiffness", "word.mtx"}, "word.mtx:3");
  terminal.file("complex.mtx", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 2\n");
  check_refused(terminal, {"inspect", "--mass", "complex.mtx", "--stiffness", "complex.mtx"}, "is complex");
  terminal.file("nan.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 nan\n");
  check_refused(terminal, {"inspect", "--stiffness", "nan.mtx"}, "nan.mtx:4");
}

BOOST_AUTO_TEST_CASE(matrices_that_are_not_square_or_differ_in_size) {
  const Terminal terminal;
  terminal.model(engine_mount());
  terminal.file("wide.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 1\n1 1 1\n");
  check_refused(terminal, {"inspect", "--stiffness", "wide.mtx"}, "not square");
  terminal.file("two.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n");
  check_refused(terminal, {"inspect", "--mass", "two.mtx", "--stiffness", "K.mtx"}, "2 x 2");
  terminal.file("empty.mtx", "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
  check_refused(terminal, {"inspect", "--stiffness", "empty.mtx"}, "empty");
}

BOOST_AUTO_TEST_CASE(constrained_dofs_out_of_range_or_no_numbers) {
  const Terminal terminal;
  terminal.file("far.txt", "0\n3\n");
  terminal.file("negative.txt", "-1\n");
  terminal.file("word.txt", "# nodes\nfirst\n");
  for (const std::string name : {"far.txt:2", "negative.txt:1", "word.txt:2"})
    check_refused(
        terminal,
        command("inspect", data_model("engine_mount"), {"--constrained", name.substr(0, name.find(':'))}),
        name);
}

BOOST_AUTO_TEST_CASE(help_and_version_are_no_mistakes) {
  const Terminal terminal;
  const Run help = terminal.run({"--help"});
  BOOST_TEST(help.exit_code == 0);
  BOOST_TEST(contains(help.out, "Exit codes"));
  BOOST_TEST(contains(help.out, "halfdof [OPTIONS] VERB"), help.out);
  for (const std::string verb : {"inspect", "reduce", "modes", "response"}) {
    const Run verb_help = terminal.run({verb, "--help"});
    BOOST_TEST(verb_help.exit_code == 0);
    BOOST_TEST(contains(verb_help.out, "halfdof " + verb + " --mass M.mtx"), verb_help.out);
  }
  const Run version = terminal.run({"--version"});
  BOOST_TEST(version.exit_code == 0);
  BOOST_TEST(version.out == std::string("halfdof ") + HALFDOF_PROJECT_VERSION + "\n");
}

BOOST_AUTO_TEST_SUITE_END()
