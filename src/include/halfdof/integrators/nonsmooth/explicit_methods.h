// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>

#include <memory>
#include <string>
#include <vector>

namespace halfdof::internal {

struct ChainedStage;

}  // namespace halfdof::internal

namespace halfdof {

/**
 * Explicit methods with steps of one length for
 * @f[ \dot y \in A y + B (F(t) + H\,\mathcal R(t, y)), \qquad
 *     k_i = A Y_i + B (F(t + c_i h) + H r_i), \quad Y_i = y_n + c_i h\,k_{i-1}, \quad
 *     y_{n+1} = y_n + h \sum_i b_i k_i, @f]
 * with a reaction r_i from the set of the laws at each stage (Dumont et al. 2001, Eqs. (1.3)-(1.6); in the
 * printed Runge-Kutta method (1.6) the increments lack their h/2, h/2 and h). The reaction is selected from
 * this set as follows:
 * - if the laws are single valued (contacts on algebraic DoFs, friction on viscous DoFs), it is their value;
 * - for friction on inertial DoFs that continues to slide, @f$ |h\,\dot w| < 0.3\,|w| @f$, it is the value at
 *   w;
 * - for friction on inertial DoFs near rest it is the r which brings the rate nearest to rest,
 *   @f$ (w + h\,\dot w(r), r) @f$ in the graph, so that the motion stays on the surface w = 0 instead of
 *   chattering about it. For h to 0 the result is the slow solution, of least acceleration;
 * - all these laws are solved together, because reactions on each kind of DoFs may immediately move
 *   directions on the other kinds;
 * - contacts on viscous DoFs (a massless contact layer with damping) have gaps that are states: the step is
 *   computed with the reaction of the last step, and its end is projected onto the obstacle (Moreau 1977),
 *   @f[ g_{n+1} = \tilde g_{n+1} + W_C (P - h r_n), \qquad 0 \le g_{n+1} \perp P \ge 0, \qquad
 *       y_{n+1} = \tilde y_{n+1} + B H (P - h r_n), \qquad r_{n+1} = P/h, @f]
 *   with first order for every method.
 *
 * Plays are refused, because their reactions are states.
 *
 * A stage costs one solve with D for the motion without reactions, to which W r and B H r are added. A second
 * solve is needed if friction decided by inertial DoFs acts on viscous DoFs too. The selection at the end of
 * a step is also used in the first stage of the next step.
 */
template <class Engine>
class ExplicitInclusions : public NonsmoothIntegrator<Engine> {
 public:
  ~ExplicitInclusions() override;

  /// The step length h [s].
  double time_step() const;
  std::vector<Check> kept_exactly() const override;

 protected:
  /// @param others further reduced laws, which the method handles in contact_reactions()
  /// @throws InvalidInput unless the step is positive; NotAvailable if the reduced law of an inclusion is
  /// neither supported by this class nor listed in `others`
  ExplicitInclusions(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, const char* name,
                     double time_step, const std::vector<internal::ChainedStage>& stages,
                     std::vector<ReducedLaw> others = {});
  /// Moves from an integrator of the same system with tangents at another state; rebuild() uses it.
  ExplicitInclusions& operator=(ExplicitInclusions&&) noexcept;

  /// Computes the reactions r of contacts with mass from the gaps g and the rates w of all directions, and
  /// from the states of the contacts, which are constant within a smooth part of a step. Only the rates of
  /// directions on inertial DoFs are used.
  virtual void contact_reactions(const Vector& /*g*/, const Vector& /*w*/,
                                 const std::vector<ContactState>& /*contacts*/, Vector& /*r*/) const {}
  /// A state with the selected reactions and contacts, and its derivative y'.
  struct Point;
  /// The point at the end of a smooth part of a step, and the mean reactions over this part.
  struct Part;
  /// Selects the reactions of a point anew, for its present contact states.
  void select_at(Point& point) const;
  /// Computes a smooth part of a step: the whole step, unless contacts open or close in it.
  /// @param end the time from.state.time + length up to rounding
  Part smooth_part(const Point& from, double length, double end) const;
  /// Computes the whole step, part by part, and appends the events of contacts with mass.
  virtual Point step_in_parts(const Point& from, double length, double end,
                              std::vector<ContactEvent>& events);

  NonsmoothState advance(const NonsmoothState& from, double limit, std::vector<ContactEvent>& events) final;
  bool is_implicit() const override { return false; }
  /// Returns whether the tangents predict the change of the rates of contacts on viscous DoFs with a relative
  /// error of at most one half. The next reactions of these contacts are computed with this prediction.
  bool may_keep_tangents(const NonsmoothState& begin, const NonsmoothState& end) const override;
  std::string advice() const override;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// The explicit Euler method for differential inclusions (Dumont et al. 2001, Eqs. (1.3), (1.4)), which is of
/// first order. If a law admits several reactions, ExplicitInclusions describes which reaction is selected.
template <class Engine>
class SetValuedEuler final : public ExplicitInclusions<Engine> {
 public:
  /// @param time_step h > 0 [s] @throws as ExplicitInclusions
  SetValuedEuler(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, double time_step);

