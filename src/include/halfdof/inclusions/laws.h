// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <halfdof/inclusions/law.h>

#include <functional>

namespace halfdof {

/**
 * Dry friction with a threshold for each direction, which may depend on time:
 * @f[ r \in [\,\mathrm{lower}(t), \mathrm{upper}(t)\,], \qquad r = \mathrm{lower}\ (w > 0), \quad
 *     r = \mathrm{upper}\ (w < 0), \qquad \mathrm{lower} \le 0 \le \mathrm{upper}, @f]
 * where w is the rate relative to the support. The vector -r lies in the subdifferential of the convex
 * function @f$ \varphi(w) = -\mathrm{lower}\, w^+ + \mathrm{upper}\, w^- @f$, so that the law is maximal
 * monotone and positively homogeneous. A friction element in series with a spring, joined by a node without
 * mass, is a Jenkins element; Iwan and Masing models consist of many Jenkins elements.
 *
 * LawParameters: lower, upper [force].
 */
class DryFriction final : public IntervalLaw {
 public:
  /// @param support h(t), the motion of the surface on which the inclusion slides [length]
  /// @throws InvalidInput if a constant threshold has the wrong sign
  DryFriction(ScalarFunction lower, ScalarFunction upper, ScalarFunction support = 0.);

  std::string name() const override { return "dry friction"; }
  LawLevel level(Index /*column*/) const override { return LawLevel::rate; }
  const ScalarFunction& support(Index /*column*/) const override { return support_; }
  bool is_summable() const override { return true; }
  bool is_autonomous() const override { return lower_.is_constant() && upper_.is_constant(); }
  std::vector<const ScalarFunction*> functions_of_time() const override;

  const ScalarFunction& lower() const { return lower_; }
  const ScalarFunction& upper() const { return upper_; }

  /// @throws InvalidInput unless lower <= 0 <= upper at this time
  LawParameters parameters(double time, ContactState before) const override;

 private:
  ScalarFunction lower_, upper_, support_;
};

/**
 * The St-Venant element, a rigid body on a rough floor (Bastien and Lamarque 2009, section 2):
 * @f[ -r \in \alpha\,\sigma(w), \qquad \sigma(w) = \mathrm{sign}\,w\ (w \ne 0), \ \sigma(0) = [-1, 1], @f]
 * that is, dry friction with equal thresholds alpha in both directions. The law is maximal monotone and
 * positively homogeneous.
 *
 * LawParameters: -alpha, alpha [force].
 */
class StVenantElement final : public IntervalLaw {
 public:
  /// @param alpha threshold, may depend on time [force]
  /// @param support h(t), the motion of the surface on which the inclusion slides [length]
  /// @throws InvalidInput if a constant alpha is negative
  explicit StVenantElement(ScalarFunction alpha, ScalarFunction support = 0.);

  std::string name() const override { return "St-Venant element"; }
  LawLevel level(Index /*column*/) const override { return LawLevel::rate; }
  const ScalarFunction& support(Index /*column*/) const override { return support_; }
  bool is_summable() const override { return true; }
  bool is_autonomous() const override { return alpha_.is_constant(); }
  std::vector<const ScalarFunction*> functions_of_time() const override;

  const ScalarFunction& alpha() const { return alpha_; }

  /// @throws InvalidInput if alpha is negative at this time
  LawParameters parameters(double time, ContactState before) const override;

