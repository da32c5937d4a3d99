#pragma once

#include <halfdof/integrators/explicit_inclusions.h>

namespace halfdof {

/// The explicit Euler method for differential inclusions (Dumont et al. 2001, Eqs. (1.3), (1.4)), with the
/// selection of ExplicitInclusions. First order.
template <class Engine>
class SetValuedEuler final : public ExplicitInclusions<Engine> {
 public:
  /// @param time_step h > 0 [s]. @throws as ExplicitInclusions
  SetValuedEuler(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, double time_step)
      : ExplicitInclusions<Engine>(inclusions, outcome, "set-valued Euler", time_step, {{0., 1.}}) {}

  std::string name() const override { return "set-valued Euler"; }

 protected:
  void renew(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) override {
    *this = SetValuedEuler(inclusions, outcome, this->time_step());
  }
};

/// The Runge-Kutta method with four stages for differential inclusions (Dumont et al. 2001, Eqs. (1.5),
/// (1.6)), with the selection of ExplicitInclusions. Fourth order while nothing changes, also where friction
/// depends on the rate; first order across events, and while contacts on viscous DoFs are closed.
template <class Engine>
class SetValuedRungeKutta final : public ExplicitInclusions<Engine> {
 public:
  /// @param time_step h > 0 [s]. @throws as ExplicitInclusions
  SetValuedRungeKutta(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome, double time_step)
      : ExplicitInclusions<Engine>(inclusions, outcome, "set-valued Runge-Kutta", time_step, four_stages()) {}

  std::string name() const override { return "set-valued Runge-Kutta"; }

 protected:
  void renew(const Inclusions<Engine>& inclusions, const InclusionOutcome& outcome) override {
    *this = SetValuedRungeKutta(inclusions, outcome, this->time_step());
  }
};

}  // namespace halfdof
