#pragma once

#include <halfdof/inclusions/law.h>

#include <functional>

namespace halfdof {

/// The force of friction f(v) >= 0 at the sliding speed v >= 0.
struct FrictionCurve {
  std::function<double(double)> force;
  std::function<double(double)> slope;  ///< its derivative
  double steepest_decrease;             ///< l >= -f'(v) for all v >= 0 [force/rate]; 0 if f never falls

  /// @f$ f(v) = f_k + (f_s - f_k)\,e^{-v/v_0} @f$, l = (f_s - f_k)/v_0.
  /// @throws InvalidInput unless 0 <= kinetic <= at_rest and v_0 > 0
  static FrictionCurve exponential(double at_rest, double kinetic, double v_0);

  /// @f$ f(v) = f_k + (f_s - f_k)/(1 + v/v_0) @f$, l = (f_s - f_k)/v_0.
  /// @throws InvalidInput unless 0 <= kinetic <= at_rest and v_0 > 0
  static FrictionCurve hyperbolic(double at_rest, double kinetic, double v_0);

  /// @f$ f(v) = f_k + (f_s - f_k)\,e^{-(v/v_0)^2} @f$, l = sqrt(2/e) (f_s - f_k)/v_0 at v = v_0/sqrt(2):
  /// Stribeck's curve, flat at rest.
  /// @throws InvalidInput unless 0 <= kinetic <= at_rest and v_0 > 0
  static FrictionCurve gaussian(double at_rest, double kinetic, double v_0);
};

/**
 * Friction that falls with the sliding speed, with a vertical segment at rest:
 * @f[ r = -\mathrm{sign}(w)\,f(|w|)\ (w \ne 0), \qquad |r| \le f(0)\ (w = 0). @f]
 * It is one-sided Lipschitz with l, the steepest decrease of f: w = W r + b has one solution if l W < 1 (in
 * an implicit step of length h on inertial DoFs W = h W_I: the step must be small; on viscous DoFs W = W_C
 * and no step helps). Beyond that the rate would have to jump, and the law refuses.
 *
 * Parameters: f(0), at any time.
 */
class WeakeningFriction final : public Law {
 public:
  /// @throws InvalidInput if f(0) or l are negative or not finite, or l is below -f'(v) at v = 0 or one of
  ///     193 speeds from 1e-12 to 1e12; later wherever else that is found out
  explicit WeakeningFriction(FrictionCurve curve, ScalarFunction support = 0.);

  std::string name() const override { return "weakening friction"; }
  Index dimension() const override { return 1; }
  LawLevel level(Index /*column*/) const override { return LawLevel::rate; }
  const ScalarFunction& support(Index /*column*/) const override { return support_; }
  double one_sided_lipschitz_constant() const override { return curve_.steepest_decrease; }
  bool is_positively_homogeneous() const override { return false; }

  LawParameters parameters(double time, ContactState before) const override;

  /// Newton's method between bounds. @throws NotAvailable unless rho > l, with the step that would do
  void resolvent(const LawParameters& parameters, double rho, LocalConstView z, LocalView r) const override;
  void project(const LawParameters& parameters, LocalConstView reaction, LocalView r) const override;
  LocalVector reaction_at(const LawParameters& parameters, LocalConstView w,
                          LocalConstView wish) const override;
  std::optional<Interval> rest_interval(const LawParameters& parameters) const override {
    return Interval{-parameters[0], parameters[0]};
  }
  /// Beyond rest by the tangent there.
  SlidingReaction sliding(const LawParameters& parameters, ContactState state, double w) const override;
  ContactState state(const LawParameters& parameters, LocalConstView w, LocalConstView r,
                     double tolerance) const override;

 private:
  double sliding_speed(double rho, double pull) const;
  /// f'(v). @throws InvalidInput below -l
  double slope(double speed) const;
  void check_chord(double slower, double faster) const;
  double force(double speed) const;

  FrictionCurve curve_;
  ScalarFunction support_;
};

}  // namespace halfdof
