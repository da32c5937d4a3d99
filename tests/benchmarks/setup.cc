// SPDX-License-Identifier: LGPL-2.1-or-later
// From assembled matrices to a reduced system: what the elimination costs beside the calls of CHOLMOD that a
// program would make which knows its blocks, and beside factorizations of D as a whole by KLU's, UMFPACK's
// and, in a process of its own, MUMPS' own calls. Symmetric systems, then unsymmetric ones. Usage:
// benchmark_setup [cells along an edge of the square] [of the cube]
//
// Above 5e4 DoFs in 3D KLU and UMFPACK are left out: they take minutes.

#include <halfdof/base/profile.h>
#include <halfdof/reduction/mixed_column_matrix.h>
#include <halfdof/reduction/reduced_system.h>

#include "memory.h"
#include "peer.h"
#include "piezoelectric_body.h"
#include "raw_cholmod.h"
#include "raw_lu.h"
#include "report.h"
#include "timing.h"
#include <algorithm>
#include <limits>

using namespace halfdof;
using namespace halfdof::internal;
using benchmark::seconds;

namespace {

using System = AssembledSystem<EigenEngine>;

constexpr int most_dofs_for_unsymmetric_lu_in_3d = 50000;

/// As often for the peers as for ours.
constexpr int n_repetitions = 5;

template <class Figure>
double least_of_some(const Figure& figure) {
  double least = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < n_repetitions; ++repetition)
    least = std::min(least, figure());
  return least;
}

template <class Work>
double best_of_some(const Work& work) {
  return least_of_some([&] { return seconds(work); });
}

/// Processor time of some stages of a reduction, wherever they run.
double of_stages(const System& system, const std::vector<std::string>& names) {
  Profile::of_process().start();
  reduce(system);
  Profile::of_process().stop();
  double sum = 0;
  for (const ProfiledStage& stage : Profile::of_process().stages())
    if (std::find(names.begin(), names.end(), stage.name) != names.end()) sum += stage.processor;
  return sum;
}

/// D and a right-hand side, and what reduced system and peers make of them.
class WholeMatrix {
 public:
  explicit WholeMatrix(const ReducedSystem<EigenEngine>& reduced)
      : D_(matrix(reduced)),
        b_(Vector::Random(D_.rows().n_local())),
        x_(reduced.highest_derivatives(Vector::Zero(reduced.n_local_states()), b_)) {}

  static EigenMatrix matrix(const ReducedSystem<EigenEngine>& reduced) {
    const FreeSystem<EigenEngine>& free = reduced.free();
    return EigenEngine::select_columns(free.M(), free.C(), free.K(),
                                       column_sources(reduced.classification(), free.dofs().n_local()));
  }

  struct Outcome {
    std::string peer;
    double seconds, disagreement;
  };

  /// @param Raw RawKlu, RawUmfpack
  template <class Raw>
  Outcome by(const std::string& name) const {
    const double time = best_of_some([&] { Raw(D_.entries()).factorize(); });
    Raw factors(D_.entries());
    factors.factorize();
    return {name + " on D", time, disagreement(factors.solve(b_))};
  }

  Outcome by(const benchmark::Peer& mumps) const {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "halfdof_benchmark_setup";
    write(file);
    benchmark::PeerResult result;
    const double time = least_of_some([&] {
      result = mumps.run({file.string(), "0"});
      return result.seconds;
    });
    std::filesystem::remove(file);
    const auto n = static_cast<Eigen::Index>(b_.size());
    return {"MUMPS on D", time, disagreement(Eigen::Map<const Vector>(&result.results.at(1), n))};
  }

 private:
  double disagreement(const MultiVector& x) const { return (x - x_).norm() / x.norm(); }

