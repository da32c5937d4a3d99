// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfdof::internal {

struct StageRules;

struct StageWeights;
template <class Engine>
class ImpulseInput;

}  // namespace halfdof::internal

namespace halfdof {

/**
 * Base class of integrators with inclusions and steps of one length, with one implicit stage in each step.
 * The linear part is that of ImplicitStep,
 * @f[ (\sigma^2 M + \sigma C + K)\, x = \text{rhs} + H \gamma\, r_{n+1}, \qquad
 *     y_{n+1} = y_n + \delta(x)/\theta, \qquad (1) @f]
 * with sigma and theta of the method. The gaps and rates at the end of the step are then affine in r_{n+1}
 * (StageProblem). A step costs one solve, which is interrupted between forward and backward substitution to
 * solve the small problem of the laws (StepDelassus); a second solve, with the reactions, is needed if
 * DelassusOptions::max_column_bytes is exceeded. All steps use one factorization. The right-hand side is that
 * of ImplicitStep for @f$ A y + \sigma b @f$, in a form without products with C: with
 * @f$ x = \tilde x + b_q @f$,
 * @f[ (\sigma^2 M + \sigma C + K)\, \tilde x = F_{n+\theta} + \dots - K\,(q + b_q) + \sigma M\,(v + b_v),
 *     \qquad \delta = (\tilde x_I + b_{qI},\ \tilde x_C + b_{qC},\ \sigma \tilde x_I - v_I), \qquad (2) @f]
 * where b = 0 for all methods except generalized-alpha.
 *
 * Algebraic DoFs are constraints at every stage and are not integrated. From the stage values x_K follow
 * displacements at the end that are in equilibrium with the state, the load and the reactions there,
 * @f[ q_{K,n+1} = (x_K - (1-\theta)\, q_{K,n})/\theta , @f]
 * since all stage values are the same mean of both ends. Rates of viscous DoFs follow likewise. Prescribed
 * motions and supports enter only by their displacements, see PrescribedStep.
 *
 * Steps end on a TimeGrid; the last step of a run is shortened to hit the end time exactly. Dense output is
 * linear.
 */
template <class Engine>
class StageIntegrator : public NonsmoothIntegrator<Engine> {
 public:
  ~StageIntegrator() override;

  /// The step length h [s].
  double time_step() const;
  double largest_residual() const override;
  bool corrects_positions() const override;
  double end_weight() const override;

 protected:
  /// @throws InvalidInput unless the step is positive; NotAvailable for unsymmetric
  /// models in which accelerations of masses (or rates of viscous DoFs) that reactions cause exert forces on
  /// half DoFs, or if impacts have no dense Delassus matrix
  StageIntegrator(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, const char* name,
                  double time_step, const internal::StageRules& rules);
  /// Moves from an integrator of the same system with tangents at another state; rebuild() uses it.
  StageIntegrator& operator=(StageIntegrator&&) noexcept;

  /// Returns the vector b of (2), computed from NonsmoothState::carried, or nothing if b is zero on all
  /// processes. Further terms of the method are added to `rhs`. Shapes: b local states; rhs local free DoFs.
  virtual std::optional<Vector> shift(const NonsmoothState& /*from*/, double /*sigma*/,
                                      Vector& /*rhs*/) const {
    return std::nullopt;
  }
  /// Returns the number of entries that the method appends to NonsmoothState::carried.
  virtual Index n_carried_data() const { return 0; }
  /// Returns the entries of the method in NonsmoothState::carried at the end of a step, computed from the
  /// shift b of this step, the delta of (1) and the new reactions. Shape: n_carried_data().
  virtual Vector carried_data(const NonsmoothState& /*from*/, const internal::StageWeights& /*weights*/,
                              const Vector& /*shift*/, const Vector& /*delta*/, const Vector& /*r*/) const {
    return {};
  }
  /// Returns whether the memory of a state ends with the entries of the method, on all processes. An initial
  /// state does not have these entries.
  bool has_carried_data(const NonsmoothState& state) const;

