// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/functions/scalar_function.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/memory/contact_modes.h>
#include <halfdof/memory/memory_integrator.h>
#include <halfdof/memory/structure_modes.h>

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace halfdof::internal {

class ContactStep;

class ModalPropagator;

}  // namespace halfdof::internal

namespace halfdof {

/// Displacements s and rates v of the observed rows of ContactModes.
struct ObservedMotion {
  Vector s, v;
};

/**
 * Integrates the motion of the contacts of a linear structure that is given by its modes. The sum of
 * exponentials of the memory kernel is propagated exactly, the reactions change linearly within each step,
 * and the set-valued laws are satisfied at the end of each step, without location of events. The method is of
 * second order in the step, for all frequencies of the modes. The step may be longer than the periods of the
 * highest modes.
 *
 * The cost of a step is O(number of modes), independent of the number of DoFs of the structure and of the
 * number of steps before.
 *
 * Loads are polynomials of degree four within each step, given by their values at five instants.
 */
class ModalMemory final : public MemoryIntegrator {
 public:
  /**
   * @param laws one law for each inclusion, in the order of the contacts @param time_step h > 0 [s]
   * @param loads one function of time for each column of B_f; may be omitted if B_f has no columns
   * @throws InvalidInput if sizes do not fit, modes grow without bound, or a reaction does not move its
   *     contact; if there is no law, or the step is so long that a contact moves against its reaction
   * @throws NotAvailable if friction weakens with the rate so that the rate would have to jump, or weakens
   *     although W_K moves the contact; if a contact has a coefficient of restitution, but its reaction
   *     displaces it without inertia
   */
  ModalMemory(ContactModes modes, std::vector<NamedLaw> laws, double time_step,
              std::vector<ScalarFunction> loads = {});
  ~ModalMemory() override;
  ModalMemory(ModalMemory&&) noexcept;
  ModalMemory& operator=(ModalMemory&&) noexcept;

  const ContactModes& modes() const { return modes_; }
  double time_step() const override { return time_step_; }

  /// @param x modal coordinates of ContactModes
  MemoryState start(double time, Vector x) const override { return start(time, std::move(x), {}); }
  /// Returns an initial state with reactions. @param x modal coordinates of ContactModes @param r reactions;
  /// zero if absent
  MemoryState start(double time, Vector x, const std::optional<Vector>& r) const;

  void step(MemoryState& state, double limit = std::numeric_limits<double>::infinity()) override;
  std::vector<ContactEvent> events(const ContactMotion& from, const ContactMotion& to) const override;

  /// Returns the scalar loads f at a time. Shape: n_loads
  Vector loads_at(double time) const;

  /// Returns displacements and rates of the observed rows of ContactModes. The rates do not include the
  /// immediate response to reactions and loads.
  ObservedMotion observed(const MemoryState& state) const;

 private:
  template <class Engine>
  friend class MemoryMethod;

  /// Returns the motion at the beginning of a step, after the jumps of reactions. The rates include the terms
  /// W_K r', W_f f' and h' of this step. No step can start from this motion.
  MemoryState motion_at_begin(const MemoryState& begin, const MemoryState& end) const;
  /// Returns the motion at a fraction `part` (0 to 1) of the step, with rates as motion_at_begin(). @param
  /// propagator propagator over this part of the step
  MemoryState motion_within_step(const MemoryState& begin, const MemoryState& end, double part,
                                 const internal::ModalPropagator& propagator) const;
  MemoryState advanced_state(const MemoryState& from, double end, const internal::ModalPropagator& propagator,
                             bool regular);
  MultiVector loads_within(double begin, double end) const;
  void check(const MemoryState& from, const MemoryState& to) const;
  MemoryState motion_inside_step(const MemoryState& begin, const MemoryState& end, double part, Vector x,
                                 const Vector& r) const;

  ContactModes modes_;
  std::vector<ScalarFunction> loads_;
  double time_step_;
  std::unique_ptr<internal::ModalPropagator> regular_;  ///< propagator over steps of regular length
  std::unique_ptr<internal::ContactStep> contacts_;
  MultiVector observed_rates_;
};

/**
 * Makes ModalMemory a NonsmoothIntegrator, whose states are states of the reduced system, for observers,
 * Verification and checkpoints. Every step reconstructs the state of the reduced system; runs that need this
 * state only at a few times use integrator() and reduced_state().
 *
 * Dense output evaluates the exponentials with the reactions and loads of the step. If all eigenvalues of the
 * structure are kept, dense output satisfies the balance of momentum up to rounding, provided that loads are
 * polynomials of degree four within each step.
 */
template <class Engine>
class MemoryMethod final : public NonsmoothIntegrator<Engine> {
 public:
  /// @param structure result of structure_modes() for the inclusions @param loads one function of time for
  /// each column of the argument `loads` of structure_modes() @throws as ModalMemory
  MemoryMethod(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
               StructureModes structure, double time_step, std::vector<ScalarFunction> loads);

  std::string name() const override { return "memory"; }
  int dense_output_degree() const override;
  std::vector<Check> kept_exactly() const override;

  const StructureModes& structure() const { return structure_; }
  /// The integrator of the contacts alone.
  ModalMemory& integrator() { return integrator_; }

  /// Returns the state of the reduced system for a state of integrator(). The result also contains the latter
  /// state.
  NonsmoothState reduced_state(const MemoryState& at) const;
  /// Returns the state of integrator() that reduced_state() has stored in `from`. The result is empty if
  /// `from` was not stored by this integrator with its present modes.
  std::optional<MemoryState> stored(const NonsmoothState& from) const;
  /// Returns an initial state of integrator() with the displacements and rates of any state of the reduced
  /// system.
  MemoryState memory_state(const NonsmoothState& from) const;
  /// Returns the relative part of a state that the modes do not contain.
  double omitted_part(const NonsmoothState& from) const;

 protected:
  NonsmoothState advance(const NonsmoothState& from, double limit,
                         std::vector<ContactEvent>& events) override;
  NonsmoothState interpolate_step(const NonsmoothState& begin, const NonsmoothState& end,
                                  double theta) const override;
  std::string advice() const override { return "Check the loads and the laws, and take a shorter step."; }
  /// This function is never called, because systems with a StateForce have no modes.
  void rebuild(const Inclusions<Engine>&, const InclusionOutcome&) override {}

 private:
  /// Returns stored(), or memory_state() if stored() is empty.
  MemoryState memory_state_of(const NonsmoothState& from) const;
  MemoryState memory_state_from_storage(const NonsmoothState& from) const;
  const internal::ModalPropagator& propagator_over(double part, double step) const;

  StructureModes structure_;
  ModalMemory integrator_;
  /// Propagators over parts of a step, by their length.
  mutable std::map<double, std::shared_ptr<const internal::ModalPropagator>> propagators_;
};

}  // namespace halfdof