  /// As peers/mumps_factorize.cc reads it.
  void write(const std::filesystem::path& file) const {
    const EigenMatrix::Entries& D = D_.entries();
    std::vector<int> rows, columns;
    for (Index j = 0; j < D.cols(); ++j)
      for (EigenMatrix::Entries::InnerIterator entry(D, j); entry; ++entry) {
        rows.push_back(static_cast<int>(entry.row()) + 1);
        columns.push_back(j + 1);
      }
    const std::vector<std::int64_t> sizes{D.cols(), D.nonZeros()};
    std::ofstream out(file, std::ios::binary);
    const auto put = [&](const auto* first, std::size_t n) {
      out.write(reinterpret_cast<const char*>(first), static_cast<std::streamsize>(n * sizeof(*first)));
    };
    put(sizes.data(), 2);
    put(rows.data(), rows.size());
    put(columns.data(), columns.size());
    put(D.valuePtr(), rows.size());
    put(b_.data(), static_cast<std::size_t>(b_.size()));
  }

  EigenMatrix D_;
  Vector b_;
  MultiVector x_;
};

std::vector<WholeMatrix::Outcome> by_all(const WholeMatrix& D, bool is_large,
                                         const std::optional<benchmark::Peer>& mumps) {
  std::vector<WholeMatrix::Outcome> outcomes;
  if (!is_large) {
    outcomes.push_back(D.by<benchmark::RawKlu>("KLU"));
    outcomes.push_back(D.by<benchmark::RawUmfpack>("UMFPACK"));
  }
  if (mumps) outcomes.push_back(D.by(*mumps));
  return outcomes;
}

template <int dim>
bool is_large(const System& system) {
  return dim == 3 && system.n_dofs() > most_dofs_for_unsymmetric_lu_in_3d;
}

template <int dim>
void symmetric(int n_cells, const std::optional<benchmark::Peer>& mumps, benchmark::Report& report) {
  const System system = benchmark::PiezoelectricBody<dim>(n_cells).assemble();
  const std::string model = std::to_string(dim) + "D, " + std::to_string(system.n_dofs()) + " DoFs";
  const double ours = best_of_some([&] { reduce(system); });

  const double before = least_of_some([&] {
    return of_stages(system, {"take out constrained DoFs", "classify", "select blocks of D"});
  });
  const ReducedSystem<EigenEngine> reduced = reduce(system);
  const FreeSystem<EigenEngine>& free = reduced.free();
  const Classification& kinds = reduced.classification();
  const auto block = [&](const EigenMatrix& A, const Selection& of) {
    return EigenEngine::submatrix(A, of, of);
  };
  const EigenMatrix M_II = block(free.M(), kinds.inertial());
  const EigenMatrix::Storage negative_K_KK = -block(free.K(), kinds.algebraic()).entries();
  const double raw = best_of_some([&] {
    benchmark::RawCholmod(M_II.entries()).factorize();
    benchmark::RawCholmod(negative_K_KK).factorize();
  });
  report.add(
      {"all before the factorization", model, "a tenth of CHOLMOD on the blocks", before, 0.1 * raw, 1.});
  report.add({"elimination", model, "CHOLMOD on the blocks", ours, raw, 1 / 1.1});

  for (const WholeMatrix::Outcome& of : by_all(WholeMatrix(reduced), is_large<dim>(system), mumps)) {
    const double goal = of.peer == "KLU on D" && dim == 2     ? 2.5
                        : of.peer == "MUMPS on D" && dim == 3 ? 10.
                                                              : 1.;
    report.add({"elimination", model, of.peer, ours, of.seconds, goal, of.disagreement});
  }
}