 private:
  ScalarFunction alpha_, support_;
};

/**
 * Dry friction whose static threshold a_s, for stick, is larger than its kinetic threshold a_k, for slip:
 * @f[ |r| \le a_s\ \text{ while it sticks}, \qquad r = -a_k\,\mathrm{sign}\,w\ \text{ while it slips},
 *     \qquad 0 \le a_k \le a_s. @f]
 * The graph is not monotone, so that a step may have several solutions; the contact state before the step
 * selects one solution. An inclusion that sticks continues to stick while a reaction with |r| <= a_s prevents
 * slip. After a_s is exceeded, the inclusion obeys dry friction with the threshold a_k, also for the rest of
 * the same step, until its rate is zero. An inclusion whose rate changes its sign within a step was at rest
 * in between, and sticks if a reaction with |r| <= a_s prevents slip; thus the motion does not depend on the
 * length of the steps. In a step each inclusion comes to rest at most once, and starts to slip at most once
 * (reconsider()).
 *
 * LawParameters: -a and a with the current threshold a; a_k and a_s [force]; and the sign of the rate before
 * the step, which is 0 if the inclusion stuck before the step or has come to rest within the step.
 */
class StaticKineticFriction final : public IntervalLaw {
 public:
  /// Constructs the law; thresholds may depend on time. @throws InvalidInput unless 0 <= kinetic <= static,
  /// if they are constant
  StaticKineticFriction(ScalarFunction static_threshold, ScalarFunction kinetic_threshold,
                        ScalarFunction support = 0.);

  std::string name() const override { return "static-kinetic friction"; }
  LawLevel level(Index /*column*/) const override { return LawLevel::rate; }
  const ScalarFunction& support(Index /*column*/) const override { return support_; }
  bool is_autonomous() const override { return static_.is_constant() && kinetic_.is_constant(); }
  std::vector<const ScalarFunction*> functions_of_time() const override;
  /// Zero for equal thresholds, for which the law is dry friction and therefore monotone; otherwise infinite.
  double one_sided_lipschitz_constant() const override;
  bool is_summable() const override { return is_dry(); }

  /// @throws InvalidInput unless 0 <= kinetic <= static at this time
  LawParameters parameters(double time, ContactState before) const override;

  bool reconsider(LawParameters& parameters, ContactState found) const override;
  bool may_reconsider() const override { return true; }

 private:
  /// Whether both thresholds are equal, so that the law is dry friction.
  bool is_dry() const;

  ScalarFunction static_, kinetic_, support_;
};

/// The friction force f(v) >= 0 as a function of the sliding speed v >= 0.
struct FrictionCurve {
  std::function<double(double)> force;
  std::function<double(double)> slope;  ///< f'(v)
  double steepest_decrease;             ///< l >= -f'(v) for all v >= 0 [force/rate]; 0 if f never falls

  /// Returns the curve @f$ f(v) = f_k + (f_s - f_k)\,e^{-v/v_0} @f$, with l = (f_s - f_k)/v_0.
  /// @throws InvalidInput unless 0 <= kinetic <= at_rest and v_0 > 0
  static FrictionCurve exponential(double at_rest, double kinetic, double v_0);

  /// Returns the curve @f$ f(v) = f_k + (f_s - f_k)/(1 + v/v_0) @f$, with l = (f_s - f_k)/v_0.
  /// @throws InvalidInput unless 0 <= kinetic <= at_rest and v_0 > 0
  static FrictionCurve hyperbolic(double at_rest, double kinetic, double v_0);

  /// Returns the Stribeck curve @f$ f(v) = f_k + (f_s - f_k)\,e^{-(v/v_0)^2} @f$, whose slope vanishes at
  /// rest; the steepest decrease is l = sqrt(2/e) (f_s - f_k)/v_0 at v = v_0/sqrt(2).
  /// @throws InvalidInput unless 0 <= kinetic <= at_rest and v_0 > 0
  static FrictionCurve gaussian(double at_rest, double kinetic, double v_0);
};

/**
 * Friction that decreases with the sliding speed, with a vertical segment of the graph at rest:
 * @f[ r = -\mathrm{sign}(w)\,f(|w|)\ (w \ne 0), \qquad |r| \le f(0)\ (w = 0). @f]
 * The law is one-sided Lipschitz with the constant l, the steepest decrease of f, so that w = W r + b has a
 * unique solution if l W < 1. In an implicit step of length h, friction on inertial DoFs has W = h W_I, so
 * that the condition holds for short steps; friction on viscous DoFs has W = W_C, so that the condition does
 * not depend on h. If the condition is violated, the rate would have to jump, and the law throws an error.
 *
 * LawParameters: f(0) [force], which does not depend on time.
 */
class WeakeningFriction final : public Law {
 public:
  /// @throws InvalidInput if f(0) or l are negative or not finite, or l is below -f'(v) at v = 0 or one of
  ///     193 speeds from 1e-12 to 1e12; at other speeds the error is thrown when the law is evaluated there
  explicit WeakeningFriction(FrictionCurve curve, ScalarFunction support = 0.);