  NonsmoothState advance(const NonsmoothState& from, double limit, std::vector<ContactEvent>& events) final;
  /// Returns the reactions with which the state force is evaluated. If the state changes the mass, reactions
  /// that act throughout the step have their new value r at both ends: an impulse then changes velocities by
  /// the mean of M^-1 at both ends.
  Vector reactions_for_state_force(const NonsmoothState& at, const Vector& r) const override;
  /// Returns the rules and coefficients of the method, with which this object was constructed.
  const internal::StageRules& rules() const;
  /// Returns whether the state changes masses.
  bool has_state_mass() const;
  std::string advice() const override;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/**
 * The implicit Euler method with the resolvents of the laws (Bastien and Lamarque 2009, Eq. (5.2)), for
 * inclusions on DoFs of every kind:
 * @f[ y_{n+1} = y_n + h\,(A y_{n+1} + B (F_{n+1} + H r_{n+1})), \qquad
 *     (\tfrac{1}{h}(g_{n+1} - g_n),\, r_{n+1}) \ \text{or} \ (g_{n+1}, r_{n+1}) \ \text{in the graph.} @f]
 * With @f$ P_h = h^{-2} M + h^{-1} C + K @f$ the Delassus matrix of a step is @f$ W_h = H^T P_h^{-1} H @f$.
 * Laws on the rate are enforced on the mean rate of the step: a play depends on the increments
 * @f$ F_{n+1} - F_n @f$, not on F', so that loads on it may jump.
 *
 * The method is of first order for every law and every kind of DoFs: stick-slip, viscous friction, plays,
 * sweeping processes, massless contacts. Contacts with mass close without rebound within two steps, and their
 * event contains the mean rate of the step and no impulse. For restitution see MoreauJean. Oscillations are
 * damped strongly.
 */
template <class Engine>
class NonsmoothEuler final : public StageIntegrator<Engine> {
 public:
  /// @param time_step h > 0 [s]
  /// @throws InvalidInput unless time_step is positive, or if a contact with mass has a coefficient of
  /// restitution above zero
  NonsmoothEuler(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, double time_step);

  std::string name() const override { return "implicit Euler"; }
  std::vector<Check> kept_exactly() const override;

 protected:
  void rebuild(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) override {
    *this = NonsmoothEuler(inclusions, outcome, this->time_step());
  }
};

struct MoreauJeanOptions {
  /// The parameter theta of the scheme in [1/2, 1]: 1/2 conserves the energy of a linear structure, 1 has the
  /// largest numerical dissipation.
  double theta = 0.5;
  ImpactLaw impact_law = ImpactLaw::newton;
  /// Whether contacts that come to rest inside their obstacles are put back onto them at the end of the step.
  bool corrects_positions = false;
};

/**
 * The theta scheme of Moreau and Jean (Jean 1999; Acary and Brogliato 2008, chapter 10) on the reduced state,
 * @f[ y_{n+1} = y_n + h\,(A\, y_{n+\theta} + B (F_{n+\theta} + H \bar r)), \qquad
 *     x_{n+\theta} = (1-\theta)\, x_n + \theta\, x_{n+1}, @f]
 * which is equivalent to the scheme for the assembled system with inertial rows at velocity level:
 * - A contact on inertial DoFs has an impulse @f$ h \bar r @f$ with
 *   @f$ 0 \le w_{n+1} + e\, w_n \perp \bar r \ge 0 @f$ if @f$ g_n + \tfrac h2 w_n \le 0 @f$, otherwise
 *   none. In this condition the gaps of open contacts that approach are corrected for the penetration of
 *   other contacts, see gaps_without_penetration(). Friction on inertial DoFs has
 *   @f$ (w_{n+1}, \bar r) @f$ in the graph.
 * - Laws on half DoFs hold at the end of the step, and @f$ \bar r = r_{n+\theta} @f$: contacts by
 *   @f$ g_{n+1} @f$, viscous friction by @f$ w_{n+1} @f$, plays by the mean rate. The equations of algebraic
 *   DoFs are treated as constraints (see StageIntegrator): the rates of these DoFs are not integrated, so
 *   that they do not alternate in sign from step to step. First-order sweeping processes have an impulse, so
 *   that their reactions do not alternate either. In models with sweeping processes all viscous friction is
 *   enforced on its mean rate and acts throughout the step, too, with first order.
 *
 * With an ImpactLaw other than Newton's, contacts that are about to close strike at the beginning of the
 * step, in impacts that involve only the mass; their rate at the end of the step is not negative.
 *
 * The scheme is of first order at impacts and where friction reverses. Between these instants it is of second
 * order for theta = 1/2, also if thresholds of friction on masses depend on time (the threshold in the middle
 * of a step acts). Friction on masses that depends on the rate is of first order, since the friction at the
 * end of the step acts. The gap of a closed contact is zero up to O(h). The sign of the velocity after an
 * impact is exact, and energy is conserved for e = 1 and theta = 1/2.
 */
template <class Engine>
class MoreauJean final : public StageIntegrator<Engine> {
 public:
  /// @param time_step h > 0 [s]
  /// @throws InvalidInput if time_step is not positive, or theta is not in [1/2, 1]; NotAvailable if the
  /// reactions of a contact move half DoFs in some combinations and only masses in others, or as the
  /// constructor of StageIntegrator
  MoreauJean(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, double time_step,
             const MoreauJeanOptions& options = {});

  std::string name() const override { return "Moreau-Jean"; }
  std::vector<Check> kept_exactly() const override;
  ImpactLaw impact_law() const override { return options_.impact_law; }

 protected:
  void rebuild(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) override {
    *this = MoreauJean(inclusions, outcome, this->time_step(), options_);
  }

