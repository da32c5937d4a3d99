#pragma once

#include <halfdof/integrators/impulse_input.h>
#include <halfdof/integrators/stage_integrator.h>

#include <optional>
#include <vector>

namespace halfdof {

struct NonsmoothAlphaOptions {
  /// rho_inf in [0, 1], as GeneralizedAlphaOptions::spectral_radius.
  double spectral_radius = 0.8;
};

/**
 * The nonsmooth generalized-alpha method (Chen, Acary, Virlez, Bruls 2013) for flexible structures. A step
 * splits the motion into a smooth part, which has all forces but the reactions that act throughout a step (on
 * inertial DoFs and of sweeping processes), and a jump, which has those alone:
 * @f[ \dot{\tilde y}_{n+\alpha_m} = A\, y_{n+\alpha_f} + B (F_{n+\alpha_f} + H r_{n+\alpha_f}), \qquad
 *     y_{n+1} = y_n + h\,((1-\gamma)\,\dot{\tilde y}_n + \gamma\,\dot{\tilde y}_{n+1}) + B H \Lambda, @f]
 * where B H Lambda = (0, 0, V) with M_II V = H_I Lambda if M is symmetric and no sweeping process takes part.
 * On inertial DoFs the impulses Lambda follow from @f$ 0 \le w_{n+1} + e\, w_n \perp \Lambda \ge 0 @f$ for
 * contacts about to close, and @f$ (w_{n+1}, \Lambda / h) @f$ in the graph for friction. The remembered
 * derivative of the smooth part sees no jump of rates, and of that of displacements a part that is damped as
 * stiff motions are. The method is of second order wherever the motion is smooth, also where thresholds of
 * friction on masses depend on time (those of the middle of a step act). Friction there that depends on the
 * rate is of first order: that of the end acts. Stiff modes that an impact excites decay as rho_inf says.
 *
 * Where Chen et al. start from the second-order method, this is the first-order one (Jansen, Whiting, Hulbert
 * 2000; see GeneralizedAlpha), with which viscous DoFs converge with second order too; displacements then
 * take their share of the jump through q' = v (for rho_inf = 1 the h V / 2 of Chen et al.). The stage is
 * @f[ (\sigma^2 M + \sigma C + K)\, x = \text{rhs of GeneralizedAlpha} + \sigma \alpha_f H \Lambda . @f]
 * Laws on half DoFs hold at the end of the step, as in MoreauJean.
 *
 * What is remembered of @f$ \tilde v' @f$ is linear in the motion and in the impulses of all steps before;
 * the two parts are kept apart, the second as one number for each direction: what it is multiplied by, @f$ M
 * V @f$, is mostly sparse, V is not (ImpulseInput).
 */
template <class Engine>
class NonsmoothAlpha final : public StageIntegrator<Engine> {
 public:
  /// @param time_step h > 0 [s]. @throws InvalidInput if it is not, or the spectral radius is not in [0, 1];
  /// NotAvailable if both half DoFs and masses decide a contact, by require_means(), or for rho_inf < 1 if a
  /// state force changes damping where there are contacts on viscous DoFs
  NonsmoothAlpha(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, double time_step,
                 const NonsmoothAlphaOptions& options = {});

  std::string name() const override { return "nonsmooth generalized-alpha"; }
  /// Momentum balances over a step by the means of both ends up to the order of the method, for rho_inf = 1
  /// to rounding.
  double end_weight() const override { return 0.5; }
  std::vector<Check> kept_exactly() const override {
    return {Check::penetration, Check::reaction,    Check::impulse, Check::kinematics,
            Check::law,         Check::variational, Check::impact};
  }

 protected:
  void renew(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) override {
    *this = NonsmoothAlpha(inclusions, outcome, this->time_step(), {rho_});
  }
  /// What an impulse does to velocities by a mass that the state changes is none of the derivative that is
  /// remembered: it takes the tangent mass of its own step, and a StateForce does not meet it.
  Vector met_reactions(const NonsmoothState& at, const Vector& r) const override;
  bool needs_own_tangents(const NonsmoothState& trial) const override;
  std::optional<Vector> shift(const NonsmoothState& from, double sigma, Vector& rhs) const override;
  Index n_remembered() const override;
  void remember(const NonsmoothState& from, const StageWeights& weights, const Vector& shift,
                const Vector& delta, const Vector& r, Eigen::Ref<Vector> memory) const override;

 private:
  Vector first_rate(const NonsmoothState& from) const;

  double rho_;
  std::vector<bool> is_impulse_;  ///< of directions: their reactions make V
  std::optional<ImpulseInput<Engine>> input_;
};

}  // namespace halfdof