  std::string name() const override { return "weakening friction"; }
  Index dimension() const override { return 1; }
  LawLevel level(Index /*column*/) const override { return LawLevel::rate; }
  const ScalarFunction& support(Index /*column*/) const override { return support_; }
  double one_sided_lipschitz_constant() const override { return curve_.steepest_decrease; }
  bool is_positively_homogeneous() const override { return false; }

  LawParameters parameters(double time, ContactState before) const override;

  /// Computes the resolvent by Newton's method between bounds of the sliding speed. @throws NotAvailable
  /// unless rho > l; the message gives a step length that is short enough
  void resolvent(const LawParameters& parameters, double rho, LocalConstView z, LocalView r) const override;
  void project(const LawParameters& parameters, LocalConstView reaction, LocalView r) const override;
  LocalVector reaction_at(const LawParameters& parameters, LocalConstView w,
                          LocalConstView preferred) const override;
  std::optional<Interval> rest_interval(const LawParameters& parameters) const override {
    return Interval{-parameters[0], parameters[0]};
  }
  /// Continues the friction curve beyond rest by its tangent at rest.
  SlidingReaction sliding(const LawParameters& parameters, ContactState state, double w) const override;
  ContactState state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                     double tolerance) const override;

 private:
  /// Returns the sliding speed v > 0 with rho v + f(v) = pull.
  double sliding_speed(double rho, double pull) const;
  /// Returns f'(v). @throws InvalidInput if f'(v) < -l
  double slope(double speed) const;
  void check_decrease_between(double slower, double faster) const;
  double force(double speed) const;

  FrictionCurve curve_;
  ScalarFunction support_;
};

/**
 * Contact without friction and without adhesion, with an obstacle that may move (Signorini; Moreau 1988):
 * @f[ 0 \le g \perp r \ge 0, \qquad g = H^T q - h(t). @f]
 * If the direction acts on inertial DoFs, a velocity w^- that points into the obstacle jumps to the velocity
 * w^+ by Newton's impact law,
 * @f[ w^+ = -e\,w^-, \qquad 0 \le e \le 1. @f]
 * For other DoFs the coefficient of restitution e has no meaning. The law is maximal monotone and positively
 * homogeneous.
 *
 * LawParameters: none.
 */
class UnilateralContact final : public IntervalLaw {
 public:
  /// @param obstacle h(t) [length] @param restitution coefficient e, for contacts on inertial DoFs; without
  /// it the contact does not rebound
  /// @throws InvalidInput unless 0 <= e <= 1
  explicit UnilateralContact(ScalarFunction obstacle = 0., std::optional<double> restitution = std::nullopt);

  std::string name() const override { return "unilateral contact"; }
  LawLevel level(Index /*column*/) const override { return LawLevel::gap; }
  const ScalarFunction& support(Index /*column*/) const override { return obstacle_; }
  bool is_summable() const override { return true; }
  std::optional<double> restitution() const override { return restitution_; }

  LawParameters parameters(double time, ContactState before) const override;
  Interval reaction_interval(const LawParameters& parameters) const override;

  /// Returns closed if r > 0 or the gap is at most the tolerance, otherwise open.
  ContactState state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                     double tolerance) const override;

 private:
  ScalarFunction obstacle_;
  std::optional<double> restitution_;
};