 private:
  MoreauJeanOptions options_;
};

struct NonsmoothAlphaOptions {
  /// The spectral radius rho_inf in [0, 1] of infinitely stiff motions, see
  /// GeneralizedAlphaOptions::spectral_radius.
  double spectral_radius = 0.8;
};

/**
 * The nonsmooth generalized-alpha method (Chen, Acary, Virlez, Bruls 2013) for flexible structures. A step
 * splits the motion into a smooth part, by all forces except the reactions that act throughout a step (on
 * inertial DoFs and of sweeping processes), and a jump, by these reactions:
 * @f[ \dot{\tilde y}_{n+\alpha_m} = A\, y_{n+\alpha_f} + B (F_{n+\alpha_f} + H r_{n+\alpha_f}), \qquad
 *     y_{n+1} = y_n + h\,((1-\gamma)\,\dot{\tilde y}_n + \gamma\,\dot{\tilde y}_{n+1}) + B H \Lambda, @f]
 * where B H Lambda = (0, 0, V) with M_II V = H_I Lambda if M is symmetric and there is no sweeping process.
 * On inertial DoFs the impulses Lambda follow from @f$ 0 \le w_{n+1} + e\, w_n \perp \Lambda \ge 0 @f$ for
 * contacts about to close, and @f$ (w_{n+1}, \Lambda / h) @f$ in the graph for friction. The derivative of
 * the smooth part, which is carried from step to step, contains no jump of rates; it contains a part of the
 * jump of displacements, which is damped like stiff motions. The method is of second order wherever the
 * motion is smooth, also if thresholds of friction on masses depend on time (the threshold in the middle of a
 * step acts). Friction on masses that depends on the rate is of first order, since the friction at the end of
 * the step acts. Stiff modes that an impact excites decay according to rho_inf.
 *
 * Chen et al. extend the generalized-alpha method for second-order systems. This class extends the method for
 * first-order systems (Jansen, Whiting, Hulbert 2000; see GeneralizedAlpha), with which viscous DoFs converge
 * with second order too. Displacements then jump by q' = v (for rho_inf = 1 by h V / 2 as in Chen et al.).
 * The stage is
 * @f[ (\sigma^2 M + \sigma C + K)\, x = \text{rhs of GeneralizedAlpha} + \sigma \alpha_f H \Lambda . @f]
 * Laws on half DoFs hold at the end of the step, as in MoreauJean.
 *
 * The derivative @f$ \tilde v' @f$ that is carried from step to step is the sum of a part linear in the
 * motion and a part linear in the impulses of all previous steps. The two parts are stored separately. The
 * second part is stored as one factor for each direction, which multiplies a column of @f$ M V @f$. These
 * columns are mostly sparse, in contrast to those of V.
 */
template <class Engine>
class NonsmoothAlpha final : public StageIntegrator<Engine> {
 public:
  /// @param time_step h > 0 [s]
  /// @throws InvalidInput if time_step is not positive, or the spectral radius is not in [0, 1]; NotAvailable
  /// if the reactions of a contact move half DoFs in some combinations and only masses in others, for
  /// unsymmetric models as the constructor of StageIntegrator, or for rho_inf < 1 if a state force changes
  /// damping and there are contacts on viscous DoFs
  NonsmoothAlpha(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, double time_step,
                 const NonsmoothAlphaOptions& options = {});

  std::string name() const override { return "nonsmooth generalized-alpha"; }
  /// Returns 1/2: if the forces are the means of both ends, the balance of momentum over a step holds up to
  /// the order of the method, and for rho_inf = 1 up to rounding.
  double end_weight() const override { return 0.5; }
  std::vector<Check> kept_exactly() const override;

 protected:
  void rebuild(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) override {
    *this = NonsmoothAlpha(inclusions, outcome, this->time_step(), {rho_});
  }
  /// Returns the reactions with which the state force is evaluated. If the state changes the mass, the
  /// impulses of contacts are omitted, because impulses act through the tangent mass of their own step and
  /// have no part in the derivative that is carried from step to step.
  Vector reactions_for_state_force(const NonsmoothState& at, const Vector& r) const override;
  bool needs_own_tangents(const NonsmoothState& trial) const override;
  std::optional<Vector> shift(const NonsmoothState& from, double sigma, Vector& rhs) const override;
  Index n_carried_data() const override;
  Vector carried_data(const NonsmoothState& from, const internal::StageWeights& weights, const Vector& shift,
                      const Vector& delta, const Vector& r) const override;

 private:
  Vector first_rate(const NonsmoothState& from) const;

  double rho_;
  std::vector<bool> is_impulse_;  ///< Whether the reaction of each direction is an impulse.
  std::shared_ptr<const internal::ImpulseInput<Engine>> input_;
};

}  // namespace halfdof
