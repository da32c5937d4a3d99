#pragma once

#include <halfdof/integrators/stage_integrator.h>

namespace halfdof {

struct MoreauJeanOptions {
  double theta = 0.5;  ///< in [1/2, 1]: 1/2 conserves the energy of what is linear, 1 dissipates most
  ImpactLaw impact_law = ImpactLaw::newton;
  /// Whether contacts that come to rest inside their obstacles are put back onto these at the end of the
  /// step.
  bool corrects_positions = false;
};

/**
 * The theta scheme of Moreau and Jean (Jean 1999; Acary and Brogliato 2008, chapter 10) on the reduced state,
 * @f[ y_{n+1} = y_n + h\,(A\, y_{n+\theta} + B (F_{n+\theta} + H \bar r)), \qquad
 *     x_{n+\theta} = (1-\theta)\, x_n + \theta\, x_{n+1}, @f]
 * which is that of the assembled system, inertial rows at velocity level:
 * - contacts on inertial DoFs: an impulse @f$ h \bar r @f$ with
 *   @f$ 0 \le w_{n+1} + e\, w_n \perp \bar r \ge 0 @f$ once @f$ g_n + \tfrac h2 w_n \le 0 @f$, otherwise
 *   none, with gaps of what strikes told from where contacts that have sunk in belong, see
 *   gaps_beside_sunken();
 *   friction there: @f$ (w_{n+1}, \bar r) @f$ in the graph;
 * - half DoFs: their laws hold at the end of the step, where @f$ \bar r = r_{n+\theta} @f$: contacts by
 *   @f$ g_{n+1} @f$, viscous friction by @f$ w_{n+1} @f$, plays by the mean rate. Algebraic DoFs are
 *   constraints, see StageIntegrator: no velocity of theirs is integrated, and none alternates. First-order
 *   sweeping processes take an impulse, so that their reactions do not alternate either; beside them all
 *   viscous friction is met by its mean rate and acts throughout, too, with first order.
 *
 * With another ImpactLaw than Newton's contacts that are about to close strike at the beginning of the
 * step, by masses alone, and are not to approach at its end.
 *
 * First order at impacts and where friction reverses; between them second order for theta = 1/2, also where
 * thresholds of friction on masses depend on time (those of the middle of a step act). Friction there that
 * depends on the rate is of first order: that of the end acts. Gaps close up to O(h). The sign of an impact's
 * velocity is exact, and energy is conserved for e = 1 and theta = 1/2.
 */
template <class Engine>
class MoreauJean final : public StageIntegrator<Engine> {
 public:
  /// @param time_step h > 0 [s]. @throws InvalidInput if it is not, or theta is not in [1/2, 1];
  /// NotAvailable if both half DoFs and masses decide a contact, or by require_means(), or as
  /// ContactImpacts says
  MoreauJean(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, double time_step,
             const MoreauJeanOptions& options = {});

  std::string name() const override { return "Moreau-Jean"; }
  std::vector<Check> kept_exactly() const override;
  ImpactLaw impact_law() const override { return options_.impact_law; }

 protected:
  void renew(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) override {
    *this = MoreauJean(inclusions, outcome, this->time_step(), options_);
  }

 private:
  MoreauJeanOptions options_;
};

}  // namespace halfdof