/// Beside the best of all that can factorize D.
template <int dim>
void unsymmetric(int n_cells, const std::string& name, const benchmark::Unsymmetric& terms,
                 const std::optional<benchmark::Peer>& mumps, benchmark::Report& report) {
  const System system = benchmark::PiezoelectricBody<dim>(n_cells, terms).assemble();
  const std::string model =
      std::to_string(dim) + "D " + name + ", " + std::to_string(system.n_dofs()) + " DoFs";
  const double ours = best_of_some([&] { reduce(system); });
  const auto all = by_all(WholeMatrix(reduce(system)), is_large<dim>(system), mumps);
  const auto best = std::min_element(all.begin(), all.end(),
                                     [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
  if (best != all.end())
    report.add(
        {"elimination", model, "the best: " + best->peer, ours, best->seconds, 1 / 1.1, best->disagreement});
}

constexpr benchmark::PoreFluid pore_fluid{0.5, 0.1, 0.5, 0.};
constexpr benchmark::PoreFluid fluid_with_inertia{0.5, 0.1, 0.5, 0.2};

template <int dim>
void unsymmetric(int n_cells, const std::optional<benchmark::Peer>& mumps, benchmark::Report& report) {
  unsymmetric<dim>(n_cells, "gyroscopic", {0.5, 0.05}, mumps, report);
  unsymmetric<dim>(n_cells, "poroelastic", {0, 0, pore_fluid}, mumps, report);
  unsymmetric<dim>(n_cells, "with fluid inertia", {0, 0, fluid_with_inertia}, mumps, report);
}

/// Peak and what stays in the factors [bytes]. In a process of its own. @param who "ours", or KLU on D
template <int dim>
int print_memory(const std::string& who, int n_cells) {
  const System system = benchmark::PiezoelectricBody<dim>(n_cells).assemble();
  double peak = 0, factors = 0;
  if (who == "ours") {
    std::optional<ReducedSystem<EigenEngine>> reduced;
    peak = benchmark::peak_memory([&] { reduced.emplace(reduce(system)); });
    for (const EliminationBlock& block : reduced->elimination().blocks())
      factors += block.factorization.bytes;
  } else {
    const ReducedSystem<EigenEngine> reduced = reduce(system);
    WholeMatrix::matrix(reduced);  // so that M, C and K of the free DoFs are there, which are not KLU's
    EigenMatrix D;
    std::optional<benchmark::RawKlu> klu;
    peak = benchmark::peak_memory([&] {
      D = WholeMatrix::matrix(reduced);
      klu.emplace(D.entries()).factorize();
    });
    factors = klu->bytes();
  }
  std::cout << peak << '\n' << factors << '\n';
  return EXIT_SUCCESS;
}

template <int dim>
void memory(int n_cells, benchmark::Report& report) {
  const int n_dofs = benchmark::PiezoelectricBody<dim>(n_cells).n_dofs();
  const std::string model = std::to_string(dim) + "D, " + std::to_string(n_dofs) + " DoFs";
  const auto megabytes = [&](const char* who) {
    const benchmark::PeerResult result =
        benchmark::Peer::itself().run({"memory", who, std::to_string(dim), std::to_string(n_cells)});
    return std::make_pair(result.seconds / 1e6, result.results.at(0) / 1e6);
  };
  const auto ours = megabytes("ours"), klu = megabytes("klu");
  report.add({"peak memory beyond M, C, K [MB]", model, "KLU on D", ours.first, klu.first, 2., 0., 0., "MB"});
  report.add({"memory of the factors [MB]", model, "KLU on D", ours.second, klu.second, 2., 0., 0., "MB"});
}

}  // namespace

int main(int n_arguments, char** arguments) {
  if (n_arguments == 5 && arguments[1] == std::string("memory")) {
    const bool is_square = arguments[3] == std::string("2");
    return is_square ? print_memory<2>(arguments[2], std::atoi(arguments[4]))
                     : print_memory<3>(arguments[2], std::atoi(arguments[4]));
  }
  const int square = n_arguments > 1 ? std::atoi(arguments[1]) : 158;
  const int cube = n_arguments > 2 ? std::atoi(arguments[2]) : 14;
  const auto mumps = benchmark::Peer::find("mumps_factorize");
  benchmark::Report report;
  memory<2>(square, report);
  memory<3>(std::min(cube, 16), report);
  symmetric<2>(square, mumps, report);
  symmetric<3>(cube, mumps, report);
  unsymmetric<2>(square, mumps, report);
  unsymmetric<3>(std::min(cube, 16), mumps, report);
}
