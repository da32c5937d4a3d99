#pragma once

#include <halfdof/integrators/nonsmooth_integrator.h>
#include <halfdof/memory/memory_integrator.h>
#include <halfdof/memory/structure_modes.h>

#include <map>
#include <optional>
#include <vector>

namespace halfdof {

/**
 * MemoryIntegrator on states of the reduced system, as other methods have them: for observers, Verification
 * and checkpoints.
 * Every step puts back all states; runs that want few of them take the integrator itself, and put_back().
 *
 * Dense output is that of the exponentials themselves, with the reactions and loads of the step. Where all
 * eigenvalues are kept the balance of momentum then holds to rounding, as far as loads are polynomials of
 * degree four within each step.
 */
template <class Engine>
class MemoryMethod final : public NonsmoothIntegrator<Engine> {
 public:
  /// @throws as MemoryIntegrator
  MemoryMethod(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
               StructureModes structure, double time_step, std::vector<ScalarFunction> loads);

  std::string name() const override { return "memory"; }
  int dense_output_degree() const override;
  std::vector<Check> kept_exactly() const override;

  const StructureModes& structure() const { return structure_; }
  MemoryIntegrator& integrator() { return integrator_; }

  NonsmoothState put_back(const MemoryState& at) const;
  /// The point that was put back; nothing unless it was so by this integrator, and its modes are those of
  /// that time.
  std::optional<MemoryState> taken_up(const NonsmoothState& from) const;
  /// A start from the displacements and rates of any state.
  MemoryState restricted(const NonsmoothState& from) const;
  /// The part of a state that the modes do not know.
  double beyond(const NonsmoothState& from) const;

 protected:
  NonsmoothState advance(const NonsmoothState& from, double limit,
                         std::vector<ContactEvent>& events) override;
  NonsmoothState interpolate_step(const NonsmoothState& begin, const NonsmoothState& end,
                                  double theta) const override;
  std::string advice() const override { return "Look at the loads and the laws, and take a shorter step."; }
  /// Never: systems with a StateForce have no modes.
  void renew(const Inclusions<Engine>&, const InclusionOutcome&) override {}

 private:
  /// Taken up, or restricted.
  MemoryState found_from(const NonsmoothState& from) const;
  MemoryState unpacked(const NonsmoothState& from) const;
  const ModalPropagator& propagator_over(double part, double step) const;

  StructureModes structure_;
  MemoryIntegrator integrator_;
  mutable std::map<double, ModalPropagator> within_;  ///< over parts of a step
};

}  // namespace halfdof
