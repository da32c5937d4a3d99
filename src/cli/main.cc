// SPDX-License-Identifier: LGPL-2.1-or-later
#include <halfdof/base/errors.h>
#include <halfdof/base/printable.h>
#include <halfdof/base/profile.h>
#include <halfdof/base/types.h>

#include <fcntl.h>
#include <unistd.h>

#include "case_keys.h"
#include "exit_code.h"
#include "out_of_memory.h"
#include "verbs.h"
#include <algorithm>
#include <cctype>
#include <csignal>
#include <exception>
#include <iostream>
#include <sstream>
#include <vector>

namespace {

using namespace halfdof;
using namespace halfdof::internal;
using namespace halfdof::cli;

const char* const exit_codes =
    "Degrees of freedom (DoFs) are 0-based assembled indices; only .mtx files count from 1.\n"
    "Tables go to standard output, messages to standard error.\n\n"
    "Exit codes:\n"
    "  0  done; where two results were compared, they agree\n"
    "  1  falls short: the results do not agree or cannot be checked, an iteration did not converge,\n"
    "     a frequency has no response, the reduced matrices lack an eigenvalue or an output;\n"
    "     a simulation was interrupted, failed in a step, or does not pass --verify\n"
    "  2  bad input: an option, a file or the request is wrong\n"
    "  3  singular: the half DoFs cannot be eliminated, or a matrix is singular\n\n"
    "`halfdof VERB --help` explains a verb and shows an example.";

int report(const std::exception& error, ExitCode code) {
  std::cout.flush();
  std::cerr << "halfdof: " << printable(message_of(error)) << '\n';
  return code;
}

/// Returns the first remaining argument that looks like an option.
std::string unknown_option(const CLI::App& app) {
  const std::vector<std::string> all = app.remaining_for_passthrough();
  const auto is_option = [](const std::string& text) {
    return text.size() > 1 && text[0] == '-' &&
           (text[1] == '-' || std::isalpha(static_cast<unsigned char>(text[1])));
  };
  const auto found = std::find_if(all.begin(), all.end(), is_option);
  return found == all.end() ? "" : *found;
}

/// Refuses unknown options. CLI11 would report missing options first, and would list all arguments after the
/// unknown option.
void check_options(const CLI::App& app, const std::string& call) {
  if (const std::string unknown = unknown_option(app); !unknown.empty()) {
    std::vector<std::string> known;
    for (const CLI::Option* const option : app.get_options())
      if (!option->get_lnames().empty()) known.push_back("--" + option->get_lnames()[0]);
    const std::string near = nearest(unknown, known);
    throw InvalidInput("`" + call + "` has no option " + unknown + "." +
                       (near.empty() ? "" : " Is " + near + " meant?") + " `" + call +
                       " --help` lists them all.");
  }
  for (const CLI::App* const verb : app.get_subcommands())
    check_options(*verb, call + " " + verb->get_name());
}

/// Refuses an unknown verb. CLI11 would only report that a subcommand is required.
void check_verb(const CLI::App& program, const std::string& name) {
  std::string names;
  for (const CLI::App* const verb : program.get_subcommands({})) {
    if (!name.empty() && verb->check_name(name)) return;
    names += (names.empty() ? "" : ", ") + verb->get_name();
  }
  throw InvalidInput((name.empty() ? "A verb is required." : "There is no verb \"" + name + "\".") +
                     " The verbs are: " + names + ". `halfdof --help` explains them.");
}

/// Returns the command line as a shell takes it.
std::string command_line(int argc, char** argv) {
  const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  std::string all = "halfdof";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    all += ' ';
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
      all += word;
      continue;
    }
    all += '\'';
    for (const char c : word)
      all += c == '\'' ? std::string("'\\''") : std::string(1, c);
    all += '\'';
  }
  return all;
}

int run(int argc, char** argv) {
  int exit_code = agreed;
  CLI::App program("Eliminates degrees of freedom without inertia from M q'' + C q' + K q = f, exactly.",
                   "halfdof");
  program.set_version_flag("--version", std::string("halfdof ") + version());
  program.require_subcommand(1);
  program.get_formatter()->label("SUBCOMMAND", "VERB");
  program.footer(exit_codes);
  add_inspect(program, exit_code);
  add_reduce(program, exit_code);
  add_modes(program, exit_code);
  add_response(program, exit_code);
  add_simulate(program, exit_code);
  add_kernel(program, exit_code);
  add_prony(program, exit_code);
  add_convert(program, exit_code);
  add_report(program, exit_code, command_line(argc, argv));
  bool profiles = false;
  for (CLI::App* const verb : program.get_subcommands({})) {
    verb->group("Verbs");
    verb->add_flag("--profile", profiles, "print where the time and memory went, to standard error");
  }
  program.parse_complete_callback([&] {
    if (profiles) Profile::of_process().start();
  });
  const std::string first = argc > 1 ? argv[1] : "";
  if (first.empty() || first[0] != '-') check_verb(program, first);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) {
      check_options(program, "halfdof");
      if (program.get_subcommands().empty()) check_verb(program, "");
    }
    if (error.get_exit_code() != 0) std::cerr << "halfdof: ";
    std::ostringstream message;
    const int code = program.exit(error, std::cout, message);
    std::cerr << printable(message.str());
    return code == 0 ? agreed : bad_input;
  }
  return exit_code;
}

/// Occupies closed standard streams, so that no file that is opened later gets the descriptor of a standard
/// stream. The replacement of standard input cannot be read, that of the other streams cannot be written.
void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0)
      static_cast<void>(open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

/// Ignores the signals of pipes without a reader and of files that are too large: write() then returns an
/// error, and a table or a checkpoint can still be completed.
void take_failed_writes_as_errors() {
  for (const int signal : {SIGPIPE, SIGXFSZ})
    std::signal(signal, SIG_IGN);
}

int run_and_report(int argc, char** argv) {
  try {
    const int exit_code = run(argc, argv);
    if (exit_code == 0) throw_if_allocation_failed();
    return exit_code;
  } catch (const SingularElimination& error) {
    return report(error, singular);
  } catch (const SingularMatrix& error) {
    return report(error, singular);
  } catch (const NoConvergence& error) {
    return report(error, falls_short);
  } catch (const BlowUp& error) {
    return report(error, falls_short);
  } catch (const Error& error) {
    return report(error, bad_input);
  } catch (const std::exception& error) {
    return report(error, falls_short);
  }
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  take_failed_writes_as_errors();
  take_missing_memory_as_errors();
  reserve_memory_of_blas();
  keep_freed_memory();
  const int exit_code = run_and_report(argc, argv);
  if (Profile::of_process().is_on()) {
    std::cout.flush();
    std::cerr << '\n' << Profile::of_process();
  }
  if (std::cout.flush()) return exit_code;
  std::cerr
      << "halfdof: the tables could not be written to standard output: the disk is full, or it is closed.\n";
  return exit_code == agreed ? bad_input : exit_code;
}
