#pragma once

#include <halfdof/integrators/stage_integrator.h>

namespace halfdof {

/**
 * The implicit Euler method with the resolvents of the laws (Bastien and Lamarque 2009, Eq. (5.2)), for
 * inclusions on DoFs of every kind:
 * @f[ y_{n+1} = y_n + h\,(A y_{n+1} + B (F_{n+1} + H r_{n+1})), \qquad
 *     (\tfrac{1}{h}(g_{n+1} - g_n),\, r_{n+1}) \ \text{or} \ (g_{n+1}, r_{n+1}) \ \text{in the graph.} @f]
 * With @f$ P_h = h^{-2} M + h^{-1} C + K @f$ the laws see @f$ W_h = H^T P_h^{-1} H @f$ alone. Laws on the
 * rate are met by the mean rate of the step: a play sees the increments @f$ F_{n+1} - F_n @f$, never F', and
 * loads may jump there.
 *
 * First order, whatever the law and the kind: stick-slip, viscous friction, plays, sweeping processes,
 * massless contacts. Contacts with mass close without rebound, spread over the step that closes and the next:
 * their event shows the mean rate of the step and no impulse. For restitution see MoreauJean. Dissipates much
 * of what oscillates.
 */
template <class Engine>
class NonsmoothEuler final : public StageIntegrator<Engine> {
 public:
  /// @param time_step h > 0 [s]
  /// @throws InvalidInput if it is not, or a contact with mass has a coefficient of restitution above zero
  NonsmoothEuler(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, double time_step);

  std::string name() const override { return "implicit Euler"; }
  std::vector<Check> kept_exactly() const override {
    return {Check::balance,    Check::gap, Check::penetration,     Check::reaction,   Check::impulse,
            Check::kinematics, Check::law, Check::complementarity, Check::variational};
  }

 protected:
  void renew(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) override {
    *this = NonsmoothEuler(inclusions, outcome, this->time_step());
  }
};

}  // namespace halfdof
