#pragma once

#include <halfdof/inclusions/law.h>

namespace halfdof {

/**
 * Unilateral contact with Coulomb friction, in the plane (columns: normal, tangent) or in space (normal and
 * two orthonormal tangents):
 * @f[ 0 \le g \perp r_n \ge 0, \qquad |r_t| \le \mu r_n, \qquad
 *     r_t = -\mu r_n\, w_t/|w_t| \ \text{ where } w_t \ne 0. \qquad (1) @f]
 * The reaction lies in the cone @f$ K_\mu = \{|r_t| \le \mu r_n\} @f$. The law is not the subdifferential of
 * a potential: it is @f$ K_\mu \ni r \perp w + \mu |w_t| n \in K_\mu^* @f$ (De Saxce and Feng 1998), so that
 * several solutions may exist where the normal reaction depends on the tangential one. Its resolvent is the
 * map of Alart and Curnier (1991): @f$ r_n = z_n^+ @f$, then r_t the projection of z_t onto the disc of
 * radius @f$ \mu r_n @f$.
 *
 * Normal and tangential entries of w must be of one kind in one problem: velocities, or displacements in a
 * step.
 *
 * Parameters: mu.
 */
class CoulombFriction final : public Law {
 public:
  /// @param n_tangents 1 (plane) or 2 (space) @param friction mu(t) @param obstacle h(t) of the normal
  /// [length]
  /// @param restitution e of the normal velocity, where the contact meets mass
  /// @throws InvalidInput for other n_tangents, a negative constant mu, e outside [0, 1]
  CoulombFriction(Index n_tangents, ScalarFunction friction, ScalarFunction obstacle = 0.,
                  std::optional<double> restitution = std::nullopt);

  /// The same with an obstacle that moves along its surface, too.
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
  /// mu(t)
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

  /// Open, stick and slip are tried in this order; the direction of slip is a zero of a trigonometric
  /// polynomial of degree two, see coulomb_slip.h.
  void solve_local(const LawParameters& parameters, const LocalMatrix& W, LocalConstView b,
                   LocalView r) const override;

  void project(const LawParameters& parameters, LocalConstView reaction, LocalView r) const override;

  /// Open, stick, slip forward or back (plane) or slip (space).
  ContactState state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                     double tolerance) const override;

 private:
  Index n_tangents_;
  ScalarFunction friction_;
  std::vector<ScalarFunction> support_;
  std::optional<double> restitution_;
};

}  // namespace halfdof
