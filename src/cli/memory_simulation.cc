#include "memory_simulation.h"

#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense_parts.h>
#include <halfdof/memory/contact_regularity.h>
#include <halfdof/memory/memory_hypotheses.h>
#include <halfdof/memory/memory_integrator.h>
#include <halfdof/memory/structure_modes.h>
#include <halfdof/output/progress.h>

#include "case_model.h"
#include "case_plot.h"
#include "case_run.h"
#include "interrupt.h"
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace halfdof::cli {

namespace {

/// Thrown by an observer to leave a run.
struct Interrupted {};

/// Of a start, what the modes do not know; more than this is told.
constexpr double negligible_part = 1e-6;

/// Displacements and rates that modes and coordinates of a checkpoint make agree to this.
constexpr double same_modes = 1e-10;

class MemorySimulation {
 public:
  MemorySimulation(const CaseFile& given, bool resumes)
      : given_(checked(given)),
        files_(given, resumes),
        inclusions_(read_inclusions(given, reduce_case(given))),
        outcome_(outcome_of(given, inclusions_)),
        loads_(read_loads(given, inclusions_.reduced().assembled().n_dofs())),
        found_(given.integrator.with_line("method", [&] { return modes(); })),
        integrator_(given.integrator.with_line("method", [&] { return integrator(); })) {
    inclusions_.reduced().print_summary(std::cout);
    print_warnings(std::cerr, inclusions_.reduced());
    std::cout << '\n'
              << outcome_ << '\n'
              << found_.modes.n_coordinates() - found_.n_fast << " of " << inclusions_.reduced().n_states()
              << " eigenvalues carry the memory";
    if (found_.left_out_compliance > 0)
      std::cout << ", the compliance of the others, at most " << found_.left_out_compliance
                << " displacement/force, "
                << (found_.keeps_compliance ? "is kept"
                                            : "is lost, for a law weakens or has a restitution: keep more "
                                              "eigenvalues if it is not small");
    std::cout << ".\nSmallest damping ratio " << memory_hypotheses(found_.modes).smallest_damping_ratio
              << ", residual of the eigenvectors " << found_.residual << ".\n";
    const std::vector<ContactRegularity> regularity = contact_regularity(found_.at_once);
    for (Index j = 0; j < found_.modes.n_contacts(); ++j)
      std::cout << inclusions_.direction_name(j) << ": " << regularity[static_cast<std::size_t>(j)] << ".\n";
  }

  ExitCode run() {
    MemoryState state =
        files_.resumed() ? gone_on(*files_.resumed(), files_.has_same_integrator()) : started();
    files_.begin(inclusions_);
    const double end = given_.integrator.number("end"), begin = state.time;
    CaseTable& table = files_.table();
    const InterruptWatch watch;
    Progress progress("simulation", end - begin);
    const auto observe = [&](const MemoryState& now) {
      if (table.is_due(now.time))
        table(NonsmoothObservation<Engine>(inclusions_, put_back(now), {}));
      else
        table.pass(now.time);
      progress.update(now.time - begin);
      if (watch.is_interrupted() && now.time < end) throw Interrupted();
    };
    try {
      integrator_.run(state, end, observe);
    } catch (const Interrupted&) {
      progress.leave();
      return files_.leave("interrupted", put_back(state));
    } catch (const std::exception& error) {
      progress.leave();
      std::cout.flush();
      std::cerr << "halfdof: " << error.what() << '\n';
      return files_.leave("stopped", put_back(state));
    }
    progress.finish();
    files_.finish(state.dissipated);
    if (given_.output.has("plot")) plot_table(given_.output.path("file"), given_.output.path("plot"));
    return agreed;
  }

 private:
  /// Before anything costs time.
  static const CaseFile& checked(const CaseFile& given) {
    for (const char* const key : {"interval", "events"})
      if (given.output.has(key))
        given.output.fail(
            key, "is not for memory. Give every, the steps from row to row, or take another method.");
    return given;
  }

  StructureModes modes() const {
    return structure_modes(inclusions_, loads_.places, {}, memory_options(inclusions_, given_.n_eigenvalues));
  }

  MemoryIntegrator integrator() const {
    std::vector<NamedLaw> laws;
    for (const Inclusion& inclusion : inclusions_.acting())
      laws.push_back({inclusion.law, inclusion.name});
    return MemoryIntegrator(found_.modes, std::move(laws), given_.integrator.number("step"),
                            loads_.functions);
  }

  Vector loads_at(double time) const {
    Vector f(static_cast<Eigen::Index>(loads_.functions.size()));
    for (Eigen::Index k = 0; k < f.size(); ++k)
      f[k] = loads_.functions[static_cast<std::size_t>(k)](time);
    return f;
  }

  /// What reactions and loads move besides the modes.
  Vector beyond_modes(const NonsmoothState& at) const {
    return found_.lift(Vector::Zero(found_.Q.cols()), at.r, loads_at(at.time));
  }

  MemoryState started() const {
    const NonsmoothStart start = start_of(given_, inclusions_, outcome_);
    print(std::cout, start);
    return restricted(start);
  }

  /// By the modes, of whatever method.
  MemoryState restricted(const NonsmoothState& from) const {
    const double lost = std::min(found_.beyond(from.y), found_.beyond(from.y - beyond_modes(from)));
    if (lost > negligible_part)
      std::cerr
          << "halfdof: warning: the part " << lost
          << " of the start is not in the eigenvalues that are kept, and is left out. Keep more of them.\n";
    MemoryState state =
        integrator_.start(from.time, found_.restrict(from.y, from.r, loads_at(from.time)), from.r);
    state.contacts = from.contacts;
    state.impulse = from.impulse;
    state.dissipated = from.dissipated;
    return state;
  }

  /// To the same digits where the steps before were of the same integrator, and its modes are found again as they were:
  /// those of one frequency may come out turned.
  MemoryState gone_on(const NonsmoothState& from, bool has_same_integrator) const {
    const Eigen::Index n = found_.modes.n_coordinates(), m = found_.modes.n_contacts();
    if (!has_same_integrator || from.memory.size() != n + 2 * m + 1) return restricted(from);
    const Vector found_again = found_.lift(from.memory.head(n), from.r, loads_at(from.time));
    if ((found_again - from.y).norm() > same_modes * from.y.norm()) {
      std::cout
          << "The modes came out otherwise than in the run before: it goes on from its displacements and "
             "rates.\n";
      return restricted(from);
    }
    MemoryState state;
    state.time = from.time;
    state.r = from.r;
    state.w = from.w;
    state.g = from.g;
    state.impulse = from.impulse;
    state.contacts = from.contacts;
    state.dissipated = from.dissipated;
    state.grid = from.grid;
    state.x = from.memory.head(n);
    state.mean_r = from.memory.segment(n, m);
    state.mean_w = from.memory.segment(n + m, m);
    state.settled = from.memory[n + 2 * m] != 0;
    return state;
  }

  NonsmoothState put_back(const MemoryState& now) const {
    NonsmoothState state;
    state.time = now.time;
    state.y = found_.lift(now.x, now.r, loads_at(now.time));
    state.r = now.r;
    state.w = now.w;
    state.g = now.g;
    state.impulse = now.impulse;
    state.contacts = now.contacts;
    state.dissipated = now.dissipated;
    state.grid = now.grid;
    state.memory = stacked({now.x, now.mean_r, now.mean_w, MultiVector::Constant(1, 1, now.settled)});
    return state;
  }

  const CaseFile& given_;
  CaseRun files_;
  Inclusions<Engine> inclusions_;
  InclusionOutcome outcome_;
  CaseLoads loads_;
  StructureModes found_;
  MemoryIntegrator integrator_;
};

}  // namespace

// Contacts without mass have no impacts, and friction that weakens would make them jump.
StructureModesOptions memory_options(const Inclusions<Engine>& inclusions, Index n_eigenvalues) {
  StructureModesOptions options;
  options.n_eigenvalues = n_eigenvalues;
  for (const Inclusion& inclusion : inclusions.acting()) {
    const bool weakens = inclusion.law->dimension() == 1 && inclusion.law->one_sided_lipschitz_constant() > 0;
    if (weakens || inclusion.law->restitution()) options.keeps_static_compliance = false;
  }
  return options;
}

ExitCode simulate_with_memory(const CaseFile& given, bool resumes) {
  return MemorySimulation(given, resumes).run();
}

}  // namespace halfdof::cli