/**
 * Unilateral contact with Coulomb friction, in the plane (columns of H: normal, tangent) or in space
 * (columns: normal and two orthonormal tangents):
 * @f[ 0 \le g \perp r_n \ge 0, \qquad |r_t| \le \mu r_n, \qquad
 *     r_t = -\mu r_n\, w_t/|w_t| \ \text{ where } w_t \ne 0. \qquad (1) @f]
 * The reaction lies in the friction cone @f$ K_\mu = \{|r_t| \le \mu r_n\} @f$. The law is not the
 * subdifferential of a potential, but can be written as @f$ K_\mu \ni r \perp w + \mu |w_t| n \in K_\mu^* @f$
 * with the normal n (De Saxce and Feng 1998). Therefore several solutions may exist if the normal gap or rate
 * depends on the tangential reaction. The resolvent of the law is the map of Alart and Curnier (1991): @f$
 * r_n = z_n^+ @f$, and r_t is the projection of z_t onto the disc of radius @f$ \mu r_n @f$.
 *
 * The normal and tangential entries of w must be the same quantity within one problem: all velocities, or all
 * displacements in a step.
 *
 * LawParameters: mu.
 */
class CoulombFriction final : public Law {
 public:
  /// @param n_tangents 1 (plane) or 2 (space) @param friction mu(t) @param obstacle h(t) of the normal
  /// direction [length]
  /// @param restitution coefficient e of the normal velocity, for contacts on inertial DoFs
  /// @throws InvalidInput for other n_tangents, a negative constant mu, e outside [0, 1]
  CoulombFriction(Index n_tangents, ScalarFunction friction, ScalarFunction obstacle = 0.,
                  std::optional<double> restitution = std::nullopt);

  /// Constructs the law for an obstacle that also moves along its surface.
  /// @param tangential_support one function for each tangent [length]
  CoulombFriction(ScalarFunction friction, ScalarFunction obstacle,
                  std::vector<ScalarFunction> tangential_support,
                  std::optional<double> restitution = std::nullopt);

  std::string name() const override { return "Coulomb friction"; }
  Index dimension() const override { return 1 + n_tangents_; }
  LawLevel level(Index column) const override { return column == 0 ? LawLevel::gap : LawLevel::rate; }
  const ScalarFunction& support(Index column) const override {
    return support_.at(static_cast<std::size_t>(column));
  }
  /// The coefficient of friction mu(t).
  const ScalarFunction& friction() const { return friction_; }
  double one_sided_lipschitz_constant() const override;
  std::optional<double> restitution() const override { return restitution_; }
  bool is_autonomous() const override { return friction_.is_constant(); }
  std::vector<const ScalarFunction*> functions_of_time() const override;
  std::optional<double> cone_slope(const LawParameters& parameters) const override { return parameters[0]; }

  /// @throws InvalidInput if mu is negative at this time
  LawParameters parameters(double time, ContactState before) const override;

  void resolvent(const LawParameters& parameters, double rho, LocalConstView z, LocalView r) const override;
  LocalMatrix resolvent_derivative(const LawParameters& parameters, double rho,
                                   LocalConstView z) const override;

  /// Computes the exact solution: open, stick and slip are tried in this order, and the direction of slip in
  /// space is a zero of a trigonometric polynomial of degree two, see coulomb_slip.h.
  void solve_local(const LawParameters& parameters, const LocalMatrix& W, LocalConstView b,
                   LocalView r) const override;

  void project(const LawParameters& parameters, LocalConstView reaction, LocalView r) const override;

  /// Returns open, stick, slip forward or slip back (plane), or slip (space).
  ContactState state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                     double tolerance) const override;

 private:
  Index n_tangents_;
  ScalarFunction friction_;
  std::vector<ScalarFunction> support_;
  std::optional<double> restitution_;
};

}  // namespace halfdof
