// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/assembled/files/matrix_market.h>
#include <halfdof/assembled/files/model_files.h>
#include <halfdof/assembled/free_system.h>
#include <halfdof/linear_algebra/eigen/engine.h>

#include "peer.h"
#include <limits>

namespace halfdof::benchmark {

using namespace internal;

/// The matrices of the free DoFs as files for peers, gone with this object.
class PencilFiles {
 public:
  explicit PencilFiles(const FreeSystem<EigenEngine>& system) {
    std::filesystem::create_directory(folder_);
    write_matrix_market(folder_ / "M.mtx", system.M().entries());
    write_matrix_market(folder_ / "C.mtx", system.C().entries());
    write_matrix_market(folder_ / "K.mtx", system.K().entries());
  }
  PencilFiles(const PencilFiles&) = delete;
  PencilFiles& operator=(const PencilFiles&) = delete;
  ~PencilFiles() { std::filesystem::remove_all(folder_); }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / (std::string(program_invocation_short_name) + "_matrices");
};

/// What slepc_pep printed.
struct SlepcRun {
  double seconds;        ///< of one search
  double seconds_twice;  ///< with a second one from another start, by the same factorization
  std::vector<Complex> eigenvalues;
};

inline SlepcRun run_slepc(const Peer& slepc_pep, const std::vector<std::string>& arguments) {
  const PeerResult printed = slepc_pep.run(arguments);
  SlepcRun run{printed.seconds, printed.results.at(0), {}};
  for (std::size_t i = 1; i + 1 < printed.results.size(); i += 2)
    run.eigenvalues.emplace_back(printed.results[i], printed.results[i + 1]);
  return run;
}

/// The largest relative distance of one of the first n of a list, nearest zero, from those of the other one;
/// infinite where one of them is too short.
inline double disagreement(const std::vector<Complex>& ours, const std::vector<Complex>& theirs,
                           std::size_t n) {
  if (std::min(ours.size(), theirs.size()) < n) return std::numeric_limits<double>::infinity();
  const auto distance = [n](const std::vector<Complex>& list, const std::vector<Complex>& other) {
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double nearest = std::numeric_limits<double>::infinity();
      for (const Complex& candidate : other)
        nearest = std::min(nearest, std::abs(list[i] - candidate) / std::abs(list[i]));
      largest = std::max(largest, nearest);
    }
    return largest;
  };
  return std::max(distance(ours, theirs), distance(theirs, ours));
}

}  // namespace halfdof::benchmark
