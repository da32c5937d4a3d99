// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/base/errors.h>

#include <stdio.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace halfdof::benchmark {

/// What a peer in a process of its own printed: how long it took, then its results.
struct PeerResult {
  double seconds;               ///< by its own clock of processor time
  std::vector<double> results;  ///< in the order in which it printed them
};

/**
 * A program of another library, made by the project in the folder peers, that prints numbers alone. In a
 * process of its own, since two libraries may bring two versions of a third.
 */
class Peer {
 public:
  /// The peer of that name in the folder that the environment names as HALFDOF_PEERS; without it, says so.
  static std::optional<Peer> find(const std::string& name) {
    const char* const folder = std::getenv("HALFDOF_PEERS");
    if (!folder) {
      std::cerr << name << " is left out: the environment names no folder of peers as HALFDOF_PEERS.\n";
      return std::nullopt;
    }
    const std::filesystem::path program = std::filesystem::path(folder) / name;
    if (!std::filesystem::exists(program)) {
      std::cerr << name << " is left out: there is no " << program << ".\n";
      return std::nullopt;
    }
    return Peer(program);
  }

  /// The program that runs, in another process.
  static Peer itself() { return Peer(std::filesystem::read_symlink("/proc/self/exe")); }

  /// Starts it and waits for its end. @param arguments Words without blanks or quotes
  /// @throws Error if it fails or prints nothing
  PeerResult run(const std::vector<std::string>& arguments) const {
    std::string command = '"' + program_.string() + '"';
    for (const std::string& argument : arguments)
      command += ' ' + argument;
    FILE* const output = popen(command.c_str(), "r");
    if (!output) throw Error("No process could be started for " + command + ".");
    std::vector<double> numbers;
    for (double number = 0; fscanf(output, "%lf", &number) == 1;)
      numbers.push_back(number);
    const int status = pclose(output);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS || numbers.empty())
      throw Error(command + " failed, or printed no number.");
    return {numbers.front(), {numbers.begin() + 1, numbers.end()}};
  }

 private:
  explicit Peer(std::filesystem::path program) : program_(std::move(program)) {}

  std::filesystem::path program_;
};

}  // namespace halfdof::benchmark
