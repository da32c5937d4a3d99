#include "memory_simulation.h"

#include <halfdof/base/errors.h>
#include <halfdof/linear_algebra/dense_parts.h>
#include <halfdof/memory/contact_regularity.h>
#include <halfdof/memory/memory_hypotheses.h>
#include <halfdof/memory/memory_method.h>
#include <halfdof/output/progress.h>

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

namespace {

/// Thrown by an observer to leave a run.
struct Interrupted {};

/// Of a start, what the modes do not know; more than this is told.
constexpr double negligible_part = 1e-6;

class MemorySimulation {
 public:
  MemorySimulation(const CaseFile& given, bool resumes, const std::optional<CaseVerification>& asked)
      : given_(checked(given)),
        asked_(asked),
        files_(given, resumes),
        inclusions_(read_inclusions(given, reduce_case(given))),
        outcome_(outcome_of(given, inclusions_)),
        loads_(read_loads(given, inclusions_.reduced().assembled().n_dofs())),
        method_(given.integrator.with_line("method", [&] { return method(); })) {
    if (asked_)
      verification_.emplace(method_,
                            (given.integrator.number("end") - given.initial.number("time")) / samples_of_run);
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
                       refinement_text(given_), method_.put_back(state));
    const double end = given_.integrator.number("end"), begin = state.time;
    const InterruptWatch watch;
    Progress progress("simulation", end - begin);
    const auto observe = [&](const MemoryState& now) {
      show(now);
      progress.update(now.time - begin);
      if (files_.is_checkpoint_due()) files_.write(method_.put_back(now));
      if (watch.is_interrupted() && now.time < end) throw Interrupted();
    };
    try {
      method_.integrator().run(state, end, observe);
      progress.finish();
      files_.finish(state.dissipated);
    } catch (const Interrupted&) {
      progress.leave();
      return files_.leave("interrupted", method_.put_back(state));
    } catch (const std::exception& error) {
      progress.leave();
      return files_.leave("stopped", method_.put_back(state), message_of(error));
    }
    print_left_out();
    const auto resumed = files_.resumed() ? std::optional<double>(files_.resumed()->time) : std::nullopt;
    const bool passes =
        !verification_ || passes_verification(given_, *verification_, method_, resumed, *asked_);
    if (given_.output.has("plot")) plot_table(given_);
    const bool is_repeated = !refined_ || refined_->agrees(std::cout, asked_->step);
    return passes && is_repeated ? agreed : falls_short;
  }

 private:
  /// Before anything costs time.
  static const CaseFile& checked(const CaseFile& given) {
    if (given.output.has("interval"))
      given.output.fail("interval",
                        "is not for memory. Give every, the steps from row to row, or take another method.");
    return given;
  }

  MemoryMethod<Engine> method() const {
    return MemoryMethod<Engine>(
        inclusions_, outcome_,
        structure_modes(inclusions_, loads_.places, {}, memory_options(inclusions_, given_.n_eigenvalues)),
        given_.integrator.number("step"), loads_.functions);
  }

  void print_modes() const {
    const StructureModes& found = method_.structure();
    if (inclusions_.reduced().n_states() > 0) print_eigenvalues(found);
    const std::vector<ContactRegularity> regularity = contact_regularity(found.at_once);
    for (Index j = 0; j < found.modes.n_contacts(); ++j)
      std::cout << inclusions_.direction_name(j) << ": " << regularity[static_cast<std::size_t>(j)] << ".\n";
  }

  void print_eigenvalues(const StructureModes& found) const {
    std::cout << found.modes.n_coordinates() - found.n_fast << " of " << inclusions_.reduced().n_states()
              << " eigenvalues carry the memory";
    if (found.left_out_compliance > 0)
      std::cout << ", the compliance of the others, at most " << found.left_out_compliance
                << " displacement/force, "
                << (found.keeps_compliance ? "is kept"
                                           : "is lost, for a law weakens or has a restitution: keep more "
                                             "eigenvalues if it is not small");
    std::cout << ".\nSmallest damping ratio " << memory_hypotheses(found.modes).smallest_damping_ratio
              << ", residual of the eigenvectors " << found.residual << ".\n";
  }

  /// What a truncation leaves out of the displacements of contacts.
  void print_left_out() const {
    if (method_.structure().left_out_sizes.size() == 0) return;
    for (Index j = 0; j < inclusions_.n_directions(); ++j)
      std::cout << "The eigenvalues left out would move " << inclusions_.direction_name(j) << " by at most "
                << method_.structure().left_out_motion(j, variations_, largest_)
                << ", where it moved by up to " << moved_[j] << ".\n";
  }

  /// To the table and the verification.
  void show(const MemoryState& now) {
    measure(now);
    CaseTable& table = files_.table();
    const std::vector<ContactEvent> events =
        before_ ? method_.integrator().contacts().events(*before_, now) : std::vector<ContactEvent>();
    before_ = now;
    const bool is_due = table.is_due(now.time), is_seen = is_due || table.has_sums() || !events.empty();
    if (!is_seen) table.pass(now.time);
    if (!is_seen && !verification_) return;
    NonsmoothState state = method_.put_back(now);
    const auto step =
        last_ ? std::optional<NonsmoothObservation<Engine>::Step>({method_, *last_, state}) : std::nullopt;
    const NonsmoothObservation<Engine> seen(inclusions_, state, events, step ? &*step : nullptr);
    if (is_seen) table(seen);
    if (verification_) (*verification_)(seen);
    if (refined_) refined_->compare(seen);
    if (verification_ || table.has_sums()) last_ = std::move(state);
  }

  /// How much reactions, and behind them loads, have changed, where something is left out.
  void measure(const MemoryState& now) {
    if (method_.structure().left_out_sizes.size() == 0) return;
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
    print(std::cout, start);
    return restricted(start);
  }

  /// By the modes, of whatever method.
  MemoryState restricted(const NonsmoothState& from) const {
    const double lost = method_.beyond(from);
    if (lost > negligible_part)
      std::cerr
          << "halfdof: warning: the part " << lost
          << " of the start is not in the eigenvalues that are kept, and is left out. Keep more of them.\n";
    return method_.restricted(from);
  }

  /// To the same digits where the steps before were of the same integrator, and its modes are found again as
  /// they were:
  /// those of one frequency may come out turned.
  MemoryState gone_on(const NonsmoothState& from, bool has_same_integrator) const {
    if (!has_same_integrator) return restricted(from);
    if (const std::optional<MemoryState> same = method_.taken_up(from)) return *same;
    std::cout << "The modes came out otherwise than in the run before: it goes on from its displacements and "
                 "rates.\n";
    return restricted(from);
  }

  const CaseFile& given_;
  const std::optional<CaseVerification> asked_;  ///< by --verify
  CaseRun files_;
  Inclusions<Engine> inclusions_;
  InclusionOutcome outcome_;
  CaseLoads loads_;
  MemoryMethod<Engine> method_;
  std::optional<Verification<Engine>> verification_;
  std::optional<RefinedRun> refined_;
  std::optional<ContactMotion> before_;           ///< at the last point
  std::optional<NonsmoothState> last_;            ///< that was verified, or summed up
  Vector acting_, variations_, largest_, moved_;  ///< see measure()
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

ExitCode simulate_with_memory(const CaseFile& given, bool resumes,
                              const std::optional<CaseVerification>& asked) {
  return MemorySimulation(given, resumes, asked).run();
}

}  // namespace halfdof::cli
