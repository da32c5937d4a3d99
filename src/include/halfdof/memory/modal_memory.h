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

/// Displacements and rates of the observed rows of ContactModes.
struct ObservedMotion {
  Vector s, v;
};

/**
 * Integrates the contacts of a linear structure that is given by its modes. The sum of exponentials of its
 * memory is propagated exactly, the reactions change linearly within each step, and the set-valued laws are
 * satisfied at the end of each step, without location of events. The method is of second order in the step,
 * for all frequencies of the modes; modes that are faster than the steps respond to reactions that are linear
 * within each step.
 *
 * The cost of a step is O(number of modes), independent of the number of DoFs of the structure and of the
 * number of steps before.
 *
 * Loads are polynomials of degree four within each step, given by their values at five instants.
 */
class ModalMemory final : public MemoryIntegrator {
 public:
  /**
   * @param laws one for each inclusion, in the order of the contacts @param time_step h > 0 [s]
   * @param loads one for each column of B_f; may be omitted if there is none
   * @throws InvalidInput if sizes do not fit, modes grow without bound, or a reaction does not move its
   *     contact; if there is no law, or the step is so long that a contact moves against its reaction
   * @throws NotAvailable for laws that weaken where the rate would have to jump, or where W_K moves the
   *     contact; for coefficients of restitution where not only inertia resists
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
  /// Returns a state in which reactions act already. @param r reactions of contacts that W_K moves; zero if
  /// absent
  MemoryState start(double time, Vector x, const std::optional<Vector>& r) const;

  void step(MemoryState& state, double limit = std::numeric_limits<double>::infinity()) override;
  std::vector<ContactEvent> events(const ContactMotion& from, const ContactMotion& to) const override;

  /// Returns the scalar loads f at a time. Shape: n_loads
  Vector loads_at(double time) const;

  /// Returns displacements and rates of the observed rows. The rates do not include the jumps that are caused
  /// by jumps of reactions and loads.
  ObservedMotion observed(const MemoryState& state) const;

 private:
  template <class Engine>
  friend class MemoryMethod;

  /// Returns the motion at the beginning of a step, after the jumps of reactions. Its rates include W_K r',
  /// W_f f' and h' of this step. Steps cannot be continued from it.
  MemoryState at_begin(const MemoryState& begin, const MemoryState& end) const;
  /// Returns the motion at a part (0 to 1) of the step, with rates as at_begin(). @param propagator
  /// propagator over that part
  MemoryState within(const MemoryState& begin, const MemoryState& end, double part,
                     const internal::ModalPropagator& propagator) const;
  MemoryState stepped(const MemoryState& from, double end, const internal::ModalPropagator& propagator,
                      bool regular);
  MultiVector loads_within(double begin, double end) const;
  void check(const MemoryState& from, const MemoryState& to) const;
  MemoryState inside(const MemoryState& begin, const MemoryState& end, double part, Vector x,
                     const Vector& r) const;

  ContactModes modes_;
  std::vector<ScalarFunction> loads_;
  double time_step_;
  std::unique_ptr<internal::ModalPropagator> regular_;  ///< propagator over steps of regular length
  std::unique_ptr<internal::ContactStep> contacts_;
  MultiVector observed_rates_;
};

/**
 * ModalMemory as a NonsmoothIntegrator, whose states are those of the reduced system: for observers,
 * Verification and checkpoints. Every step reconstructs all states; runs that need only a few of them use
 * the integrator itself and reduced_state().
 *
 * Dense output evaluates the exponentials with the reactions and loads of the step. Where all eigenvalues are
 * kept, the balance of momentum then holds up to rounding, provided that loads are polynomials of degree four
 * within each step.
 */
template <class Engine>
class MemoryMethod final : public NonsmoothIntegrator<Engine> {
 public:
  /// @param structure structure_modes() of the inclusions @param loads one for each column of loads that
  /// structure_modes() was given @throws as ModalMemory
  MemoryMethod(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
               StructureModes structure, double time_step, std::vector<ScalarFunction> loads);

  std::string name() const override { return "memory"; }
  int dense_output_degree() const override;
  std::vector<Check> kept_exactly() const override;

  const StructureModes& structure() const { return structure_; }
  /// The integrator of the contacts alone.
  ModalMemory& integrator() { return integrator_; }

  /// Returns the state of the reduced system for a state of integrator(), which it contains as well.
  NonsmoothState reduced_state(const MemoryState& at) const;
  /// Returns the point that reduced_state() has stored in the state; absent if the state was not stored by
  /// this integrator with its present modes.
  std::optional<MemoryState> stored(const NonsmoothState& from) const;
  /// Returns a start from the displacements and rates of any state.
  MemoryState memory_state(const NonsmoothState& from) const;
  /// Returns the relative part of a state that the modes do not contain.
  double omitted_part(const NonsmoothState& from) const;

 protected:
  NonsmoothState advance(const NonsmoothState& from, double limit,
                         std::vector<ContactEvent>& events) override;
  NonsmoothState interpolate_step(const NonsmoothState& begin, const NonsmoothState& end,
                                  double theta) const override;
  std::string advice() const override { return "Look at the loads and the laws, and take a shorter step."; }
  /// It is never called: systems with a StateForce have no modes.
  void rebuild(const Inclusions<Engine>&, const InclusionOutcome&) override {}

 private:
  /// Returns stored(), or memory_state() if that is absent.
  MemoryState memory_state_of(const NonsmoothState& from) const;
  MemoryState unpacked(const NonsmoothState& from) const;
  const internal::ModalPropagator& propagator_over(double part, double step) const;

  StructureModes structure_;
  ModalMemory integrator_;
  /// Propagators over parts of a step, by their length.
  mutable std::map<double, std::shared_ptr<const internal::ModalPropagator>> within_;
};

}  // namespace halfdof
