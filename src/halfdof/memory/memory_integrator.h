#pragma once

#include <halfdof/inclusions/scalar_function.h>
#include <halfdof/integrators/run_times.h>
#include <halfdof/memory/contact_step.h>
#include <halfdof/memory/modal_propagator.h>

#include <functional>
#include <limits>
#include <vector>

namespace halfdof {

/// A point of a run of MemoryIntegrator: all that the next step needs.
struct MemoryState : ContactMotion {
  Vector x;       ///< coordinates of ContactModes
  TimeGrid grid;  ///< where steps of one length end
};

/// Called with the initial point, and then with every step.
using MemoryObserver = std::function<void(const MemoryState&)>;

/**
 * Integrates the contacts of a linear structure that is known by its modes: the sum of exponentials of its
 * memory is propagated exactly, the reactions change linearly from step to step, and the set-valued laws are
 * met at the end of each step, without location of events (ContactStep). Second order in the step, whatever
 * the frequencies of the modes; modes faster than the steps are followed as if the reactions were lines in
 * between.
 *
 * A step costs O(number of modes), and nothing for each DoF of the structure or each step before.
 *
 * Loads are polynomials of degree four within each step, by their values at LoadNodes.
 */
class MemoryIntegrator {
 public:
  /**
   * @param laws one for each inclusion, in the order of the contacts @param time_step h > 0 [s]
   * @param loads one for each column of B_f; may be left out where there is none
   * @throws InvalidInput if sizes do not fit, modes grow without bound, or a reaction does not move its
   * contact
   *     (require_moved()); as ContactStep
   */
  MemoryIntegrator(ContactModes modes, std::vector<NamedLaw> laws, double time_step,
                   std::vector<ScalarFunction> loads = {});

  const ContactModes& modes() const { return modes_; }
  double time_step() const { return regular_.step(); }

  /// @param x Coordinates of the modes @param r Reactions of contacts that W_K moves; zero if left out
  /// @throws InvalidInput if sizes do not fit, or an entry is not finite
  MemoryState start(double time, Vector x, const std::optional<Vector>& r = {}) const;

  /// Advances the state by one step, which ends at the limit at the latest. @throws NoReactions, BlowUp: the
  /// state is then unchanged
  void step(MemoryState& state, double limit = std::numeric_limits<double>::infinity());
  /// Advances the state to end_time, which is hit exactly. @throws as step()
  void run(MemoryState& state, double end_time, const MemoryObserver& observer = {});

  /// Motion at the beginning of a step that begins and ends as given, behind jumps, with the rates of all
  /// that changes, W_K r', W_f f' and h' too; no point to go on from.
  MemoryState at_begin(const MemoryState& begin, const MemoryState& end) const;
  /// The same at a part of the step. @param propagator over that part
  MemoryState within(const MemoryState& begin, const MemoryState& end, double part,
                     const ModalPropagator& propagator) const;
  const ContactStep& contacts() const { return contacts_; }
  Vector loads_at(double time) const;

  /// Displacements and rates of what is observed; rates without what jumps of reactions and loads add.
  FreeContacts observed(const MemoryState& state) const;

 private:
  MemoryState stepped(const MemoryState& from, double end, const ModalPropagator& propagator, bool regular);
  MultiVector loads_within(double begin, double end) const;
  void check(const MemoryState& from, const MemoryState& to) const;
  MemoryState inside(const MemoryState& begin, const MemoryState& end, double part, Vector x,
                     const Vector& r) const;

  ContactModes modes_;
  std::vector<ScalarFunction> loads_;
  ModalPropagator regular_;
  ContactStep contacts_;
  MultiVector observed_rates_;
};

}  // namespace halfdof
