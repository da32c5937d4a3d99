#pragma once

#include <halfdof/integrators/explicit_inclusions.h>

namespace halfdof {

/**
 * The penalty method of Paoli and Schatzman (1993) for contacts with mass, the Yosida approximation of the
 * normal cone with a damper (Dumont et al. 2001, Eqs. (1.7), (1.8)). A contact may be violated, and a spring
 * and a damper push it back,
 * @f[ r_j = -\frac{1}{W_{jj}} \Bigl( \frac{g_j}{\lambda} + \frac{2 \epsilon_j}{\sqrt\lambda}\, w_j \Bigr)
 *     \quad (g_j < 0), \qquad \epsilon = \frac{-\ln e}{\sqrt{\pi^2 + \ln^2 e}}, \qquad (1) @f]
 * in the metric of the mass: with the normal M^-1 n and W_jj = n^T M^-1 n of each contact (an entry of W_I),
 * one contact alone is @f$ \ddot g + 2 \epsilon \dot g/\sqrt\lambda + g/\lambda = 0 @f$ whatever its mass,
 * and leaves after @f$ \pi \sqrt{\lambda/(1 - \epsilon^2)} @f$ with e times the speed it came with. For e = 0
 * the coefficient is its limit 1. The spring is not clipped where the damper makes it pull just before
 * release: that pull is part of e.
 *
 * Solutions are off by O(sqrt(lambda)). All else is as SetValuedRungeKutta has it; steps are divided where a
 * contact opens or closes, so that e holds to the order of the method. A contact gives one
 * ContactEvent where it closes, without an impulse, and one where it opens: with the instants at which it
 * closed and opened, rates there and the impulse in between. Steps above 0.1 sqrt(lambda) do not resolve a
 * contact: see warnings(). NonsmoothState::dissipated includes, during a contact, what its spring holds.
 */
template <class Engine>
class YosidaPenalty final : public ExplicitInclusions<Engine> {
 public:
  /// @param time_step h > 0 [s] @param lambda > 0 [s^2]
  /// @throws InvalidInput if one is not; NotAvailable if a state force changes masses; otherwise as
  /// ExplicitInclusions
  YosidaPenalty(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, double time_step,
                double lambda);

  std::string name() const override { return "Yosida"; }
  std::vector<Check> kept_exactly() const override { return {Check::kinematics}; }
  double lambda() const { return lambda_; }
  /// Sentences; empty if nothing is to be said.
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// epsilon of (1). @param restitution in [0, 1]
  static double damping(double restitution);

 protected:
  void renew(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) override {
    *this = YosidaPenalty(inclusions, outcome, this->time_step(), lambda_);
  }
  void contact_reactions(const Vector& g, const Vector& w, const std::vector<ContactState>& contacts,
                         Vector& r) const override;
  using typename ExplicitInclusions<Engine>::Point;
  Point parts(const Point& from, const TimeGrid::Step& step, std::vector<ContactEvent>& events) override;

 private:
  /// A contact that opens or closes, and when.
  struct Crossing {
    double length;
    Index direction;
  };
  Crossing first_crossing(const Point& begin, const NonsmoothState& to, double length,
                          const std::vector<bool>& passed) const;
  void cross(Index j, NonsmoothState& state, std::vector<ContactEvent>& events) const;

  double lambda_;
  std::vector<Index> directions_;
  Vector spring_, damper_;  ///< 1/(lambda W_jj), 2 epsilon/(sqrt(lambda) W_jj)
  std::vector<std::string> warnings_;
};

}  // namespace halfdof