  std::string name() const override { return "set-valued Euler"; }

 protected:
  void rebuild(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) override {
    *this = SetValuedEuler(inclusions, outcome, this->time_step());
  }
};

/// The Runge-Kutta method with four stages for differential inclusions (Dumont et al. 2001, Eqs. (1.5),
/// (1.6)), with reactions selected as in ExplicitInclusions. The method is of fourth order while no inclusion
/// changes its contact state, also with friction that depends on the rate. The method is of first order
/// across events, and while contacts on viscous DoFs are closed.
template <class Engine>
class SetValuedRungeKutta final : public ExplicitInclusions<Engine> {
 public:
  /// @param time_step h > 0 [s] @throws as ExplicitInclusions
  SetValuedRungeKutta(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome,
                      double time_step);

  std::string name() const override { return "set-valued Runge-Kutta"; }

 protected:
  void rebuild(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) override {
    *this = SetValuedRungeKutta(inclusions, outcome, this->time_step());
  }
};

/**
 * The penalty method of Paoli and Schatzman (1993) for contacts with mass, the Yosida approximation of the
 * normal cone with a damper (Dumont et al. 2001, Eqs. (1.7), (1.8)). A contact may penetrate its obstacle,
 * and a spring and a damper push it back,
 * @f[ r_j = -\frac{1}{W_{jj}} \Bigl( \frac{g_j}{\lambda} + \frac{2 \epsilon_j}{\sqrt\lambda}\, w_j \Bigr)
 *     \quad (g_j < 0), \qquad \epsilon = \frac{-\ln e}{\sqrt{\pi^2 + \ln^2 e}}, \qquad (1) @f]
 * in the metric of the mass, with W_jj = n^T M^-1 n for the normal n of each contact (an entry of W_I). A
 * single contact then obeys @f$ \ddot g + 2 \epsilon \dot g/\sqrt\lambda + g/\lambda = 0 @f$ for any mass. It
 * opens after @f$ \pi \sqrt{\lambda/(1 - \epsilon^2)} @f$ with e times the speed at which it closed. For
 * e = 0 the coefficient epsilon has its limit 1. Just before release the damper makes the reaction negative.
 * The negative reaction is kept, because it contributes to e.
 *
 * The error of solutions is O(sqrt(lambda)). In all other respects the method is SetValuedRungeKutta. Steps
 * are divided when a contact opens or closes, so that e holds to the order of the method. Each contact has
 * one ContactEvent when it closes, without an impulse, and one when it opens, with the instants at which it
 * closed and opened, the rates at these instants, and the impulse between them. Steps above 0.1 sqrt(lambda)
 * do not resolve a contact, see warnings(). During a contact NonsmoothState::dissipated includes the energy
 * in its spring.
 */
template <class Engine>
class YosidaPenalty final : public ExplicitInclusions<Engine> {
 public:
  /// @param time_step h > 0 [s] @param lambda > 0 [s^2]
  /// @throws InvalidInput unless time_step and lambda are positive; NotAvailable if a state force changes
  /// masses; also as the constructor of ExplicitInclusions
  YosidaPenalty(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, double time_step,
                double lambda);

  std::string name() const override { return "Yosida"; }
  std::vector<Check> kept_exactly() const override;
  double lambda() const { return lambda_; }
  /// Returns warnings to the user, with one sentence in each string. The vector is usually empty.
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// Returns epsilon of (1). @param restitution e in [0, 1]
  static double damping(double restitution);

 protected:
  void rebuild(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) override {
    *this = YosidaPenalty(inclusions, outcome, this->time_step(), lambda_);
  }
  void contact_reactions(const Vector& g, const Vector& w, const std::vector<ContactState>& contacts,
                         Vector& r) const override;
  using typename ExplicitInclusions<Engine>::Point;
  Point step_in_parts(const Point& from, double length, double end,
                      std::vector<ContactEvent>& events) override;

 private:
  struct Crossing;
  Crossing first_crossing(const Point& begin, const NonsmoothState& to, double length,
                          const std::vector<bool>& passed) const;
  void open_or_close(Index j, NonsmoothState& state, std::vector<ContactEvent>& events) const;

  double lambda_;
  std::vector<Index> directions_;
  Vector spring_, damper_;  ///< 1/(lambda W_jj) and 2 epsilon/(sqrt(lambda) W_jj) of each contact.
  std::vector<std::string> warnings_;
};

}  // namespace halfdof
