// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/matrix_market.h>

#include <nlohmann/json.hpp>

#include <sys/wait.h>

#include "eigen_systems.h"
#include "support/scratch_folder.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace halfdof::test {

using Arguments = std::vector<std::string>;

/// What a run of the program left.
struct Run {
  int exit_code;
  std::string out;  ///< standard output
  std::string err;  ///< standard error
};

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A folder with models in it, in which the real program is run.
class Terminal : public ScratchFolder {
 public:
  /// @param before Of the shell, before and in front of the program
  Run run(const Arguments& arguments, const std::string& before = "") const {
    std::string command = "cd " + quoted(path().string()) + " && " + before + quoted(HALFDOF_PROGRAM);
    for (const std::string& argument : arguments)
      command += " " + quoted(argument);
    const int status = std::system((command + " >stdout.txt 2>stderr.txt").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(path() / "stdout.txt"),
            text_of(path() / "stderr.txt")};
  }

  /// Writes M.mtx, C.mtx, K.mtx and returns the options that name them.
  Arguments model(const DenseSystem& system) const {
    write_matrix_market(path() / "M.mtx", matrix_of<EigenEngine>(system.M).entries());
    write_matrix_market(path() / "C.mtx", matrix_of<EigenEngine>(system.C).entries());
    write_matrix_market(path() / "K.mtx", matrix_of<EigenEngine>(system.K).entries());
    return {"--mass", "M.mtx", "--damping", "C.mtx", "--stiffness", "K.mtx"};
  }

  /// Runs `verb model... more... --json result.json` and parses the file.
  nlohmann::json json(const std::string& verb, const Arguments& model, const Arguments& more = {},
                      int expected_exit_code = 0) const;

 private:
  static std::string quoted(const std::string& text) { return "'" + text + "'"; }
};

/// verb, then the lists one after the other.
inline Arguments command(const std::string& verb, const Arguments& model, const Arguments& more = {}) {
  Arguments all = {verb};
  all.insert(all.end(), model.begin(), model.end());
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// The files of tests/data/<name>/.
inline Arguments data_model(const std::string& name) {
  const std::string folder = std::string(HALFDOF_TEST_DATA) + "/" + name + "/";
  return {"--mass", folder + "M.mtx", "--damping", folder + "C.mtx", "--stiffness", folder + "K.mtx"};
}

inline nlohmann::json Terminal::json(const std::string& verb, const Arguments& model, const Arguments& more,
                                     int expected_exit_code) const {
  Arguments arguments = command(verb, model, more);
  arguments.insert(arguments.end(), {"--json", "result.json"});
  const Run result = run(arguments);
  if (result.exit_code != expected_exit_code)
    throw std::runtime_error("exit code " + std::to_string(result.exit_code) + ": " + result.err);
  return nlohmann::json::parse(text_of(path() / "result.json"));
}

}  // namespace halfdof::test
