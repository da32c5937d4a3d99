// SPDX-License-Identifier: LGPL-2.1-or-later
#include "memory_simulation.h"

#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/ranks/dense_parts.h>
#include <halfdof/memory/contact_modes.h>
#include <halfdof/memory/memory_hypotheses.h>
#include <halfdof/memory/modal_memory.h>
#include <halfdof/plots/progress.h>

#include "case_model.h"
#include "case_plot.h"
#include "case_run.h"
#include "case_verification.h"
#include "interrupt.h"
#include "out_of_memory.h"
#include "refined_run.h"
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace halfdof::cli {

using namespace internal;

namespace {

/// Exception by which an observer ends a run.
struct Interrupted {};

/// Largest part of a start outside the modes without a warning.
constexpr double negligible_part = 1e-6;

class MemorySimulation {
 public:
  MemorySimulation(const CaseFile& given, bool resumes, const std::optional<CaseVerification>& asked)
      : given_(checked(given)),
        asked_(asked),
        files_(given, resumes),
        inclusions_(read_inclusions(given, reduce_case(given))),
        outcome_(outcome_of(given, inclusions_)),
        loads_(read_loads(given, inclusions_.reduced().assembled())),
        method_(given.integrator.with_line("method", [&] { return method(); })) {
    if (asked_) verification_.emplace(method_, (given.settings.end - given.begin) / samples_of_run);
    inclusions_.reduced().print_summary(std::cout);
    print_warnings(std::cerr, inclusions_.reduced());
    std::cout << '\n' << outcome_ << '\n';
    print_modes();
  }

  ExitCode run() {
    MemoryState state =
        files_.resumed() ? gone_on(*files_.resumed(), files_.has_same_integrator()) : started();
    files_.begin(inclusions_);
    if (asked_ && asked_->repeats)
      refined_.emplace(std::make_unique<MemoryMethod<Engine>>(inclusions_, outcome_, method_.structure(),
                                                              step_of(refined(given_)), loads_.functions),
                       refinement_text(given_), method_.reduced_state(state));
    const double end = given_.settings.end, begin = state.time;
    const InterruptWatch watch;
    Progress progress("simulation", end - begin);
    const auto observe = [&](const MemoryState& now) {
      record(now);
      progress.update(now.time - begin);
      if (files_.is_checkpoint_due()) files_.write(method_.reduced_state(now));
      if (watch.is_interrupted() && now.time < end) throw Interrupted();
    };
    try {
      method_.integrator().run(state, end, observe);
      progress.finish();
      files_.finish(state.dissipated);
    } catch (const Interrupted&) {
      progress.leave();
      return files_.leave("interrupted", method_.reduced_state(state));
    } catch (const std::exception& error) {
      progress.leave();
      return files_.leave("stopped", method_.reduced_state(state), message_of(error));
    }
    print_omitted();
    const auto resumed = files_.resumed() ? std::optional<double>(files_.resumed()->time) : std::nullopt;
    const bool passes =
        !verification_ || passes_verification(given_, *verification_, method_, resumed, *asked_);
    if (given_.output.has("plot")) plot_table(given_);
    const bool is_repeated = !refined_ || refined_->agrees(std::cout, asked_->step);
    return passes && is_repeated ? agreed : falls_short;
  }

 private:
  /// Checks the case before the modes are computed.
  static const CaseFile& checked(const CaseFile& given) {
    if (given.output.has("interval"))
      given.output.fail("interval",
                        "is not available for memory. Give every, the number of steps from row to row, or "
                        "take another method.");
    return given;
  }

  MemoryMethod<Engine> method() const {
    return MemoryMethod<Engine>(
        inclusions_, outcome_,
        structure_modes(inclusions_, loads_.places, {}, memory_options(inclusions_, given_.n_eigenvalues)),
        *given_.settings.step, loads_.functions);
  }

  void print_modes() const {
    const StructureModes& found = method_.structure();
    if (inclusions_.reduced().n_states() > 0) print_eigenvalues(found);
    const std::vector<ContactRegularity> regularity = contact_regularity(found.instantaneous_responses);
    for (Index j = 0; j < found.modes.n_contacts(); ++j)
      std::cout << inclusions_.direction_name(j) << ": " << regularity[static_cast<std::size_t>(j)] << ".\n";
  }

  void print_eigenvalues(const StructureModes& found) const {
    std::cout << found.modes.n_coordinates() - found.n_fast << " of " << inclusions_.reduced().n_states()
              << " eigenvalues are kept for the memory";
    if (found.omitted_compliance > 0)
      std::cout << ", the compliance of the others, at most " << found.omitted_compliance
                << " displacement/force, "
                << (found.keeps_compliance ? "is kept"
                                           : "is neglected, because a law weakens or has a coefficient of "
                                             "restitution: keep more eigenvalues if it is not small");
    std::cout << ".\nSmallest damping ratio " << memory_hypotheses(found.modes).smallest_damping_ratio
              << ", residual of the eigenvectors " << found.residual << ".\n";
  }

  /// Prints bounds of the errors by omitted eigenvalues in the displacements of contacts.
  void print_omitted() const {
    if (method_.structure().omitted_sizes.size() == 0) return;
    for (Index j = 0; j < inclusions_.n_directions(); ++j)
      std::cout << "The omitted eigenvalues would change the displacement of "
                << inclusions_.direction_name(j) << " by at most "
                << method_.structure().omitted_motion(j, variations_, largest_)
                << "; its largest displacement relative to its support is " << moved_[j] << ".\n";
  }

  /// Passes a point to the table and the verification.
  void record(const MemoryState& now) {
    update_error_bounds(now);
    CaseTable& table = files_.table();
    const std::vector<ContactEvent> events =
        before_ ? method_.integrator().events(*before_, now) : std::vector<ContactEvent>();
    before_ = now;
    const bool is_due = table.is_due(now.time), is_seen = is_due || table.has_sums() || !events.empty();
    if (!is_seen) table.pass(now.time);
    if (!is_seen && !verification_) return;
    NonsmoothState state = method_.reduced_state(now);
    const auto step =
        last_ ? std::optional<NonsmoothObservation<Engine>::Step>({method_, *last_, state}) : std::nullopt;
    const NonsmoothObservation<Engine> seen(inclusions_, state, events, step ? &*step : nullptr);
    if (is_seen) table(seen);
    if (verification_) (*verification_)(seen);
    if (refined_) refined_->compare(seen);
    if (verification_ || table.has_sums()) last_ = std::move(state);
  }

  /// Adds the changes since the last point to the total variations of the reactions and loads, and updates
  /// their largest moduli and the largest displacements of the contacts relative to their supports. The
  /// vectors contain the reactions, then the loads. print_omitted() computes error bounds from these numbers.
  /// Does nothing if no eigenvalue is omitted.
  void update_error_bounds(const MemoryState& now) {
    if (method_.structure().omitted_sizes.size() == 0) return;
    const Vector acting = stacked({now.r, method_.integrator().loads_at(now.time)});
    if (acting_.size() == 0) {
      acting_ = acting;
      variations_ = largest_ = Vector::Zero(acting.size());
      moved_ = Vector::Zero(now.r.size());
    }
    variations_ += (acting - acting_).cwiseAbs();
    largest_ = largest_.cwiseMax(acting.cwiseAbs());
    moved_ = moved_.cwiseMax(now.g.cwiseAbs());
    acting_ = acting;
  }

  MemoryState started() const {
    const NonsmoothStart start = start_of(given_, inclusions_, outcome_);
    cli::print(std::cout, start);
    return memory_state(start);
  }

  /// Returns the start of a run from the modes, for a state of any method.
  MemoryState memory_state(const NonsmoothState& from) const {
    const double lost = method_.omitted_part(from);
    if (lost > negligible_part)
      std::cerr << "halfdof: warning: the part " << lost
                << " of the initial state does not belong to the eigenvalues that are kept, and is omitted. "
                   "Keep more eigenvalues.\n";
    return method_.memory_state(from);
  }

  /// Returns the state from which a run resumes. It is identical to that of the interrupted run if the
  /// integrator is unchanged and the modes are equal to those of that run; eigenvectors of equal eigenvalues
  /// may be another basis.
  MemoryState gone_on(const NonsmoothState& from, bool has_same_integrator) const {
    if (!has_same_integrator) return memory_state(from);
    if (const std::optional<MemoryState> same = method_.stored(from)) return *same;
    std::cout << "The modes differ from those of the interrupted run: the run continues from its "
                 "displacements and rates.\n";
    return memory_state(from);
  }

  const CaseFile& given_;
  const std::optional<CaseVerification> asked_;  ///< tolerances of --verify
  CaseRun files_;
  Inclusions<Engine> inclusions_;
  InclusionOutcome outcome_;
  CaseLoads loads_;
  MemoryMethod<Engine> method_;
  std::optional<Verification<Engine>> verification_;
  std::optional<RefinedRun> refined_;
  std::optional<ContactMotion> before_;           ///< motion at the last point
  std::optional<NonsmoothState> last_;            ///< last point that was verified or summed up
  Vector acting_, variations_, largest_, moved_;  ///< see update_error_bounds()
};

}  // namespace

// The static compliance would make contacts massless. This is not possible for laws with restitution, since
// massless contacts have no impacts, nor for friction that weakens, since their displacements would jump.
StructureModesOptions memory_options(const Inclusions<Engine>& inclusions, Index n_eigenvalues) {
  StructureModesOptions options;
  options.n_eigenvalues = n_eigenvalues;
  for (const Inclusion& inclusion : inclusions.acting()) {
    const bool weakens = inclusion.law->dimension() == 1 && inclusion.law->one_sided_lipschitz_constant() > 0;
    if (weakens || inclusion.law->restitution()) options.keeps_static_compliance = false;
  }
  return options;
}

ExitCode simulate_with_memory(const CaseFile& given, bool resumes,
                              const std::optional<CaseVerification>& asked) {
  return MemorySimulation(given, resumes, asked).run();
}

}  // namespace halfdof::cli
